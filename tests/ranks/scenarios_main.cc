// Runs scenarios on every rank, one after the other: mpirun -np 2 rank-scenarios NAME... Exits 0 when all that they promise
// held.
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "tests/ranks/scenarios.h"

namespace rigproof::ranks_test {

void expect(bool held, const std::string& what) {
  if (!held) throw BrokenPromise{what};
}

std::vector<PhaseStatus> phase(RankGroup& ranks, const std::string& name, const std::function<void()>& body,
                               std::chrono::seconds deadline) {
  ranks.begin_phase(name, deadline);
  PhaseStatus mine = PhaseStatus::kOk;
  try {
    body();
  } catch (const PeerAborted&) {
  } catch (const std::exception&) {
    mine = PhaseStatus::kError;
  }
  return ranks.end_phase(mine);
}

void wait_in_vain(RankGroup& ranks) {
  for (;;) {
    ranks.poll();
    usleep(100);
  }
}

}  // namespace rigproof::ranks_test

int main(int argc, char** argv) {
  using namespace rigproof;
  using namespace rigproof::ranks_test;
  Scenarios scenarios = phase_scenarios();
  scenarios.merge(section_scenarios());
  scenarios.merge(job_end_scenarios());
  const std::vector<std::string> names(argv + 1, argv + argc);
  if (names.empty() ||
      !std::ranges::all_of(names, [&](const auto& name) { return scenarios.contains(name); })) {
    for (const auto& [name, body] : scenarios) std::printf("%s\n", name.c_str());
    return 2;
  }
  RankGroup ranks = RankGroup::start(&argc, &argv);
  ranks.name_ranks({"node-a", "node-b", "node-c", "node-d"});
  ranks.on_fatal([&](const JobEnd& end) {
    if (ranks.rank() == 0) std::fprintf(stderr, "hook: %s: %s\n", end.type.c_str(), end.message.c_str());
  });
  for (const std::string& name : names) {
    try {
      scenarios[name](ranks);
    } catch (const BrokenPromise& broken) {
      ranks.fatal(name + ", " + ranks.who(ranks.rank()) + ": not so: " + broken.what);
    } catch (const std::exception& error) {
      ranks.fatal(name + ", " + ranks.who(ranks.rank()) + ": " + error.what());
    }
  }
  ranks.finalize();
}
