#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "framework/rig/rig.h"

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

// The nodes of the rig on which `agent` can't run a command within `deadline`, in rig order. All are asked at
// once. A node whose address is this host's own is there.
[[nodiscard]] std::vector<std::size_t> unreachable_nodes(const Rig& rig,
                                                         const std::vector<std::string>& agent,
                                                         std::chrono::milliseconds deadline);

// "node-a (192.0.2.1), node-b"
[[nodiscard]] std::string name_nodes(const Rig& rig, const std::vector<std::size_t>& nodes);

}  // namespace rigproof::supervisor
