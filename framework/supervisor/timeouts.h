#pragma once

#include <chrono>

namespace rigproof {

// How long the supervisor waits for signs of life. Later than the ranks' own deadlines: they can name the
// missing rank, the supervisor cannot.
struct Timeouts {
  std::chrono::milliseconds launch = std::chrono::seconds(60);  // from the start to the suite's plan
  std::chrono::milliseconds launch_per_node = std::chrono::seconds(3);
  std::chrono::milliseconds between_phases = std::chrono::seconds(45);
  std::chrono::milliseconds phase_grace = std::chrono::seconds(15);  // beyond a phase's own deadline
  std::chrono::milliseconds exit =
      std::chrono::seconds(15);  // from the suite's last word to the launcher's end
  std::chrono::milliseconds terminate = std::chrono::seconds(5);  // from SIGTERM to SIGKILL
  std::chrono::milliseconds calm =
      std::chrono::seconds(1);  // for a disturbed machine; each wait is longer by it
  std::chrono::milliseconds probe = std::chrono::seconds(10);    // for a node to answer at all
  std::chrono::milliseconds list = std::chrono::seconds(20);     // for a suite to list its cases
  std::chrono::milliseconds journal = std::chrono::seconds(10);  // for a dead suite to let go of the journal

  // What depends on the rig, by `factor`; what this host does takes as long as it takes.
  [[nodiscard]] Timeouts scaled(double factor) const;
};

}  // namespace rigproof
