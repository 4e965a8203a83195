#include "framework/limits/bound_reader.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "framework/toml/nearest.h"
#include "framework/units/printable.h"

namespace rigproof {
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

}  // namespace rigproof
