#include "framework/rig/ipv4.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <stdexcept>

#include "framework/units/printable.h"

namespace rigproof {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw std::invalid_argument(fmt::format("{} {}", in_quotes(text), why));
}

// A whole decimal number up to `largest`, without sign or leading zeros (which some read as octal).
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

std::uint32_t host_mask(int prefix_length) { return 0xffffffffU >> prefix_length; }

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
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) refuse(text, "has no prefix length (write e.g. \"198.18.1.1/24\")");
  const auto address = parse_address(text.substr(0, slash));
  if (!address) refuse(text, "is no IPv4 address (write e.g. \"198.18.1.1/24\")");
  const auto prefix = parse_number(text.substr(slash + 1), 32);
  if (!prefix || *prefix < 8 || *prefix > 31) refuse(text, "has no prefix length from 8 to 31");

  const Ipv4Interface result{*address, static_cast<int>(*prefix)};
  const std::uint32_t host = *address & host_mask(result.prefix_length);
  if (*address >> 24 == 0 || *address >> 24 >= 224) refuse(text, "is no address that a host can have");
  if (*prefix < 31 && host == 0) refuse(text, "is the address of the network, not of a host in it");
  if (*prefix < 31 && host == host_mask(result.prefix_length))
    refuse(text, "is the network's broadcast address");
  return result;
}

}  // namespace rigproof
