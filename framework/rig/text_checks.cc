#include "framework/rig/text_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "framework/units/printable.h"

namespace rigproof::inline rig {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw std::invalid_argument(fmt::format("{} {}", in_quotes(text), why));
}

// Throws for an IPv4 address that no host can have.
void check_ipv4(std::string_view text, const IpInterface& result) {
  const std::uint8_t first_octet = result.address.bytes()[12];
  if (first_octet == 0 || first_octet >= 224) refuse(text, "is not an address that a host can have");
  if (first_octet == 127) refuse(text, "is a loopback address, which never leaves its node");
  if (result.prefix_length >= 31) return;
  if (result.address == result.first()) refuse(text, "is the address of the network, not of a host in it");
  if (result.address == result.last()) refuse(text, "is the network's broadcast address");
}

constexpr const char* kLinkLocal =
    "is a link-local address, which NCCL never chooses: give the half a unique local address (fd00::/8) or a "
    "global one";

void check_ipv6(std::string_view text, const IpInterface& result) {
  const auto& bytes = result.address.bytes();
  if (result.address.is_link_local()) refuse(text, kLinkLocal);
  if (bytes[0] == 0xff || bytes[0] == 0) refuse(text, "is not an address that a host can have");
  if (result.prefix_length < 127 && result.address == result.first())
    refuse(text, "is the address of the subnet's routers, not of a host in it");
}

}  // namespace

IpInterface parse_ip_interface(std::string_view text) {
  const bool ipv4 = family_of(text) == IpFamily::kIpv4;
  if (text.find('%') != text.npos && text.starts_with("fe80:")) refuse(text, kLinkLocal);
  const char* example = ipv4 ? "198.18.1.1/24" : "fd93::1/64";
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos)
    refuse(text, fmt::format("has no prefix length (write e.g. \"{}\")", example));
  if (!IpAddress::parse(text.substr(0, slash)))
    refuse(text, fmt::format("is not a valid IPv{} address (write e.g. \"{}\")", ipv4 ? 4 : 6, example));
  const auto result = IpInterface::parse(text);
  if (!result || result->prefix_length < 8)
    refuse(text, fmt::format("has no prefix length from 8 to {}", ipv4 ? 32 : 128));
  ipv4 ? check_ipv4(text, *result) : check_ipv6(text, *result);
  return *result;
}

namespace {

constexpr std::string_view kNamePunctuation = "._-";

// <cctype> depends on the locale and on the sign of char; these functions do not.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_printable(char c) { return c >= ' ' && c <= '~'; }

std::string checked(std::string_view text, std::string_view punctuation, std::size_t longest) {
  const auto allowed = [&](char c) {
    return is_digit(c) || is_letter(c) || punctuation.find(c) != std::string_view::npos;
  };
  if (text.size() > longest) {
    refuse(text, fmt::format("is too long: {} characters, at most {}", text.size(), longest));
  }
  if (text.empty()) refuse(text, "is empty");
  if (!std::all_of(text.begin(), text.end(), allowed)) {
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
std::string checked_launch_address(std::string_view text) {
  if (text.find('@') != text.npos)
    refuse(text, "names a user: give the host alone, and its user in ~/.ssh/config (User)");
  const std::string address = checked(text, "._:-", 253);
  if (text.find(':') != text.npos && !IpAddress::parse(text))
    refuse(text, "has a colon, but is not an IPv6 address: give a port of ssh in ~/.ssh/config (Port)");
  return address;
}
std::string checked_counter(std::string_view text) { return checked_line(text, 31); }
std::string checked_remark(std::string_view text) { return checked_line(text, 200); }

std::string checked_mac(std::string_view text) {
  if (!looks_like_mac(text)) refuse(text, "is not a valid MAC address (write e.g. \"4c:bb:47:83:75:fd\")");
  const std::string mac = lower_case(text);
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
