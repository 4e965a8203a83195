#include "framework/units/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "framework/units/printable.h"

namespace rigproof::inline units {
namespace {

constexpr int kSignificantDigits = 4;

const Unit& unit_named(std::string_view name, Dimension dimension) {
  const Unit* unit = find_unit(name);
  if (unit == nullptr || unit->dimension != dimension) {
    throw std::invalid_argument(
        fmt::format("{} is not a unit of a {}", in_quotes(name), rigproof::name(dimension)));
  }
  return *unit;
}

const Unit& fitting_unit(Quantity quantity) {
  if (quantity.value == 0 && quantity.dimension == Dimension::kTime) return unit_named("s", Dimension::kTime);
  const Unit* best = nullptr;
  for (const Unit& unit : every_unit()) {
    if (unit.dimension != quantity.dimension || !unit.preferred) continue;
    if (best == nullptr || std::abs(quantity.value) / unit.scale >= 1) best = &unit;
  }
  return *best;
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// Keeps all digits before the point: 12345 stays 12345.
std::string digits(double number) {
  if (number == 0) return "0";
  const double magnitude = std::floor(std::log10(std::abs(number)));
  if (!std::isfinite(number) || magnitude < -6 || magnitude > 15)
    return fmt::format("{:.{}g}", number, kSignificantDigits);
  const int decimals = std::max(0, kSignificantDigits - 1 - static_cast<int>(magnitude));
  return without_trailing_zeros(fmt::format("{:.{}f}", number, decimals));
}

}  // namespace

std::string_view name(Dimension dimension) {
  switch (dimension) {
    case Dimension::kDataRate:
      return "data rate";
    case Dimension::kDataSize:
      return "data size";
    case Dimension::kTime:
      return "time";
    case Dimension::kCount:
      return "count";
    case Dimension::kRatio:
      return "ratio";
  }
  return "unknown";
}

std::string_view base_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::kDataRate:
      return "bit/s";
    case Dimension::kDataSize:
      return "B";
    case Dimension::kTime:
      return "s";
    case Dimension::kCount:
      return "count";
    case Dimension::kRatio:
      return "ratio";
  }
  return "unknown";
}

std::string to_text(Quantity quantity, std::string_view unit) {
  const Unit* named = unit.empty() ? nullptr : &unit_named(unit, quantity.dimension);
  const bool is_tiny =
      named != nullptr && quantity.value != 0 && std::abs(quantity.value) < named->scale / 1000;
  const Unit& in = named == nullptr || is_tiny ? fitting_unit(quantity) : *named;
  const std::string number = digits(quantity.value / in.scale);
  return quantity.dimension == Dimension::kCount ? number : fmt::format("{} {}", number, in.name);
}

namespace {

constexpr double kTooManyBytes = 18446744073709551616.0;  // 2^64: more than a DataSize holds

struct Parsed {
  double number;
  const Unit* unit;
};

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

[[noreturn]] void refuse_number(std::string_view text) {
  refuse(fmt::format("{} does not start with a plain decimal number (write e.g. \"170 Gbit/s\")",
                     in_quotes(text)));
}

std::string names_of_units() {
  std::string names;
  for (const Unit& unit : every_unit()) names += fmt::format(" {}", unit.name);
  return names;
}

[[noreturn]] void refuse_unit(std::string_view unit, std::string_view text) {
  const std::string_view near = suggest_unit(unit);
  const std::string hint =
      near.empty() ? fmt::format(" (units:{})", names_of_units()) : fmt::format("; did you mean '{}'?", near);
  refuse(fmt::format("unknown unit {} in {}{}", in_quotes(unit), in_quotes(text), hint));
}

bool starts_number(char c) { return (c >= '0' && c <= '9') || c == '.'; }

// from_chars also accepts "inf", "nan" and a sign, which are not valid here.
double take_number(std::string_view& rest, std::string_view text) {
  if (text.empty()) refuse("the text is empty, not a quantity (write e.g. \"170 Gbit/s\")");
  if (text.front() == '-') refuse(fmt::format("{} is negative", in_quotes(text)));
  if (text.starts_with("inf") || text.starts_with("nan") || text.starts_with("Inf") ||
      text.starts_with("NaN")) {
    refuse(fmt::format("{} is not a finite number", in_quotes(text)));
  }
  if (!starts_number(text.front())) refuse_number(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range)
    refuse(fmt::format("the number in {} is out of range", in_quotes(text)));
  if (error != std::errc()) refuse_number(text);
  rest.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// True for text that can neither end a number nor begin a unit: "1,5 B", "0x10 B", "1 000 B", "1.2.3 B".
bool breaks_number(std::string_view text, std::string_view rest, std::string_view unit) {
  const bool hex = text.size() > rest.size() && text[text.size() - rest.size() - 1] == '0' &&
                   (rest.starts_with('x') || rest.starts_with('X'));
  return hex || starts_number(unit.front()) ||
         std::string_view(",_'+-").find(unit.front()) != std::string_view::npos;
}

Parsed parse(std::string_view text) {
  std::string_view rest = text;
  const double number = take_number(rest, text);
  std::string_view unit = rest;
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  if (unit.empty()) refuse(fmt::format("no unit in {} (write e.g. \"170 Gbit/s\")", in_quotes(text)));
  if (breaks_number(text, rest, unit)) refuse_number(text);
  const Unit* known = find_unit(unit);
  if (known == nullptr) refuse_unit(unit, text);
  return {number, known};
}

// Divides by 100 instead of multiplying by 0.01: then 5 % is the double nearest to 0.05. The same for ns, us, ms.
double in_base_units(const Parsed& parsed) {
  const double scale = parsed.unit->scale;
  return scale < 1 ? parsed.number / std::round(1 / scale) : parsed.number * scale;
}

}  // namespace

Quantity parse_quantity(std::string_view text) {
  const Parsed parsed = parse(text);
  const double value = in_base_units(parsed);
  const bool too_large = parsed.unit->dimension == Dimension::kDataSize && value >= kTooManyBytes;
  if (!std::isfinite(value) || too_large)
    refuse(fmt::format("the number in {} is out of range", in_quotes(text)));
  return {parsed.unit->dimension, value};
}

std::string unit_of(std::string_view text) { return std::string(parse(text).unit->name); }

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

// Common endings of rate units, and the ending used here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kRateEndings = {{
    {"bits/sec", "bit/s"},
    {"bits/s", "bit/s"},
    {"bit/sec", "bit/s"},
    {"bitps", "bit/s"},
    {"bits", "bit/s"},
    {"bps", "bit/s"},
    {"b/s", "bit/s"},
    {"b/sec", "bit/s"},
    {"Bytes/s", "B/s"},
    {"bytes/s", "B/s"},
    {"Bytes/sec", "B/s"},
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
