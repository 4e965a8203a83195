#include "framework/units/printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace rigproof::inline units {
namespace {

bool within(std::uint32_t code, std::uint32_t first, std::uint32_t last) {
  return code >= first && code <= last;
}

}  // namespace

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::optional<Character> first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return Character{lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7Fu >> length);
  for (const char byte : text.substr(1, length - 1)) {
    if (!continues_character(byte)) return {};
    code = code << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return Character{code, length};
}

bool is_harmless(std::uint32_t code) {
  const bool control = code < 0x20 || within(code, 0x7F, 0x9F);
  const bool reorders =
      within(code, 0x202A, 0x202E) || within(code, 0x2066, 0x2069) || within(code, 0x200E, 0x200F);
  const bool breaks_line = within(code, 0x2028, 0x2029);
  const bool noncharacter = within(code, 0xFDD0, 0xFDEF) || (code & 0xFFFE) == 0xFFFE;
  return !control && !reorders && !breaks_line && !noncharacter;
}

namespace {

// Bytes of the first character if it can be shown as it is; else 0.
std::size_t printable_length(std::string_view text) {
  const auto character = first_character(text);
  return character && is_harmless(character->code) ? character->length : 0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = printable_length(text);
    if (length == 0) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[0]));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return printable(text);
  std::size_t end = most;
  while (end > 0 && continues_character(text[end])) --end;
  return printable(text.substr(0, end)) + "...";
}

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", shortened(text)); }

namespace {

constexpr std::size_t kLongestWord = 64;
constexpr std::size_t kMostKnown = 20;

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Edit distance, ignoring case; two exchanged neighbours ("rnu") count once.
std::size_t edits(std::string_view from, std::string_view to) {
  const auto same = [&](std::size_t i, std::size_t j) { return lower_case(from[i]) == lower_case(to[j]); };
  std::vector<std::size_t> before_last, last(to.size() + 1), row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      row[j + 1] = std::min({last[j] + (same(i, j) ? 0 : 1), last[j + 1] + 1, row[j] + 1});
      const bool exchanged = i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j);
      if (exchanged) row[j + 1] = std::min(row[j + 1], before_last[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  if (known.empty()) return {};
  const auto distance = [&](const std::string& name) { return edits(word.substr(0, kLongestWord), name); };
  const std::string& nearest = *std::ranges::min_element(known, {}, distance);
  const std::size_t tolerated = std::max<std::size_t>(1, nearest.size() / 3);
  if (distance(nearest) <= tolerated) return fmt::format("; did you mean {}?", in_quotes(nearest));
  std::vector<std::string> names;
  for (const std::string& name : known.first(std::min(known.size(), kMostKnown)))
    names.push_back(shortened(name));
  if (known.size() > kMostKnown) names.push_back(fmt::format("and {} more", known.size() - kMostKnown));
  return fmt::format(" (known: {})", fmt::join(names, ", "));
}

}  // namespace rigproof::inline units
