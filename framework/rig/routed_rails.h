#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "framework/rig/subjects.h"
#include "framework/rig/text_checks.h"

namespace rigproof::inline rig {

// The half's address with its subnet.
[[nodiscard]] inline IpInterface interface_of(const Half& half) {
  return parse_ip_interface(fmt::format("{}/{}", half.address, half.prefix_length));
}

[[nodiscard]] inline bool has_routed_rail(const Rig& rig) {
  return std::ranges::any_of(rig.rails, &Rail::routed);
}

// Whether a router is between two halves of a rail: they are in different subnets.
[[nodiscard]] inline bool is_routed(const Rig& rig, HalfRef one, HalfRef other) {
  return !interface_of(rig.half(one)).same_subnet(interface_of(rig.half(other)));
}

// The paths between halves of one subnet. Broadcasts and questions for an address's MAC do not cross a router.
[[nodiscard]] inline std::vector<RailPath> in_one_subnet(const Rig& rig, std::vector<RailPath> paths) {
  std::erase_if(paths, [&](const RailPath& path) { return is_routed(rig, path.from, path.to); });
  return paths;
}

}  // namespace rigproof::inline rig
