// Proves that every node computes and moves memory at the expected speed, also under a short load. Catches: a CPU stuck at a
// low clock, a throttled node, memory on the wrong channels, another load on the node.
#include <algorithm>
#include <thread>

#include "framework/runner/rig_test.h"
#include "suites/host/microbenchmarks.h"

namespace rigproof::host {

RIGPROOF_METRICS({"host.read", "Memory read rate", "The cores read memory at the rate of a sound node.",
                  "The node is throttled, or busy."},
                 {"host.copy", "Memory copy rate", "The cores copy memory at the rate of a sound node.",
                  "The node is throttled, or busy."},
                 {"host.compute.one_core", "One core computes",
                  "A core computes as fast as one of a sound node.", "The node is throttled, or busy."},
                 {"host.compute.all_cores", "All cores compute",
                  "All cores together do the work of a sound node.", "The node is throttled, or busy."},
                 {"host.steady", "Steady under load",
                  "The node is as fast after seconds of load as at first.",
                  "The node gets hot and slows down."},
                 {"host.same.*", "As fast as its like",
                  "The node is as fast as the best of the nodes that have the same CPUs, GPUs and memory.",
                  "The node is throttled, or busy, though it meets the floor of a sound one."});

namespace {

[[maybe_unused]] const bool kSuite = declare_suite(
    {.title = "Memory, CPUs and GPUs of each node",
     .order = 2,
     .first_look = "*NodeCanary.ReadsMemory*:*GpuCanary.TestsEveryGpu*:*GpuCanary.MultipliesMatrices*",
     .case_seconds = {0.29, 0.88, 5.1}});

class NodeCanary : public RigTest<NodeSubject> {
 protected:
  // Collective. Loads one node at a time, because nodes of a model rig share one machine.
  void run(std::string_view id, const Microbenchmark& benchmark) {
    const double seconds = std::chrono::duration<double>(windows().window).count() / 4;
    const SampleSet samples = measure("run", std::chrono::seconds(60), [&] {
      return here(subject().node) ? run_microbenchmark(benchmark, windows().warm_up, seconds,
                                                       std::max(3, windows().intervals / 2))
                                  : SampleSet{benchmark.dimension, {}};
    });
    if (!here(subject().node)) return;
    report(id, samples);
    report("host.steady", ratio(steadiness(samples)),
           benchmark.name + (benchmark.threads > 1 ? " on all cores" : ""));
  }

  [[nodiscard]] static int all_cores() {
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
};

// Comparison with the other nodes ("host.same.copy"); made at the end of the run, not here.
Reports compared(const std::string& figure) { return Reports::ratio("host.same." + figure).where_there(); }

RIGPROOF_TEST(NodeCanary, CopiesMemory, Reports::rate("host.copy"), Reports::ratio("host.steady"),
              compared("copy")) {
  run("host.copy", memory_copy(all_cores()));
}
RIGPROOF_TEST(NodeCanary, ReadsMemory, Reports::rate("host.read"), Reports::ratio("host.steady"),
              compared("read")) {
  run("host.read", memory_read(all_cores()));
}
RIGPROOF_TEST(NodeCanary, ComputesOnOneCore, Reports::count("host.compute.one_core"),
              Reports::ratio("host.steady"), compared("compute.one_core")) {
  run("host.compute.one_core", compute(1));
}
RIGPROOF_TEST(NodeCanary, ComputesOnAllCores, Reports::count("host.compute.all_cores"),
              Reports::ratio("host.steady"), compared("compute.all_cores")) {
  run("host.compute.all_cores", compute(all_cores()));
}

RIGPROOF_CASES(EachNode, NodeCanary, every_node);

}  // namespace
}  // namespace rigproof::host
