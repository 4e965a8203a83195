#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rigproof::inline units {

enum class IpFamily { kIpv4, kIpv6 };

// Bytes of an IP header without options or extensions.
[[nodiscard]] constexpr std::uint64_t header_bytes(IpFamily family) {
  return family == IpFamily::kIpv4 ? 20 : 40;
}

// An address of either family, in 16 bytes of network order: an IPv4 address as ::ffff:198.18.1.1. These are the bytes
// of its RoCE v2 GID, too.
class IpAddress {
 public:
  explicit IpAddress(const std::array<std::uint8_t, 16>& bytes) : bytes_(bytes) {}

  // "198.18.1.1", "fd93::1". nullopt: not valid. Refuses leading zeros of an octet, which some programs read as octal, a
  // scope ("%eth0"), and an IPv4 address written as an IPv6 one.
  [[nodiscard]] static std::optional<IpAddress> parse(std::string_view text);

  [[nodiscard]] IpFamily family() const;
  [[nodiscard]] const std::array<std::uint8_t, 16>& bytes() const { return bytes_; }
  [[nodiscard]] std::string text() const;    // the canonical one (RFC 5952)
  [[nodiscard]] bool is_link_local() const;  // 169.254.0.0/16, fe80::/10
  // The address this many places further. nullopt: outside the family's addresses.
  [[nodiscard]] std::optional<IpAddress> plus(int places) const;

  auto operator<=>(const IpAddress&) const = default;

 private:
  std::array<std::uint8_t, 16> bytes_;
};

// The family of an address in canonical text.
[[nodiscard]] inline IpFamily family_of(std::string_view address) {
  return address.find(':') == address.npos ? IpFamily::kIpv4 : IpFamily::kIpv6;
}

// An address with its subnet: "198.18.1.1/24", "fd93::1/64".
struct IpInterface {
  IpAddress address;
  int prefix_length;

  // nullopt: not valid.
  [[nodiscard]] static std::optional<IpInterface> parse(std::string_view text);

  [[nodiscard]] IpFamily family() const { return address.family(); }
  [[nodiscard]] bool has_subnet() const;           // false: the prefix is as long as the address
  [[nodiscard]] IpAddress first() const;           // the network's address
  [[nodiscard]] IpAddress last() const;            // of IPv4: the broadcast address
  [[nodiscard]] std::string text() const;          // "198.18.1.1/24"
  [[nodiscard]] std::string network_text() const;  // "198.18.1.0/24"
  [[nodiscard]] bool same_subnet(const IpInterface& other) const;
};

}  // namespace rigproof::inline units
