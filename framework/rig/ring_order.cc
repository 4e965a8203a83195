#include <algorithm>
#include <set>

#include "framework/rig/reading.h"

namespace rigproof::inline rig {
namespace {

// For each node the nodes at the other ends of its cables. Empty: a link is no straight cable.
std::vector<std::set<std::size_t>> neighbours_of(const Rig& rig) {
  std::vector<std::set<std::size_t>> neighbours(rig.nodes.size());
  for (const Link& link : rig.links) {
    if (link.through || link.ports.size() != 2) return {};
    neighbours[link.ports[0].node].insert(link.ports[1].node);
    neighbours[link.ports[1].node].insert(link.ports[0].node);
  }
  return neighbours;
}

// The nodes along the ring, from the first one towards its first neighbour. Empty: the cables make no ring.
std::vector<std::size_t> along_the_ring(const Rig& rig) {
  const auto neighbours = neighbours_of(rig);
  const auto has_two = [](const std::set<std::size_t>& ends) { return ends.size() == 2; };
  if (neighbours.empty() || !std::ranges::all_of(neighbours, has_two)) return {};
  std::vector<std::size_t> ring{0, *neighbours[0].begin()};
  while (ring.back() != 0) {
    const std::set<std::size_t>& ends = neighbours[ring.back()];
    ring.push_back(*ends.begin() == ring[ring.size() - 2] ? *ends.rbegin() : *ends.begin());
  }
  ring.pop_back();
  return ring.size() == rig.nodes.size() ? ring : std::vector<std::size_t>();
}

}  // namespace

void put_in_ring_order(Rig& rig) {
  const std::vector<std::size_t> ring = along_the_ring(rig);
  if (std::ranges::is_sorted(ring)) return;
  std::vector<Node> nodes;
  std::vector<std::size_t> place(ring.size());
  for (std::size_t i = 0; i < ring.size(); ++i) {
    nodes.push_back(std::move(rig.nodes[ring[i]]));
    place[ring[i]] = i;
  }
  rig.nodes = std::move(nodes);
  const auto move = [&](auto& ends) {
    for (auto& end : ends) end.node = place[end.node];
    std::ranges::sort(ends);
  };
  for (Link& link : rig.links) move(link.ports);
  for (Rail& rail : rig.rails) move(rail.halves);
  for (Switch& one : rig.switches)
    for (Switch::Port& port : one.ports) port.at.node = place[port.at.node];
}

}  // namespace rigproof::inline rig
