#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fixtures/counters/port_sampler.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/reachability.h"
#include "reports/terminal/live_frame.h"

namespace rigproof::cli {

// The present rates of a rig's ports, under any load. A reader on each node (`rigproof counters`, started by
// supervisor::NodeCommands) reads twice a second. No function throws or waits for a node. A node without counters is
// shown as such, and tried again.
class RigRates {
 public:
  explicit RigRates(const Rig& rig);  // starts nothing yet; the rig must outlive it
  ~RigRates();                        // ends the readers
  RigRates(const RigRates&) = delete;
  RigRates& operator=(const RigRates&) = delete;

  // Starts readers that do not run, and takes new readings. From one thread only: the readers end with that thread.
  void poll();

  // Shows a cable for each link of two ports, as its first port sees it (or the other, if the first has no counters).
  // For a switch with more ports, shows one for each port. Shows the sums of all, too.
  void show_in(terminal::LiveState& state);

  // "reading takes 0.2 % of a core on node-a, 0.3 % on node-b"; empty before the first two readings.
  [[nodiscard]] std::string cost_text() const;
  // "no counters from node-b: REASON" for each node without a reading so far.
  [[nodiscard]] std::vector<std::string> unread() const;

 private:
  class Reader;
  const Rig& rig_;
  const supervisor::NodeCommands nodes_;
  std::vector<std::unique_ptr<Reader>> readers_;  // one per node
  DataRate peak_tx_, peak_rx_, peak_duplex_;
};

// The hidden subcommand of a reader: prints a line of JSON (counters::NodeReading) per interval until stdout closes.
inline constexpr const char* kCountersCommand = "counters";

}  // namespace rigproof::cli
