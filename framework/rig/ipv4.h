#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rigproof {

// A half's address and subnet: "198.18.1.1/24".
struct Ipv4Interface {
  std::uint32_t address;  // host byte order
  int prefix_length;

  [[nodiscard]] std::uint32_t network() const;
  [[nodiscard]] std::string address_text() const;  // "198.18.1.1"
  [[nodiscard]] std::string network_text() const;  // "198.18.1.0/24"
  [[nodiscard]] bool same_subnet(const Ipv4Interface& other) const;
};

// Throws std::invalid_argument: no address with a prefix of 8 to 31 bits, or one that no host can have (of a
// network, a broadcast, multicast, 0.x.x.x).
[[nodiscard]] Ipv4Interface parse_ipv4_interface(std::string_view text);

}  // namespace rigproof
