#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "framework/process/process.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/slurm.h"

namespace rigproof::supervisor {

// Whether a name or address is this host's own.
[[nodiscard]] bool is_this_host(const std::string& name);

// The networks by which this host and the rig's nodes reach each other at the addresses of the rig file, as Open
// MPI takes them: the one subnet of this host that holds all other nodes ("10.0.0.0/24"), or else every node's
// own address ("10.0.0.1/32,10.1.0.2/32"). Empty where no node but this host has an IPv4 address.
[[nodiscard]] std::string networks_of_nodes(const Rig& rig);

// The smallest of `subnets` ("10.0.0.1/24") that holds all addresses, as "10.0.0.0/24", or "": pure.
[[nodiscard]] std::string common_subnet(const std::vector<std::string>& addresses,
                                        const std::vector<std::string>& subnets);

// The words in front of "HOST COMMAND" that run a command on another host: what mpirun will use, by its own
// environment variable, or ssh that asks no questions.
[[nodiscard]] std::vector<std::string> remote_agent();

// How one program is run on a node, whichever it is: on this host as it is; on a node of this process's Slurm allocation as
// a step of it; elsewhere by the remote agent.
class NodeCommands {
 public:
  NodeCommands();  // in an allocation asks Slurm for its nodes
  [[nodiscard]] std::vector<std::string> on(const std::string& name, const std::string& address,
                                            const std::vector<std::string>& program) const;

 private:
  std::vector<SlurmNode> allocated_;
};

// This host's IPv4 addresses, the one by which it reaches the nodes at their addresses in front, those of the rails and
// the loopback last: where the nodes' ranks can connect to.
[[nodiscard]] std::vector<std::string> addresses_for_nodes(const Rig& rig);

// IPv4 addresses of the rig's nodes: those that their names have here, and those of their halves.
[[nodiscard]] std::vector<std::string> addresses_of_nodes(const Rig& rig);

// Those of `nodes` on which `agent` can't run a command within `deadline`, in their order. All are asked at once. A node
// whose address is this host's own is there. `siblings`: what else runs meanwhile.
[[nodiscard]] std::vector<std::size_t> unreachable_nodes(
    const Rig& rig, const std::vector<std::size_t>& nodes, const std::vector<std::string>& agent,
    std::chrono::milliseconds deadline, const std::shared_ptr<process::Siblings>& siblings = {});

// "node-a (192.0.2.1), node-b"
[[nodiscard]] std::string name_nodes(const Rig& rig, const std::vector<std::size_t>& nodes);

}  // namespace rigproof::supervisor
