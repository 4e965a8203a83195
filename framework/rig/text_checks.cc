#include "framework/rig/text_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "framework/toml/nearest.h"
#include "framework/units/printable.h"

namespace rigproof {
namespace {

constexpr std::string_view kNamePunctuation = "._-";

// <cctype> depends on the locale and on the sign of char; these don't.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_printable(char c) { return c >= ' ' && c <= '~'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw std::invalid_argument(fmt::format("{} {}", in_quotes(text), why));
}

std::string checked(std::string_view text, std::string_view punctuation, std::size_t longest) {
  const auto allowed = [&](char c) {
    return is_digit(c) || is_letter(c) || punctuation.find(c) != std::string_view::npos;
  };
  if (text.size() > longest) {
    refuse(text, fmt::format("is too long: {} characters, at most {}", text.size(), longest));
  }
  if (text.empty() || !std::all_of(text.begin(), text.end(), allowed)) {
    refuse(text, fmt::format("has characters other than letters, digits and {}", punctuation));
  }
  if (!is_digit(text.front()) && !is_letter(text.front()))
    refuse(text, "must begin with a letter or a digit");
  return std::string(text);
}

std::string checked_line(std::string_view text, std::size_t longest) {
  if (text.size() > longest) {
    refuse(text, fmt::format("is too long: {} characters, at most {}", text.size(), longest));
  }
  if (!std::all_of(text.begin(), text.end(), is_printable)) {
    refuse(text, "has characters other than printable ASCII");
  }
  return std::string(text);
}

bool looks_like_mac(std::string_view text) {
  if (text.size() != 17) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i % 3 == 2 ? text[i] != ':' : !is_hex(text[i])) return false;
  }
  return true;
}

}  // namespace

std::string checked_name(std::string_view text) { return checked(text, kNamePunctuation, 64); }
std::string checked_netdev(std::string_view text) { return checked(text, kNamePunctuation, 15); }
std::string checked_launch_address(std::string_view text) { return checked(text, "._:-", 253); }
std::string checked_counter(std::string_view text) { return checked_line(text, 31); }
std::string checked_remark(std::string_view text) { return checked_line(text, 200); }

std::string checked_mac(std::string_view text) {
  if (!looks_like_mac(text)) refuse(text, "is no MAC address (write e.g. \"4c:bb:47:83:75:fd\")");
  std::string mac(text);
  std::transform(mac.begin(), mac.end(), mac.begin(), lower);
  if (mac == "00:00:00:00:00:00" || (std::stoi(mac.substr(0, 2), nullptr, 16) & 1) != 0) {
    refuse(text, "is no single card's MAC address");
  }
  return mac;
}

std::string identifier(std::string_view name) {
  std::string result(name);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return !is_digit(c) && !is_letter(c); }, '_');
  return result;
}

std::string did_you_mean(std::string_view text, const std::vector<std::string>& known) {
  constexpr std::size_t kMostListed = 12;
  const std::string end = suggestion(text, known);
  return known.size() <= kMostListed || end.starts_with(';') ? end : "";
}

}  // namespace rigproof
