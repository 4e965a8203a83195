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
TEST_P(NcclBandwidth, OfSendRecv) { sweep(Operation::kSendRecv); }
TEST_P(NcclBandwidth, OfAllGather) { sweep(Operation::kAllGather); }
TEST_P(NcclBandwidth, OfAllReduce) { sweep(Operation::kAllReduce); }
TEST_P(NcclBandwidth, OfBroadcast) { sweep(Operation::kBroadcast); }
TEST_P(NcclBandwidth, OfReduce) { sweep(Operation::kReduce); }
TEST_P(NcclBandwidth, OfReduceScatter) { sweep(Operation::kReduceScatter); }
TEST_P(NcclBandwidth, OfAllToAll) { sweep(Operation::kAllToAll); }
RIGPROOF_CASES(EachPair, NcclBandwidth, every_gpu_pair);

class NcclLatency : public NcclCase {};
TEST_P(NcclLatency, OfSmallMessages) {
  if (!connect()) return;
  for (const DataSize size : kSmallMessages) {
    const CollectiveResult result = run({Operation::kAllReduce, size}, timing());
    if (reports()) report("collective.nccl.latency", result.times, detail_of(result.spec));
  }
}
RIGPROOF_CASES(EachPair, NcclLatency, every_gpu_pair);

}  // namespace
}  // namespace rigproof::nccl
