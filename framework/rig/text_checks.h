#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/units/ip_address.h"

namespace rigproof::inline rig {

// The address of a half with its subnet. Throws std::invalid_argument: not an address with a prefix of 8 bits or more, or
// one that jobs cannot use (network, broadcast, multicast, loopback, 0.x.x.x, link-local of IPv6).
[[nodiscard]] IpInterface parse_ip_interface(std::string_view text);

// Checks of the texts in a rig file. Each returns the text as the rig stores it, or throws std::invalid_argument with
// a short message for a person.

// A name given by the file: [A-Za-z0-9._-], begins with a letter or digit, at most 64 characters.
[[nodiscard]] std::string checked_name(std::string_view text);

// A network device: a name of at most 15 characters, the kernel's limit.
[[nodiscard]] std::string checked_netdev(std::string_view text);

// A host name or address for the launcher's command line: [A-Za-z0-9._-] or an IPv6 address, begins with a letter or
// digit, at most 253 characters.
[[nodiscard]] std::string checked_launch_address(std::string_view text);

// The MAC address of a single NIC, in lower case.
[[nodiscard]] std::string checked_mac(std::string_view text);

// The name of an `ethtool -S` counter: at most 31 printable ASCII characters.
[[nodiscard]] std::string checked_counter(std::string_view text);

// A remark for a person: one line of at most 200 characters.
[[nodiscard]] std::string checked_remark(std::string_view text);

// A name as part of a case's name: . and - become _.
[[nodiscard]] std::string identifier(std::string_view name);

// End of a message about an unknown word: "; did you mean 'node-a'?" if a known word is similar, else the known words
// if they are few.
[[nodiscard]] std::string did_you_mean(std::string_view text, const std::vector<std::string>& known);

}  // namespace rigproof::inline rig
