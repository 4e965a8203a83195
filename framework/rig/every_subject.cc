#include <map>
#include <utility>

#include "framework/rig/subjects.h"
#include "framework/rig/whole_rig.h"

namespace rigproof {
namespace {

std::vector<RailPath> rail_paths(const Rig& rig, bool both_ways) {
  std::vector<RailPath> paths;
  for (const Rail& rail : rig.rails) {
    for (std::size_t i = 0; i < rail.halves.size(); ++i) {
      for (std::size_t j = i + 1; j < rail.halves.size(); ++j) {
        paths.emplace_back(rig, rail, rail.halves[i], rail.halves[j], both_ways);
        if (!both_ways) paths.emplace_back(rig, rail, rail.halves[j], rail.halves[i], both_ways);
      }
    }
  }
  return paths;
}

PortRef port_of(HalfRef half) { return {half.node, half.port}; }

std::map<PortRef, std::size_t> links_by_port(const Rig& rig) {
  std::map<PortRef, std::size_t> links;
  for (std::size_t l = 0; l < rig.links.size(); ++l) {
    for (const PortRef port : rig.links[l].ports) links.emplace(port, l);
  }
  return links;
}

std::vector<PortPath> port_paths(const Rig& rig, bool both_ways) {
  const std::map<PortRef, std::size_t> link_of = links_by_port(rig);
  std::map<std::tuple<std::size_t, PortRef, PortRef>, std::vector<RailPath>> groups;
  for (RailPath& path : rail_paths(rig, both_ways)) {
    const PortRef from = port_of(path.from), to = port_of(path.to);
    groups[{link_of.at(from), from, to}].push_back(std::move(path));
  }
  std::vector<PortPath> paths;
  for (auto& [ends, group] : groups) {
    const auto [link, from, to] = ends;
    paths.emplace_back(rig, rig.links[link], from, to, std::move(group), both_ways);
  }
  return paths;
}

std::vector<NodePath> node_paths(const Rig& rig, bool both_ways) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<RailPath>> groups;
  for (RailPath& path : rail_paths(rig, both_ways)) {
    groups[{path.from.node, path.to.node}].push_back(std::move(path));
  }
  std::vector<NodePath> paths;
  for (auto& [ends, group] : groups) {
    paths.emplace_back(rig, ends.first, ends.second, std::move(group), both_ways);
  }
  return paths;
}

}  // namespace

std::vector<NodeSubject> every_node(const Rig& rig) {
  std::vector<NodeSubject> nodes;
  for (std::size_t n = 0; n < rig.nodes.size(); ++n) nodes.emplace_back(rig, n);
  return nodes;
}

std::vector<PortSubject> every_port(const Rig& rig) {
  std::vector<PortSubject> ports;
  for (std::size_t n = 0; n < rig.nodes.size(); ++n) {
    for (std::size_t p = 0; p < rig.nodes[n].ports.size(); ++p) ports.emplace_back(rig, PortRef{n, p});
  }
  return ports;
}

std::vector<HalfSubject> every_half(const Rig& rig) {
  std::vector<HalfSubject> halves;
  for (std::size_t n = 0; n < rig.nodes.size(); ++n) {
    for (const HalfRef half : rig.halves_of(n)) halves.emplace_back(rig, half);
  }
  return halves;
}

std::vector<RailPath> every_rail_pair(const Rig& rig) { return rail_paths(rig, true); }
std::vector<RailPath> every_rail_path(const Rig& rig) { return rail_paths(rig, false); }
std::vector<PortPath> every_port_pair(const Rig& rig) { return port_paths(rig, true); }
std::vector<PortPath> every_port_path(const Rig& rig) { return port_paths(rig, false); }
std::vector<NodePath> every_node_pair(const Rig& rig) { return node_paths(rig, true); }
std::vector<NodePath> every_node_path(const Rig& rig) { return node_paths(rig, false); }

std::map<std::string, Subject> every_subject(const Rig& rig) {
  std::map<std::string, Subject> subjects;
  const auto add = [&](const auto& kind) {
    for (const Subject& subject : kind) subjects.emplace(subject.name(), subject);
  };
  add(every_node(rig));
  add(every_port(rig));
  add(every_half(rig));
  add(every_whole_rig(rig));
  for (const bool both_ways : {true, false}) {
    add(rail_paths(rig, both_ways));
    add(port_paths(rig, both_ways));
    add(node_paths(rig, both_ways));
  }
  return subjects;
}

}  // namespace rigproof
