#include "framework/limits/limit_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "framework/units/printable.h"

namespace rigproof::inline limits {
namespace {

constexpr std::string_view kOf = " of ";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

Dimension dimension_of_fact(std::string_view fact, const FactDimensions& facts) {
  if (const auto found = facts.find(fact); found != facts.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, dimension] : facts) known.push_back(name);
  throw std::invalid_argument(
      fmt::format("the rig has no fact {}{}", in_quotes(fact), suggestion(fact, known)));
}

WrittenBound relative_bound(std::string_view text, std::size_t of, const FactDimensions& facts) {
  const Quantity part = parse_quantity(trimmed(text.substr(0, of)));
  if (part.dimension != Dimension::kRatio) {
    throw std::invalid_argument(
        fmt::format("a part of a fact is a percentage (write e.g. \"85 % of port.rate\"), not a {}",
                    name(part.dimension)));
  }
  const std::string_view fact = trimmed(text.substr(of + kOf.size()));
  const Dimension dimension = dimension_of_fact(fact, facts);
  return {{RelativeBound{part.value, std::string(fact)}, std::string(text)}, dimension, ""};
}

WrittenBound parse_bound(std::string_view text, const FactDimensions& facts) {
  if (const auto of = text.find(kOf); of != std::string_view::npos) return relative_bound(text, of, facts);
  const Quantity quantity = parse_quantity(text);
  return {{quantity, std::string(text)}, quantity.dimension, unit_of(text)};
}

}  // namespace

std::optional<WrittenBound> maybe_bound(const toml::Table& table, std::string_view key,
                                        const FactDimensions& facts) {
  const auto text = table.maybe_text(key);
  if (!text) return std::nullopt;
  try {
    return parse_bound(*text, facts);
  } catch (const std::invalid_argument& error) {
    table.fail(key, error.what());
  }
}

std::partial_ordering compare(const Bound& a, const Bound& b) {
  const auto* quantity_a = std::get_if<Quantity>(&a.value);
  const auto* quantity_b = std::get_if<Quantity>(&b.value);
  if (quantity_a != nullptr && quantity_b != nullptr) return quantity_a->value <=> quantity_b->value;
  const auto* part_a = std::get_if<RelativeBound>(&a.value);
  const auto* part_b = std::get_if<RelativeBound>(&b.value);
  if (part_a == nullptr || part_b == nullptr || part_a->fact != part_b->fact) {
    return std::partial_ordering::unordered;
  }
  return part_a->factor <=> part_b->factor;
}

namespace {

using Places = std::map<std::string, std::string, std::less<>>;

void require_known(const toml::Table& table, const std::string& limit, const Places& limits) {
  if (limits.contains(limit)) return;
  std::vector<std::string> known;
  for (const auto& [id, where] : limits) known.push_back(id);
  table.fail("limit", fmt::format("no limit has the id {}{}", in_quotes(limit), suggestion(limit, known)));
}

}  // namespace

Waiver read_waiver(const toml::Table& table, const Places& limits) {
  const auto limit = table.maybe_text("limit");
  const auto test = table.maybe_text("case");
  if (!limit && !test) table.fail("", "a waiver names a 'limit', a 'case' or both");
  if (limit) require_known(table, *limit, limits);
  if (!limit && test->find_first_of("*?") != std::string::npos)
    table.fail("case",
               fmt::format("{} is a pattern: without a 'limit' a waiver names one case by its full name",
                           in_quotes(*test)));
  Waiver waiver{limit.value_or(""),  test.value_or(""),     table.text("reason"),
                table.text("owner"), table.date("expires"), to_text(table.where())};
  table.finish();
  return waiver;
}

namespace {

using toml::Table;

// Keys that a profile may override, and keys that only the [[limit]] itself sets.
constexpr std::array<std::string_view, 13> kOfProfile = {
    "at_least", "at_most", "equals", "marginal",  "one_of", "at_least_version", "statistic", "also",
    "enforce",  "basis",   "remedy", "tolerance", "better"};
constexpr std::array<std::string_view, 7> kOfLimit = {"id",   "unit",     "profiles", "profile",
                                                      "gate", "headline", "by_pause"};

constexpr std::array kAllProfiles = {Profile::kSmoke, Profile::kStandard, Profile::kAcceptance};

Profile profile_named(std::string_view text, const Table& table, std::string_view key,
                      std::optional<std::size_t> index = {}) {
  try {
    return parse_profile(text);
  } catch (const std::invalid_argument& error) {
    table.fail(key, error.what(), index);
  }
}

std::set<Profile> read_profiles(const Table& table) {
  const auto names = table.maybe_texts("profiles");
  if (!names) return {kAllProfiles.begin(), kAllProfiles.end()};
  std::set<Profile> profiles;
  for (std::size_t i = 0; i < names->size(); ++i) {
    profiles.insert(profile_named((*names)[i], table, "profiles", i));
  }
  return profiles;
}

std::map<Profile, Table> read_overrides(const Table& limit, const std::set<Profile>& profiles) {
  std::map<Profile, Table> overrides;
  const auto tables = limit.maybe_table("profile");
  if (!tables) return overrides;
  for (const std::string& key : tables->keys()) {
    const Profile profile = profile_named(key, *tables, key);
    if (!profiles.contains(profile))
      tables->fail(key, fmt::format("the limit is not in the profile '{}'", key));
    overrides.emplace(profile, tables->table(key));
  }
  return overrides;
}

void allow(const Table& table, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) table.allow(key);
}

