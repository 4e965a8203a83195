#include "framework/rig/rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>

#include "framework/units/ip_address.h"

namespace rigproof::inline rig {

namespace {

// Circle method: place 0 to `circle` - 1 move on by one per turn, the last place stays. With an odd number of nodes the
// last place has none: the node that meets it pauses.
std::uint32_t circle_of(std::uint32_t nodes) { return nodes + nodes % 2 - 1; }

// The `step`-th pair of a turn. Its second node is `nodes` if the other one pauses.
NodePair pair_of_turn(std::uint32_t circle, std::uint32_t turn, std::uint32_t step) {
  const std::uint32_t one = step == 0 ? circle : (turn + step) % circle;
  const std::uint32_t other = (turn + circle - step) % circle;
  return {std::min(one, other), std::max(one, other)};
}

// The inverse of pair_of_turn(): the turn and the step of a pair. The sum of both places is twice the turn.
std::pair<std::uint32_t, std::uint32_t> turn_of_pair(std::uint32_t circle, NodePair pair) {
  if (pair.second == circle) return {pair.first, 0};
  const std::uint64_t half = (circle + 1) / 2;
  const auto turn = static_cast<std::uint32_t>((pair.first + pair.second) * half % circle);
  const std::uint32_t step = (pair.first + circle - turn) % circle;
  return {turn, std::min(step, circle - step)};
}

}  // namespace

std::vector<std::vector<NodePair>> rounds_of(std::uint32_t nodes, const std::vector<NodePair>& pairs) {
  const std::uint32_t circle = circle_of(nodes);
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, NodePair>>> turns;
  for (const NodePair pair : pairs) {
    const auto [turn, step] = turn_of_pair(circle, pair);
    turns[turn].emplace_back(step, pair);
  }
  std::vector<std::vector<NodePair>> rounds;
  for (auto& [turn, steps] : turns) {
    std::ranges::sort(steps);
    std::vector<NodePair>& round = rounds.emplace_back();
    for (const auto& [step, pair] : steps) round.push_back(pair);
  }
  return rounds;
}

std::set<NodePair> sampled_pairs(std::uint32_t nodes, const Meet& meet, const RoundsAsked& asked) {
  std::vector<std::uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937 random(asked.seed);  // same numbers in every library, unlike shuffle()
  for (std::uint32_t i = nodes; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::uint32_t>(random() % i)]);
  const auto pair_at = [&](NodePair places) {
    const auto [first, second] = std::minmax(order[places.first], order[places.second]);
    return NodePair{first, second};
  };
  const std::uint32_t circle = circle_of(nodes);
  std::set<NodePair> chosen;
  int rounds = 0;
  for (std::uint32_t turn = 0; turn < circle && rounds < asked.rounds; ++turn) {
    const std::size_t before = chosen.size();
    for (std::uint32_t step = 0; step <= circle / 2; ++step) {
      const NodePair places = pair_of_turn(circle, turn, step);
      if (places.second < nodes && meet(pair_at(places))) chosen.insert(pair_at(places));
    }
    if (chosen.size() > before) ++rounds;
  }
  return chosen;
}

namespace {

// Position of the first element that `matches`; nullopt: none.
template <class Elements, class Matches>
std::optional<std::size_t> position(const Elements& elements, Matches matches) {
  const auto found = std::find_if(elements.begin(), elements.end(), matches);
  if (found == elements.end()) return {};
  return static_cast<std::size_t>(found - elements.begin());
}

template <class Element>
bool contains(const std::vector<Element>& elements, const Element& wanted) {
  return std::find(elements.begin(), elements.end(), wanted) != elements.end();
}

DataRate rate_of(const Node& node) {
  DataRate sum = DataRate::bits_per_second(0);
  for (const Port& port : node.ports)
    if (port.use == PortUse::kCompute) sum = sum + port.rate;
  return sum;
}

// Halves share their port's cable: rates are added for each two ports, then limited by the slower port.
DataRate rate_of(const Rig& rig, std::span<const HalfPair> paths) {
  std::map<std::pair<PortRef, PortRef>, DataRate> between;
  for (const auto& [from, to] : paths) {
    const DataRate path = std::min(rig.half(from).rate, rig.half(to).rate);
    const PortRef from_port{from.node, from.port}, to_port{to.node, to.port};
    const auto [sum, first] = between.try_emplace({from_port, to_port}, path);
    if (!first) sum->second = sum->second + path;
  }
  DataRate total = DataRate::bits_per_second(0);
  for (const auto& [ports, sum] : between) {
    total = total + std::min({sum, rig.port(ports.first).rate, rig.port(ports.second).rate});
  }
  return total;
}

void keep_smaller(Facts& facts, std::string_view name, Quantity quantity) {
  const auto [fact, first] = facts.try_emplace(std::string(name), quantity);
  if (!first) fact->second.value = std::min(fact->second.value, quantity.value);
}

}  // namespace

