// Proves for every GPU: it copies its memory and multiplies matrices correctly, steadily and at full clock, and multiplies a
// vector as fast as it copies. Catches: a hidden state in which only memory-bound computing is slow, a GPU stuck in a
// low-power state or throttled (from the start or when hot), memory with wrong data, CUDA that reaches no GPU or only one of
// eight.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "fixtures/facts/gpus_there.h"
#include "fixtures/facts/shared_library.h"
#include "fixtures/gpu_load/gpu_load.h"
#include "framework/runner/not_there.h"
#include "framework/runner/rig_test.h"
#include "suites/host/microbenchmarks.h"

namespace rigproof::host {

RIGPROOF_METRICS({"host.gpu.tested", "Every GPU is tested",
                  "CUDA finds all GPUs of the node, so that each is tested.",
                  "CUDA_VISIBLE_DEVICES, the container or the launcher's job leaves it some of them."},
                 {"host.gpu.*", "GPU under load", "The GPU copies and computes at its rate, and right.",
                  "The GPU is throttled, or faulty."});

namespace {

using gpu_load::GpuLoad, gpu_load::NoGpu;

using namespace std::chrono_literals;

// Nodes where GPUs are expected: hardware, and rigs whose file declares a stand-in for CUDA.
std::vector<NodeSubject> every_gpu_node(const Rig& rig) {
  const bool stand_in = rig.stand_in && rig.stand_in->find("CUDA") != std::string::npos;
  if (rig.kind != "hardware" && !stand_in) return {};
  std::vector<NodeSubject> nodes = every_node(rig);
  std::erase_if(nodes, [&](const NodeSubject& one) { return rig.node(one.node).used_gpus() == 0; });
  return nodes;
}

class GpuCanary : public RigTest<NodeSubject> {
 protected:
  void require_declared() const {
    if (const std::string answers = gpu_load::stand_in(); !answers.empty() && !rig().stand_in)
      throw std::runtime_error("the library that answers is a stand-in (" + answers +
                               "), but the rig file does not declare it (stand_in = \"...\")");
  }

  // Collective. Calls load(gpu) for each GPU of the subject's node, one after the other.
  template <class Load>
  void on_every_gpu(const std::string& name, Load load) {
    gpus_ = phase("count the GPUs", 60s, [&] { return count_gpus(); });
    for (gpu_ = 0; gpu_ < gpus_; ++gpu_) on_gpu(of_gpu(name), load);
  }

  // The name with the GPU's number, if the node has several GPUs.
  [[nodiscard]] std::string of_gpu(const std::string& name) const {
    if (gpus_ == 1) return name;
    return fmt::format("{}{}GPU {}", name, name.empty() ? "" : ", ", gpu_);
  }

  [[nodiscard]] SampleSet run(const Microbenchmark& wanted) const {
    const double seconds = std::chrono::duration<double>(windows().window).count() / 4;
    return run_microbenchmark(wanted, windows().warm_up, seconds, std::max(3, windows().intervals / 2));
  }

 private:
  // Collective. GPUs of the subject's node, at least 1: without a GPU, loading the first one reports what is missing.
  int count_gpus() {
    int own = 1;
    try {
      if (here(subject().node)) own = std::max(1, gpu_load::number_of_gpus());
    } catch (const NoGpu&) {
    }
    return std::stoi(ranks().share(std::to_string(own)).at(subject().node));
  }

  template <class Load>
  void on_gpu(const std::string& name, Load load) {
    measure(name, 60s, [&] {
      if (!here(subject().node)) return;
      try {
        GpuLoad gpu(gpu_);
        require_declared();
        load(gpu);
      } catch (const NoGpu& error) {
        if (!facts::has_gpu()) throw NotThere("host.gpu.*", error.what());
        not_proven(error.what());
      }
    });
  }

  int gpus_ = 1, gpu_ = 0;
};

// Samples a GPU's clock as a part of its largest clock during its lifetime. Throws Unreadable.
class ClockWatch {
 public:
  explicit ClockWatch(const std::string& pci_address)
      : gpu_(nvml_.device(pci_address)),
        largest_(nvml_.number(gpu_, facts::Nvml::kGraphicsClock, "nvmlDeviceGetMaxClockInfo")),
        thread_([this] { watch(); }) {}
  ~ClockWatch() { stop(); }
  ClockWatch(const ClockWatch&) = delete;
  ClockWatch& operator=(const ClockWatch&) = delete;

  // Ends the sampling. Empty: the driver reported no clock.
  [[nodiscard]] SampleSet shares() {
    stop();
    return {Dimension::kRatio, shares_};
  }

 private:
  void stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  void watch() {
    while (!stop_) {
      try {
        const double clock = nvml_.number(gpu_, facts::Nvml::kGraphicsClock, "nvmlDeviceGetClockInfo");
        shares_.push_back(largest_ > 0 ? clock / largest_ : 0);
      } catch (const facts::Unreadable&) {  // try again at the next sample
      }
      std::this_thread::sleep_for(10ms);
    }
  }

