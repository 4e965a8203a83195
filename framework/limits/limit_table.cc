#include "framework/limits/limit_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/limits/limit.h"
#include "framework/limits/limit_reader.h"
#include "framework/limits/rates_for.h"
#include "framework/units/printable.h"

namespace rigproof::inline limits {
namespace {

bool covers(const Waiver& waiver, std::string_view limit_id, std::string_view case_name) {
  const bool limit_fits = waiver.limit.empty() || waiver.limit == limit_id;
  return limit_fits && (waiver.test.empty() || matches_glob(waiver.test, case_name));
}

}  // namespace

std::string suite_of(std::string_view id) { return std::string(id.substr(0, id.find('.'))); }

const Waiver* find_waiver(const std::vector<Waiver>& waivers, std::string_view limit_id,
                          std::string_view case_name, std::string_view date) {
  const auto found = std::ranges::find_if(waivers, [&](const Waiver& waiver) {
    return waiver.in_force(date) && covers(waiver, limit_id, case_name);
  });
  return found == waivers.end() ? nullptr : &*found;
}

LimitTable LimitTable::load(const std::vector<std::filesystem::path>& paths, Profile profile,
                            const FactDimensions& facts) {
  std::vector<toml::Document> documents;
  for (const std::filesystem::path& path : paths) documents.push_back(toml::Document::load(path));
  return read(documents, profile, facts);
}

namespace {

// Runs first: the content of a mistyped [[limit]] would not be read.
void refuse_others(const toml::Table& root) {
  if (root.has("node")) root.fail("node", "this is a rig file (--rig), not a file of limits (--thresholds)");
  const std::vector<std::string> known = {"for", "limit", "waiver", "sampling"};
  for (const std::string& key : root.keys())
    if (std::ranges::find(known, key) == known.end())
      root.fail(key, fmt::format("unknown key {}{}", in_quotes(key), suggestion(key, known)));
}

double read_share(const toml::Table& table, std::string_view key, std::string_view text, double from,
                  double to) {
  try {
    const Quantity share = parse_quantity(text);
    if (share.dimension == Dimension::kRatio && share.value >= from && share.value <= to) return share.value;
  } catch (const std::invalid_argument&) {
  }
  table.fail(key, fmt::format("expected a percentage from {:g} % to {:g} %, got {}", 100 * from, 100 * to,
                              in_quotes(text)));
}

Sampling read_sampling(const toml::Table& table) {
  constexpr std::string_view kOfNode = " of a node";
  const std::string names = table.text("names");
  if (!names.ends_with(kOfNode))
    table.fail("names", fmt::format("expected \"10 % of a node\", got {}", in_quotes(names)));
  const std::string_view slower = std::string_view(names).substr(0, names.size() - kOfNode.size());
  Sampling sampling{read_share(table, "names", slower, 0.01, 0.5),
                    read_share(table, "power", table.maybe_text("power").value_or("99 %"), 0.5, 0.995),
                    to_text(table.where())};
  table.finish();
  return sampling;
}

using Places = std::map<std::string, std::string, std::less<>>;

// Reads the limits of one file. `places`: the place of each of these limits.
std::vector<LimitEntry> read_limits(const toml::Table& root, const FactDimensions& facts, Places& places) {
  std::vector<LimitEntry> entries;
  for (const toml::Table& limit : root.tables("limit")) {
    LimitEntry entry = read_limit(limit, facts);
    const auto [known, fresh] = places.emplace(entry.id, to_text(limit.where()));
    if (!fresh)
      limit.fail("id", fmt::format("duplicate limit {} (first at {})", in_quotes(entry.id),
                                   printable(known->second)));
    entries.push_back(std::move(entry));
  }
  return entries;
}

// Limits in the order in which their ids first appear. A later limit replaces an earlier one in its place.
struct Layers {
  std::vector<LimitEntry> entries;
  std::map<std::string, std::size_t, std::less<>> index;

  void add(LimitEntry entry) {
    const auto [known, fresh] = index.try_emplace(entry.id, entries.size());
    if (fresh)
      entries.push_back(std::move(entry));
    else
      entries[known->second] = std::move(entry);
  }
};

}  // namespace

LimitTable LimitTable::read(const std::vector<toml::Document>& documents, Profile profile,
                            const FactDimensions& facts) {
  LimitTable table;
  Layers all;
  Places all_places;
  std::vector<toml::Table> roots;
  for (const toml::Document& document : documents) {
    const toml::Table& root = roots.emplace_back(document.root());
    refuse_others(root);
    (void)read_rates_for(root);
    Places places;
    for (LimitEntry& entry : read_limits(root, facts, places)) all.add(std::move(entry));
    if (const auto sampling = root.maybe_table("sampling")) table.sampling_ = read_sampling(*sampling);
    const bool adds = documents.size() > 1 && (root.has("sampling") || !root.tables("waiver").empty());
    if (places.empty() && !adds) root.fail("", "no limit: a thresholds file needs at least one [[limit]]");
    all_places.insert(places.begin(), places.end());
  }
  for (const toml::Table& root : roots)
    for (const toml::Table& waiver : root.tables("waiver"))
      table.waivers_.push_back(read_waiver(waiver, all_places));
  if (all.entries.empty()) throw toml::InputError("no limit: none of the thresholds files has a [[limit]]");
  for (LimitEntry& entry : all.entries) table.add(std::move(entry), profile);
  return table;
}

void LimitTable::add(LimitEntry entry, Profile profile) {
  const auto found = entry.by_profile.find(profile);
  if (found == entry.by_profile.end()) {
    in_other_profile_.emplace(
        entry.id, entry.by_profile.empty() ? toml::Place() : entry.by_profile.begin()->second.where);
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
