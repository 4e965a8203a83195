#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "framework/limits/limit.h"

namespace rigproof::terminal {

// How far a suite of a run is.
struct SuiteProgress {
  std::string suite;
  std::size_t cases = 0, ended = 0;          // iterations included
  std::chrono::duration<double> spent = {};  // from its start until its last case ended so far
};

// How long the suites' other cases take: each suite by what its own cases took in this run so far, and, as far as it is
// not through, by what such cases usually take in this profile, scaled by how this run compares with that. Pure.
// `waited`: since the last case ended, or since the suite began. nullopt: no case is left, or a suite that nothing is known of
// (one of somebody's own) is still to come and no case of the run has ended.
[[nodiscard]] std::optional<std::chrono::seconds> time_left(const std::vector<SuiteProgress>& suites,
                                                            Profile profile,
                                                            std::chrono::duration<double> waited = {});

}  // namespace rigproof::terminal
