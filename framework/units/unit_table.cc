#include "framework/units/unit_table.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rigproof::inline units {
namespace {

constexpr double kKibi = 1024;
constexpr double kMebi = kKibi * kKibi;
constexpr double kGibi = kMebi * kKibi;

constexpr std::array kUnits = {
    Unit{"bit/s", Dimension::kDataRate, 1, true},
    Unit{"B/s", Dimension::kDataRate, 8, false},
    Unit{"kbit/s", Dimension::kDataRate, 1e3, true},
    Unit{"kB/s", Dimension::kDataRate, 8e3, false},
    Unit{"KiB/s", Dimension::kDataRate, 8 * kKibi, false},
    Unit{"Mbit/s", Dimension::kDataRate, 1e6, true},
    Unit{"MB/s", Dimension::kDataRate, 8e6, false},
    Unit{"MiB/s", Dimension::kDataRate, 8 * kMebi, false},
    Unit{"Gbit/s", Dimension::kDataRate, 1e9, true},
    Unit{"GB/s", Dimension::kDataRate, 8e9, false},
    Unit{"GiB/s", Dimension::kDataRate, 8 * kGibi, false},
    Unit{"Tbit/s", Dimension::kDataRate, 1e12, true},
    // Packet sizes and MTUs read best in plain bytes, so kB and KiB are never picked.
    Unit{"B", Dimension::kDataSize, 1, true},
    Unit{"kB", Dimension::kDataSize, 1e3, false},
    Unit{"KiB", Dimension::kDataSize, kKibi, false},
    Unit{"MB", Dimension::kDataSize, 1e6, false},
    Unit{"MiB", Dimension::kDataSize, kMebi, true},
    Unit{"GB", Dimension::kDataSize, 1e9, false},
    Unit{"GiB", Dimension::kDataSize, kGibi, true},
    Unit{"TiB", Dimension::kDataSize, kGibi* kKibi, true},
    Unit{"ns", Dimension::kTime, 1e-9, true},
    Unit{"us", Dimension::kTime, 1e-6, true},
    Unit{"ms", Dimension::kTime, 1e-3, true},
    Unit{"s", Dimension::kTime, 1, true},
    Unit{"min", Dimension::kTime, 60, false},
    Unit{"count", Dimension::kCount, 1, true},
    Unit{"%", Dimension::kRatio, 0.01, true},
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 21> kWords = {{
    {"\xC2\xB5s", "us"}, {"\xCE\xBCs", "us"}, {"usec", "us"},     {"msec", "ms"},      {"nsec", "ns"},
    {"sec", "s"},        {"secs", "s"},       {"second", "s"},    {"seconds", "s"},    {"m", "min"},
    {"mins", "min"},     {"minute", "min"},   {"minutes", "min"}, {"counts", "count"}, {"byte", "B"},
    {"bytes", "B"},      {"b", "B"},          {"percent", "%"},   {"pct", "%"},        {"K", "KiB"},
    {"k", "KiB"},
}};

// The ways people write a rate, and how this house ends it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kRateEndings = {{
    {"bits/sec", "bit/s"},
    {"bits/s", "bit/s"},
    {"bit/sec", "bit/s"},
    {"bitps", "bit/s"},
    {"bits", "bit/s"},
    {"bps", "bit/s"},
    {"b/s", "bit/s"},
    {"Bytes/s", "B/s"},
    {"bytes/s", "B/s"},
    {"B/sec", "B/s"},
    {"Bps", "B/s"},
    {"bit", "bit/s"},
    {"Bs", "B/s"},
    {"b", "bit/s"},
}};

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view find_ignoring_case(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (equal_ignoring_case(unit.name, name)) return unit.name;
  }
  return {};
}

}  // namespace

std::span<const Unit> every_unit() { return kUnits; }

const Unit* find_unit(std::string_view name) {
  const auto found = std::ranges::find(kUnits, name, &Unit::name);
  return found == kUnits.end() ? nullptr : &*found;
}

std::string_view suggest_unit(std::string_view wrong) {
  for (const auto& [word, unit] : kWords) {
    if (wrong == word) return unit;
  }
  for (const auto& [ending, ours] : kRateEndings) {
    if (!wrong.ends_with(ending)) continue;
    std::string name(wrong.substr(0, wrong.size() - ending.size()));
    if (const auto unit = find_ignoring_case(name.append(ours)); !unit.empty()) return unit;
  }
  return find_ignoring_case(wrong);
}

}  // namespace rigproof::inline units
