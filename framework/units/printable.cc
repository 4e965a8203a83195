#include "framework/units/printable.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/units/character.h"

namespace rigproof {
namespace {

constexpr std::size_t kLongestQuote = 60;

// Bytes of the character at the front when it can be shown as it is; else 0.
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

std::string shortened(std::string_view text) {
  if (text.size() <= kLongestQuote) return printable(text);
  std::size_t end = kLongestQuote;
  while (end > 0 && continues_character(text[end])) --end;
  return printable(text.substr(0, end)) + "...";
}

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", shortened(text)); }

}  // namespace rigproof
