#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "framework/limits/text_rule.h"
#include "framework/stats/samples.h"
#include "framework/units/quantity.h"

namespace rigproof::inline limits {

enum class Profile { kSmoke, kStandard, kAcceptance };

[[nodiscard]] std::string_view name(Profile profile);        // "smoke"
[[nodiscard]] Profile parse_profile(std::string_view text);  // throws std::invalid_argument

// A part of a fact of the rig: "85 % of port.rate" is {0.85, "port.rate"}.
struct RelativeBound {
  double factor;
  std::string fact;
};

// One bound as the file states it: `text` is the author's own words, for reports.
struct Bound {
  std::variant<Quantity, RelativeBound> value;
  std::string text;
};

// Where a limit comes from: a person must be able to follow it. A quote, a reasoning, or both.
struct Basis {
  std::string kind;        // "measured", "specification", "vendor", "derived" or "policy"
  std::string source;      // "NVIDIA DGX Spark user guide", "https://...", "this rig, 2026-11-20, 20 runs"
  std::string quote = {};  // the very words there, " ... " where some are left out
  std::string reasoning = {};  // what follows from them, the arithmetic, or why we say so
};

// A limit of the thresholds file, for one profile (the file's overrides for that profile applied).
struct Limit {
  std::string id;       // "tcp.rate.half"
  Dimension dimension;  // of every bound; a count for a rule
  std::string unit;  // as asked for, or of the first bound as written ("Gbit/s"): values print in it. May be
                     // empty when every bound is relative: to_text then picks one
  std::optional<Bound> at_least = {};
  std::optional<Bound> at_most = {};
  std::optional<Bound> equals = {};
  std::optional<Bound> marginal =
      {};                             // inside the limit, but nearer to it than this: passes, marked marginal
  std::optional<TextRule> rule = {};  // of a limit on a text; it has no bounds then
  Statistic statistic = Statistic::kMedian;
  bool informative = false;  // shown with its limit; never fails a case
  bool headline = false;     // a line of the report's first page, and a curve of the history
  Basis basis = {};
  std::string remedy = {};
  std::string where = {};  // "thresholds/model-rig.toml:12"
};

// Somebody takes the responsibility for a missed limit or an unproven case, until a date.
struct Waiver {
  std::string limit;  // a limit's id, or empty
  std::string test;   // a pattern of case names with * and ?, or empty: any. Not both are empty.
  std::string reason;
  std::string owner;
  std::string expires;  // "2026-12-31": counts on that day, no longer after it
  std::string where;
};

}  // namespace rigproof::inline limits