std::string Rig::label(PortRef ref) const {
  return fmt::format("{}:{}", node(ref.node).name, port(ref).name);
}
std::string Rig::label(HalfRef ref) const {
  return fmt::format("{}:{}", node(ref.node).name, half(ref).netdev);
}

std::optional<std::size_t> Rig::find_node(std::string_view wanted) const {
  return position(nodes, [&](const Node& node) { return node.name == wanted; });
}

std::optional<PortRef> Rig::find_port(std::size_t node_index, std::string_view wanted) const {
  const auto found = position(node(node_index).ports, [&](const Port& port) { return port.name == wanted; });
  if (!found) return {};
  return PortRef{node_index, *found};
}

std::optional<HalfRef> Rig::find_half(std::size_t node_index, std::string_view netdev) const {
  for (const HalfRef ref : halves_of(node_index)) {
    if (half(ref).netdev == netdev) return ref;
  }
  return {};
}

std::vector<HalfRef> Rig::halves_of(PortRef ref) const {
  std::vector<HalfRef> result;
  for (std::size_t h = 0; h < port(ref).halves.size(); ++h) result.push_back({ref.node, ref.port, h});
  return result;
}

std::vector<HalfRef> Rig::halves_of(std::size_t node_index) const {
  std::vector<HalfRef> result;
  for (std::size_t p = 0; p < node(node_index).ports.size(); ++p) {
    for (const HalfRef half : halves_of(PortRef{node_index, p})) result.push_back(half);
  }
  return result;
}

std::vector<HalfRef> Rig::compute_halves_of(std::size_t node_index) const {
  std::vector<HalfRef> halves = halves_of(node_index);
  std::erase_if(halves, [&](HalfRef half) { return port(half).use != PortUse::kCompute; });
  return halves;
}

bool Rig::is_for_storage(const Rail& rail) const {
  return port(rail.halves.front()).use == PortUse::kStorage;
}

const Link& Rig::link_of(PortRef ref) const {
  for (const Link& link : links) {
    if (contains(link.ports, ref)) return link;
  }
  throw std::out_of_range("no link has " + label(ref));
}

const Rail& Rig::rail_of(HalfRef ref) const {
  for (const Rail& rail : rails) {
    if (const HalfRef* end = end_on(rail.halves, ref.node); end != nullptr && *end == ref) return rail;
  }
  throw std::out_of_range("no rail has " + label(ref));
}

bool Rig::meet(std::size_t one_node, std::size_t other) const {
  if (!only_pairs) return true;
  const auto [first, second] = std::minmax(one_node, other);
  return only_pairs->contains({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)});
}

namespace {

// Maps nodes of the whole rig to their places in a part of it.
class PlacesInPart {
 public:
  PlacesInPart(const Rig& rig, const std::vector<std::size_t>& nodes) : places_(rig.nodes.size()) {
    for (std::size_t place = 0; place < nodes.size(); ++place) places_.at(nodes[place]) = place;
  }
  // The elements on nodes of the part, with the part's indices.
  template <class Ref>
  std::vector<Ref> of(const std::vector<Ref>& refs) const {
    std::vector<Ref> kept;
    for (Ref ref : refs) {
      if (!places_[ref.node]) continue;
      ref.node = *places_[ref.node];
      kept.push_back(ref);
    }
    std::ranges::sort(kept);
    return kept;
  }
  std::vector<Switch::Port> of(const std::vector<Switch::Port>& ports) const {
    std::vector<Switch::Port> kept;
    for (const Switch::Port& port : ports)
      if (const auto& place = places_[port.at.node]) kept.push_back({{*place, port.at.port}, port.interface});
    std::ranges::sort(kept, {}, &Switch::Port::at);
    return kept;
  }

 private:
  std::vector<std::optional<std::size_t>> places_;
};

}  // namespace

