#pragma once

#include <vector>

#include "fixtures/facts/discover.h"

namespace rigproof::cli {

// Lets each node announce itself on its halves, and adds to each node what it heard from the others. Takes a second or
// two; sends a few hundred small packets over the rails. Nodes that cannot do it hear nothing. Does nothing for many nodes.
void hear_cables(std::vector<facts::DiscoveredNode>& nodes);

}  // namespace rigproof::cli
