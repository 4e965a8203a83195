#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof::inline limits {

// The tolerance of a limit, and whether it is a headline figure. Keys of a
// [[limit]] (and of its overrides by profile) beside those of LimitTable:
//
//   gate      = true        # optional: a headline figure, which carries the decision of a comparison or a gate. A
//                           # thresholds file marks about a dozen; the other limits are judged, and compared for show
//   tolerance = "2 %"       # optional: a part of the value before (the default: 5 %; 5 % of at_most where that is the
//                           # only bound of anything but a time), or a quantity ("20 us"). A
//                           # percentage of a limit in percent counts in points, unless it is "2 % of base"
//   better    = "higher"    # optional: lower, neither. By default higher where there is an at_least, neither for a
//                           # ratio that has an at_most, too
// The tolerance of `limit` as these tables say it; `over`, nullptr without overrides, wins. Throws toml::InputError.
[[nodiscard]] Tolerance read_tolerance(const Limit& limit, const toml::Table& base, const toml::Table* over);

}  // namespace rigproof::inline limits
