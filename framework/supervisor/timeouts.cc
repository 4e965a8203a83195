#include "framework/supervisor/timeouts.h"

namespace rigproof {

Timeouts Timeouts::scaled(double factor) const {
  const auto scale = [factor](std::chrono::milliseconds time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time * factor);
  };
  return {.launch = scale(launch),
          .launch_per_node = scale(launch_per_node),
          .between_phases = scale(between_phases),
          .phase_grace = scale(phase_grace),
          .exit = scale(exit),
          .terminate = scale(terminate),
          .calm = scale(calm),
          .probe = scale(probe),
          .list = list,
          .journal = journal};
}

}  // namespace rigproof
