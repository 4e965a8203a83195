#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::supervisor {

// A node by its names in Slurm.
struct SlurmNode {
  std::string name, host, address;  // NodeName, NodeHostName, NodeAddr
};

// Parses the output of `scontrol --oneliner show node`; skips other lines. Pure.
[[nodiscard]] std::vector<SlurmNode> parse_slurm_nodes(std::string_view text);

// The node whose name, host name or address is in `called`, with or without a domain; nullptr: none. Pure.
[[nodiscard]] const SlurmNode* find_slurm_node(const std::vector<SlurmNode>& allocated,
                                               const std::vector<std::string>& called);

// Slurm's name for each node of the rig, in order. Pure. Throws Refused naming nodes that the allocation lacks.
[[nodiscard]] std::vector<std::string> slurm_names(const Rig& rig, const std::vector<SlurmNode>& allocated);

// True in a Slurm allocation (salloc, sbatch): jobs are then steps of it, and need no ssh.
[[nodiscard]] bool in_slurm_allocation();

// The nodes of this process's allocation. Throws Refused if Slurm lists none.
[[nodiscard]] std::vector<SlurmNode> allocated_nodes();

// Why this process's allocation can start no more steps ("Slurm job 12 is CANCELLED"); empty if it can.
[[nodiscard]] std::string end_of_allocation();

}  // namespace rigproof::supervisor
