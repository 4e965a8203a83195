#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "framework/judge/blame.h"

namespace rigproof {

// Rates between the nodes of a rig whose slow parts are known.

struct Shape {
  std::size_t nodes = 16;
  std::size_t ports = 1, halves = 2;  // of a node; of a port
  std::size_t rounds = 0;             // 0: every two nodes meet; else each meets so many others
  bool ring = false;                  // straight cables to both neighbours, whom alone a node meets
};

// Every node on one switch by each of its ports, or in a ring by its first two.
inline Rig simulated_rig(const Shape& shape) {
  const auto rate = DataRate::bits_per_second(100e9);
  Rig rig{.name = "simulated", .kind = "hardware", .stand_in = {}, .nodes = {}, .links = {}, .rails = {}};
  for (std::size_t n = 0; n < shape.nodes; ++n) {
    Node node{.name = fmt::format("node-{}", n), .address = {}, .management = {}, .ports = {}};
    for (std::size_t p = 0; p < shape.ports; ++p) {
      Port port{
          .name = fmt::format("port{}", p),
          .rate = rate,
          .counters = CounterSource{.kind = CounterSource::Kind::kNetlink, .device = {}, .name_space = {}},
          .halves = {}};
      for (std::size_t h = 0; h < shape.halves; ++h)
        port.halves.push_back({.netdev = fmt::format("eth{}", p * shape.halves + h),
                               .rdma = {},
                               .address = {},
                               .prefix_length = 24,
                               .mac = {},
                               .rate = rate,
                               .mtu = DataSize::bytes(9000)});
      node.ports.push_back(std::move(port));
    }
    rig.nodes.push_back(std::move(node));
  }
  const auto join = [&](const std::vector<PortRef>& ports, std::optional<std::string> through) {
    rig.links.push_back({fmt::format("link{}", rig.links.size()), ports, std::move(through)});
    for (std::size_t h = 0; h < shape.halves; ++h) {
      Rail rail{fmt::format("rail{}", rig.rails.size()), {}};
      for (const PortRef port : ports) rail.halves.push_back({port.node, port.port, h});
      rig.rails.push_back(std::move(rail));
    }
  };
  if (shape.ring) {
    for (std::size_t n = 0; n + 1 < shape.nodes; ++n) join({{n, 1}, {n + 1, 0}}, {});
    join({{0, 0}, {shape.nodes - 1, 1}}, {});
    return rig;
  }
  for (std::size_t p = 0; p < shape.ports; ++p) {
    std::vector<PortRef> ports;
    for (std::size_t n = 0; n < shape.nodes; ++n) ports.push_back({n, p});
    join(ports, "switch");
  }
  return rig;
}

// A part that carries only so much of what it should.
struct SlowPart {
  judge::Suspect::Part part;
  judge::Suspect::Way way;
  HalfRef at = {0, 0, 0}, peer = {0, 0, 0};
  double carries = 0.9;
};

// What a run of one figure has: few values.
inline std::vector<judge::PathRate> only(judge::Place::Kind kind, std::vector<judge::PathRate> rates) {
  std::erase_if(rates, [&](const judge::PathRate& rate) { return rate.place.kind != kind; });
  return rates;
}

class SimulatedRates {
 public:
  using Part = judge::Suspect::Part;
  using Way = judge::Suspect::Way;
  using Kind = judge::Place::Kind;

  SimulatedRates(const Shape& shape, unsigned seed)
      : shape_(shape), rig_(simulated_rig(shape)), random_(seed) {
    meet();
  }

  [[nodiscard]] const Rig& rig() const { return rig_; }

  // Of two figures for each half (as TCP and RDMA are), one for each port and one for each pair, both ways; a limit at
  // this part of the rate is missed below it.
  std::vector<judge::PathRate> rates(double noise, const std::vector<SlowPart>& slow, double limit = 0.95) {
    return rates_with([&] { return noise * normal_(random_); }, slow, limit);
  }

  // Of a sound rig whose rates have a most and rare large disturbances.
  std::vector<judge::PathRate> long_tailed_rates(double noise, double limit = 0.95) {
    std::exponential_distribution<double> tail;
    return rates_with([&] { return noise * (1 - tail(random_)); }, {}, limit);
  }

