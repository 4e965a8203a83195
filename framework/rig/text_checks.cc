#include "framework/rig/text_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "framework/units/printable.h"

namespace rigproof::inline rig {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw std::invalid_argument(fmt::format("{} {}", in_quotes(text), why));
}

// Parses a decimal number up to `largest`, without sign or leading zeros (which some programs read as octal).
std::optional<std::uint32_t> parse_number(std::string_view text, std::uint32_t largest) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value > largest) return {};
  if (text.size() > 1 && text.front() == '0') return {};
  return value;
}

std::optional<std::uint32_t> parse_address(std::string_view text) {
  std::uint32_t address = 0;
  for (int octet = 0; octet < 4; ++octet) {
    const std::size_t end = octet < 3 ? text.find('.') : text.size();
    if (end == std::string_view::npos) return {};
    const auto value = parse_number(text.substr(0, end), 255);
    if (!value) return {};
    address = address << 8 | *value;
    text.remove_prefix(octet < 3 ? end + 1 : end);
  }
  return address;
}

std::string to_text(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

std::uint32_t host_mask(int prefix_length) { return prefix_length == 32 ? 0 : 0xffffffffU >> prefix_length; }

}  // namespace

std::uint32_t Ipv4Interface::network() const { return address & ~host_mask(prefix_length); }
std::string Ipv4Interface::address_text() const { return to_text(address); }
std::string Ipv4Interface::network_text() const {
  return fmt::format("{}/{}", to_text(network()), prefix_length);
}
bool Ipv4Interface::same_subnet(const Ipv4Interface& other) const {
  return prefix_length == other.prefix_length && network() == other.network();
}

Ipv4Interface parse_ipv4_interface(std::string_view text) {
  if (std::ranges::count(text, ':') > 1)
    refuse(text, "is an IPv6 address: rails are measured by IPv4, give each half an IPv4 address beside it");
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) refuse(text, "has no prefix length (write e.g. \"198.18.1.1/24\")");
  const auto address = parse_address(text.substr(0, slash));
  if (!address) refuse(text, "is not a valid IPv4 address (write e.g. \"198.18.1.1/24\")");
  const auto prefix = parse_number(text.substr(slash + 1), 32);
  if (!prefix || *prefix < 8) refuse(text, "has no prefix length from 8 to 32");

  const Ipv4Interface result{*address, static_cast<int>(*prefix)};
  const std::uint32_t host = *address & host_mask(result.prefix_length);
  if (*address >> 24 == 0 || *address >> 24 >= 224) refuse(text, "is not an address that a host can have");
  if (*address >> 24 == 127) refuse(text, "is a loopback address, which never leaves its node");
  if (*prefix < 31 && host == 0) refuse(text, "is the address of the network, not of a host in it");
  if (*prefix < 31 && host == host_mask(result.prefix_length))
    refuse(text, "is the network's broadcast address");
  return result;
}

namespace {

constexpr std::string_view kNamePunctuation = "._-";

// <cctype> depends on the locale and on the sign of char; these functions do not.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_printable(char c) { return c >= ' ' && c <= '~'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

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

std::string in_small_letters(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

std::string checked_mac(std::string_view text) {
  if (!looks_like_mac(text)) refuse(text, "is not a valid MAC address (write e.g. \"4c:bb:47:83:75:fd\")");
  const std::string mac = in_small_letters(text);
  if (mac == "00:00:00:00:00:00" || (std::stoi(mac.substr(0, 2), nullptr, 16) & 1) != 0) {
    refuse(text, "is not the MAC address of a single NIC");
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

}  // namespace rigproof::inline rig
