// Collectives from GPU to GPU by NCCL: bus bandwidth of every operation over a sweep of sizes, latency of small messages,
// and the data at every size. Catches: half the rate because a half is idle, a narrow PCIe link, path MTU 1024, a wrong NCCL
// build, corrupted data, a buffer that does not fit (refused, not tried).

#include <fmt/format.h>

#include "fixtures/collective/operation.h"
#include "framework/runner/context.h"
#include "suites/collective/nccl_case.h"

namespace rigproof::collective {

RIGPROOF_METRICS({"collective.nccl.busbw.*", "NCCL bus bandwidth",
                  "What an NCCL collective moves, as bus bandwidth.",
                  "NCCL uses sockets, one half only, or a slow rail."},
                 {"collective.nccl.latency", "NCCL latency", "The time of a small NCCL collective.",
                  "The data goes over sockets, or a CPU is in a deep idle state."},
                 {"collective.nccl.wrong", "NCCL results are right",
                  "What NCCL's collectives deliver is right.", "Faulty memory, GPU or link."});

namespace {

class NcclBandwidth : public NcclCase {
 protected:
  void sweep(Operation operation) {
    if (!connect()) return;
    for (const bool in_place : {false, true}) {
      if (in_place && !supports_in_place(operation)) continue;
      for (const DataSize size : sweep_sizes(operation, suite_context().profile, paths_rate()))
        report_point(run({operation, size, in_place}, timing()));
    }
  }

