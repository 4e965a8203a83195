#pragma once

#include <vector>

#include "framework/rig/subjects.h"

namespace rigproof {

// The words for one node: of these halves of it, which talk to these of another node (none: nobody in particular).
[[nodiscard]] Subject::Words words_of(const Rig& rig, const std::vector<HalfRef>& halves,
                                      const std::vector<HalfRef>& peers = {});

// Those of both ends of paths between two nodes, by the nodes' names.
[[nodiscard]] Subject::NodeWords words_of_paths(const Rig& rig, const std::vector<HalfPair>& paths);

}  // namespace rigproof
