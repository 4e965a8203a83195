#include "suites/redundancy/outages.h"

#include <map>

namespace rigproof::redundancy {
namespace {

// One outage for each group of paths that stop together.
std::vector<Outage> outages(const std::vector<RailPath>& paths, const std::vector<std::string>& group_of) {
  std::map<std::string, Outage> by_group;
  for (const std::string& group : group_of) by_group.try_emplace(group, Outage{"without " + group, {}, {}});
  for (auto& [group, outage] : by_group)
    for (std::size_t path = 0; path < paths.size(); ++path)
      (group_of[path] == group ? outage.stopped : outage.survivors).push_back(paths[path]);
  std::vector<Outage> list;
  for (auto& [group, outage] : by_group)
    if (!outage.survivors.empty()) list.push_back(std::move(outage));
  return list;
}

}  // namespace

std::vector<Outage> half_outages(const PortPath& port) {
  std::vector<std::string> rails;
  for (const RailPath& path : port.paths) rails.push_back(path.rail);
  return outages(port.paths, rails);
}

std::vector<Outage> cable_outages(const Rig& rig, const NodePath& nodes) {
  std::vector<std::string> ports;
  for (const RailPath& path : nodes.paths) ports.push_back(rig.port(path.from).name);
  return outages(nodes.paths, ports);
}

std::vector<PortPath> ports_of_several_halves(const Rig& rig) {
  auto ports = every_port_pair(rig);
  std::erase_if(ports, [](const PortPath& port) { return half_outages(port).empty(); });
  return ports;
}

std::vector<NodePath> nodes_of_several_cables(const Rig& rig) {
  auto nodes = every_node_pair(rig);
  std::erase_if(nodes, [&](const NodePath& node) { return cable_outages(rig, node).empty(); });
  return nodes;
}

}  // namespace rigproof::redundancy
