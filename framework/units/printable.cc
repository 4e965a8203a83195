#include "framework/units/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace rigproof {

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
