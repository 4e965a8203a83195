#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof {

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

}  // namespace rigproof
