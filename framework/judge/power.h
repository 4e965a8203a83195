#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "framework/judge/judged_run.h"
#include "framework/stats/samples.h"

namespace rigproof::judge {

// Simulated slow-downs: rates and shares that must be high become smaller by this part; times and shares that
// must be low become larger.
inline constexpr double kSlowDowns[] = {0, 0.01, 0.02, 0.05, 0.10, 0.20};

// The chance that a limit detects that the rig is slower by the part `slower`.
struct Chance {
  double slower = 0;
  double whole = 0;           // if everything that the limit judges is slower: at least one figure misses it
  double one = 0;             // if one of its figures is slower: that figure misses it
  ShareInterval of_one = {};  // 95 % confidence interval of `one`; few figures make it wide
};

// The operating characteristic of one limit, from the samples of one run.
struct LimitPower {
  // `limit` of the first figure: \">= 0.95 Gbit/s\"; `where`: \"model-rig.toml:12\".
  std::string id, limit, where;
  std::size_t figures = 0;           // number of figures judged
  std::size_t fewest = 0, most = 0;  // samples per figure
  std::vector<Chance> chances;       // one per entry of kSlowDowns
};

// Returns the power of each headline limit (of each required limit if there is none) on rates, times and
// shares. Draws each figure's own samples again with replacement, slows them down and calls judge(). The seed
// is fixed: one record, one result. A figure of one sample is judged as it is. One run does not show
// differences between runs. With these, small slow-downs are detected more often and large ones less often.
// Throws JournalError.
[[nodiscard]] std::vector<LimitPower> power_of(const JudgedRun& run);

}  // namespace rigproof::judge
