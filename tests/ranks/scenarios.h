#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "framework/ranks/rank_group.h"

namespace rigproof::ranks_test {

// What one rank does in a scenario; every rank of the job runs the same one.
using Scenarios = std::map<std::string, std::function<void(RankGroup&)>>;

[[nodiscard]] Scenarios phase_scenarios();    // phases and their agreement
[[nodiscard]] Scenarios section_scenarios();  // gather, broadcast, leaving
[[nodiscard]] Scenarios job_end_scenarios();  // must end the job with a message that names the culprit

// A scenario's promise that was not kept. No std::exception: a phase takes those for a failure of its body, and goes on.
struct BrokenPromise {
  std::string what;
};

// Throws BrokenPromise, so that the job fails, when `held` is false: inside a phase as well.
void expect(bool held, const std::string& what);

// A phase as the runner does it: an exception is a failure, a peer's failure is not ours. A scenario that waits for the deadline
// names a short one; the others must never meet theirs, however busy this machine is.
std::vector<PhaseStatus> phase(RankGroup& ranks, const std::string& name, const std::function<void()>& body,
                               std::chrono::seconds deadline = std::chrono::seconds(20));

// Waits, as a body does, for something that will not come.
[[noreturn]] void wait_in_vain(RankGroup& ranks);

}  // namespace rigproof::ranks_test
