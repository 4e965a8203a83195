#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof::inline limits {

// Which way a measurement gets better.
enum class Better { kHigher, kLower, kNeither };

[[nodiscard]] std::string_view name(Better better);  // "higher"

// How much a measurement may change from one run to another before it matters, and which way is better. Keys of a
// [[limit]] (and of its overrides by profile) beside those of LimitTable:
//
//   tolerance = "2 %"       # optional: a part of the value before (the default: 5 %), or a quantity ("20 us"). A
//                           # percentage of a limit in percent counts in points, unless it is "2 % of base"
//   better    = "higher"    # optional: lower, neither. By default higher where there is an at_least, neither for a
//                           # ratio that has an at_most, too
struct Tolerance {
  double value = 0.05;   // base units, or a part of the value before
  bool relative = true;  // the latter
  std::string text = "5 % of base";
  Better better = Better::kHigher;
};

// The tolerance of `limit` as these tables say it; `over`, nullptr without overrides, wins. Throws toml::InputError.
[[nodiscard]] Tolerance read_tolerance(const Limit& limit, const toml::Table& base, const toml::Table* over);

// Those of every limit of a file in a profile, by id. Throws what LimitTable::read() throws.
using Tolerances = std::map<std::string, Tolerance, std::less<>>;
[[nodiscard]] Tolerances read_tolerances(const toml::Document& document, Profile profile,
                                         const FactDimensions& facts);

}  // namespace rigproof::inline limits
