#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "fixtures/counters/traffic.h"
#include "fixtures/net/socket.h"
#include "framework/ranks/rank_group.h"
#include "framework/rig/rig.h"

namespace rigproof::phy {

// Traffic of every counted port of this node during a load. Local.
class TrafficMeter {
 public:
  // Reads all counters.
  TrafficMeter(const Rig& rig, std::size_t node) : node_(&rig.node(node)) {
    for (const Port& port : node_->ports)
      before_.push_back(port.counters ? std::optional(counters::read_port_counters(*port.counters))
                                      : std::nullopt);
  }

  // Waits until the counters have settled, and reads them again.
  void close(RankGroup& ranks) {
    net::sleep_until(Clock::now() + counters::settle_time(*node_), [&] { ranks.poll(); });
    for (std::size_t port = 0; port < before_.size(); ++port) {
      ports_.emplace_back();
      if (before_[port])
        ports_.back() = counters::traffic_between(*before_[port],
                                                  counters::read_port_counters(*node_->ports[port].counters));
    }
  }

  // Valid after close(). The port must be counted.
  [[nodiscard]] const counters::PortTraffic& port(std::size_t index) const {
    return ports_.at(index).value();
  }
  [[nodiscard]] bool is_counted(std::size_t port) const { return ports_.at(port).has_value(); }
  [[nodiscard]] std::size_t ports() const { return ports_.size(); }
  [[nodiscard]] counters::PortTraffic all_ports() const {
    counters::PortTraffic all{
        .tx = DataSize::bytes(0), .rx = DataSize::bytes(0), .tx_packets = 0, .rx_packets = 0, .time = {}};
    for (const auto& one : ports_) {
      if (!one) continue;
      all.tx = all.tx + one->tx;
      all.rx = all.rx + one->rx;
      all.tx_packets += one->tx_packets;
      all.rx_packets += one->rx_packets;
    }
    return all;
  }

 private:
  const Node* node_;
  std::vector<std::optional<counters::PortCounters>> before_;  // not set: the port has no counters
  std::vector<std::optional<counters::PortTraffic>> ports_;
};

// Collective. True if TCP between these nodes uses timestamps.
inline bool have_tcp_timestamps(RankGroup& ranks) {
  const auto said = ranks.share(counters::has_tcp_timestamps() ? "" : "no");
  return std::ranges::all_of(said, [](const std::string& one) { return one.empty(); });
}

// Traffic in both directions as a part of a load's payload.
inline Quantity part_of(double payload, DataSize traffic) {
  return ratio(static_cast<double>(traffic.bytes()) / payload);
}
inline Quantity part_of(double payload, const counters::PortTraffic& traffic) {
  return part_of(payload, traffic.tx + traffic.rx);
}

}  // namespace rigproof::phy
