#pragma once

#include <string>
#include <vector>

#include "framework/judge/judged_run.h"

namespace rigproof {

// What to type, of everything that failed and is not waived, each once and in the order found:
// "sudo ip link set enp1s0f0np0 mtu 9000   # node-b". A remedy's own remark (behind " # ") follows the node.
[[nodiscard]] std::vector<std::string> remedies_of(const JudgedRun& run);

}  // namespace rigproof
