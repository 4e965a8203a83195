#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "fixtures/host/fast_cpus.h"
#include "framework/stats/samples.h"

namespace rigproof::host {

// Short loads of one kind each, run by Google Benchmark: a slow clock or a throttled node shows in them before
// the network is blamed. Local.
struct Microbenchmark {
  std::string name;     // "copy"
  Dimension dimension;  // of what it reports: a data rate, or a count of operations a second
  int threads;
  std::function<double()> round;  // does a fixed piece of work, returns its amount: bits, or operations
};

// Clocks that idle low rise before anything counts: rounds for `warm_up` are left out. Then for about `seconds` in all,
// cut into `repetitions`; a sample for each: the amount of work a second of wall-clock time, of all threads together.
// One thread alone keeps to the first of `cpus`, if there are any: a fast one where the node has CPUs of several kinds.
// Waits only for itself: polls nothing.
[[nodiscard]] SampleSet run_microbenchmark(const Microbenchmark& wanted,
                                           std::chrono::duration<double> warm_up, double seconds,
                                           int repetitions, const std::vector<FastCpu>& cpus = fast_cpus());

// The slowest sample as a part of the median; 0 without samples.
[[nodiscard]] double steadiness(const SampleSet& samples);

// Bytes moved by memory: reading one array and writing another, larger than the caches.
[[nodiscard]] Microbenchmark memory_copy(int threads);
// Reading alone.
[[nodiscard]] Microbenchmark memory_read(int threads);
// Multiply-add operations on registers.
[[nodiscard]] Microbenchmark compute(int threads);

}  // namespace rigproof::host
