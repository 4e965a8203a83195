#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fixtures/counters/traffic.h"
#include "framework/ranks/rank_group.h"
#include "framework/rig/rig.h"

namespace rigproof::phy {

// What every physical port of this node, and its management netdev, carried while something went on. Local.
class TrafficMeter {
 public:
  // Reads all counters.
  TrafficMeter(const Rig& rig, std::size_t node);

  // Waits until the counters have settled, and reads them again.
  void close(RankGroup& ranks);

  // After close().
  [[nodiscard]] const counters::PortTraffic& port(std::size_t index) const { return ports_.at(index); }
  [[nodiscard]] std::size_t ports() const { return ports_.size(); }
  [[nodiscard]] const std::optional<counters::PortTraffic>& management() const { return management_; }

 private:
  const Node* node_;
  std::vector<counters::PortCounters> before_;
  counters::ManagementTraffic management_traffic_;
  std::vector<counters::PortTraffic> ports_;
  std::optional<counters::PortTraffic> management_;
};

}  // namespace rigproof::phy
