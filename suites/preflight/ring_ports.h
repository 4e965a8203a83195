#pragma once

#include "framework/rig/rig.h"

namespace rigproof::preflight {

// Three or more nodes with GPUs and RDMA, each joined with two others by cables of two ends, without a switch. NCCL then sends by
// different ports to a node's two neighbours.
[[nodiscard]] bool is_cable_ring(const Rig& rig);
inline constexpr const char* kCableRing = "a ring of cables between three or more nodes with GPUs and RDMA";

}  // namespace rigproof::preflight
