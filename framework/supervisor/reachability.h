#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::supervisor {

// Whether a name or address is this host's own.
[[nodiscard]] bool is_this_host(const std::string& name);

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
