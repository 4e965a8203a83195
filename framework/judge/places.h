#pragma once

#include <optional>
#include <string>

#include "framework/record/events.h"
#include "framework/rig/rig.h"

namespace rigproof::judge {

// Where on a rig a case was. Of a path `from` sends; both ways, `from` is the earlier node's.
struct Place {
  enum class Kind { kRun, kNode, kPort, kHalf, kRailPath, kLinkPath, kNodePath };
  Kind kind = Kind::kRun;
  bool both_ways = false;
  HalfRef from = {0, 0, 0}, to = {0, 0, 0};  // as far as the kind goes: a port path's halves mean nothing
};

// From the case's plan; a case of several nodes that is no path between two of them is at its first node, one of none
// (or of nodes that the rig does not have) at the run as a whole.
[[nodiscard]] Place place_of(const Rig& rig, const record::PlannedCase& plan);

// The place with one end alone, where a figure that `node` measured stands: one way at the sender, both ways at the end
// on that node.
[[nodiscard]] Place end_of(const Rig& rig, const Place& place, const std::string& node);

// The rig as a record has it; nothing where its text can't be read.
[[nodiscard]] std::optional<Rig> rig_of(const record::RunStarted& start);

}  // namespace rigproof::judge
