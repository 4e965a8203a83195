// Collectives from GPU to GPU by NCCL: bus bandwidth of every operation over a sweep of sizes, and the data at every size.
// Catches: half the rate because a half is idle, a narrow PCIe link, path MTU 1024, a wrong NCCL build, corrupted data, a
// buffer that does not fit (refused, not tried). Runs between every two nodes with one GPU each, and on larger rigs among all
// GPUs.

#include <fmt/format.h>

#include "fixtures/collective/operation.h"
#include "framework/runner/context.h"
#include "suites/collective/nccl_case.h"

namespace rigproof::collective {

RIGPROOF_METRICS({"collective.nccl.busbw.*", "NCCL bus bandwidth",
                  "What an NCCL collective moves, as bus bandwidth.",
                  "NCCL uses sockets, one half only, or a slow rail."},
                 {"collective.nccl.all.busbw.*", "NCCL bus bandwidth, all GPUs",
                  "What an NCCL collective of all GPUs of all nodes moves, as bus bandwidth.",
                  "One slow rail or GPU slows all, or NCCL's channels leave by the wrong cables."},
                 {"collective.nccl.wrong", "NCCL results are right",
                  "What NCCL's collectives deliver is right.", "Faulty memory, GPU or link."});

namespace {

template <class SubjectType>
class NcclSweep : public NcclCase<SubjectType> {
 protected:
  // Reports bus bandwidth as FAMILY.OPERATION, at sizes with a limit of their own as FAMILY.OPERATION.large.
  void sweep(Operation operation, const std::string& family, bool by_size) {
    if (!this->connect()) return;
    for (const bool in_place : {false, true}) {
      if (in_place && !supports_in_place(operation)) continue;
      for (const DataSize size : sweep_sizes(operation, suite_context().profile, this->paths_rate()))
        report_point(this->run({operation, size, in_place}, this->timing()), family, by_size);
    }
  }

