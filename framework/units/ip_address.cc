#include "framework/units/ip_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

namespace rigproof::inline units {
namespace {

using Bytes = std::array<std::uint8_t, 16>;

constexpr std::size_t kIpv4At = 12;
constexpr std::array<std::uint8_t, kIpv4At> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr int kBits = 128;

int longest_prefix(IpFamily family) { return family == IpFamily::kIpv4 ? 32 : kBits; }

// A decimal number up to `largest`, without sign or leading zeros.
std::optional<int> parse_number(std::string_view text, int largest) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value > static_cast<std::uint32_t>(largest)) return {};
  if (text.size() > 1 && text.front() == '0') return {};
  return static_cast<int>(value);
}

std::optional<Bytes> parse_ipv4(std::string_view text) {
  Bytes bytes{};
  std::ranges::copy(kMapped, bytes.begin());
  for (std::size_t octet = 0; octet < 4; ++octet) {
    const std::size_t end = octet < 3 ? text.find('.') : text.size();
    if (end == std::string_view::npos) return {};
    const auto value = parse_number(text.substr(0, end), 255);
    if (!value) return {};
    bytes[kIpv4At + octet] = static_cast<std::uint8_t>(*value);
    text.remove_prefix(octet < 3 ? end + 1 : end);
  }
  return bytes;
}

std::optional<Bytes> parse_ipv6(std::string_view text) {
  Bytes bytes{};
  if (::inet_pton(AF_INET6, std::string(text).c_str(), bytes.data()) != 1) return {};
  if (std::ranges::equal(kMapped, std::span(bytes).first(kIpv4At))) return {};
  return bytes;
}

// The bits of a byte that a prefix of `bits` leaves to the host.
std::uint8_t host_bits(std::size_t byte, int bits) {
  const int of_network = std::clamp(bits - static_cast<int>(8 * byte), 0, 8);
  return static_cast<std::uint8_t>(0xff >> of_network);
}

int prefix_bits(const IpInterface& interface) {
  return interface.prefix_length + kBits - longest_prefix(interface.family());
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  const auto bytes = family_of(text) == IpFamily::kIpv4 ? parse_ipv4(text) : parse_ipv6(text);
  return bytes ? std::optional(IpAddress(*bytes)) : std::nullopt;
}

IpFamily IpAddress::family() const {
  const bool mapped = std::ranges::equal(kMapped, std::span(bytes_).first(kIpv4At));
  return mapped ? IpFamily::kIpv4 : IpFamily::kIpv6;
}

std::string IpAddress::text() const {
  const bool ipv4 = family() == IpFamily::kIpv4;
  char text[INET6_ADDRSTRLEN] = "";
  ::inet_ntop(ipv4 ? AF_INET : AF_INET6, bytes_.data() + (ipv4 ? kIpv4At : 0), text, sizeof text);
  return text;
}

bool IpAddress::is_link_local() const {
  return family() == IpFamily::kIpv4 ? bytes_[12] == 169 && bytes_[13] == 254
                                     : bytes_[0] == 0xfe && (bytes_[1] & 0xc0) == 0x80;
}

std::optional<IpAddress> IpAddress::plus(int places) const {
  Bytes bytes = bytes_;
  std::int64_t carry = places;
  for (std::size_t i = bytes.size(); i-- > 0 && carry != 0;) {
    const std::int64_t sum = bytes[i] + carry;
    bytes[i] = static_cast<std::uint8_t>(sum & 0xff);
    carry = sum >> 8;
  }
  const IpAddress result(bytes);
  return carry == 0 && result.family() == family() ? std::optional(result) : std::nullopt;
}

std::optional<IpInterface> IpInterface::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {};
  const auto address = IpAddress::parse(text.substr(0, slash));
  if (!address) return {};
  const auto prefix = parse_number(text.substr(slash + 1), longest_prefix(address->family()));
  return prefix ? std::optional(IpInterface{*address, *prefix}) : std::nullopt;
}

bool IpInterface::has_subnet() const { return prefix_length < longest_prefix(family()); }

IpAddress IpInterface::first() const {
  Bytes bytes = address.bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(bytes[i] & ~host_bits(i, prefix_bits(*this)));
  return IpAddress(bytes);
}

IpAddress IpInterface::last() const {
  Bytes bytes = address.bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(bytes[i] | host_bits(i, prefix_bits(*this)));
  return IpAddress(bytes);
}

std::string IpInterface::text() const { return fmt::format("{}/{}", address.text(), prefix_length); }

std::string IpInterface::network_text() const { return fmt::format("{}/{}", first().text(), prefix_length); }

bool IpInterface::same_subnet(const IpInterface& other) const {
  return family() == other.family() && prefix_length == other.prefix_length && first() == other.first();
}

}  // namespace rigproof::inline units
