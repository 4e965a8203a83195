#include "framework/limits/limit_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/limits/limit_reader.h"
#include "framework/limits/text_rule.h"
#include "framework/units/printable.h"

namespace rigproof::inline limits {
namespace {

bool covers(const Waiver& waiver, std::string_view limit_id, std::string_view case_name) {
  const bool limit_fits = waiver.limit.empty() || waiver.limit == limit_id;
  return limit_fits && (waiver.test.empty() || matches_glob(waiver.test, case_name));
}

}  // namespace

const Waiver* find_waiver(const std::vector<Waiver>& waivers, std::string_view limit_id,
                          std::string_view case_name, std::string_view date) {
  const auto found = std::ranges::find_if(waivers, [&](const Waiver& waiver) {
    return date <= waiver.expires && covers(waiver, limit_id, case_name);
  });
  return found == waivers.end() ? nullptr : &*found;
}

LimitTable LimitTable::load(const std::filesystem::path& path, Profile profile, const FactDimensions& facts) {
  return read(toml::Document::load(path), profile, facts);
}

LimitTable LimitTable::read(const toml::Document& document, Profile profile, const FactDimensions& facts) {
  const toml::Table root = document.root();
  LimitTable table;
  std::map<std::string, std::string, std::less<>> places;  // id -> where
  for (const toml::Table& limit : root.tables("limit")) {
    LimitEntry entry = read_limit(limit, facts);
    const auto [known, fresh] = places.emplace(entry.id, limit.where());
    if (!fresh)
      limit.fail("id", fmt::format("duplicate limit {} (first at {})", in_quotes(entry.id),
                                   printable(known->second)));
    table.add(std::move(entry), profile);
  }
  if (places.empty()) root.fail("", "no limit: a thresholds file needs at least one [[limit]]");
  for (const toml::Table& waiver : root.tables("waiver"))
    table.waivers_.push_back(read_waiver(waiver, places));
  root.finish();
  return table;
}

void LimitTable::add(LimitEntry entry, Profile profile) {
  const auto found = entry.by_profile.find(profile);
  if (found == entry.by_profile.end()) {
    elsewhere_.emplace(entry.id, entry.by_profile.empty() ? "" : entry.by_profile.begin()->second.where);
    return;
  }
  index_.emplace(entry.id, limits_.size());
  limits_.push_back(std::move(found->second));
}

const Limit* LimitTable::find(std::string_view id) const {
  const auto found = index_.find(id);
  return found == index_.end() ? nullptr : &limits_[found->second];
}

}  // namespace rigproof::inline limits
