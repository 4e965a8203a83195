#include "framework/limits/rates_for.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "framework/limits/limit_reader.h"
#include "framework/units/printable.h"

namespace rigproof::inline limits {
namespace {

// Parts of the rig that have a rate.
constexpr std::array<std::string_view, 3> kParts = {"half", "port", "node"};

std::optional<double> rate_in(const toml::Table& table, std::string_view key) {
  if (!table.has(key)) return std::nullopt;
  return table.quantity(key, Dimension::kDataRate).value;
}

RateRange read_range(const toml::Table& part, std::string_view name) {
  for (const std::string& key : part.keys())
    if (key != "rate")
      part.fail(key, fmt::format("unknown key '{}.{}' (known: half.rate, port.rate, node.rate)", name, key));
  const toml::Table table = part.table("rate");
  RateRange range{fmt::format("{}.rate", name), rate_in(table, "at_least"), rate_in(table, "at_most")};
  table.finish();
  if (!range.at_least && !range.at_most) table.fail("", "at_least, at_most or both must be there");
  if (range.at_least && range.at_most && *range.at_most < *range.at_least)
    table.fail("at_most", "at_most is below at_least: no rig has such a rate");
  return range;
}

}  // namespace

std::vector<RateRange> read_rates_for(const toml::Table& root) {
  std::vector<RateRange> ranges;
  const auto table = root.maybe_table("for");
  if (!table) return ranges;
  for (const std::string_view name : kParts)
    if (const auto part = table->maybe_table(name)) ranges.push_back(read_range(*part, name));
  table->finish();
  if (ranges.empty()) table->fail("", "[for] names no rate: half.rate = { at_most = \"100 Gbit/s\" }");
  return ranges;
}

namespace {

bool is_absolute(const std::optional<Bound>& bound) {
  const Quantity* quantity = bound ? std::get_if<Quantity>(&bound->value) : nullptr;
  return quantity != nullptr && quantity->value > 0;
}

// The first bound that is an absolute rate; nullptr: there is none, or it decides nothing.
const char* absolute_rate_of(const Limit& limit) {
  if (limit.dimension != Dimension::kDataRate || limit.enforce == Enforce::kInformative) return nullptr;
  if (is_absolute(limit.at_least)) return "at_least";
  if (is_absolute(limit.at_most)) return "at_most";
  if (is_absolute(limit.equals)) return "equals";
  const bool also = std::ranges::any_of(limit.also, [](const FurtherBounds& more) {
    return is_absolute(more.at_least) || is_absolute(more.at_most);
  });
  return also ? "also" : nullptr;
}

std::string rate_text(double rate) { return to_text(Quantity{Dimension::kDataRate, rate}); }

std::string describe(const RateRange& range) {
  std::string text = range.fact;
  if (range.at_least) text += " from " + rate_text(*range.at_least);
  if (range.at_most) text += " up to " + rate_text(*range.at_most);
  return text;
}

constexpr std::string_view kInstead =
    "A part of a rate of the rig file fits any rig (\"95 % of half.rate\"), as in thresholds/roce-hosts.toml";

// `table`: of the limit, whose bound `key` is an absolute rate.
void require_rates(const std::vector<RateRange>& ranges, const std::vector<NamedFacts>& rig,
                   const std::string& id, const toml::Table& table, const char* key) {
  for (const RateRange& range : ranges)
    for (const NamedFacts& part : rig) {
      const double rate = part.facts.at(range.fact).value;
      if ((range.at_least && rate < *range.at_least) || (range.at_most && rate > *range.at_most))
        table.fail(key, fmt::format("{} is an absolute rate, for rigs with {} ([for]), but {} has {}. {}", id,
                                    describe(range), part.name, rate_text(rate), kInstead));
    }
}

}  // namespace

std::vector<std::string> refuse_rates_of_other_rigs(const std::vector<toml::Document>& documents,
                                                    Profile profile, const FactDimensions& facts,
                                                    const std::vector<NamedFacts>& rig) {
  std::vector<std::string> notices;
  std::map<std::string, std::size_t, std::less<>> last;  // the file of each id that counts
  for (std::size_t file = 0; file < documents.size(); ++file)
    for (const toml::Table& table : documents[file].root().tables("limit")) last[table.text("id")] = file;
  for (std::size_t file = 0; file < documents.size(); ++file) {
    const toml::Table root = documents[file].root();
    const std::vector<RateRange> ranges = read_rates_for(root);
    bool is_noticed = !ranges.empty();
    for (const toml::Table& table : root.tables("limit")) {
      const LimitEntry entry = read_limit(table, facts);
      const auto limit = entry.by_profile.find(profile);
      if (limit == entry.by_profile.end() || last.at(entry.id) != file) continue;
      const char* key = absolute_rate_of(limit->second);
      if (key == nullptr) continue;
      require_rates(ranges, rig, entry.id, table, key);
      if (!std::exchange(is_noticed, true))
        notices.push_back(
            fmt::format("{}: {} is an absolute rate, and the file does not say for which rigs "
                        "([for]): is it for this one? {}",
                        to_text(table.where()), entry.id, kInstead));
    }
  }
  return notices;
}

}  // namespace rigproof::inline limits
