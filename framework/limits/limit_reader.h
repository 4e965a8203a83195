#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof::inline limits {

// A bound, with the dimension and the unit of its text.
struct WrittenBound {
  Bound bound;
  Dimension dimension;
  std::string unit;  // empty for a relative bound
};

// "96 Gbit/s" or "85 % of port.rate"; nullopt: no such key. Throws toml::InputError at the value.
[[nodiscard]] std::optional<WrittenBound> maybe_bound(const toml::Table&, std::string_view key,
                                                      const FactDimensions&);

// Unordered if the order depends on the rig: one bound is relative, or both with different facts.
[[nodiscard]] std::partial_ordering compare(const Bound& a, const Bound& b);

// Reads one [[waiver]]. `limits`: ids of all limits, with their places; a waiver of another limit is refused. Throws
// toml::InputError.
[[nodiscard]] Waiver read_waiver(const toml::Table&,
                                 const std::map<std::string, std::string, std::less<>>& limits);

// One of a few words. Throws toml::InputError with the nearest word.
[[nodiscard]] std::string read_word(const toml::Table&, std::string_view key, std::vector<std::string> words);

// The tables 'basis' and 'remedy'; nullopt: no such key. Throw toml::InputError.
[[nodiscard]] std::optional<Basis> maybe_basis(const toml::Table&);
[[nodiscard]] std::optional<Remedy> maybe_remedy(const toml::Table&);

// Reads a table that has only an id and the condition of a limit: bounds, statistic or a rule for a text. Throws
// toml::InputError.
[[nodiscard]] Limit read_condition(const toml::Table&, const FactDimensions&);

// One [[limit]], as read for each of its profiles.
struct LimitEntry {
  std::string id;
  std::map<Profile, Limit> by_profile;
};

// Throws toml::InputError; see LimitTable for the keys.
[[nodiscard]] LimitEntry read_limit(const toml::Table&, const FactDimensions&);

// Reads the tolerance of `limit`. `over`: overrides of the profile, which win, or nullptr. Throws toml::InputError.
// Keys of a [[limit]] in addition to those of LimitTable:
//
//   gate      = true        # optional: a headline figure, which decides a comparison or a gate. A thresholds file
//                           # marks few; other limits are judged, and compared only for show
//   tolerance = "2 %"       # optional: a part of the earlier value, or a quantity ("20 us"). Default: 5 %, but 5 % of
//                           # at_most if that is the only bound and not a time. A percentage of a limit in percent
//                           # counts in points, unless it is "2 % of base"
//   better    = "higher"    # optional: lower, neither. Default: lower for a time with an at_most or an at_most alone,
//                           # neither for a ratio with both bounds, else higher
[[nodiscard]] Tolerance read_tolerance(const Limit& limit, const toml::Table& base, const toml::Table* over);

// A [[limit]] with the overrides of one profile applied. Views: the tables must outlive it.
class ProfiledLimit {
 public:
  // `over`: nullptr without overrides. Throws toml::InputError, as read() does.
  ProfiledLimit(const toml::Table& base, const toml::Table* over, const FactDimensions& facts);

  [[nodiscard]] Limit read(const std::string& id) const;
  // Only the id, bounds, statistic and rule.
  [[nodiscard]] Limit condition(const std::string& id) const;

 private:
  // Always reads both layers, so that mistakes in either are found and every key is known to both.
  template <class Read>
  auto get(Read read) const {
    auto value = read(base_);
    if (over_ == nullptr) return value;
    auto over = read(*over_);
    return over ? over : value;
  }

  [[noreturn]] void fail(std::string_view key, std::string_view message) const;
  [[nodiscard]] std::optional<Bound> bound(std::string_view key) const;
  [[nodiscard]] std::optional<TextRule> rule() const;
  [[nodiscard]] std::vector<FurtherBounds> also(const Limit& limit) const;
  [[nodiscard]] Dimension dimension() const;
  [[nodiscard]] std::string unit() const;
  [[nodiscard]] bool read_gate(const Limit& limit) const;
  void read_reasons(Limit& limit) const;
  void check(const Limit& limit) const;
  void check_bounds(const Limit& limit) const;

  const toml::Table& base_;
  const toml::Table* over_;
  const FactDimensions& facts_;
  std::map<std::string_view, WrittenBound> bounds_;
};

}  // namespace rigproof::inline limits
