#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rigproof::terminal {

// Progress of a suite.
struct SuiteProgress {
  std::string suite;
  std::size_t cases = 0, ended = 0;          // iterations included
  std::chrono::duration<double> spent = {};  // from its start to the end of its last finished case
  std::optional<std::chrono::duration<double>> usual = {};  // per case in this profile, as the suite declares
};

// Time that the remaining cases take; `waited` is the time since the last case ended, or since the suite began. Uses each
// suite's own cases so far; while a suite has unfinished cases, also its usual times, scaled by this run's pace.
// nullopt: no case is left, or a remaining suite declares no times and no case has ended yet. Pure.
[[nodiscard]] std::optional<std::chrono::seconds> time_left(const std::vector<SuiteProgress>& suites,
                                                            std::chrono::duration<double> waited = {});

}  // namespace rigproof::terminal
