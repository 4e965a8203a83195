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

#include "framework/limits/profiled_limit.h"
#include "framework/units/printable.h"

namespace rigproof {
namespace {

using toml::Table;

// What a profile may set anew, and what it may not.
constexpr std::array<std::string_view, 12> kOfProfile = {
    "at_least",  "at_most", "equals", "marginal", "one_of",    "at_least_version",
    "statistic", "enforce", "basis",  "remedy",   "tolerance", "better"};
constexpr std::array<std::string_view, 4> kOfLimit = {"id", "unit", "profiles", "profile"};

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

// These keys mean something, whatever their values: what is wrong with one is told where it is read.
void allow(const Table& table, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) try {
      [[maybe_unused]] const auto text = table.maybe_text(key);
    } catch (const toml::InputError&) {
    }
}

// First of all: a mistyped bound is an unknown key, not a bound that is missing.
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
    table.fail("id", fmt::format("id {} may hold letters, digits and . _ - only", in_quotes(id)));
  return id;
}

}  // namespace

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

}  // namespace rigproof
