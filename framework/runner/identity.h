#pragma once

#include <set>
#include <string>

#include "framework/rig/rig.h"

namespace rigproof {

// This host's IPv4 addresses. Throws std::system_error.
[[nodiscard]] std::set<std::string> local_addresses();

// What is wrong with running `node`'s rank where these addresses are local: the message says which node this
// is, or is empty. A host with none of any node's addresses is left to the suites: its links may be down.
[[nodiscard]] std::string wrong_node(const Rig& rig, std::size_t node, const std::set<std::string>& local);

}  // namespace rigproof
