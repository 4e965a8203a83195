#pragma once

#include <vector>

#include "framework/judge/blame.h"
#include "framework/rig/rig.h"

namespace rigproof::judge {

// Pairs to measure next, so that slow nodes are told apart from their partners: each node in doubt meets one known-good
// node that it has not met. In doubt are both nodes of a suspect that is only told as one of the two, a suspect that no
// known-good node confirms, and nodes with missed rates that no suspect explains. Known-good nodes have only sound pairs.
// No node is in two of the pairs. Empty: nothing is in doubt, or no such partners are left. Pure.
// `slower`: see find_suspects().
[[nodiscard]] std::vector<NodePair> pairs_to_meet(const Rig& rig, const std::vector<PathRate>& rates,
                                                  double slower = 0);

}  // namespace rigproof::judge
