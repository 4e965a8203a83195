#pragma once

#include <vector>

#include "framework/rig/subjects.h"

namespace rigproof::inline rig {

// Without the port paths over one rail alone, whose rate is that of the half: it is measured there.
[[nodiscard]] inline std::vector<PortPath> over_several_rails(std::vector<PortPath> paths) {
  std::erase_if(paths, [](const PortPath& path) { return path.paths.size() < 2; });
  return paths;
}

}  // namespace rigproof::inline rig
