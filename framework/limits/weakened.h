#pragma once

#include <string>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof::inline limits {

// A limit that a later thresholds file weakens: values that missed the limit may now pass, in a run or in a
// comparison.
struct Weakened {
  std::string id;
  // ">= 95 % of half.rate", "= 9000 B, informative", "no limit in profile smoke", "a tolerance of 2 % of base, higher is better"
  std::string before, after;
  toml::Place from, to;  // places of both limits
};

// "preflight.mtu: = 9000 B (pair.toml:78) is now = 9000 B, informative only (mine.toml:1)".
[[nodiscard]] std::string to_text(const Weakened&);

// Lists weakened limits in the order of the files, each id once. `rig`: facts of each half, for bounds that only a
// rig can compare (100 % of half.mtu, 9216 B). Limits that cannot be compared count as weakened, because a person
// must look at them. Throws toml::InputError like LimitTable::read.
[[nodiscard]] std::vector<Weakened> weakened_limits(const std::vector<toml::Document>&, Profile,
                                                    const FactDimensions&, const std::vector<Facts>& rig);

}  // namespace rigproof::inline limits
