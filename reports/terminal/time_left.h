#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "framework/limits/limit.h"

namespace rigproof::terminal {

// Progress of a suite.
struct SuiteProgress {
  std::string suite;
  std::size_t cases = 0, ended = 0;          // iterations included
  std::chrono::duration<double> spent = {};  // from its start to the end of its last finished case
};

// Time that the remaining cases take; `waited` is the time since the last case ended, or since the suite began. Uses each
// suite's own cases so far; while a suite has unfinished cases, also the usual times of the profile, scaled by this run's
// pace. nullopt: no case is left, or a remaining suite is unknown (a user's own) and no case has ended yet. Pure.
[[nodiscard]] std::optional<std::chrono::seconds> time_left(const std::vector<SuiteProgress>& suites,
                                                            Profile profile,
                                                            std::chrono::duration<double> waited = {});

}  // namespace rigproof::terminal