 private:
  void report_point(const CollectiveResult& result, const std::string& family, bool by_size) {
    if (!this->reports()) return;
    const bool large = by_size && is_large(result.spec.operation, result.spec.size);
    this->report(fmt::format("{}.{}{}", family, name(result.spec.operation), large ? ".large" : ""),
                 result.busbw, this->detail_of(result.spec));
    this->record("collective.nccl.algbw", result.algbw, this->detail_of(result.spec));
    const Operation operation = result.spec.operation;
    if constexpr (std::is_same_v<SubjectType, AllNodes>)
      if (operation != Operation::kSendRecv && operation != Operation::kAllToAll)
        this->record_choice(result.spec);
  }
};

constexpr const char* kBusbw = "collective.nccl.busbw";
std::vector<Reports> of_bandwidth_by_nccl(Operation operation) {
  const std::string id = fmt::format("{}.{}", kBusbw, name(operation));
  return {Reports::sustained(id), Reports::sustained(id + ".large").where_there(),
          Reports::count("collective.nccl.wrong")};
}

class NcclBandwidth : public NcclSweep<NodePath> {
 protected:
  void sweep(Operation operation) { NcclSweep::sweep(operation, kBusbw, true); }
};
RIGPROOF_TEST(NcclBandwidth, OfSendRecv, of_bandwidth_by_nccl(Operation::kSendRecv)) {
  sweep(Operation::kSendRecv);
}
RIGPROOF_TEST(NcclBandwidth, OfAllGather, of_bandwidth_by_nccl(Operation::kAllGather)) {
  sweep(Operation::kAllGather);
}
RIGPROOF_TEST(NcclBandwidth, OfAllReduce, of_bandwidth_by_nccl(Operation::kAllReduce)) {
  sweep(Operation::kAllReduce);
}
RIGPROOF_TEST(NcclBandwidth, OfBroadcast, of_bandwidth_by_nccl(Operation::kBroadcast)) {
  sweep(Operation::kBroadcast);
}
RIGPROOF_TEST(NcclBandwidth, OfReduce, of_bandwidth_by_nccl(Operation::kReduce)) {
  sweep(Operation::kReduce);
}
RIGPROOF_TEST(NcclBandwidth, OfReduceScatter, of_bandwidth_by_nccl(Operation::kReduceScatter)) {
  sweep(Operation::kReduceScatter);
}
RIGPROOF_TEST(NcclBandwidth, OfAllToAll, of_bandwidth_by_nccl(Operation::kAllToAll)) {
  sweep(Operation::kAllToAll);
}
RIGPROOF_CASES(EachPair, NcclBandwidth, nccl::every_gpu_pair);

// All GPUs of all nodes. Catches: a rank that takes no part in any pair, a ring whose pairs are sound and whose cables do not
// serve NCCL's order of ranks, GPUs that do not reach the rails at their rate.
constexpr const char* kBusbwOfAll = "collective.nccl.all.busbw";
std::vector<Reports> of_bandwidth_of_all(Operation operation) {
  return {Reports::sustained(fmt::format("{}.{}", kBusbwOfAll, name(operation))),
          Reports::count("collective.nccl.wrong")};
}

class NcclBandwidthOfAll : public NcclSweep<AllNodes> {
 protected:
  void sweep(Operation operation) { NcclSweep::sweep(operation, kBusbwOfAll, false); }
};
RIGPROOF_TEST(NcclBandwidthOfAll, OfSendRecv, of_bandwidth_of_all(Operation::kSendRecv)) {
  sweep(Operation::kSendRecv);
}
RIGPROOF_TEST(NcclBandwidthOfAll, OfAllGather, of_bandwidth_of_all(Operation::kAllGather)) {
  sweep(Operation::kAllGather);
}
RIGPROOF_TEST(NcclBandwidthOfAll, OfAllReduce, of_bandwidth_of_all(Operation::kAllReduce)) {
  sweep(Operation::kAllReduce);
}
RIGPROOF_TEST(NcclBandwidthOfAll, OfBroadcast, of_bandwidth_of_all(Operation::kBroadcast)) {
  sweep(Operation::kBroadcast);
}
RIGPROOF_TEST(NcclBandwidthOfAll, OfReduce, of_bandwidth_of_all(Operation::kReduce)) {
  sweep(Operation::kReduce);
}
RIGPROOF_TEST(NcclBandwidthOfAll, OfReduceScatter, of_bandwidth_of_all(Operation::kReduceScatter)) {
  sweep(Operation::kReduceScatter);
}
RIGPROOF_CASES(AllNodes, NcclBandwidthOfAll, nccl::all_gpus_together);

// The one operation without a ring.
class NcclExchangeOfAll : public NcclBandwidthOfAll {};
RIGPROOF_TEST(NcclExchangeOfAll, OfAllToAll, of_bandwidth_of_all(Operation::kAllToAll)) {
  sweep(Operation::kAllToAll);
}
RIGPROOF_CASES(AllNodes, NcclExchangeOfAll, all_gpus_that_meet);

// Recorded only, as a help for tuning: how NCCL's bandwidth depends on its channels and queue pairs, and which protocol each
// collective uses. The protocol explains the bytes on the wire: LL doubles them, LL128 adds a fifteenth.
using namespace std::chrono_literals;

class NcclTuning : public NcclCase<NodePath> {
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

class NcclProtocol : public NcclCase<NodePath> {};
RIGPROOF_TEST(NcclProtocol, IsRecorded) {
  // The engine sets this variable anyway, so the measurement does not change.
  if (!connect({{"NCCL_DEBUG", "INFO"}})) return;
  const DataSize large = sweep_sizes(Operation::kAllGather, Profile::kSmoke, paths_rate()).back();
  for (const Operation operation : every_operation()) {
    if (operation == Operation::kSendRecv || operation == Operation::kAllToAll) continue;
    for (const DataSize size : {decode_sizes(Profile::kSmoke).front(), large}) {
      const CollectiveResult result = run({operation, size}, {.warm_up = 0s, .window = 0s, .blocks = 1});
      if (reports()) record_choice(result.spec);
    }
  }
}
RIGPROOF_CASES(EachPair, NcclProtocol, nccl::every_gpu_pair);

}  // namespace

}  // namespace rigproof::collective
