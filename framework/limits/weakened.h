#pragma once

#include <string>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof::inline limits {

// A limit that a later thresholds file replaces by one that may pass where the earlier one would not, in a run or in a
// comparison.
struct Weakened {
  std::string id;
  // ">= 95 % of half.rate", "= 9000 B, informative", "no limit in profile smoke", "a tolerance of 2 % of base, higher is better"
  std::string before, after;
  toml::Place from, to;  // where each stands
};

// "preflight.mtu: = 9000 B (pair.toml:78) is now = 9000 B, informative only (mine.toml:1)".
[[nodiscard]] std::string to_text(const Weakened&);

// In the order of the files, each id once. Bounds that only a rig can compare (100 % of half.mtu, 9216 B) are compared by `rig`,
// the facts of each of its halves. Where limits can't be compared, the later one counts as weaker: a person must look at it.
// Throws toml::InputError as LimitTable::read does.
[[nodiscard]] std::vector<Weakened> weakened_limits(const std::vector<toml::Document>&, Profile,
                                                    const FactDimensions&, const std::vector<Facts>& rig);

}  // namespace rigproof::inline limits
