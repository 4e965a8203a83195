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

// The tolerance of a limit, and whether it is a headline figure. Keys of a
// [[limit]] (and of its overrides by profile) beside those of LimitTable:
//
//   gate      = true        # optional: a headline figure, which carries the decision of a comparison or a gate. A
//                           # thresholds file marks few; the other limits are judged, and compared for show
//   tolerance = "2 %"       # optional: a part of the value before (the default: 5 %; 5 % of at_most where that is the
//                           # only bound of anything but a time), or a quantity ("20 us"). A
//                           # percentage of a limit in percent counts in points, unless it is "2 % of base"
//   better    = "higher"    # optional: lower, neither. By default higher where there is an at_least, neither for a
//                           # ratio that has an at_most, too
// The tolerance of `limit` as these tables say it; `over`, nullptr without overrides, wins. Throws toml::InputError.
[[nodiscard]] Tolerance read_tolerance(const Limit& limit, const toml::Table& base, const toml::Table* over);

// A [[limit]] with the overrides of one profile laid over it. Views: the tables must outlive it.
class ProfiledLimit {
 public:
  // `over` is nullptr without overrides. Throws toml::InputError, as read() does.
  ProfiledLimit(const toml::Table& base, const toml::Table* over, const FactDimensions& facts);

  [[nodiscard]] Limit read(const std::string& id) const;

 private:
  // Both layers are always read, so that a mistake in either is found and every key is known to both.
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
  void check_order(const Limit& limit) const;

  const toml::Table& base_;
  const toml::Table* over_;
  const FactDimensions& facts_;
  std::map<std::string_view, WrittenBound> bounds_;
};

}  // namespace rigproof::inline limits
