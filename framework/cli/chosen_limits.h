#pragma once

#include <string>
#include <vector>

#include "fixtures/facts/discover.h"
#include "framework/rig/rig.h"

namespace rigproof::cli {

// Limits that come with Rigproof, and why they fit a rig.
struct ChosenLimits {
  std::vector<std::string> names;  // "dgx-spark-pair"
  std::string why;                 // "two DGX Sparks"
};
[[nodiscard]] ChosenLimits limits_for(const Rig& rig, const std::vector<facts::DiscoveredNode>& nodes);

}  // namespace rigproof::cli