 private:
  std::vector<judge::PathRate> rates_with(const std::function<double()>& noise,
                                          const std::vector<SlowPart>& slow, double limit) {
    std::vector<judge::PathRate> rates;
    const auto add = [&](judge::Place place, std::size_t figure, double truth) {
      const double rate = truth * (1 + noise());
      rates.push_back({place, figure, rate / limit, rate < limit});
    };
    for (const auto& [a, b] : pairs_) {
      double worst = 1;
      for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
        std::vector<std::pair<HalfRef, HalfRef>> paths = paths_between(from, to);
        for (std::size_t first = 0; first < paths.size(); first += shape_.halves) {
          double sum = 0;
          for (std::size_t h = first; h < first + shape_.halves; ++h) {
            const double truth = truth_of(paths[h].first, paths[h].second, slow);
            sum += truth;
            worst = std::min(worst, truth);
            for (const std::size_t figure : {0U, 1U})
              add({Kind::kRailPath, false, paths[h].first, paths[h].second}, figure, truth);
          }
          add({Kind::kLinkPath, false, paths[first].first, paths[first].second}, 2,
              sum / static_cast<double>(shape_.halves));
        }
      }
      add({Kind::kNodePath, true, {a, 0, 0}, {b, 0, 0}}, 3, worst);
    }
    return rates;
  }

  void meet() {
    const std::size_t n = shape_.nodes;
    if (shape_.ring) {
      for (std::size_t i = 0; i + 1 < n; ++i) pairs_.emplace_back(i, i + 1);
      if (n > 2) pairs_.emplace_back(0, n - 1);
      return;
    }
    // The circle method: disjoint pairs in each round.
    std::vector<std::size_t> rounds(n - 1 + n % 2);
    for (std::size_t r = 0; r < rounds.size(); ++r) rounds[r] = r;
    if (shape_.rounds > 0) {
      std::ranges::shuffle(rounds, random_);
      rounds.resize(std::min(rounds.size(), shape_.rounds));
    }
    const std::size_t even = n + n % 2;
    for (const std::size_t round : rounds)
      for (std::size_t i = 0; i < even / 2; ++i) {
        const std::size_t a = i == 0 ? even - 1 : (round + i) % (even - 1);
        const std::size_t b = (round + even - 1 - i) % (even - 1);
        if (a < n && b < n) pairs_.emplace_back(std::min(a, b), std::max(a, b));
      }
  }

  // Of each rail, the halves of one port side by side.
  [[nodiscard]] std::vector<std::pair<HalfRef, HalfRef>> paths_between(std::size_t from,
                                                                       std::size_t to) const {
    std::vector<std::pair<HalfRef, HalfRef>> paths;
    for (const Rail& rail : rig_.rails) {
      const auto first = std::ranges::find(rail.halves, from, &HalfRef::node);
      const auto second = std::ranges::find(rail.halves, to, &HalfRef::node);
      if (first != rail.halves.end() && second != rail.halves.end()) paths.emplace_back(*first, *second);
    }
    return paths;
  }

  static double truth_of(HalfRef from, HalfRef to, const std::vector<SlowPart>& slow) {
    double truth = 1;
    for (const SlowPart& part : slow) {
      const auto is = [&](HalfRef end, HalfRef of) {
        if (end.node != of.node) return false;
        if (part.part == Part::kNode || part.part == Part::kPair) return true;
        if (end.port != of.port) return false;
        return part.part == Part::kPort || part.part == Part::kCable || end.half == of.half;
      };
      const bool has_peer = part.part < Part::kNode;
      const bool forth =
          has_peer ? is(from, part.at) && is(to, part.peer) : part.way != Way::kReceives && is(from, part.at);
      const bool back = has_peer ? part.way == Way::kBoth && is(from, part.peer) && is(to, part.at)
                                 : part.way != Way::kSends && is(to, part.at);
      if (forth || back) truth = std::min(truth, part.carries);
    }
    return truth;
  }

  Shape shape_;
  Rig rig_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

// Whether the suspects are these parts and no others.
inline bool are_named(const Rig& rig, const judge::Blame& blame, const std::vector<SlowPart>& slow) {
  using Part = judge::Suspect::Part;
  const auto is = [&](const judge::Suspect& suspect, const SlowPart& part) {
    if (suspect.part != part.part || suspect.way != part.way) return false;
    if (suspect.node != rig.node(part.at.node).name) return false;
    if (part.part < Part::kNode && suspect.peer != rig.node(part.peer.node).name) return false;
    if (part.part == Part::kPort || part.part == Part::kCable) return suspect.port == rig.port(part.at).name;
    if (part.part == Part::kHalf || part.part == Part::kPath)
      return suspect.netdev == rig.half(part.at).netdev;
    return true;
  };
  if (blame.suspects.size() != slow.size()) return false;
  return std::ranges::all_of(slow, [&](const SlowPart& part) {
    return std::ranges::any_of(blame.suspects,
                               [&](const judge::Suspect& suspect) { return is(suspect, part); });
  });
}

}  // namespace rigproof
