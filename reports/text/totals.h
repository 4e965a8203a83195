#pragma once

#include <string>

#include "framework/judge/judged_run.h"

namespace rigproof {

// How many cases came to what.
struct Totals {
  int cases = 0, recorded = 0, passed = 0, waived = 0, not_proven = 0, failed = 0, errors = 0;
};

[[nodiscard]] Totals totals_of(const JudgedSuite& suite);
[[nodiscard]] Totals totals_of(const JudgedRun& run);

// Where a run's time went: all of it, and the part inside measuring windows; the rest is overhead.
struct TimeSpent {
  double total_s = 0, measuring_s = 0;
};
[[nodiscard]] TimeSpent time_spent(const JudgedRun& run);

// "34.2 s: 20.1 s measuring, 14.1 s overhead".
[[nodiscard]] std::string time_text(const JudgedRun& run);

}  // namespace rigproof
