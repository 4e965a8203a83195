#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "fixtures/host/fast_cpus.h"
#include "framework/stats/samples.h"

namespace rigproof::host {

// Short loads of one kind each, run by Google Benchmark. They show a slow clock or a throttled node before the network is
// blamed. Local.
struct Microbenchmark {
  std::string name;     // "copy"
  Dimension dimension;  // of the result: data rate, or count (operations per second)
  int threads;
  std::function<double()> round;  // does a fixed amount of work and returns it: bits or operations
};

// Runs for about `seconds` after `warm_up`, split into `repetitions`. Returns one sample per repetition: work of all threads
// per second of wall-clock time. The warm-up lets idle clocks rise. A single thread runs on the first of `cpus`, if any,
// because nodes with several kinds of CPUs have slow ones. Does not poll while it waits.
[[nodiscard]] SampleSet run_microbenchmark(const Microbenchmark& wanted,
                                           std::chrono::duration<double> warm_up, double seconds,
                                           int repetitions, const std::vector<FastCpu>& cpus = fast_cpus());

// The slowest sample as a part of the median; 0 without samples.
[[nodiscard]] double steadiness(const SampleSet& samples);

// Bits moved in memory: reads one array and writes another, larger than the caches.
[[nodiscard]] Microbenchmark memory_copy(int threads);
// Reads only.
[[nodiscard]] Microbenchmark memory_read(int threads);
// Multiply-add operations on registers.
[[nodiscard]] Microbenchmark compute(int threads);

}  // namespace rigproof::host
