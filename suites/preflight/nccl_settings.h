#pragma once

#include <string>
#include <vector>

#include "fixtures/facts/node_facts.h"
#include "framework/rig/rig.h"

namespace rigproof {

// What of the NCCL settings in effect on this node (the environment before the files) keeps NCCL from the
// rig's RDMA devices or names netdevs and devices that the node does not have. A line each, for a person.
[[nodiscard]] std::vector<std::string> nccl_faults(const NodeFacts& facts, const Rig& rig, std::size_t node);

}  // namespace rigproof
