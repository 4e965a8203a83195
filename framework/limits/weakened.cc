#include "framework/limits/weakened.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <utility>

#include "framework/limits/limit_reader.h"

namespace rigproof::inline limits {
namespace {

std::optional<double> value_on(const Facts& facts, const Bound& bound) {
  if (const auto* quantity = std::get_if<Quantity>(&bound.value)) return quantity->value;
  const auto& part = std::get<RelativeBound>(bound.value);
  const auto fact = facts.find(part.fact);
  if (fact == facts.end()) return std::nullopt;
  return part.factor * fact->second.value;
}

enum class Stricter { kMore, kLess, kEqual };  // stricter bounds are larger, smaller or equal

// Checks that later limits ask no less than earlier limits, on each part of the rig.
class Comparison {
 public:
  explicit Comparison(const std::vector<Facts>& rig) : rig_(rig) {}

  [[nodiscard]] bool holds(const std::optional<Bound>& earlier, const std::optional<Bound>& later,
                           Stricter stricter) const {
    if (!earlier) return true;
    if (!later) return false;
    const auto order = compare(*later, *earlier);
    if (order != std::partial_ordering::unordered) return fits(order, stricter);
    const auto holds_on = [&](const Facts& facts) {
      const auto before = value_on(facts, *earlier), after = value_on(facts, *later);
      return before && after && fits(*after <=> *before, stricter);
    };
    return !rig_.empty() && std::ranges::all_of(rig_, holds_on);
  }

 private:
  static bool fits(std::partial_ordering order, Stricter stricter) {
    return order == std::partial_ordering::equivalent ||
           (stricter == Stricter::kMore && order == std::partial_ordering::greater) ||
           (stricter == Stricter::kLess && order == std::partial_ordering::less);
  }

