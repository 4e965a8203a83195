#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof::inline limits {

// The rates of the rigs that a thresholds file's absolute rates are for:
//
//   [for]
//   half.rate = { at_least = "50 Gbit/s", at_most = "100 Gbit/s" }   # or port.rate, node.rate; one bound or both
struct RateRange {
  std::string fact;                         // "half.rate"
  std::optional<double> at_least, at_most;  // bit/s
};

// Empty without [for]. Throws toml::InputError: an unknown key, no rate, a range without bounds.
[[nodiscard]] std::vector<RateRange> read_rates_for(const toml::Table& root);

// Facts of a part of the rig, with its name for messages.
struct NamedFacts {
  std::string name;  // "node-a:enp1s0f0np0"
  Facts facts;
};

// Refuses an absolute rate ("90 Gbit/s") in a limit that decides or advises in this profile, if a part of the rig has
// other rates than the file's [for]: the limit would fail a faster sound rig, and pass a slow one. Replaced limits of
// earlier files do not matter. Returns a notice for each file that has such a limit and no [for]. Throws
// toml::InputError at the bound, also like LimitTable::read.
std::vector<std::string> refuse_rates_of_other_rigs(const std::vector<toml::Document>&, Profile,
                                                    const FactDimensions&,
                                                    const std::vector<NamedFacts>& rig);

}  // namespace rigproof::inline limits
