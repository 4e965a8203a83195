#include <unistd.h>

#include "tests/ranks/scenarios.h"

namespace rigproof::ranks_test {
namespace {

using namespace std::chrono_literals;

void gather_and_broadcast(RankGroup& ranks) {
  for (std::size_t size : {0u, 1u, 100'000u, 3'000'000u}) {
    const auto all = ranks.gather("results", std::string(size, static_cast<char>('a' + ranks.rank())), 10s);
    if (ranks.rank() == 0)
      expect(all.at(1) == std::string(size, 'b'), "rank 1's bytes");
    else
      expect(all.empty(), "only rank 0 has them");
    expect(ranks.broadcast("decision", std::string(ranks.rank() == 0 ? size : 0, 'z'), 10s) ==
               std::string(size, 'z'),
           "rank 0's bytes everywhere");
  }
}

// One rank ends the case while its peers enter another phase: they come after, and the next case is whole.
void leave(RankGroup& ranks, int who, PhaseStatus status, bool mismatch) {
  const auto start = Clock::now();
  expect(phase(ranks, "setup", [] {}).at(1) == PhaseStatus::kOk, "set up");
  PhaseStatus seen = PhaseStatus::kOk;
  bool found = false;
  if (ranks.rank() != who) {
    try {
      seen = phase(ranks, "measure", [&] { wait_in_vain(ranks); }).at(static_cast<std::size_t>(who));
    } catch (const PhaseMismatch&) {
      found = true;
    }
    expect(found == mismatch && (found || seen == status), "the peers learn how it left");
  }
  (void)ranks.gather("the end of the case", {}, 10s, ranks.rank() == who ? status : PhaseStatus::kOk);
  (void)ranks.broadcast("the end of the case", {}, 10s);
  expect(Clock::now() - start < 15s, "before the deadline of 20 s");
  expect(phase(ranks, "next case", [&] { ranks.barrier(); }).at(1) == PhaseStatus::kOk,
         "the next case is whole");
  (void)ranks.gather("the end of the next case", {}, 10s);
}

void leaving_with_a_failure(RankGroup& ranks) {
  for (int who = 0; who < ranks.size(); ++who) leave(ranks, who, PhaseStatus::kFail, false);
}

void leaving_with_a_skip(RankGroup& ranks) {
  for (int who = 0; who < ranks.size(); ++who) leave(ranks, who, PhaseStatus::kSkip, false);
}

void leaving_in_silence_is_a_mismatch(RankGroup& ranks) {
  for (int who = 0; who < ranks.size(); ++who) leave(ranks, who, PhaseStatus::kOk, true);
}

// The peer is on its way into share() of a phase that the others never enter.
void leaving_frees_a_share(RankGroup& ranks) {
  for (int who = 0; who < 2; ++who) {
    if (ranks.rank() != who) {
      try {
        (void)phase(ranks, "exchange", [&] { (void)ranks.share("mine"); });
      } catch (const PhaseMismatch&) {
      }
    }
    (void)ranks.gather("the end of the case", {}, 10s);
    (void)ranks.broadcast("the end of the case", {}, 10s);
  }
}

}  // namespace

Scenarios section_scenarios() {
  return {
      {"gather_and_broadcast", gather_and_broadcast},
      {"leaving_with_a_failure", leaving_with_a_failure},
      {"leaving_with_a_skip", leaving_with_a_skip},
      {"leaving_in_silence_is_a_mismatch", leaving_in_silence_is_a_mismatch},
      {"leaving_frees_a_share", leaving_frees_a_share},
  };
}

}  // namespace rigproof::ranks_test
