#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::supervisor {

// A node as Slurm knows it.
struct SlurmNode {
  std::string name, host, address;  // NodeName, NodeHostName, NodeAddr
};

// Of what `scontrol --oneliner show node` prints: pure. Lines of other things are passed over.
[[nodiscard]] std::vector<SlurmNode> parse_slurm_nodes(std::string_view text);

// The one whose name, host name or address is one of these, with or without a domain; nullptr: none. Pure.
[[nodiscard]] const SlurmNode* find_slurm_node(const std::vector<SlurmNode>& allocated,
                                               const std::vector<std::string>& called);

// What Slurm calls each node of the rig, in the rig's order, by the node's name or address. Pure. Throws Refused, which lists all nodes that the allocation lacks.
[[nodiscard]] std::vector<std::string> slurm_names(const Rig& rig, const std::vector<SlurmNode>& allocated);

// Whether this process is in an allocation (salloc, sbatch): jobs are then steps of it, and need no ssh.
[[nodiscard]] bool in_slurm_allocation();

// The nodes of this process's allocation. Throws Refused when Slurm does not say.
[[nodiscard]] std::vector<SlurmNode> allocated_nodes();

// Why no step can be started in this process's allocation any more ("Slurm job 12 is CANCELLED"), or nothing.
[[nodiscard]] std::string end_of_allocation();

}  // namespace rigproof::supervisor
