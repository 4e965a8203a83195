#include "framework/units/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace rigproof {
namespace {

constexpr std::size_t kLongestQuote = 60;

unsigned char byte(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (byte(text, at) & 0xC0) == 0x80;
}

std::size_t length_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

// Bytes of the printable character at the front; 0 when it is a control character or no UTF-8.
std::size_t printable_length(std::string_view text) {
  const unsigned char lead = byte(text, 0);
  if (lead < 0x20 || lead == 0x7F) return 0;
  const std::size_t length = length_by_lead(lead);
  for (std::size_t at = 1; at < length; ++at) {
    if (!continues(text, at)) return 0;
  }
  const bool c1_control = lead == 0xC2 && byte(text, 1) < 0xA0;
  return c1_control ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = printable_length(text);
    if (length == 0) {
      out += fmt::format("\\x{:02X}", byte(text, 0));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  if (text.size() <= kLongestQuote) return fmt::format("'{}'", printable(text));
  std::size_t end = kLongestQuote;
  while (end > 0 && continues(text, end)) --end;
  return fmt::format("'{}...'", printable(text.substr(0, end)));
}

}  // namespace rigproof
