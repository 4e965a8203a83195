#pragma once

#include <string>
#include <vector>

#include "framework/rig/subjects.h"

namespace rigproof::redundancy {

// Which paths stop and which go on.
struct Outage {
  std::string name;  // of what stops: "without rail1"
  std::vector<RailPath> stopped, survivors;
};

// Each half of the port in turn; each port between the two nodes in turn.
[[nodiscard]] std::vector<Outage> half_outages(const PortPath& port);
[[nodiscard]] std::vector<Outage> cable_outages(const Rig& rig, const NodePath& nodes);

// The subjects that have something left when a part of them stops.
[[nodiscard]] std::vector<PortPath> ports_of_several_halves(const Rig& rig);
[[nodiscard]] std::vector<NodePath> nodes_of_several_cables(const Rig& rig);

}  // namespace rigproof::redundancy
