#pragma once

#include <vector>

#include "framework/rig/subjects.h"

namespace rigproof::rdma {

// The subjects whose halves all have an RDMA device in the rig file: a rig without any has no case of this suite.
[[nodiscard]] std::vector<HalfSubject> rdma_halves(const Rig& rig);
[[nodiscard]] std::vector<RailPath> rdma_rail_pairs(const Rig& rig);
[[nodiscard]] std::vector<RailPath> rdma_rail_paths(const Rig& rig);
[[nodiscard]] std::vector<PortPath> rdma_port_paths(const Rig& rig);
[[nodiscard]] std::vector<NodePath> rdma_node_paths(const Rig& rig);

}  // namespace rigproof::rdma
