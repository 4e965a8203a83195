#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/stats/samples.h"
#include "framework/toml/document.h"
#include "framework/units/quantity.h"

namespace rigproof::inline limits {

// What a fact that is no number must be: one of some words, or a version that is new enough. Exactly one of
// the two is set.
struct TextRule {
  std::vector<std::string> one_of;  // in each, * stands for any characters and ? for one
  std::string at_least_version;     // "28.45.1200"

  bool operator==(const TextRule&) const = default;
};

// White space at the ends does not count, and any between words counts as one space ("4096\t87380" is "4096
// 87380").
[[nodiscard]] bool meets(const TextRule& rule, std::string_view text);

// "one of NJAAKK-N911, NJAAKK0006", "RS" (a single word), ">= 28.45.1200".
[[nodiscard]] std::string to_text(const TextRule& rule);

// Whether `text` has a number for every part of `version` and is not older, number by number: 28.45.1200 is
// newer than 28.9.2000. What stands in front of the first digit and behind the last number of either is left
// out ("v2.28.3-1+cuda13" against "2.28.3").
[[nodiscard]] bool is_version_at_least(std::string_view text, std::string_view version);

// Whether the text has any number to compare.
[[nodiscard]] bool is_version(std::string_view text);

// * is any run of characters, ? is one. Time grows with the product of the lengths, no more.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view text);

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

// Bounds of another statistic of the same samples: a median alone does not show what is slow for less than half of the time.
struct FurtherBounds {
  Statistic statistic;
  std::optional<Bound> at_least = {}, at_most = {};  // one of the two, or both
};

// Where a limit comes from: a person must be able to follow it. A quote, a reasoning, or both.
struct Basis {
  std::string kind;        // "measured", "specification", "vendor", "derived" or "policy"
  std::string source;      // "NVIDIA DGX Spark user guide", "https://...", "this rig, 2026-11-20, 20 runs"
  std::string quote = {};  // the very words there, " ... " where some are left out
  std::string reasoning = {};  // what follows from them, the arithmetic, or why we say so
};

// Which way a measurement gets better.
enum class Better { kHigher, kLower, kNeither };
[[nodiscard]] std::string_view name(Better better);  // "higher"

// How much a measurement may change from one run to another before it matters, and which way is better.
struct Tolerance {
  double value = 0.05;    // base units, or a part of the value before
  bool relative = true;   // the latter
  bool of_limit = false;  // a part of the limit's at_most: of what is near zero on a sound rig
  std::string text = "5 % of base";
  Better better = Better::kHigher;
};

// What a missed limit, or one that could not be proven, does.
enum class Enforce {
  kRequired,     // it fails the case
  kAdvice,       // it is shown with its remedy, and fails nothing
  kInformative,  // nothing: the value is shown with its limit
};

// What to do about a missed limit, as "COMMAND # REMARK" in the file; {words} stand for what is known of a finding.
struct Remedy {
  std::string command;      // to be typed: "sudo ip link set {netdev} mtu {mtu}"
  std::string remark = {};  // for a person
  [[nodiscard]] bool empty() const { return command.empty() && remark.empty(); }
  bool operator==(const Remedy&) const = default;
};
[[nodiscard]] std::string to_text(const Remedy& remedy);
[[nodiscard]] Remedy parse_remedy(std::string_view text);

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
  std::vector<FurtherBounds> also = {};  // all of them must be met, too
  Enforce enforce = Enforce::kRequired;
  Tolerance tolerance = {};
  bool gate = false;      // a headline figure: it carries the decision of a comparison
  bool headline = false;  // a line of the report's first page, and a curve of the history
  bool by_pause = false;  // a machine that stands still for a moment can miss it, too: see is_disturbance
  Basis basis = {};
  Remedy remedy = {};
  toml::Place where = {};

  [[nodiscard]] bool is_required() const { return enforce == Enforce::kRequired; }
  [[nodiscard]] bool is_advice() const { return enforce == Enforce::kAdvice; }
};

// What it asks for, as its file has it: ">= 5 B and <= 9 B", ">= 5 B and mean >= 4 B", ">= 28.45.1200", or "no bound".
[[nodiscard]] std::string bounds_text(const Limit& limit);

// Somebody takes the responsibility for a missed limit or an unproven case, until a date.
struct Waiver {
  std::string limit;  // a limit's id, or empty
  std::string
      test;  // with a limit: a pattern of case names with * and ?, or empty: any; else a case's full name
  std::string reason;
  std::string owner;
  std::string expires;  // "2026-12-31": counts on that day, no longer after it
  std::string where;

  // Nobody answers for longer than kLongestWaiver: such a waiver waives nothing. Dates are "2026-11-20".
  [[nodiscard]] bool is_expired(std::string_view date) const { return date > expires; }
  [[nodiscard]] bool is_too_long(std::string_view date) const;
  [[nodiscard]] bool in_force(std::string_view date) const { return !is_expired(date) && !is_too_long(date); }
};
inline constexpr int kLongestWaiver = 180;  // days

// What the placeholders of a remedy stand for in one finding: "netdev" -> "enp1s0f0np0".
using RemedyValues = std::map<std::string, std::string, std::less<>>;

// The remedy with each {word} (small letters and underscores; ${word} is the shell's own) replaced by its value, quoted for
// the shell where that is needed, so that what stands in a record cannot become a command. Capitals stand for what has no
// value, and for one that cannot be typed where it belongs: "sudo ethtool -m NETDEV".
[[nodiscard]] Remedy fill_placeholders(const Remedy& remedy, const RemedyValues& values);

// A remedy that stands whole in a record: its command word for word, each quoted where it needs that, so that it is one
// command. Empty where it cannot be typed.
[[nodiscard]] Remedy requoted_remedy(std::string_view text);

// A limit's remedy as it stands for no finding of its own: "sudo ethtool -i NETDEV # VALUE here, OTHER_VALUE on most nodes".
[[nodiscard]] Remedy generic_remedy(const Limit& limit);

// What the limit asks for, to be typed: the first of the texts, the version, or the bound as a bare number
// (sizes in bytes) with the rig's facts filled in. Empty when it has none.
[[nodiscard]] std::string target_value(const Limit& limit, const Facts& facts);

}  // namespace rigproof::inline limits
