#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "framework/rig/examples.h"
#include "framework/rig/subjects.h"

namespace rigproof::inline rig {

namespace {

enum class Pairs { kThatMeet, kAll };  // pairs that meet in this run, or all pairs

// Calls visit(half, half) for pairs of a rail, in node order. Takes time in proportion to the pairs that meet.
template <class Visit>
void visit_pairs(const Rig& rig, const Rail& rail, Pairs pairs, const Visit& visit) {
  if (pairs == Pairs::kAll || !rig.only_pairs) {
    for (std::size_t i = 0; i < rail.halves.size(); ++i)
      for (std::size_t j = i + 1; j < rail.halves.size(); ++j) visit(rail.halves[i], rail.halves[j]);
    return;
  }
  std::vector<const HalfRef*> on_node(rig.nodes.size());
  for (const HalfRef& half : rail.halves) on_node[half.node] = &half;
  for (const NodePair pair : *rig.only_pairs)
    if (on_node[pair.first] != nullptr && on_node[pair.second] != nullptr)
      visit(*on_node[pair.first], *on_node[pair.second]);
}

std::vector<RailPath> rail_paths(const Rig& rig, bool both_ways, Pairs pairs = Pairs::kThatMeet) {
  std::vector<RailPath> paths;
  for (const Rail& rail : rig.rails)
    visit_pairs(rig, rail, pairs, [&](const HalfRef& one, const HalfRef& other) {
      paths.emplace_back(rig, rail, one, other, both_ways);
      if (!both_ways) paths.emplace_back(rig, rail, other, one, both_ways);
    });
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

std::vector<NodePath> node_paths(const Rig& rig, bool both_ways, Pairs pairs = Pairs::kThatMeet) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<RailPath>> groups;
  for (RailPath& path : rail_paths(rig, both_ways, pairs)) {
    if (rig.port(path.from).use == PortUse::kStorage) continue;
    groups[{path.from.node, path.to.node}].push_back(std::move(path));
  }
  std::vector<NodePath> paths;
  for (auto& [ends, group] : groups) {
    paths.emplace_back(rig, ends.first, ends.second, std::move(group), both_ways);
  }
  return paths;
}

}  // namespace

namespace {

std::vector<std::size_t> all_nodes(const Rig& rig) {
  std::vector<std::size_t> nodes(rig.nodes.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

// Nodes with cases of their own.
std::vector<std::size_t> own_nodes(const Rig& rig) {
  return rig.only_nodes ? std::vector(rig.only_nodes->begin(), rig.only_nodes->end()) : all_nodes(rig);
}

}  // namespace

std::vector<NodeSubject> every_node(const Rig& rig) {
  std::vector<NodeSubject> nodes;
  for (const std::size_t n : own_nodes(rig)) nodes.emplace_back(rig, n);
  return nodes;
}

std::vector<PortSubject> every_port(const Rig& rig) {
  std::vector<PortSubject> ports;
  for (const std::size_t n : own_nodes(rig))
    for (std::size_t p = 0; p < rig.nodes[n].ports.size(); ++p) ports.emplace_back(rig, PortRef{n, p});
  return ports;
}

std::vector<HalfSubject> every_half(const Rig& rig) {
  std::vector<HalfSubject> halves;
  for (const std::size_t n : own_nodes(rig))
    for (const HalfRef half : rig.halves_of(n)) halves.emplace_back(rig, half);
  return halves;
}

std::vector<RailPath> every_rail_pair(const Rig& rig) { return rail_paths(rig, true); }
std::vector<RailPath> every_rail_path(const Rig& rig) { return rail_paths(rig, false); }
std::vector<PortPath> every_port_pair(const Rig& rig) { return port_paths(rig, true); }
std::vector<PortPath> every_port_path(const Rig& rig) { return port_paths(rig, false); }
std::vector<NodePath> every_node_pair(const Rig& rig) { return node_paths(rig, true); }
std::vector<NodePath> every_node_path(const Rig& rig) { return node_paths(rig, false); }

namespace {

// [a][b]: true if nodes a and b share a rail.
std::vector<std::vector<bool>> nodes_that_share_rails(const Rig& rig) {
  const std::size_t count = rig.nodes.size();
  std::vector<std::vector<bool>> share(count, std::vector<bool>(count));
  for (const Rail& rail : rig.rails)
    for (const HalfRef a : rail.halves)
      for (const HalfRef b : rail.halves) share[a.node][b.node] = true;
  return share;
}

}  // namespace

std::vector<ForwardedPath> every_forwarded_path(const Rig& rig) {
  std::vector<ForwardedPath> paths;
  if (!rig.forwarding) return paths;
  const auto share = nodes_that_share_rails(rig);
  for (std::size_t from = 0; from < share.size(); ++from)
    for (std::size_t to = 0; to < share.size(); ++to)
      if (from != to && !share[from][to] && rig.meet(from, to)) paths.emplace_back(rig, from, to);
  return paths;
}

namespace {

// [a][b]: true if nodes a and b meet in cases: they share a rail, or other nodes forward for them.
std::vector<std::vector<bool>> nodes_that_meet(const Rig& rig) {
  const std::size_t count = rig.nodes.size();
  if (rig.forwarding) return std::vector(count, std::vector<bool>(count, true));
  return nodes_that_share_rails(rig);
}

std::size_t pairs_in(const std::vector<std::vector<bool>>& meet) {
  std::size_t all = 0;
  for (std::size_t one = 0; one < meet.size(); ++one)
    for (std::size_t other = one + 1; other < meet.size(); ++other)
      if (meet[one][other]) ++all;
  return all;
}

}  // namespace

std::size_t count_pairs(const Rig& rig) {
  const std::size_t nodes = rig.nodes.size();
  const bool joins_all =
      std::ranges::any_of(rig.rails, [&](const Rail& rail) { return rail.halves.size() == nodes; });
  return joins_all ? nodes * (nodes - 1) / 2 : pairs_in(nodes_that_meet(rig));
}

std::vector<NodePair> pairs_that_meet(const Rig& rig) {
  if (rig.only_pairs) return {rig.only_pairs->begin(), rig.only_pairs->end()};
  const auto meet = nodes_that_meet(rig);
  std::vector<NodePair> pairs;
  for (std::uint32_t one = 0; one < meet.size(); ++one)
    for (std::uint32_t other = one + 1; other < meet.size(); ++other)
      if (meet[one][other]) pairs.push_back({one, other});
  return pairs;
}

std::size_t keep_rounds(Rig& rig, const RoundsAsked& asked) {
  if (asked.rounds == 0 || rig.nodes.size() <= 2) return 0;
  const auto meet = nodes_that_meet(rig);
  rig.only_pairs = sampled_pairs(
      static_cast<std::uint32_t>(rig.nodes.size()),
      [&](NodePair pair) { return meet[pair.first][pair.second]; }, asked);
  return pairs_in(meet) - rig.only_pairs->size();
}

std::map<std::string, Subject> every_subject(const Rig& rig) {
  std::map<std::string, Subject> subjects;
  const auto add = [&](const auto& kind) {
    for (const Subject& subject : kind) subjects.emplace(subject.name(), subject);
  };
  add(every_node(rig));
  add(every_port(rig));
  add(every_half(rig));
  add(all_nodes_of(rig));
  add(all_gpus_of(rig));
  add(every_forwarded_path(rig));
  for (const bool both_ways : {true, false}) {
    add(rail_paths(rig, both_ways));
    add(port_paths(rig, both_ways));
    add(node_paths(rig, both_ways));
  }
  return subjects;
}

namespace {

Facts smallest_facts(const Rig& rig) {
  Facts smallest;
  for (const std::size_t index : all_nodes(rig)) {
    const NodeSubject node(rig, index);
    for (const auto& [name, value] : node.facts()) {
      const auto [known, is_new] = smallest.emplace(name, value);
      if (!is_new && value.value < known->second.value) known->second = value;
    }
  }
  return smallest;
}

// The paths from one node to the other by rails that are not for storage.
std::vector<HalfPair> halves_between(const Rig& rig, std::size_t one, std::size_t other) {
  std::vector<HalfPair> paths;
  for (const HalfRef half : rig.halves_of(one)) {
    if (rig.port(half).use == PortUse::kStorage) continue;
    if (const HalfRef* far = end_on(rig.rail_of(half).halves, other)) paths.push_back({half, *far});
  }
  return paths;
}

// The steps of a ring of the nodes with GPUs, in file order. Empty: fewer than two have any, or a step has no rail.
std::vector<std::vector<HalfPair>> ring_of_gpus(const Rig& rig) {
  std::vector<std::size_t> nodes;
  for (std::size_t node = 0; node < rig.nodes.size(); ++node)
    if (rig.node(node).used_gpus() > 0) nodes.push_back(node);
  std::vector<std::vector<HalfPair>> steps;
  for (std::size_t i = 0; i < nodes.size() && nodes.size() > 1; ++i) {
    const auto [first, second] = std::minmax(nodes[i], nodes[(i + 1) % nodes.size()]);
    steps.push_back(halves_between(rig, first, second));
    if (steps.back().empty()) return {};
  }
  return steps;
}

Facts facts_of_all(const Rig& rig) {
  Facts facts = smallest_facts(rig);
  for (bool first = true; const std::vector<HalfPair>& step : ring_of_gpus(rig)) {
    const Facts of_step = facts_of(rig, step);
    for (const char* name : {"ring.rate", "gpu.rate"}) {
      Quantity& fact = facts.at(name);
      const Quantity& found = of_step.at(name);
      if (first || found.value < fact.value) fact = found;
    }
    first = false;
  }
  return facts;
}

Subject::RemedyValuesByNode remedy_values_of_nodes(const Rig& rig) {
  Subject::RemedyValuesByNode values;
  for (const std::size_t index : all_nodes(rig)) {
    const NodeSubject node(rig, index);
    values.insert(node.remedy_values().begin(), node.remedy_values().end());
  }
  return values;
}

}  // namespace

AllNodes::AllNodes(const Rig& rig)
    : Subject(case_name(rig), fmt::format("all {} nodes", rig.nodes.size()), {SubjectPlace::Kind::kAllNodes},
              all_nodes(rig), facts_of_all(rig), [&rig] { return remedy_values_of_nodes(rig); }),
      rig_(&rig) {}

std::vector<NodePath> AllNodes::pairs() const { return node_paths(*rig_, true, Pairs::kAll); }

std::vector<AllNodes> all_nodes_of(const Rig& rig) {
  std::vector<AllNodes> whole;
  const bool joined = std::ranges::any_of(rig.rails, [&](const Rail& rail) {
    return rail.halves.size() == rig.nodes.size() && !rig.is_for_storage(rail);
  });
  if (rig.nodes.size() > 2 && joined) whole.emplace_back(rig);
  return whole;
}

std::vector<AllNodes> all_gpus_of(const Rig& rig) {
  std::vector<AllNodes> whole;
  const std::size_t steps = ring_of_gpus(rig).size();
  const bool several = std::ranges::any_of(rig.nodes, [](const Node& node) { return node.used_gpus() > 1; });
  if (steps > 2 || (steps > 0 && several)) whole.emplace_back(rig);
  return whole;
}

}  // namespace rigproof::inline rig
