#include "framework/toml/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "framework/units/printable.h"

namespace rigproof {
namespace {

constexpr std::size_t kLongestWord = 64;

// Levenshtein: how many letters to insert, delete or replace.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  if (known.empty()) return {};
  const auto distance = [&](const std::string& name) { return edits(word.substr(0, kLongestWord), name); };
  const std::string& nearest = *std::ranges::min_element(known, {}, distance);
  const std::size_t tolerated = std::max<std::size_t>(1, nearest.size() / 3);
  if (distance(nearest) <= tolerated) return fmt::format("; did you mean {}?", in_quotes(nearest));
  std::vector<std::string> names;
  for (const std::string& name : known) names.push_back(shortened(name));
  return fmt::format(" (known: {})", fmt::join(names, ", "));
}

}  // namespace rigproof
