#pragma once

#include <cstddef>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::inline rig {

// Rigs of many nodes have few kinds of them. Nodes are of one kind if they differ only in names and addresses: they have
// equal ports and halves on the same links and rails. The cases of a node, or of a pair, are then those of an example
// with other names: a suite describes the examples, and the supervisor derives the rest (supervisor/case_plan.h).

// The kind of each node, by index: 0, 1, ... in the order of the rig file.
[[nodiscard]] std::vector<std::size_t> kinds_of_nodes(const Rig& rig);

// All pairs that meet in this run, in order: they share a rail, or other nodes forward for them.
[[nodiscard]] std::vector<NodePair> pairs_that_meet(const Rig& rig);

// Restricts the cases of nodes and pairs to the first and the last of each kind. The kind of a pair is that of its
// nodes, in order. Returns true if cases are left out.
bool keep_examples(Rig& rig);

}  // namespace rigproof::inline rig