 private:
  void report_point(const CollectiveResult& result) {
    if (!reports()) return;
    const bool large = is_large(result.spec.operation, result.spec.size);
    report(fmt::format("collective.nccl.busbw.{}{}", name(result.spec.operation), large ? ".large" : ""),
           result.busbw, detail_of(result.spec));
    record("collective.nccl.algbw", result.algbw, detail_of(result.spec));
  }
};
RIGPROOF_TEST(NcclBandwidth, OfSendRecv, Reports::sustained("collective.nccl.busbw.sendrecv"),
              Reports::sustained("collective.nccl.busbw.sendrecv.large").where_there(),
              Reports::count("collective.nccl.wrong")) {
  sweep(Operation::kSendRecv);
}
RIGPROOF_TEST(NcclBandwidth, OfAllGather, Reports::sustained("collective.nccl.busbw.all_gather"),
              Reports::sustained("collective.nccl.busbw.all_gather.large").where_there(),
              Reports::count("collective.nccl.wrong")) {
  sweep(Operation::kAllGather);
}
RIGPROOF_TEST(NcclBandwidth, OfAllReduce, Reports::sustained("collective.nccl.busbw.all_reduce"),
              Reports::sustained("collective.nccl.busbw.all_reduce.large").where_there(),
              Reports::count("collective.nccl.wrong")) {
  sweep(Operation::kAllReduce);
}
RIGPROOF_TEST(NcclBandwidth, OfBroadcast, Reports::sustained("collective.nccl.busbw.broadcast"),
              Reports::sustained("collective.nccl.busbw.broadcast.large").where_there(),
              Reports::count("collective.nccl.wrong")) {
  sweep(Operation::kBroadcast);
}
RIGPROOF_TEST(NcclBandwidth, OfReduce, Reports::sustained("collective.nccl.busbw.reduce"),
              Reports::sustained("collective.nccl.busbw.reduce.large").where_there(),
              Reports::count("collective.nccl.wrong")) {
  sweep(Operation::kReduce);
}
RIGPROOF_TEST(NcclBandwidth, OfReduceScatter, Reports::sustained("collective.nccl.busbw.reduce_scatter"),
              Reports::sustained("collective.nccl.busbw.reduce_scatter.large").where_there(),
              Reports::count("collective.nccl.wrong")) {
  sweep(Operation::kReduceScatter);
}
RIGPROOF_TEST(NcclBandwidth, OfAllToAll, Reports::sustained("collective.nccl.busbw.alltoall"),
              Reports::sustained("collective.nccl.busbw.alltoall.large").where_there(),
              Reports::count("collective.nccl.wrong")) {
  sweep(Operation::kAllToAll);
}
RIGPROOF_CASES(EachPair, NcclBandwidth, nccl::every_gpu_pair);

class NcclLatency : public NcclCase {};
RIGPROOF_TEST(NcclLatency, OfSmallMessages, Reports::time("collective.nccl.latency"),
              Reports::count("collective.nccl.wrong")) {
  if (!connect({}, nccl::NcclWaits::kSpin)) return;
  for (const DataSize size : kSmallMessages) {
    const CollectiveResult result = run({Operation::kAllReduce, size}, timing());
    if (reports()) report("collective.nccl.latency", result.times, detail_of(result.spec));
  }
}
RIGPROOF_CASES(EachPair, NcclLatency, nccl::every_gpu_pair);

// Recorded only, as a help for tuning: how NCCL's bandwidth depends on its channels and queue pairs, and which protocol each
// collective uses. The protocol explains the bytes on the wire: LL doubles them, LL128 adds a fifteenth.
using namespace std::chrono_literals;

class NcclTuning : public NcclCase {
 protected:
  // Records a curve of sendrecv over one of NCCL's variables: "sendrecv at 4 channels per peer".
  void sweep(const std::string& variable, const std::string& unit) {
    const DataSize size = sweep_sizes(Operation::kSendRecv, Profile::kSmoke, paths_rate()).back();
    for (const int value : {1, 2, 4, 8}) {
      const std::string point = fmt::format("{} {}", value, unit);
      if (!connect({{variable, std::to_string(value)}})) return;
      const CollectiveResult result = run({Operation::kSendRecv, size}, timing(), point + ", ");
      if (!reports()) continue;
      if (engine()->log().settings.contains(variable))
        record("collective.nccl.tuning", result.busbw.rates, {record::at(value, unit), "sendrecv"});
      else
        note(fmt::format("NCCL's log does not confirm {}: {} left out of the curve", variable, point));
    }
  }
};
RIGPROOF_TEST(NcclTuning, ByChannelsPerPeer) { sweep("NCCL_NCHANNELS_PER_NET_PEER", "channels per peer"); }
RIGPROOF_TEST(NcclTuning, ByQueuePairsPerConnection) {
  sweep("NCCL_IB_QPS_PER_CONNECTION", "queue pairs per connection");
}
RIGPROOF_CASES(EachPair, NcclTuning, nccl::every_gpu_pair);

class NcclProtocol : public NcclCase {
 protected:
  // Records the protocol from the log of the collective's first rank, if the log names one. The log never names it for
  // sendrecv.
  void record_choice(const CollectiveSpec& spec) {
    const nccl::TransportLog log = engine()->log();
    if (log.choices.empty())
      return note(detail_text(detail_of(spec).name, detail_of(spec).axis) + ": NCCL's log names no protocol");
    const nccl::NcclChoice& last = log.choices.back();
    found("collective.nccl.protocol",
          fmt::format("{}, algorithm {}, channels {} to {}", last.protocol, last.algorithm, last.first,
                      last.last),
          {.node = node(), .detail = detail_text(detail_of(spec).name, detail_of(spec).axis)});
  }
};
RIGPROOF_TEST(NcclProtocol, IsRecorded) {
  // The engine sets this variable anyway, so the measurement does not change.
  if (!connect({{"NCCL_DEBUG", "INFO"}})) return;
  const DataSize large = sweep_sizes(Operation::kAllGather, Profile::kSmoke, paths_rate()).back();
  for (const Operation operation : every_operation()) {
    if (operation == Operation::kSendRecv || operation == Operation::kAllToAll) continue;
    for (const DataSize size : {kSmallMessages.front(), large}) {
      const CollectiveResult result = run({operation, size}, {.warm_up = 0s, .window = 0s, .blocks = 1});
      if (reports()) record_choice(result.spec);
    }
  }
}
RIGPROOF_CASES(EachPair, NcclProtocol, nccl::every_gpu_pair);

}  // namespace

}  // namespace rigproof::collective
