#pragma once

#include <vector>

#include "framework/rig/subjects.h"

namespace rigproof {

// All nodes of a rig at once, in file order, with every two of them that share rails. Its facts are the smallest
// that a node has: paths.rate is what it sends to all others together.
struct WholeRig : Subject {
  explicit WholeRig(const Rig&);
  std::vector<NodePath> pairs;
};

// One where a rig is more than a pair, else none.
[[nodiscard]] std::vector<WholeRig> every_whole_rig(const Rig&);

}  // namespace rigproof
