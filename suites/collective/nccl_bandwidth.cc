// Collectives from GPU to GPU by NCCL: bus bandwidth of every operation over a sweep of sizes, latency of small
// messages, the data verified at every size.
// Catches: half the rate because a half idles, a narrow PCIe link, path MTU 1024, a wrong NCCL build, data that
// is corrupted on its way, a buffer that does not fit (refused, not tried).
#include <fmt/format.h>

#include "fixtures/collective/operation.h"
#include "framework/runner/context.h"
#include "suites/collective/nccl_case.h"

namespace rigproof::nccl {
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
RIGPROOF_TEST(NcclBandwidth, OfSendRecv, Reports::rate("collective.nccl.busbw.sendrecv"), Reports::rate("collective.nccl.busbw.sendrecv.large").where_there(), Reports::count("collective.nccl.wrong")) { sweep(Operation::kSendRecv); }
RIGPROOF_TEST(NcclBandwidth, OfAllGather, Reports::rate("collective.nccl.busbw.all_gather"), Reports::rate("collective.nccl.busbw.all_gather.large").where_there(), Reports::count("collective.nccl.wrong")) { sweep(Operation::kAllGather); }
RIGPROOF_TEST(NcclBandwidth, OfAllReduce, Reports::rate("collective.nccl.busbw.all_reduce"), Reports::rate("collective.nccl.busbw.all_reduce.large").where_there(), Reports::count("collective.nccl.wrong")) { sweep(Operation::kAllReduce); }
RIGPROOF_TEST(NcclBandwidth, OfBroadcast, Reports::rate("collective.nccl.busbw.broadcast"), Reports::rate("collective.nccl.busbw.broadcast.large").where_there(), Reports::count("collective.nccl.wrong")) { sweep(Operation::kBroadcast); }
RIGPROOF_TEST(NcclBandwidth, OfReduce, Reports::rate("collective.nccl.busbw.reduce"), Reports::rate("collective.nccl.busbw.reduce.large").where_there(), Reports::count("collective.nccl.wrong")) { sweep(Operation::kReduce); }
RIGPROOF_TEST(NcclBandwidth, OfReduceScatter, Reports::rate("collective.nccl.busbw.reduce_scatter"), Reports::rate("collective.nccl.busbw.reduce_scatter.large").where_there(), Reports::count("collective.nccl.wrong")) { sweep(Operation::kReduceScatter); }
RIGPROOF_TEST(NcclBandwidth, OfAllToAll, Reports::rate("collective.nccl.busbw.alltoall"), Reports::rate("collective.nccl.busbw.alltoall.large").where_there(), Reports::count("collective.nccl.wrong")) { sweep(Operation::kAllToAll); }
RIGPROOF_CASES(EachPair, NcclBandwidth, every_gpu_pair);

class NcclLatency : public NcclCase {};
RIGPROOF_TEST(NcclLatency, OfSmallMessages, Reports::time("collective.nccl.latency"), Reports::count("collective.nccl.wrong")) {
  if (!connect()) return;
  for (const DataSize size : kSmallMessages) {
    const CollectiveResult result = run({Operation::kAllReduce, size}, timing());
    if (reports()) report("collective.nccl.latency", result.times, detail_of(result.spec));
  }
}
RIGPROOF_CASES(EachPair, NcclLatency, every_gpu_pair);

}  // namespace
}  // namespace rigproof::nccl
