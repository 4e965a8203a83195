#include "suites/phy/traffic_meter.h"

#include "fixtures/net/socket.h"

namespace rigproof::phy {

TrafficMeter::TrafficMeter(const Rig& rig, std::size_t node)
    : node_(&rig.node(node)), management_traffic_(rig.node(node)) {
  for (const Port& port : node_->ports) before_.push_back(counters::read_port_counters(port.counters));
}

void TrafficMeter::close(RankGroup& ranks) {
  net::sleep_until(Clock::now() + counters::settle_time(*node_), [&] { ranks.poll(); });
  for (std::size_t port = 0; port < before_.size(); ++port)
    ports_.push_back(
        counters::traffic_between(before_[port], counters::read_port_counters(node_->ports[port].counters)));
  management_ = management_traffic_.carried();
}

}  // namespace rigproof::phy
