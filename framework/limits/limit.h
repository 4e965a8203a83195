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

// Rule for a fact that is a text: one of some words, or a version that is new enough. Exactly one of the two is set.
struct TextRule {
  std::vector<std::string> one_of;  // in each, * stands for any characters and ? for one
  std::string at_least_version;     // "28.45.1200"

  bool operator==(const TextRule&) const = default;
};

// Ignores white space at the ends. White space between words counts as one space ("4096\t87380" is "4096 87380").
[[nodiscard]] bool meets(const TextRule& rule, std::string_view text);

// "one of NJAAKK-N911, NJAAKK0006", "RS" (a single word), ">= 28.45.1200".
[[nodiscard]] std::string to_text(const TextRule& rule);

// True if `text` has a number for every part of `version` and is not older, number by number: 28.45.1200 is newer
// than 28.9.2000. Ignores text before the first and after the last number ("v2.28.3-1+cuda13" against "2.28.3").
[[nodiscard]] bool is_version_at_least(std::string_view text, std::string_view version);

// True if the text has a number to compare.
[[nodiscard]] bool is_version(std::string_view text);

// * matches any run of characters, ? matches one. The time is at most proportional to the product of the lengths.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view text);

enum class Profile { kSmoke, kStandard, kAcceptance };

[[nodiscard]] std::string_view name(Profile profile);        // "smoke"
[[nodiscard]] Profile parse_profile(std::string_view text);  // throws std::invalid_argument

// A part of a fact of the rig: "85 % of port.rate" is {0.85, "port.rate"}.
struct RelativeBound {
  double factor;
  std::string fact;
};

// One bound as in the file. `text`: the author's own words, for reports.
struct Bound {
  std::variant<Quantity, RelativeBound> value;
  std::string text;
};

// Bounds on another statistic of the same samples (a median hides values that are slow for less than half of the time), or
// on a measurement at one place of a sweep.
struct FurtherBounds {
  Statistic statistic;
  std::optional<Bound> at_least = {}, at_most = {};  // at least one is set
  std::optional<Quantity> at = {};                   // the place: "64 KiB"; not set: everywhere
  std::optional<Bound> marginal = {};                // of the limit's own statistic at a place
};

// The source of a limit, so that a person can check it: a quote, a reasoning, or both.
struct Basis {
  std::string kind;        // "measured", "specification", "vendor", "derived" or "policy"
  std::string source;      // "NVIDIA DGX Spark user guide", "https://...", "this rig, 2026-11-20, 20 runs"
  std::string quote = {};  // verbatim; " ... " where words are left out
  std::string reasoning = {};  // the conclusion from the quote, the arithmetic, or our reason
};

// The direction in which a measurement gets better.
enum class Better { kHigher, kLower, kNeither };
[[nodiscard]] std::string_view name(Better better);  // "higher"

// The change of a measurement between runs that does not matter yet, and the better direction.
struct Tolerance {
  double value = 0.05;    // base units, or a part of the earlier value
  bool relative = true;   // `value` is a part of the earlier value
  bool of_limit = false;  // `value` is a part of at_most: for values near zero on a sound rig
  std::string text = "5 % of base";
  Better better = Better::kHigher;
};

// The effect of a limit that is missed or could not be proven.
enum class Enforce {
  kRequired,     // the limit decides the case
  kAdvice,       // shown with its remedy, fails nothing
  kInformative,  // only shown
};

// Steps to take after a missed limit, in this order. {word} is a placeholder for a value of the finding.
struct Remedy {
  std::vector<std::string> check = {};  // commands that only show something: "sudo ethtool -m {netdev}"
  std::vector<std::string> fix = {};  // commands that change something: "sudo ip link set {netdev} mtu {mtu}"
  std::vector<std::string> hint = {};  // sentences for a person
  [[nodiscard]] bool empty() const { return check.empty() && fix.empty() && hint.empty(); }
  bool operator==(const Remedy&) const = default;
};
// One of the steps and its name: "check", "fix" or "hint".
struct RemedyStep {
  std::string_view what;
  std::string text;
};
[[nodiscard]] std::vector<RemedyStep> steps_of(const Remedy& remedy);
// On one line: "check: lspci; fix: sudo ip link set eth0 up; Then put in the cable."
[[nodiscard]] std::string to_text(const Remedy& remedy);

