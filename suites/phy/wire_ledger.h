#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fixtures/counters/management_ledger.h"
#include "framework/ranks/rank_group.h"
#include "framework/rig/rig.h"

namespace rigproof {

// What every physical port of this node, and its management netdev, carried while something went on. Local.
class WireLedger {
 public:
  // Opens the books: reads all counters.
  WireLedger(const Rig& rig, std::size_t node);

  // Closes them: waits until the counters have settled, reads again.
  void close(RankGroup& ranks);

  // After close().
  [[nodiscard]] const PortTraffic& port(std::size_t index) const { return ports_.at(index); }
  [[nodiscard]] std::size_t ports() const { return ports_.size(); }
  [[nodiscard]] const std::optional<PortTraffic>& management() const { return management_; }

 private:
  const Node* node_;
  std::vector<PortCounters> before_;
  ManagementLedger management_ledger_;
  std::vector<PortTraffic> ports_;
  std::optional<PortTraffic> management_;
};

}  // namespace rigproof
