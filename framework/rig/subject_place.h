#pragma once

#include <compare>
#include <string>
#include <vector>

namespace rigproof::inline rig {

// The subject of a case, by names of the rig file: enough to find the subject in the rig again (subject_finder.h).
// subjects.h has a class for each kind.
struct SubjectPlace {
  // kRun: no part of the rig. kRail to kForwarded are paths between two nodes.
  enum class Kind { kRun, kNode, kPort, kHalf, kRail, kLink, kNodes, kForwarded, kAllNodes };
  Kind kind = Kind::kRun;
  std::string part = {};                // port, netdev of the half, rail or link; else empty
  std::vector<std::string> nodes = {};  // nodes that take part, in order: sender first
  bool both_ways = false;               // for a path
  auto operator<=>(const SubjectPlace&) const = default;
};

}  // namespace rigproof::inline rig
