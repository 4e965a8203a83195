#include <unistd.h>

#include <csignal>

#include "tests/ranks/scenarios.h"

namespace rigproof::ranks_test {
namespace {

using namespace std::chrono_literals;

Scenarios::mapped_type in_a_phase(int culprit, std::function<void()> deed) {
  return [=](RankGroup& ranks) {
    ranks.begin_phase("measure", 1s);
    if (ranks.rank() == culprit) deed();
    (void)ranks.end_phase(PhaseStatus::kOk);
  };
}

Scenarios::mapped_type before_a_gather(int culprit, std::function<void()> deed) {
  return [=](RankGroup& ranks) {
    if (ranks.rank() == culprit) deed();
    (void)ranks.gather("the end of the case", {}, 1s);
    (void)ranks.broadcast("the end of the case", {}, 1s);
  };
}

[[noreturn]] void hang() {
  for (;;) pause();
}

void fatal_on(RankGroup& ranks, int culprit) {
  if (ranks.rank() == culprit) ranks.fatal("no space left on device");
  (void)ranks.gather("the end of the case", {}, 10s);
  (void)ranks.broadcast("the end of the case", {}, 10s);
}

void gather_of_different_things(RankGroup& ranks) {
  (void)ranks.gather(ranks.rank() == 0 ? "the end of A" : "the end of B", {}, 1s);
}

void hang_outside_a_phase(RankGroup& ranks) {
  ranks.watch("the case between its phases", 100ms);
  hang();
}

}  // namespace

Scenarios job_end_scenarios() {
  const auto stop = [] { raise(SIGSTOP); };
  return {
      {"hang_of_rank_0", in_a_phase(0, hang)},
      {"hang_of_rank_1", in_a_phase(1, hang)},
      {"stop_of_rank_0", in_a_phase(0, stop)},
      {"stop_of_rank_1", in_a_phase(1, stop)},
      {"stop_before_a_gather", before_a_gather(1, stop)},
      {"stop_before_a_broadcast", before_a_gather(0, stop)},
      {"fatal_of_rank_0", [](RankGroup& ranks) { fatal_on(ranks, 0); }},
      {"fatal_of_rank_1", [](RankGroup& ranks) { fatal_on(ranks, 1); }},
      {"gather_of_different_things", gather_of_different_things},
      {"hang_outside_a_phase", hang_outside_a_phase},
  };
}

}  // namespace rigproof::ranks_test
