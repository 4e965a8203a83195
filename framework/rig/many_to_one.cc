#include "framework/rig/many_to_one.h"

#include <algorithm>
#include <set>

namespace rigproof::inline rig {

std::vector<RailPath> paths_to(const Rig& rig, PortRef receiver) {
  std::vector<RailPath> paths;
  for (const HalfRef half : rig.halves_of(receiver)) {
    const Rail& rail = rig.rail_of(half);
    const auto own = static_cast<std::size_t>(std::ranges::find(rail.halves, half) - rail.halves.begin());
    const std::size_t senders = std::min(rail.halves.size() - 1, kMostSenders);
    for (std::size_t step = 1; step <= senders; ++step)
      paths.emplace_back(rig, rail, rail.halves[(own + step) % rail.halves.size()], half, false);
  }
  return paths;
}

namespace {

bool is_port_of_many(const Rig& rig, PortRef port) {
  std::set<std::size_t> senders;
  double together = 0;
  for (const RailPath& path : paths_to(rig, port)) {
    senders.insert(path.from.node);
    together += path.rate().bits_per_second();
  }
  return senders.size() > 1 && together >= rig.port(port).rate.bits_per_second();
}

}  // namespace

std::vector<PortSubject> every_port_of_many(const Rig& rig) {
  std::vector<PortSubject> ports = every_port(rig);
  std::erase_if(ports, [&](const PortSubject& port) { return !is_port_of_many(rig, port.port); });
  return ports;
}

bool has_port_of_many(const Rig& rig) { return !every_port_of_many(rig).empty(); }

std::map<std::size_t, double> parts_of_senders(const std::vector<RailPath>& paths,
                                               std::span<const double> rates) {
  std::map<std::size_t, double> parts;
  double all = 0;
  for (std::size_t path = 0; path < paths.size(); ++path) {
    parts[paths[path].from.node] += rates[path];
    all += rates[path];
  }
  for (auto& [node, part] : parts) part = all == 0 ? 0 : part * static_cast<double>(parts.size()) / all;
  return parts;
}

}  // namespace rigproof::inline rig