  facts::Nvml nvml_;
  facts::Nvml::Device gpu_;
  double largest_;
  std::vector<double> shares_;  // used by the thread until it has ended
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

// The cases below test the GPUs that CUDA finds; the launcher's settings can hide some of the node's GPUs.
RIGPROOF_TEST(GpuCanary, TestsEveryGpu, Reports::ratio("host.gpu.tested").where_there()) {
  phase("count the GPUs", 60s, [&] {
    if (!here(subject().node)) return;
    require_declared();
    const unsigned there = std::max(facts::gpus_by_nvml(), rig().stand_in ? 0 : facts::gpus_by_driver());
    if (there == 0)
      return nothing_there("host.gpu.tested", "neither NVML nor the driver has a GPU here", {subject().node});
    try {
      const int tested = gpu_load::number_of_gpus();
      found("host.gpu.tested", ratio(static_cast<double>(tested) / there),
            {subject().node, {}, {{"here", std::to_string(tested)}, {"there", std::to_string(there)}}});
    } catch (const NoGpu& error) {
      not_proven(error.what());
    }
  });
}

RIGPROOF_TEST(GpuCanary, CopiesItsMemory, Reports::rate("host.gpu.copy"), Reports::ratio("host.steady"),
              Reports::ratio("host.same.gpu.copy").where_there()) {
  on_every_gpu("copy", [&](GpuLoad& gpu) {
    const SampleSet samples = run(
        {"gpu copy", Dimension::kDataRate, 1, [&] { return 8.0 * static_cast<double>(gpu.copy().bytes()); }});
    report("host.gpu.copy", samples, of_gpu(""));
    report("host.steady", ratio(steadiness(samples)), of_gpu("gpu copy"));
  });
}

RIGPROOF_TEST(GpuCanary, MultipliesMatrices, Reports::count("host.gpu.multiply"),
              Reports::ratio("host.steady"), Reports::count("host.gpu.wrong"),
              Reports::ratio("host.same.gpu.multiply").where_there()) {
  on_every_gpu("multiply", [&](GpuLoad& gpu) {
    const SampleSet samples = run({"gpu multiply", Dimension::kCount, 1, [&] { return gpu.multiply(); }});
    report("host.gpu.multiply", samples, of_gpu("operations a second"));
    report("host.steady", ratio(steadiness(samples)), of_gpu("gpu multiply"));
    report("host.gpu.wrong", count(gpu.wrong_elements()), of_gpu(""));
  });
}

// Copies and products alternate, so that both run in the same GPU state. Only their ratio shows a state in which copies and
// nvidia-smi look normal, but every model runs at a third of its speed.
RIGPROOF_TEST(GpuCanary, MultipliesAVectorAsFastAsItCopies, Reports::rate("host.gpu.gemv"),
              Reports::ratio("host.gpu.gemv_share"), Reports::ratio("host.same.gpu.gemv").where_there()) {
  on_every_gpu("multiply a vector", [&](GpuLoad& gpu) {
    const std::chrono::duration<double> step = std::chrono::duration<double>(windows().window) / 8;
    SampleSet copies{Dimension::kDataRate, {}}, products = copies, shares{Dimension::kRatio, {}};
    for (int turn = 0; turn < std::max(3, windows().intervals / 2); ++turn) {
      const auto rate = [&](const char* name, auto work) {
        const std::chrono::duration<double> warm_up = turn == 0 ? windows().warm_up : 0ms;
        return run_microbenchmark({name, Dimension::kDataRate, 1, work}, warm_up, step.count(), 1)
            .values.front();
      };
      copies.values.push_back(
          rate("gpu copy", [&] { return 8.0 * static_cast<double>(gpu.copy().bytes()); }));
      products.values.push_back(
          rate("gpu gemv", [&] { return 8.0 * static_cast<double>(gpu.multiply_vector().bytes()); }));
      shares.values.push_back(products.values.back() / copies.values.back());
    }
    report("host.gpu.gemv", products, {record::every(2 * step), of_gpu("gemv")});
    report("host.gpu.gemv_share", shares, of_gpu(""));
  });
}

RIGPROOF_TEST(GpuCanary, ReachesItsClock, Reports::ratio("host.gpu.clock")) {
  on_every_gpu("multiply", [&](GpuLoad& gpu) {
    const Microbenchmark multiply{"gpu clock", Dimension::kCount, 1, [&] { return gpu.multiply(); }};
    SampleSet shares{Dimension::kRatio, {}};
    try {
      const std::chrono::duration<double> warm_up = windows().warm_up;  // the clock rises from idle
      (void)run_microbenchmark(multiply, 0s, warm_up.count(), 1);
      ClockWatch clock(gpu.address());
      (void)run(multiply);
      shares = clock.shares();
    } catch (const facts::Unreadable& error) {
      not_proven(error.what());
    }
    if (shares.values.empty()) not_proven("NVML reports no clock of the GPU under load");
    report("host.gpu.clock", shares, of_gpu(""));
  });
}

RIGPROOF_CASES(EachNode, GpuCanary, every_gpu_node);

}  // namespace
}  // namespace rigproof::host
