#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "framework/process/process.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/slurm.h"

namespace rigproof::supervisor {

// True if a name or address belongs to this host.
[[nodiscard]] bool is_this_host(const std::string& name);

// Networks between this host and the rig's nodes, by the addresses of the rig file, in Open MPI's format: the
// subnet of this host that holds all other nodes ("10.0.0.0/24"), else each address
// ("10.0.0.1/32,10.1.0.2/32"). Empty if no other node has an IPv4 address.
[[nodiscard]] std::string networks_of_nodes(const Rig& rig);

// The smallest of `subnets` ("10.0.0.1/24") that holds all addresses, as "10.0.0.0/24"; else "". Pure.
[[nodiscard]] std::string common_subnet(const std::vector<std::string>& addresses,
                                        const std::vector<std::string>& subnets);

// The words before "HOST COMMAND" that run a command on another host: mpirun's agent from its environment
// variable, else ssh without prompts.
[[nodiscard]] std::vector<std::string> remote_agent();

// Runs a program on any node: directly on this host, as a step on a node of this process's Slurm allocation,
// else by the remote agent.
class NodeCommands {
 public:
  NodeCommands();  // in an allocation asks Slurm for its nodes
  [[nodiscard]] std::vector<std::string> on(const std::string& name, const std::string& address,
                                            const std::vector<std::string>& program) const;

 private:
  std::vector<SlurmNode> allocated_;
};

// This host's IPv4 addresses, to which the ranks connect. The ones that route to the nodes come first, the
// rails' and the loopback last.
[[nodiscard]] std::vector<std::string> addresses_for_nodes(const Rig& rig);

// IPv4 addresses of a host's name, as this host resolves it. Empty: it does not resolve.
[[nodiscard]] std::vector<std::string> addresses_of(const std::string& host);

// IPv4 addresses of the rig's nodes: of their names, resolved here, and of their halves.
[[nodiscard]] std::vector<std::string> addresses_of_nodes(const Rig& rig);

// Returns the `nodes` where `agent` cannot run a command within `deadline`, each with the last line that the agent printed.
// Asks all at once. This host counts as reachable.
[[nodiscard]] std::map<std::size_t, std::string> unreachable_nodes(const Rig& rig,
                                                                   const std::vector<std::size_t>& nodes,
                                                                   const std::vector<std::string>& agent,
                                                                   std::chrono::milliseconds deadline);

// "node-a (192.0.2.1), node-b"
[[nodiscard]] std::string name_nodes(const Rig& rig, const std::vector<std::size_t>& nodes);

}  // namespace rigproof::supervisor
