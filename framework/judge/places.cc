#include "framework/judge/places.h"

#include "framework/rig/case_names.h"

namespace rigproof::judge {
namespace {

using Kind = Place::Kind;

Place at_node(const Rig& rig, std::size_t node, const std::string& name) {
  for (const HalfRef half : rig.halves_of(node)) {
    if (name == case_name(rig, half)) return {Kind::kHalf, false, half, half};
    if (name == case_name(rig, PortRef{node, half.port})) return {Kind::kPort, false, half, half};
  }
  return {Kind::kNode, false, {node, 0, 0}, {node, 0, 0}};
}

// Whether the name is that of a path over this rail or link (or, empty, of the nodes): which way.
std::optional<bool> both_ways(const Rig& rig, const std::string& over, std::size_t from, std::size_t to,
                              const std::string& name) {
  if (name == case_name(rig, over, from, to, Ways::kOne)) return false;
  if (name == case_name(rig, over, from, to, Ways::kBoth)) return true;
  return {};
}

template <class Ends>
const typename Ends::value_type* end_on(const Ends& ends, std::size_t node) {
  for (const auto& end : ends)
    if (end.node == node) return &end;
  return nullptr;
}

Place between(const Rig& rig, std::size_t from, std::size_t to, const std::string& name) {
  for (const Rail& rail : rig.rails) {
    const HalfRef *first = end_on(rail.halves, from), *second = end_on(rail.halves, to);
    if (first == nullptr || second == nullptr) continue;
    if (const auto both = both_ways(rig, rail.name, from, to, name))
      return {Kind::kRailPath, *both, *first, *second};
  }
  for (const Link& link : rig.links) {
    const PortRef *first = end_on(link.ports, from), *second = end_on(link.ports, to);
    if (first == nullptr || second == nullptr) continue;
    if (const auto both = both_ways(rig, link.name, from, to, name))
      return {Kind::kLinkPath, *both, {from, first->port, 0}, {to, second->port, 0}};
  }
  return {Kind::kNodePath, both_ways(rig, "", from, to, name).value_or(true), {from, 0, 0}, {to, 0, 0}};
}

}  // namespace

Place place_of(const Rig& rig, const record::PlannedCase& plan) {
  if (plan.nodes.empty()) return {};
  const auto first = rig.find_node(plan.nodes[0]);
  if (!first) return {};
  const std::string name = subject_name(plan.name);
  if (plan.nodes.size() == 1) return at_node(rig, *first, name);
  const auto second = plan.nodes.size() == 2 ? rig.find_node(plan.nodes[1]) : std::nullopt;
  return second ? between(rig, *first, *second, name)
                : Place{Kind::kNodePath, true, {*first, 0, 0}, {*first, 0, 0}};
}

Place end_of(const Rig& rig, const Place& place, const std::string& node) {
  if (place.kind == Kind::kRun) return place;
  HalfRef end = place.from;
  Kind kind = place.kind == Kind::kRailPath   ? Kind::kHalf
              : place.kind == Kind::kLinkPath ? Kind::kPort
              : place.kind == Kind::kNodePath ? Kind::kNode
                                              : place.kind;
  if (place.both_ways && !node.empty()) {
    if (rig.node(place.to.node).name == node)
      end = place.to;
    else if (const auto found = rig.find_node(node); found && kind == Kind::kNode)
      end = {*found, 0, 0};
  }
  return {kind, false, end, end};
}

std::optional<Rig> rig_of(const record::RunStarted& start) {
  try {
    return read_rig(toml::Document::parse(start.rig_file.text, start.rig_file.file));
  } catch (const toml::InputError&) {
    return {};
  }
}

}  // namespace rigproof::judge