// A limit of the thresholds file, for one profile (the file's overrides for that profile applied).
struct Limit {
  std::string id;       // "tcp.rate.half"
  Dimension dimension;  // of every bound; kCount for a rule
  std::string unit;     // for printing: as requested, or as in the first bound; empty: to_text() chooses
  std::optional<Bound> at_least = {};
  std::optional<Bound> at_most = {};
  std::optional<Bound> equals = {};
  std::optional<Bound> marginal = {};  // a value between the bound and this one passes, marked marginal
  std::optional<TextRule> rule = {};   // for a text; then there are no bounds
  Statistic statistic = Statistic::kMedian;
  std::vector<FurtherBounds> also = {};  // must be met, too
  Enforce enforce = Enforce::kRequired;
  Tolerance tolerance = {};
  bool gate = false;      // a headline figure: decides a comparison
  bool headline = false;  // on the report's first page, and a curve of the history
  bool by_pause = false;  // a machine that pauses for a moment can miss it, too: see is_disturbance
  Basis basis = {};
  Remedy remedy = {};
  toml::Place where = {};

  [[nodiscard]] bool is_required() const { return enforce == Enforce::kRequired; }
  [[nodiscard]] bool is_advice() const { return enforce == Enforce::kAdvice; }
};

// The limit of a measurement at this place of a sweep, or of one without a place: bounds there on the limit's own statistic
// replace the limit's, those of other places are left out. Informative if none is left.
[[nodiscard]] Limit limit_at(const Limit& limit, const std::optional<Quantity>& place);

// Bounds as in the file: ">= 5 B and <= 9 B", ">= 5 B and mean >= 4 B", "p99 <= 1 ms at 64 KiB", ">= 28.45.1200", or "no
// bound".
[[nodiscard]] std::string bounds_text(const Limit& limit);

// Accepts a missed limit or an unproven case until a date. The owner takes the responsibility.
struct Waiver {
  std::string limit;  // a limit's id, or empty
  std::string test;   // with a limit: a pattern of case names, empty: any case; else a case's full name
  std::string reason;
  std::string owner;
  std::string expires;  // "2026-12-31", the last day on which it counts
  std::string where;

  // A waiver that expires more than kLongestWaiver after `date` accepts nothing. Dates are "2026-11-20".
  [[nodiscard]] bool is_expired(std::string_view date) const { return date > expires; }
  [[nodiscard]] bool is_too_long(std::string_view date) const;
  [[nodiscard]] bool in_force(std::string_view date) const { return !is_expired(date) && !is_too_long(date); }
};
inline constexpr int kLongestWaiver = 180;  // days

// Values of a remedy's placeholders in one finding: "netdev" -> "enp1s0f0np0".
using RemedyValues = std::map<std::string, std::string, std::less<>>;

// Replaces each {word} (small letters and underscores; ${word} is the shell's own) by its value. Values are quoted
// for the shell where necessary, so that text from a record cannot become a command. Capitals replace a word without
// a value, or with a value that cannot be typed there: "sudo ethtool -m NETDEV".
[[nodiscard]] Remedy fill_placeholders(const Remedy& remedy, const RemedyValues& values);

// A command from a record. Each of its words is quoted where necessary, so that it stays one command. Empty: it cannot
// be typed.
[[nodiscard]] std::string requoted_command(std::string_view text);

// A limit's remedy without a finding: "check: sudo ethtool -i NETDEV; VALUE here, OTHER_VALUE on most nodes".
[[nodiscard]] Remedy generic_remedy(const Limit& limit);

// The value that the limit asks for, to be typed: the first text, the version, or the bound as a bare number. Sizes
// are in bytes, and the rig's facts are filled in. Empty: there is none.
[[nodiscard]] std::string target_value(const Limit& limit, const Facts& facts);

}  // namespace rigproof::inline limits