// Runs first: a mistyped bound is reported as an unknown key, not as a missing bound.
void refuse_unknown_keys(const Table& limit) {
  allow(limit, kOfProfile);
  allow(limit, kOfLimit);
  limit.finish();
  const auto profiles = limit.maybe_table("profile");
  for (const std::string& key : profiles ? profiles->keys() : std::vector<std::string>()) {
    [[maybe_unused]] const Profile checked = profile_named(key, *profiles, key);
    const Table over = profiles->table(key);
    allow(over, kOfProfile);
    over.finish();
  }
}

std::string read_id(const Table& table) {
  std::string id = table.text("id");
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
  };
  if (!std::ranges::all_of(id, plain))
    table.fail("id", fmt::format("id {}: only letters, digits and . _ - are allowed", in_quotes(id)));
  return id;
}

}  // namespace

Limit read_condition(const Table& table, const FactDimensions& facts) {
  for (const std::string_view key :
       {"id", "at_least", "at_most", "equals", "statistic", "one_of", "at_least_version"})
    table.allow(key);
  table.finish();
  const ProfiledLimit limit(table, nullptr, facts);
  return limit.condition(read_id(table));
}

LimitEntry read_limit(const Table& table, const FactDimensions& facts) {
  refuse_unknown_keys(table);
  LimitEntry entry{read_id(table), {}};
  const std::set<Profile> profiles = read_profiles(table);
  const std::map<Profile, Table> overrides = read_overrides(table, profiles);
  for (const Profile profile : profiles) {
    const auto over = overrides.find(profile);
    const ProfiledLimit limit(table, over == overrides.end() ? nullptr : &over->second, facts);
    entry.by_profile.emplace(profile, limit.read(entry.id));
  }
  return entry;
}

namespace {

using toml::Table;

constexpr std::string_view kOfBase = " of base";
const std::array<std::string, 3> kBetter = {"higher", "lower", "neither"};

Tolerance parse_tolerance(const std::string& text, Dimension dimension) {
  const bool of_base = text.ends_with(kOfBase);
  const Quantity quantity =
      parse_quantity(of_base ? std::string_view(text).substr(0, text.size() - kOfBase.size()) : text);
  const bool percentage = quantity.dimension == Dimension::kRatio;
  if (of_base ? !percentage : !percentage && quantity.dimension != dimension) {
    throw std::invalid_argument(fmt::format("{} is a {}: write a percentage, or a {}", in_quotes(text),
                                            name(quantity.dimension), name(dimension)));
  }
  const bool relative = of_base || (percentage && dimension != Dimension::kRatio);
  if (relative && quantity.value >= 1)
    throw std::invalid_argument(fmt::format("{}: a tolerance must be below 100 %", in_quotes(text)));
  return {.value = quantity.value,
          .relative = relative,
          .text = relative && !of_base ? text + std::string(kOfBase) : text};
}

std::optional<Tolerance> maybe_tolerance(const Table& table, const Limit& limit) {
  const auto text = table.maybe_text("tolerance");
  if (!text) return std::nullopt;
  if (limit.equals) table.fail("tolerance", "remove 'tolerance': 'equals' allows no change");
  try {
    return parse_tolerance(*text, limit.dimension);
  } catch (const std::invalid_argument& error) {
    table.fail("tolerance", error.what());
  }
}

std::optional<Better> maybe_better(const Table& table, const Limit& limit) {
  const auto text = table.maybe_text("better");
  if (!text) return std::nullopt;
  if (limit.equals) table.fail("better", "remove 'better': it has no effect with 'equals'");
  const auto found = std::ranges::find(kBetter, *text);
  if (found == kBetter.end())
    table.fail("better", fmt::format("unknown better {}{}", in_quotes(*text), suggestion(*text, kBetter)));
  return static_cast<Better>(found - kBetter.begin());
}

// A ratio between two bounds has a right value, not a best one. A time's lower bound only rejects implausible values.
Better usual_direction(const Limit& limit) {
  if (limit.at_most && limit.dimension == Dimension::kTime) return Better::kLower;
  if (!limit.at_least && !limit.at_most && !limit.also.empty())  // each bound is of a place
    return limit.also.front().at_most ? Better::kLower : Better::kHigher;
  if (!limit.at_least) return limit.at_most ? Better::kLower : Better::kHigher;
  return limit.at_most && limit.dimension == Dimension::kRatio ? Better::kNeither : Better::kHigher;
}

// A value that should only stay near zero is compared by its limit: 0.3 % to 0.5 % of a CPU is no change.
Tolerance usual_tolerance(const Limit& limit) {
  Tolerance usual;
  if (!limit.at_most || limit.at_least || limit.dimension == Dimension::kTime) return usual;
  usual.relative = false;
  usual.of_limit = true;
  usual.text = "5 % of the limit";
  return usual;
}

}  // namespace

std::string_view name(Better better) { return kBetter.at(static_cast<std::size_t>(better)); }

Tolerance read_tolerance(const Limit& limit, const Table& base, const Table* over) {
  auto tolerance = maybe_tolerance(base, limit);
  auto better = maybe_better(base, limit);
  if (over != nullptr) {
    if (auto other = maybe_tolerance(*over, limit)) tolerance = other;
    if (auto other = maybe_better(*over, limit)) better = other;
  }
  Tolerance result = tolerance.value_or(usual_tolerance(limit));
  result.better = better.value_or(usual_direction(limit));
  return result;
}

}  // namespace rigproof::inline limits
