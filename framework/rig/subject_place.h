#pragma once

#include <compare>
#include <string>
#include <vector>

namespace rigproof::inline rig {

// What a case is about, by the names of the rig file: enough to find it in the rig again (subject_finder.h). Of each kind
// there is a subject in subjects.h.
struct SubjectPlace {
  // kRun: no part of the rig. kRail to kForwarded are paths between two nodes.
  enum class Kind { kRun, kNode, kPort, kHalf, kRail, kLink, kNodes, kForwarded, kAllNodes };
  Kind kind = Kind::kRun;
  std::string part =
      {};  // of a node the port, or the half by its netdev; of a path the rail or the link; else empty
  std::vector<std::string> nodes = {};  // that take part, in order: of a path the sender first
  bool both_ways = false;               // of a path
  auto operator<=>(const SubjectPlace&) const = default;
};

}  // namespace rigproof::inline rig
