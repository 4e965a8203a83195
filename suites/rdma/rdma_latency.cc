// Latency of a 2 B message, measured as perftest does: half the round trip of a write or send, the whole round trip of a
// read, by a thread with a fast CPU of its own. Keeps every sample, and records mean, p99 and the share of outliers, which
// come from preemption or deep CPU idle states. Catches: a slow hop, a detour, a CPU in a deep idle state, a PCIe link in a
// low-power state.
#include <algorithm>

#include "fixtures/rdma_flows/rdma_flows.h"
#include "framework/runner/rig_test.h"
#include "suites/rdma/rdma_load.h"

namespace rigproof::rdma {

RIGPROOF_METRICS({"rdma.write.latency", "RDMA write latency", "Half the round trip of a 2-byte RDMA write.",
                  "A CPU in a deep idle state, or a queue on the path."},
                 {"rdma.write.latency.switched", "RDMA write latency through a switch",
                  "Half the round trip of a 2-byte RDMA write, a switch on the way.",
                  "A CPU in a deep idle state, a queue on the path, or a second switch."},
                 {"rdma.send.latency", "RDMA send latency", "Half the round trip of a 2-byte RDMA send.",
                  "A CPU in a deep idle state, or a queue on the path."},
                 {"rdma.read.latency", "RDMA read latency", "The time of a 2-byte RDMA read.",
                  "A CPU in a deep idle state, or a queue on the path."},
                 {"*.latency.outliers", "Latency without outliers",
                  "Few messages take more than five times the median.",
                  "A CPU in a deep idle state, an interrupt storm, or another job on the node."});

namespace {

bool has_straight_cable(const Rig& rig) {
  return std::ranges::any_of(rig.links, [](const Link& link) { return !link.through; });
}

class Latency : public RigTest<RailPath> {
 protected:
  [[nodiscard]] bool is_switched() const {
    return rig().link_of({subject().from.node, subject().from.port}).through.has_value();
  }

  // `judged_as`: id of the limit for the time, if not `id`.
  void run(const std::string& id, verbs::LatencyOperation operation, const std::string& judged_as = {}) {
    const verbs::PingPongSpec spec{
        .operation = operation,
        .rounds = static_cast<std::size_t>(std::clamp(kRoundsARepeat * windows().repeats, kFewest, kMost)),
        .warm_up = 100};
    const rdma_flows::RdmaLatency latency = measure("ping-pong", std::chrono::seconds(60), [&] {
      return rdma_flows::measure_latency(rig(), ranks(), subject(), spec);
    });
    if (!latency.ran_on.empty()) found("rdma.cpu", latency.ran_on, {.node = node(), .detail = "ping-pong"});
    if (!here(subject().from.node)) return;
    if (latency.dead) {
      note(*latency.dead);
      report("rdma.connects", count(0));  // a busy machine can excuse a long time, but not this
    } else {
      report(judged_as.empty() ? id : judged_as, latency.times);
      report_spread(id, latency.times.set());
    }
  }

 private:
  static constexpr int kRoundsARepeat = 25, kFewest = 1000, kMost = 10'000;
  static constexpr double kOutlier = 5;  // times the median

  void report_spread(const std::string& id, SampleSet times) {
    std::vector<double>& values = times.values;
    if (values.empty()) return;
    std::ranges::sort(values);
    const double median = values[values.size() / 2];
    const auto outliers =
        std::ranges::count_if(values, [&](double time) { return time > kOutlier * median; });
    double sum = 0;
    for (const double time : values) sum += time;
    const auto count = static_cast<double>(values.size());
    record(id + ".mean", Quantity{times.dimension, sum / count});
    record(id + ".p99", Quantity{times.dimension, values[values.size() * 99 / 100]});
    found(id + ".outliers", ratio(static_cast<double>(outliers) / count), {.node = node()});
  }
};

// A switch adds latency to that of NICs and cable, so the switched path has its own limit.
RIGPROOF_TEST(
    Latency, OfAWrite,
    Reports::time("rdma.write.latency").where_there().on_rigs_with("a straight cable", has_straight_cable),
    Reports::time("rdma.write.latency.switched").where_there().on_rigs_with("a switch", has_switch),
    Reports::ratio("rdma.write.latency.outliers")) {
  run("rdma.write.latency", verbs::LatencyOperation::kWrite,
      is_switched() ? "rdma.write.latency.switched" : "");
}
RIGPROOF_TEST(Latency, OfASend, Reports::time("rdma.send.latency"),
              Reports::ratio("rdma.send.latency.outliers")) {
  run("rdma.send.latency", verbs::LatencyOperation::kSend);
}
RIGPROOF_TEST(Latency, OfARead, Reports::time("rdma.read.latency"),
              Reports::ratio("rdma.read.latency.outliers")) {
  run("rdma.read.latency", verbs::LatencyOperation::kRead);
}
RIGPROOF_CASES(EachRail, Latency, rdma_rail_pairs);

}  // namespace
}  // namespace rigproof::rdma
