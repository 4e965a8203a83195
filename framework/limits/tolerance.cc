#include "framework/limits/tolerance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "framework/limits/limit_reader.h"
#include "framework/units/printable.h"

namespace rigproof::inline limits {
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
  if (limit.equals) table.fail("tolerance", "equals allows no change: tolerance is of no use beside it");
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

// A ratio between two bounds has a right value, not a best one. The lower bound of a time is what nobody believes.
Better usual_direction(const Limit& limit) {
  if (limit.at_most && limit.dimension == Dimension::kTime) return Better::kLower;
  if (!limit.at_least) return limit.at_most ? Better::kLower : Better::kHigher;
  return limit.at_most && limit.dimension == Dimension::kRatio ? Better::kNeither : Better::kHigher;
}

// What must only stay small has no size of its own: 0.3 % to 0.5 % of a CPU is no change.
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
