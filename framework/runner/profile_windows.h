#pragma once

#include <chrono>

#include "framework/limits/limit.h"

namespace rigproof {

// How long a profile measures. Durations decide precision, never a verdict.
struct Windows {
  std::chrono::milliseconds warm_up;  // left out of the figure
  std::chrono::milliseconds window;   // measured
  int intervals;                      // samples a window is cut into
  int repeats;                        // of short operations: probes, round trips
};

[[nodiscard]] Windows windows_of(Profile profile);

}  // namespace rigproof
