#include "suites/host/microbenchmarks.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "fixtures/host/fast_cpus.h"

namespace rigproof::host {
namespace {

constexpr std::size_t kArrayBytes = 64 << 20;  // larger than any cache of a node
constexpr int kRoundsOfCompute = 1 << 18;

// Collects each repetition's work per second.
class SampleReporter final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const auto work = run.counters.find("work");
      if (run.run_type == Run::RT_Iteration && work != run.counters.end()) samples.push_back(work->second);
    }
  }
  std::vector<double> samples;
};

// One array per thread. The thread touches it first, so that its memory is near the CPU that uses it.
std::vector<std::uint64_t>& own_array() {
  thread_local std::vector<std::uint64_t> array(kArrayBytes / sizeof(std::uint64_t), 1);
  return array;
}

std::vector<double> run(const Microbenchmark& wanted, double seconds, int repetitions) {
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark(wanted.name.c_str(),
                               [&wanted](benchmark::State& state) {
                                 double work = 0;
                                 for ([[maybe_unused]] auto round : state) work += wanted.round();
                                 state.counters["work"] =
                                     benchmark::Counter(work, benchmark::Counter::kIsRate);
                               })
      ->Threads(wanted.threads)
      ->UseRealTime()
      ->Repetitions(repetitions)
      ->MinTime(seconds / repetitions);
  SampleReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter, "all");
  benchmark::ClearRegisteredBenchmarks();
  return reporter.samples;
}

}  // namespace

SampleSet run_microbenchmark(const Microbenchmark& wanted, std::chrono::duration<double> warm_up,
                             double seconds, int repetitions, const std::vector<FastCpu>& cpus) {
  const PinnedThread pinned(wanted.threads == 1 ? cpus : std::vector<FastCpu>{}, 0);
  if (warm_up.count() > 0) (void)run(wanted, warm_up.count(), 1);
  return {wanted.dimension, run(wanted, seconds, repetitions)};
}

double steadiness(const SampleSet& samples) {
  if (samples.values.empty()) return 0;
  const double median = evaluate(Statistic::kMedian, samples.values);
  return median > 0 ? std::ranges::min(samples.values) / median : 0;
}

Microbenchmark memory_copy(int threads) {
  return {"copy", Dimension::kDataRate, threads, [] {
            std::vector<std::uint64_t>& array = own_array();
            const std::size_t half = array.size() / 2;
            std::memcpy(array.data() + half, array.data(), half * sizeof(std::uint64_t));
            benchmark::ClobberMemory();
            return 8.0 * 2 * static_cast<double>(half * sizeof(std::uint64_t));  // read and written
          }};
}

Microbenchmark memory_read(int threads) {
  return {"read", Dimension::kDataRate, threads, [] {
            const std::vector<std::uint64_t>& array = own_array();
            benchmark::DoNotOptimize(std::accumulate(array.begin(), array.end(), std::uint64_t{0}));
            return 8.0 * static_cast<double>(kArrayBytes);
          }};
}

Microbenchmark compute(int threads) {
  return {"compute", Dimension::kCount, threads, [] {
            double a = 1, b = 1, c = 1, d = 1;  // four chains fill the pipeline
            for (int i = 0; i < kRoundsOfCompute; ++i) {
              a = a * 0.999999 + 1e-9;
              b = b * 0.999998 + 1e-9;
              c = c * 0.999997 + 1e-9;
              d = d * 0.999996 + 1e-9;
            }
            benchmark::DoNotOptimize(a + b + c + d);
            return 8.0 * kRoundsOfCompute;
          }};
}

}  // namespace rigproof::host
