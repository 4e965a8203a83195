// What the agreement at the end of a phase costs: mpirun -np N bench-agreement
#include <benchmark/benchmark.h>

#include "framework/ranks/rank_group.h"

namespace {

using rigproof::PhaseStatus;
using rigproof::RankGroup;
using namespace std::chrono_literals;

// The other ranks take part until rank 0 says, by a status of its own, that it has enough.
void follow(RankGroup& ranks) {
  PhaseStatus rank_0 = PhaseStatus::kOk;
  while (rank_0 == PhaseStatus::kOk) {
    ranks.begin_phase("agree", 60s);
    rank_0 = ranks.end_phase(PhaseStatus::kOk).front();
  }
}

void phase(benchmark::State& state, RankGroup& ranks) {
  for (auto _ : state) {
    ranks.begin_phase("agree", 60s);
    benchmark::DoNotOptimize(ranks.end_phase(PhaseStatus::kOk));
  }
  state.SetLabel(std::to_string(ranks.size()) + " ranks");
}

// What every loop that waits pays.
void poll(benchmark::State& state, RankGroup& ranks) {
  ranks.begin_phase("agree", 60s);
  for (auto _ : state) ranks.poll();
  benchmark::DoNotOptimize(ranks.end_phase(PhaseStatus::kOk));
}

}  // namespace

int main(int argc, char** argv) {
  RankGroup ranks = RankGroup::start(&argc, &argv);
  if (ranks.rank() == 0) {
    benchmark::RegisterBenchmark("phase", [&](benchmark::State& state) {
      phase(state, ranks);
    })->UseRealTime();
    benchmark::RegisterBenchmark("poll", [&](benchmark::State& state) { poll(state, ranks); });
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    ranks.begin_phase("agree", 60s);
    (void)ranks.end_phase(PhaseStatus::kSkip);
  } else {
    follow(ranks);
  }
  ranks.finalize();
}