Rig restricted(const Rig& rig, const std::vector<std::size_t>& nodes) {
  const PlacesInPart places(rig, nodes);
  Rig part{
      .name = rig.name, .kind = rig.kind, .stand_in = rig.stand_in, .nodes = {}, .links = {}, .rails = {}};
  part.forwarding = rig.forwarding;
  for (const std::size_t node : nodes) part.nodes.push_back(rig.node(node));
  for (const Link& link : rig.links)
    if (auto ports = places.of(link.ports); !ports.empty())
      part.links.push_back({link.name, std::move(ports), link.through});
  for (const Rail& rail : rig.rails)
    if (auto halves = places.of(rail.halves); !halves.empty())
      part.rails.push_back({rail.name, std::move(halves), rail.service, rail.routed});
  for (const Switch& one : rig.switches) {
    auto ports = places.of(one.ports);
    if (ports.empty()) continue;
    part.switches.push_back(one);
    part.switches.back().ports = std::move(ports);
  }
  return part;
}

DataSize roce_path_mtu(DataSize netdev_mtu) {
  constexpr std::uint64_t kHeaders = 96, kSmallest = 256, kLargest = 4096;
  if (netdev_mtu.bytes() < kHeaders + kSmallest) throw std::invalid_argument("an MTU too small for RoCE");
  return DataSize::bytes(std::min(kLargest, std::bit_floor(netdev_mtu.bytes() - kHeaders)));
}

const FactDimensions& rig_fact_dimensions() {
  static const FactDimensions dimensions{{"half.rate", Dimension::kDataRate},
                                         {"half.mtu", Dimension::kDataSize},
                                         {"half.path_mtu", Dimension::kDataSize},
                                         {"port.rate", Dimension::kDataRate},
                                         {"port.halves", Dimension::kCount},
                                         {"node.rate", Dimension::kDataRate},
                                         {"paths.rate", Dimension::kDataRate},
                                         {"paths.tcp_payload", Dimension::kDataRate},
                                         {"paths.rdma_payload", Dimension::kDataRate},
                                         {"ring.rate", Dimension::kDataRate},
                                         {"gpu.rate", Dimension::kDataRate}};
  return dimensions;
}

namespace {

// Bytes of a packet beside its payload. Ethernet: preamble 8, header 14, FCS 4, gap 12.
constexpr double kEthernet = 38;
constexpr double kTcp = 20 + 12;        // with timestamps
constexpr double kRoceV2 = 8 + 12 + 4;  // UDP, base transport header, ICRC

double tcp_share(double mtu, double ip) { return (mtu - ip - kTcp) / (mtu + kEthernet); }
double rdma_share(double path_mtu, double ip) { return path_mtu / (path_mtu + ip + kRoceV2 + kEthernet); }

// Bytes of the largest IP header on these paths.
double ip_header_of(const Rig& rig, std::span<const HalfPair> paths) {
  std::uint64_t largest = 0;
  for (const HalfPair& path : paths)
    largest = std::max(largest, header_bytes(family_of(rig.half(path.from).address)));
  return static_cast<double>(largest);
}

}  // namespace

Facts facts_of(const Rig& rig, std::span<const HalfPair> paths) {
  Facts facts;
  for (const auto& [from, to] : paths) {
    for (const HalfRef end : {from, to}) {
      keep_smaller(facts, "half.rate", to_quantity(rig.half(end).rate));
      keep_smaller(facts, "half.mtu", to_quantity(rig.half(end).mtu));
      keep_smaller(facts, "half.path_mtu", to_quantity(roce_path_mtu(rig.half(end).mtu)));
      keep_smaller(facts, "port.rate", to_quantity(rig.port(end).rate));
      keep_smaller(facts, "port.halves", count(rig.port(end).halves.size()));
      keep_smaller(facts, "node.rate", to_quantity(rate_of(rig.node(end.node))));
    }
  }
  const DataRate rate = rate_of(rig, paths);
  facts.emplace("paths.rate", to_quantity(rate));
  const double ip = ip_header_of(rig, paths);
  facts.emplace("paths.tcp_payload", to_quantity(rate * tcp_share(facts.at("half.mtu").value, ip)));
  facts.emplace("paths.rdma_payload", to_quantity(rate * rdma_share(facts.at("half.path_mtu").value, ip)));
  std::size_t gpus = 1;
  for (const auto& [from, to] : paths)
    gpus = std::max({gpus, rig.node(from.node).used_gpus(), rig.node(to.node).used_gpus()});
  facts.emplace("ring.rate", to_quantity(rate));
  facts.emplace("gpu.rate", to_quantity(rate * (1 / static_cast<double>(gpus))));
  return facts;
}

Facts facts_of(const Rig& rig, HalfRef half) {
  const HalfPair alone{half, half};
  return facts_of(rig, {&alone, 1});
}

}  // namespace rigproof::inline rig
