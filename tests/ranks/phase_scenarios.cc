#include <sys/resource.h>

#include <unistd.h>

#include "tests/ranks/scenarios.h"

namespace rigproof::ranks_test {
namespace {

using Statuses = std::vector<PhaseStatus>;
using namespace std::chrono_literals;
constexpr auto kOk = PhaseStatus::kOk;
constexpr auto kError = PhaseStatus::kError;

void all_ok(RankGroup& ranks) {
  for (int i = 0; i < 100; ++i) {
    const Statuses statuses = phase(ranks, "quick", [] {});
    expect(statuses == Statuses(static_cast<std::size_t>(ranks.size()), kOk), "all ok");
  }
}

// The peers wait for the rank that throws: its abort frees them long before the deadline.
void a_throw_wakes_the_peers(RankGroup& ranks) {
  const auto start = Clock::now();
  const Statuses statuses = phase(ranks, "connect", [&] {
    if (ranks.rank() == 1) throw std::runtime_error("EIO");
    wait_in_vain(ranks);
  });
  expect(statuses[0] == kOk && statuses[1] == kError, "only rank 1 failed");
  expect(Clock::now() - start < 10s, "long before the deadline of 20 s");
}

void a_throw_of_rank_0_wakes_the_peers(RankGroup& ranks) {
  const Statuses statuses = phase(ranks, "connect", [&] {
    if (ranks.rank() == 0) throw std::runtime_error("EIO");
    wait_in_vain(ranks);
  });
  expect(statuses[0] == kError && statuses[1] == kOk, "only rank 0 failed");
}

// An abort that nobody waited for belongs to its own phase.
void an_old_abort_hits_no_later_phase(RankGroup& ranks) {
  for (int i = 0; i < 50; ++i) {
    (void)phase(ranks, "broken", [&] {
      if (ranks.rank() == i % ranks.size()) throw std::runtime_error("EIO");
    });
    const Statuses statuses = phase(ranks, "whole", [&] {
      for (int k = 0; k < 20; ++k) ranks.poll();
      ranks.barrier();
    });
    expect(statuses == Statuses(static_cast<std::size_t>(ranks.size()), kOk), "the next phase is whole");
  }
}

void every_rank_may_fail_at_once(RankGroup& ranks) {
  const Statuses statuses = phase(ranks, "broken", [] { throw std::runtime_error("EIO"); });
  expect(statuses == Statuses(static_cast<std::size_t>(ranks.size()), kError), "all failed");
}

void a_silent_peer_costs_the_deadline(RankGroup& ranks) {
  const auto wait = [&] {
    if (ranks.rank() == 0) wait_in_vain(ranks);
  };
  const Statuses statuses = phase(ranks, "receive", wait, 2s);
  expect(statuses[0] == kError && statuses[1] == kOk, "the rank that waited says so");
}

void share_gives_every_rank_all_texts(RankGroup& ranks) {
  const Statuses exchanged = phase(ranks, "exchange", [&] {
    for (int i = 0; i < 20; ++i) {
      const std::string mine =
          std::to_string(ranks.rank()) + std::string(static_cast<std::size_t>(i) * 10'000, 'x');
      const auto all = ranks.share(mine);
      expect(all.size() == static_cast<std::size_t>(ranks.size()), "one text a rank");
      expect(all[static_cast<std::size_t>(ranks.rank())] == mine, "in rank order");
      expect(all.back().substr(0, 1) == std::to_string(ranks.size() - 1), "the last rank's last");
    }
  });
  const Statuses whole(static_cast<std::size_t>(ranks.size()), kOk);
  expect(exchanged == whole, "nobody failed");
  expect(phase(ranks, "after", [] {}) == whole, "the next phase is whole");
}

void share_is_broken_by_a_failure(RankGroup& ranks) {
  for (int culprit = 0; culprit < ranks.size(); ++culprit) {
    const Statuses broken = phase(ranks, "exchange", [&] {
      if (ranks.rank() == culprit) throw std::runtime_error("EIO");
      (void)ranks.share("mine");
    });
    expect(broken[static_cast<std::size_t>(culprit)] == kError, "the culprit failed");
    const Statuses whole = phase(ranks, "exchange", [&] {
      expect(ranks.share(std::to_string(ranks.rank())).at(1) == "1", "no text of the broken share");
    });
    expect(whole == Statuses(static_cast<std::size_t>(ranks.size()), kOk), "the next share is whole");
  }
}

void share_of_one_rank_only_is_a_mismatch(RankGroup& ranks) {
  for (int alone = 0; alone < 2; ++alone) {
    bool seen = false;
    try {
      const Statuses statuses = phase(ranks, "exchange", [&] {
        if (ranks.rank() == alone) (void)ranks.share("mine");
      });
      seen = statuses[static_cast<std::size_t>(alone)] == kError;
    } catch (const PhaseMismatch&) {
      seen = true;
    }
    expect(seen, "found");
  }
}

void phases_in_another_order_are_a_mismatch(RankGroup& ranks) {
  std::string text;
  try {
    (void)phase(ranks, ranks.rank() == 1 ? "receive" : "send", [] {});
  } catch (const PhaseMismatch& mismatch) {
    text = mismatch.what();
  }
  expect(text == "rank 1 (node-b) was in phase 'receive' while rank 0 (node-a) was in phase 'send'", text);
  expect(phase(ranks, "next", [] {}).at(1) == kOk, "the job goes on");
}

// Measured by its CPU time: the ranks that wait leave the machine to those that measure.
void waiting_ranks_stay_idle(RankGroup& ranks) {
  rusage before{}, after{};
  getrusage(RUSAGE_THREAD, &before);
  (void)phase(ranks, "measure", [&] {
    if (ranks.rank() == 0) usleep(1'000'000);
  });
  getrusage(RUSAGE_THREAD, &after);
  const auto used = [](const rusage& usage) {
    return std::chrono::seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           std::chrono::microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  };
  expect(used(after) - used(before) < 300ms, "less than 0.3 s of CPU in 1 s");
}

}  // namespace

Scenarios phase_scenarios() {
  return {
      {"all_ok", all_ok},
      {"a_throw_wakes_the_peers", a_throw_wakes_the_peers},
      {"a_throw_of_rank_0_wakes_the_peers", a_throw_of_rank_0_wakes_the_peers},
      {"an_old_abort_hits_no_later_phase", an_old_abort_hits_no_later_phase},
      {"every_rank_may_fail_at_once", every_rank_may_fail_at_once},
      {"a_silent_peer_costs_the_deadline", a_silent_peer_costs_the_deadline},
      {"share_gives_every_rank_all_texts", share_gives_every_rank_all_texts},
      {"share_is_broken_by_a_failure", share_is_broken_by_a_failure},
      {"share_of_one_rank_only_is_a_mismatch", share_of_one_rank_only_is_a_mismatch},
      {"phases_in_another_order_are_a_mismatch", phases_in_another_order_are_a_mismatch},
      {"waiting_ranks_stay_idle", waiting_ranks_stay_idle},
  };
}

}  // namespace rigproof::ranks_test
