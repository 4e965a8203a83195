// The latency of a 2 B message, as perftest measures it: half the round trip of a write and of a send, the whole
// of a read. Every sample is kept. Catches: a slow hop, a detour, a CPU or a PCIe link that sleeps deep.
#include "fixtures/rdma_flows/rdma_flows.h"
#include "framework/runner/rig_test.h"
#include "suites/rdma/rdma_subjects.h"

namespace rigproof::rdma {
namespace {

class Latency : public RigTest<RailPath> {
 protected:
  void run(std::string_view id, verbs::LatencyOperation operation) {
    const verbs::PingPongSpec spec{.operation = operation,
                                   .rounds = static_cast<std::size_t>(5 * windows().repeats)};
    const rdma_flows::RdmaLatency latency = measure("ping-pong", std::chrono::seconds(60), [&] {
      return rdma_flows::measure_latency(rig(), ranks(), subject(), spec);
    });
    if (!here(subject().from.node)) return;
    if (latency.dead) {
      note(*latency.dead);
      report("rdma.connects", count(0));  // which no busy machine excuses, as it may a long time
    } else {
      report(id, latency.times);
    }
  }
};

RIGPROOF_TEST(Latency, OfAWrite, Reports::time("rdma.write.latency")) {
  run("rdma.write.latency", verbs::LatencyOperation::kWrite);
}
RIGPROOF_TEST(Latency, OfASend, Reports::time("rdma.send.latency")) {
  run("rdma.send.latency", verbs::LatencyOperation::kSend);
}
RIGPROOF_TEST(Latency, OfARead, Reports::time("rdma.read.latency")) {
  run("rdma.read.latency", verbs::LatencyOperation::kRead);
}
RIGPROOF_CASES(EachRail, Latency, rdma_rail_pairs);

}  // namespace
}  // namespace rigproof::rdma
