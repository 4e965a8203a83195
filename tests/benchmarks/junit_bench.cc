// The JUnit file of a large run: linear in the cases, and 100,000 of them in under 2 s.
#include <benchmark/benchmark.h>

#include <ostream>

#include "reports/junit/junit.h"
#include "tests/support/story.h"

namespace rigproof {
namespace {

// Every tenth case fails.
judge::JudgedRun run_with(std::int64_t cases) {
  std::vector<Ending> endings;
  for (std::int64_t number = 0; number < cases; ++number)
    endings.push_back(ending(fmt::format("Rail/ManyStreams.FillTheHalf/rail{}", number),
                             {number % 10 == 0 ? missed() : good(), recorded("tcp.retransmissions")}));
  return run_of(endings);
}

// Counts what is written and keeps nothing.
class Counter : public std::streambuf {
 public:
  std::int64_t bytes = 0;

 protected:
  int overflow(int character) override { return ++bytes, character; }
  std::streamsize xsputn(const char*, std::streamsize size) override { return bytes += size, size; }
};

void write(benchmark::State& state) {
  const judge::JudgedRun run = run_with(state.range(0));
  Counter counter;
  std::ostream out(&counter);
  for (auto _ : state) junit::write_junit(run, out);
  state.SetComplexityN(state.range(0));
  state.SetBytesProcessed(counter.bytes);
}
BENCHMARK(write)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

}  // namespace
}  // namespace rigproof
