#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof::inline limits {

// A bound with what its text says beside it.
struct WrittenBound {
  Bound bound;
  Dimension dimension;
  std::string unit;  // "" for a relative bound
};

// "96 Gbit/s" or "85 % of port.rate"; absent when the key is. Throws toml::InputError at the value.
[[nodiscard]] std::optional<WrittenBound> maybe_bound(const toml::Table&, std::string_view key,
                                                      const FactDimensions&);

// Unordered when it depends on the rig: one of them relative, or of different facts.
[[nodiscard]] std::partial_ordering compare(const Bound& a, const Bound& b);

// One [[waiver]]. `limits` are the file's ids (and where they stand): a waiver of another limit is refused.
// Throws toml::InputError.
[[nodiscard]] Waiver read_waiver(const toml::Table&,
                                 const std::map<std::string, std::string, std::less<>>& limits);

// One [[limit]] as it stands in each profile that has it.
struct LimitEntry {
  std::string id;
  std::map<Profile, Limit> by_profile;
};

// Throws toml::InputError; see LimitTable for the keys.
[[nodiscard]] LimitEntry read_limit(const toml::Table&, const FactDimensions&);

}  // namespace rigproof::inline limits
