#include "framework/units/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "framework/units/printable.h"
#include "framework/units/unit_table.h"

namespace rigproof {
namespace {

constexpr int kSignificantDigits = 4;

const Unit& unit_named(std::string_view name, Dimension dimension) {
  const Unit* unit = find_unit(name);
  if (unit == nullptr || unit->dimension != dimension) {
    throw std::invalid_argument(
        fmt::format("{} is no unit of a {}", in_quotes(name), rigproof::name(dimension)));
  }
  return *unit;
}

const Unit& fitting_unit(Quantity quantity) {
  if (quantity.value == 0 && quantity.dimension == Dimension::kTime) return unit_named("s", Dimension::kTime);
  const Unit* best = nullptr;
  for (const Unit& unit : units()) {
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

// Digits before the point are never rounded away: 12345 stays 12345.
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
  const Unit& in = unit.empty() ? fitting_unit(quantity) : unit_named(unit, quantity.dimension);
  const std::string number = digits(quantity.value / in.scale);
  return quantity.dimension == Dimension::kCount ? number : fmt::format("{} {}", number, in.name);
}

}  // namespace rigproof
