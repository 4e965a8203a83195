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

// What a rig's ports carry at the moment, whatever the load: a reader on each node (`rigproof counters`, started as
// supervisor::NodeCommands has it) that looks twice a second. Nothing here throws or waits for a node: one that gives no counters is
// shown so, and tried again.
class RigRates {
 public:
  explicit RigRates(const Rig& rig);  // starts nothing yet; the rig must outlive it
  ~RigRates();                        // ends the readers
  RigRates(const RigRates&) = delete;
  RigRates& operator=(const RigRates&) = delete;

  // Starts the readers that do not run, takes in what came. From one thread only: the readers end with it.
  void poll();

  // A cable for each link of two ports, as its first port (or, without counters there, its other one) sees it; of a switch
  // with more, one for each port. And all of them together.
  void show_in(terminal::LiveState& state);

  // "reading takes 0.2 % of a core on node-a, 0.3 % on node-b"; empty before the first two readings.
  [[nodiscard]] std::string cost_text() const;
  // "no counters from node-b: REASON" for each node of which nothing came so far.
  [[nodiscard]] std::vector<std::string> unread() const;

 private:
  class Reader;
  const Rig& rig_;
  const supervisor::NodeCommands nodes_;
  std::vector<std::unique_ptr<Reader>> readers_;  // one a node
  DataRate peak_tx_, peak_rx_, peak_duplex_;
};

// The hidden subcommand that reads: prints a line of JSON (counters::NodeReading) each interval until nobody reads them.
inline constexpr const char* kCountersCommand = "counters";

}  // namespace rigproof::cli