  const std::vector<Facts>& rig_;
};

// Values that meet "= x" meet ">= x" and "<= x", too.
const std::optional<Bound>& or_equals(const std::optional<Bound>& bound, const Limit& limit) {
  return bound ? bound : limit.equals;
}

bool holds(const std::optional<TextRule>& earlier, const std::optional<TextRule>& later) {
  if (!earlier) return true;
  if (!later) return false;
  if (!earlier->at_least_version.empty())
    return !later->at_least_version.empty() &&
           is_version_at_least(later->at_least_version, earlier->at_least_version);
  const auto allowed = [&](const std::string& word) {
    return std::ranges::find(earlier->one_of, word) != earlier->one_of.end();
  };
  return !later->one_of.empty() && std::ranges::all_of(later->one_of, allowed);
}

// True if each statistic with a bound still has one that is as strict: a lower bound may only rise, an upper bound
// only fall. A statistic that is now the limit's own counts, too.
bool holds_further(const Limit& earlier, const Limit& later, const Comparison& rig) {
  return std::ranges::all_of(earlier.also, [&](const FurtherBounds& before) {
    FurtherBounds now{before.statistic};
    if (later.statistic == before.statistic)
      now = {before.statistic, later.at_least, later.at_most};
    else if (const auto same = std::ranges::find(later.also, before.statistic, &FurtherBounds::statistic);
             same != later.also.end())
      now = *same;
    return rig.holds(before.at_least, now.at_least, Stricter::kMore) &&
           rig.holds(before.at_most, now.at_most, Stricter::kLess);
  });
}

bool has_condition(const Limit& limit) {
  return limit.at_least || limit.at_most || limit.equals || limit.rule;
}

bool is_weaker_here(const Limit& later, const Limit& earlier, const Comparison& rig) {
  if (later.enforce > earlier.enforce) return true;
  if (earlier.enforce == Enforce::kInformative || !has_condition(earlier)) return false;
  const bool one_value = later.equals || later.rule;  // for all samples of a fact
  return !rig.holds(earlier.equals, later.equals, Stricter::kEqual) ||
         !rig.holds(earlier.at_least, or_equals(later.at_least, later), Stricter::kMore) ||
         !rig.holds(earlier.at_most, or_equals(later.at_most, later), Stricter::kLess) ||
         !holds(earlier.rule, later.rule) || (!one_value && !holds_further(earlier, later, rig)) ||
         (!one_value && later.statistic != earlier.statistic);
}

bool is_weaker(const Limit& later, const Limit& earlier, const Comparison& rig) {
  std::vector<std::optional<Quantity>> places{std::nullopt};
  for (const Limit* limit : {&later, &earlier})
    for (const FurtherBounds& more : limit->also)
      if (more.at) places.push_back(more.at);
  return std::ranges::any_of(places, [&](const std::optional<Quantity>& place) {
    return is_weaker_here(limit_at(later, place), limit_at(earlier, place), rig);
  });
}

std::string condition_of(const Limit& limit) {
  std::string text = bounds_text(limit);
  if (limit.statistic != Statistic::kMedian) text += fmt::format(" ({})", name(limit.statistic));
  if (limit.is_advice()) text += ", advice only";
  if (limit.enforce == Enforce::kInformative) text += ", informative only";
  return text;
}

// True if a comparison may accept more: a larger change, another direction or another kind of tolerance.
bool is_looser(const Tolerance& later, const Tolerance& earlier) {
  return later.better != earlier.better || later.relative != earlier.relative ||
         later.of_limit != earlier.of_limit || later.value > earlier.value;
}

std::string decision_of(const Limit& limit) {
  return fmt::format("{}a tolerance of {}, {} is better", limit.gate ? "gate = true, " : "",
                     limit.tolerance.text, name(limit.tolerance.better));
}

// True if a comparison decides less. Does not apply to states: see Comparison.
bool decides_less(const Limit& later, const Limit& earlier) {
  if (!earlier.is_required() || earlier.equals || earlier.rule || later.equals || later.rule) return false;
  return (earlier.gate && !later.gate) || is_looser(later.tolerance, earlier.tolerance);
}

// All limits with one id, in the order of the files.
using Versions = std::vector<LimitEntry>;

const Limit* in_profile(const LimitEntry& entry, Profile profile) {
  const auto found = entry.by_profile.find(profile);
  return found == entry.by_profile.end() ? nullptr : &found->second;
}

std::optional<Weakened> weakening_of(const Versions& versions, Profile profile, const Comparison& rig) {
  const LimitEntry& last = versions.back();
  const Limit* later = in_profile(last, profile);
  for (const LimitEntry& version : versions) {
    const Limit* earlier = &version == &last ? nullptr : in_profile(version, profile);
    if (earlier == nullptr) continue;
    if (later == nullptr) {
      if (earlier->enforce == Enforce::kInformative) continue;
      return Weakened{last.id, condition_of(*earlier), fmt::format("no limit in profile {}", name(profile)),
                      earlier->where,
                      last.by_profile.empty() ? toml::Place{} : last.by_profile.begin()->second.where};
    }
    if (is_weaker(*later, *earlier, rig))
      return Weakened{last.id, condition_of(*earlier), condition_of(*later), earlier->where, later->where};
    if (decides_less(*later, *earlier))
      return Weakened{last.id, decision_of(*earlier), decision_of(*later), earlier->where, later->where};
  }
  return std::nullopt;
}

}  // namespace

std::string to_text(const Weakened& limit) {
  return fmt::format("{}: {} ({}) is now {} ({})", limit.id, limit.before, to_text(limit.from), limit.after,
                     to_text(limit.to));
}

std::vector<Weakened> weakened_limits(const std::vector<toml::Document>& documents, Profile profile,
                                      const FactDimensions& facts, const std::vector<Facts>& rig) {
  std::vector<std::string> order;
  std::map<std::string, Versions> all;
  for (const toml::Document& document : documents)
    for (const toml::Table& table : document.root().tables("limit")) {
      LimitEntry entry = read_limit(table, facts);
      Versions& versions = all[entry.id];
      if (versions.empty()) order.push_back(entry.id);
      versions.push_back(std::move(entry));
    }
  std::vector<Weakened> found;
  for (const std::string& id : order)
    if (auto weakened = weakening_of(all[id], profile, Comparison(rig)))
      found.push_back(*std::move(weakened));
  return found;
}

}  // namespace rigproof::inline limits
