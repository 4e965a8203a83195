#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "framework/judge/judged_run.h"
#include "framework/stats/samples.h"

namespace rigproof::judge {

// By how much a rig is slowed: rates and shares that must be high become smaller by this part, times and shares that must
// be low larger.
inline constexpr double kSlowDowns[] = {0, 0.01, 0.02, 0.05, 0.10, 0.20};

// The chance that a limit stops this rig, slowed by so much.
struct Chance {
  double slower = 0;
  double whole = 0;  // when everything that the limit judges is slowed: at least one figure misses it
  double one = 0;    // when one of its figures alone is slowed: that figure misses it
  ShareInterval of_one = {};  // 95 %: so much may it be off, by as few figures as there are
};

// The operating characteristic of one limit, by what one run recorded.
struct LimitPower {
  std::string id, limit,
      where;                // ">= 0.95 Gbit/s (95 % of half.rate)", of its first figure; "model-rig.toml:12"
  std::size_t figures = 0;  // judged by it
  std::size_t fewest = 0, most = 0;  // samples of a figure
  std::vector<Chance> chances;       // by kSlowDowns
};

// Of every headline limit (where the thresholds mark none: of every required one) that judges rates, times and shares.
// Each figure's own samples are drawn again with replacement (a fixed seed, so the same record gives the same numbers),
// made slower, and judged by judge(). A figure of one sample is judged as it is. What is between runs, no single run
// shows: a rig that differs from run to run is stopped more often at small slow-downs, and less often at large ones.
// Throws JournalError.
[[nodiscard]] std::vector<LimitPower> power_of(const JudgedRun& run);

}  // namespace rigproof::judge
