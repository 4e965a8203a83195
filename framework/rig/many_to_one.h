#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "framework/rig/subjects.h"

namespace rigproof::inline rig {

// The senders to one port at once, on each of its rails: so many of them fill any buffer, and each more costs every node.
inline constexpr std::size_t kMostSenders = 15;

// The paths to a port from the other nodes on each of its rails: from the kMostSenders that follow its node in the rail's
// order, around. So each node of a large rail sends and receives alike.
[[nodiscard]] std::vector<RailPath> paths_to(const Rig& rig, PortRef receiver);

// The ports that several nodes reach, together at the port's rate or faster.
[[nodiscard]] std::vector<PortSubject> every_port_of_many(const Rig& rig);
[[nodiscard]] bool has_port_of_many(const Rig& rig);
inline constexpr const char* kPortOfMany = "a port that several nodes send to";

// Each sending node's part of what its paths carried (`rates`: by path), as a share of an even part; 0 if nothing was.
[[nodiscard]] std::map<std::size_t, double> parts_of_senders(const std::vector<RailPath>& paths,
                                                             std::span<const double> rates);

}  // namespace rigproof::inline rig
