#include "framework/judge/blame.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "framework/stats/slow_sets.h"

namespace rigproof::judge {
namespace {

using Kind = Place::Kind;
using Part = Suspect::Part;
using Way = Suspect::Way;

// Smallest reported slow-down. kLeastUnmissed: for a part that missed fewer than half of its limits.
constexpr double kLeastMissed = 0.02, kLeastUnmissed = 0.05;
constexpr double kSlowestShare =
    0.2;  // lower clamp, relative to the median: a dead path must not hide the rest
constexpr double kMostAbove = 3, kToDeviation = 1.4826;  // in deviations; median of one side -> deviation
constexpr std::size_t kMostPartners = 64, kMostConfirming = 2;

// A part that can limit a rate. In a pair `at` sends if the way is kSends; else `at` is the earlier node.
struct Element {
  Part part;
  Way way;
  HalfRef at = {0, 0, 0}, peer = {0, 0, 0};
  auto operator<=>(const Element&) const = default;
};

bool has_peer(Part part) { return part == Part::kCable || part == Part::kPair || part == Part::kPath; }

// Lists the parts that can limit the rate of a path.
class Elements {
 public:
  explicit Elements(const Rig& rig) : rig_(rig) {}

  [[nodiscard]] std::vector<Element> of(const Place& place) const {
    std::vector<Element> elements;
    add_pairs(elements, place);
    if (place.both_ways) {
      for (const HalfRef& end : {place.from, place.to})
        for (const Way way : {Way::kBoth, Way::kSends, Way::kReceives})
          add_ends(elements, way, place.kind, end);
    } else {
      for (const Way way : {Way::kBoth, Way::kSends}) add_ends(elements, way, place.kind, place.from);
      for (const Way way : {Way::kBoth, Way::kReceives}) add_ends(elements, way, place.kind, place.to);
    }
    return elements;
  }

 private:
  static HalfRef node_of(HalfRef half) { return {half.node, 0, 0}; }
  static HalfRef port_of(HalfRef half) { return {half.node, half.port, 0}; }

  static void add_ends(std::vector<Element>& elements, Way way, Kind kind, HalfRef end) {
    elements.push_back({Part::kNode, way, node_of(end)});
    if (kind != Kind::kNodePath) elements.push_back({Part::kPort, way, port_of(end)});
    if (kind == Kind::kRailPath) elements.push_back({Part::kHalf, way, end});
  }

  static void add_pair(std::vector<Element>& elements, Part part, HalfRef from, HalfRef to, bool both_ways) {
    elements.push_back({part, Way::kBoth, std::min(from, to), std::max(from, to)});
    elements.push_back({part, Way::kSends, from, to});
    if (both_ways) elements.push_back({part, Way::kSends, to, from});
  }

  void add_pairs(std::vector<Element>& elements, const Place& place) const {
    const auto& [from, to] = std::pair(place.from, place.to);
    add_pair(elements, Part::kPair, node_of(from), node_of(to), place.both_ways);
    if (place.kind == Kind::kNodePath) return;
    if (!rig_.link_of({from.node, from.port}).through)
      add_pair(elements, Part::kCable, port_of(from), port_of(to), place.both_ways);
    if (place.kind == Kind::kRailPath) add_pair(elements, Part::kPath, from, to, place.both_ways);
  }

  const Rig& rig_;
};

// True if the path leads through the element in the element's direction.
bool is_on(const Element& element, const Place& place) {
  const auto same_end = [&](HalfRef end, HalfRef of) {
    if (end.node != of.node) return false;
    const bool whole_node = element.part == Part::kNode || element.part == Part::kPair;
    if (whole_node || place.kind == Kind::kNodePath) return true;
    if (end.port != of.port) return false;
    const bool half = element.part == Part::kHalf || element.part == Part::kPath;
    return !half || place.kind != Kind::kRailPath || end.half == of.half;
  };
  const auto goes = [&](HalfRef from, HalfRef to) {
    if (has_peer(element.part))
      return (same_end(from, element.at) && same_end(to, element.peer)) ||
             (element.way == Way::kBoth && same_end(from, element.peer) && same_end(to, element.at));
    return (element.way != Way::kReceives && same_end(from, element.at)) ||
           (element.way != Way::kSends && same_end(to, element.at));
  };
  return goes(place.from, place.to) || (place.both_ways && goes(place.to, place.from));
}

// Elements that no rate tells apart: the same rates pass through all of them.
struct Candidate {
  std::vector<Element> same;  // name the first one
};

// Naming order of elements with the same rates: parts between nodes, then a node, then its only port.
int order_of(const Element& element) {
  return static_cast<int>(element.part) * 4 + static_cast<int>(element.way);
}

struct Found {
  Element element;
  bool separable;
  double share = 0;  // relative to its peers' rates
  std::vector<const PathRate*> rates;
};

class LevelSearch {
 public:
  LevelSearch(const Rig& rig, std::vector<const PathRate*> rates)
      : elements_(rig), rates_(std::move(rates)) {}

  struct Result {
    std::vector<Found> suspects = {}, slower_group = {};
  };
  Result run() {
    group();
    make_sets();
    std::vector<Found> found;
    for (const SlowSet& slow : find_slow_sets(values_, sets_, kLeastMissed)) {
      const Candidate& candidate = candidates_[slow.set];
      Found one{candidate.same.front(), is_separable(candidate), 0, {}};
      for (const std::uint32_t i : slow.members) one.rates.push_back(rates_[i]);
      found.push_back(std::move(one));
    }
    add_shares(found);
    return may_be_the_rule(found) ? Result{.slower_group = std::move(found)}
                                  : Result{.suspects = std::move(found)};
  }

 private:
  // True if no limit is missed and a third of the rates or more are slow: then the others may just be fast.
  [[nodiscard]] bool may_be_the_rule(const std::vector<Found>& found) const {
    std::size_t slow = 0;
    for (const Found& one : found) {
      if (std::ranges::any_of(one.rates, &PathRate::missed)) return false;
      slow += one.rates.size();
    }
    return slow * 3 >= rates_.size();
  }

  void add_shares(std::vector<Found>& found) const {
    std::set<const PathRate*> slow;
    for (const Found& one : found) slow.insert(one.rates.begin(), one.rates.end());
    std::map<std::size_t, std::vector<double>> sound;
    for (const PathRate* rate : rates_)
      if (!slow.contains(rate)) sound[rate->figure].push_back(rate->of_limit);
    std::map<std::size_t, double> middles;
    for (const auto& [figure, all] : sound) middles[figure] = evaluate(Statistic::kMedian, all);
    for (Found& one : found) {
      std::vector<double> shares;
      for (const PathRate* rate : one.rates)
        if (const auto middle = middles.find(rate->figure); middle != middles.end() && middle->second > 0)
          shares.push_back(rate->of_limit / middle->second);
      one.share = shares.empty() ? 0 : evaluate(Statistic::kMedian, shares);
    }
  }

  // Divides each rate by the median of its figure.
  void group() {
    std::map<std::size_t, std::vector<double>> figures;
    for (const PathRate* rate : rates_) figures[rate->figure].push_back(rate->of_limit);
    struct Scale {
      std::size_t index;
      double middle, most;
    };
    std::map<std::size_t, Scale> scales;
    for (const auto& [figure, all] : figures) {
      const double middle = std::max(evaluate(Statistic::kMedian, all), 1e-9);
      scales.emplace(figure, Scale{scales.size(), middle, most_of(all, middle)});
    }
    for (const PathRate* rate : rates_) {
      const auto& [index, middle, most] = scales.at(rate->figure);
      values_.push_back({std::max(std::min(rate->of_limit, most) / middle, kSlowestShare), index});
    }
  }

  // Upper clamp for rates. Without the clamp one fast part would make all others look slow.
  static double most_of(const std::vector<double>& rates, double middle) {
    std::vector<double> below;
    for (const double rate : rates)
      if (rate < middle) below.push_back(middle - rate);
    const double deviation = below.empty() ? 0 : kToDeviation * evaluate(Statistic::kMedian, below);
    return std::max(middle, 1.0) + kMostAbove * deviation;
  }

  void make_sets() {
    std::map<Element, std::vector<std::uint32_t>> members;
    for (std::uint32_t i = 0; i < rates_.size(); ++i)
      for (const Element& element : elements_.of(rates_[i]->place)) {
        std::vector<std::uint32_t>& of_element = members[element];
        if (of_element.empty() || of_element.back() != i) of_element.push_back(i);
      }
    std::map<std::vector<std::uint32_t>, std::size_t> index;
    for (const auto& [element, of_element] : members) {
      const auto [known, is_new] = index.emplace(of_element, candidates_.size());
      if (is_new) {
        candidates_.emplace_back();
        sets_.push_back({of_element, order_of(element)});
      }
      candidates_[known->second].same.push_back(element);
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      std::ranges::stable_sort(candidates_[i].same, {}, order_of);
      sets_[i].kind = order_of(candidates_[i].same.front());
    }
  }

  // False if a part at either end explains the same rates.
  static bool is_separable(const Candidate& candidate) {
    const auto is_end = [](const Element& element) { return !has_peer(element.part); };
    return std::ranges::none_of(candidate.same, is_end) || is_end(candidate.same.front());
  }

  Elements elements_;
  std::vector<const PathRate*> rates_;
  std::vector<GroupedValue> values_;
  std::vector<ValueSet> sets_;
  std::vector<Candidate> candidates_;
};

// Lists which nodes are sound with each other, to confirm a suspect.
class Partners {
 public:
  Partners(const std::vector<PathRate>& rates, const std::vector<Found>& found) {
    for (const Found& one : found) {
      slow_.insert(one.rates.begin(), one.rates.end());
      suspects_.insert(one.element.at.node);
      if (has_peer(one.element.part)) suspects_.insert(one.element.peer.node);
    }
    for (const PathRate& rate : rates) {
      const std::size_t a = rate.place.from.node, b = rate.place.to.node;
      bool& sound = sound_.try_emplace({std::min(a, b), std::max(a, b)}, true).first->second;
      if (slow_.contains(&rate) || rate.missed) sound = false;
    }
    for (const auto& [pair, sound] : sound_)
      if (sound) ++sound_pairs_[pair.first], ++sound_pairs_[pair.second];
  }

  // Known-good nodes. For a pair: nodes that are sound with both ends. Otherwise two nodes that are slow with
  // the suspect and sound with each other; if no such two were measured, up to two that are slow with it.
  [[nodiscard]] std::vector<std::size_t> confirming(const Found& found) const {
    return has_peer(found.element.part) ? around(found.element) : slow_with(found);
  }

 private:
  [[nodiscard]] std::optional<bool> is_sound(std::size_t a, std::size_t b) const {
    const auto pair = sound_.find({std::min(a, b), std::max(a, b)});
    return pair == sound_.end() ? std::nullopt : std::optional(pair->second);
  }
  [[nodiscard]] bool is_good(std::size_t node) const {
    return !suspects_.contains(node) && sound_pairs_.contains(node);
  }

  [[nodiscard]] std::vector<std::size_t> around(const Element& pair) const {
    std::vector<std::size_t> nodes;
    for (const auto& [node, count] : sound_pairs_) {
      if (nodes.size() == kMostConfirming) break;
      if (is_good(node) && is_sound(node, pair.at.node) == true && is_sound(node, pair.peer.node) == true)
        nodes.push_back(node);
    }
    return nodes;
  }

  [[nodiscard]] std::vector<std::size_t> slow_with(const Found& found) const {
    std::set<std::size_t> partners;
    for (const PathRate* rate : found.rates) {
      const std::size_t from = rate->place.from.node, to = rate->place.to.node;
      const std::size_t partner = from == found.element.at.node ? to : from;
      if (partners.size() < kMostPartners && is_good(partner)) partners.insert(partner);
    }
    for (const std::size_t a : partners)
      for (const std::size_t b : partners)
        if (a < b && is_sound(a, b) == true) return {a, b};
    std::vector<std::size_t> nodes;
    for (const std::size_t a : partners)
      if (nodes.size() < kMostConfirming && (nodes.empty() || !is_sound(nodes.front(), a)))
        nodes.push_back(a);
    return nodes;
  }

  std::set<const PathRate*> slow_;
  std::set<std::size_t> suspects_;
  std::map<std::pair<std::size_t, std::size_t>, bool> sound_;
  std::map<std::size_t, std::size_t> sound_pairs_;
};

const Switch::Port* port_of_switch(const Rig& rig, PortRef at, const std::optional<std::string>& through) {
  for (const Switch& one : rig.switches) {
    if (through && one.name != *through) continue;
    for (const Switch::Port& port : one.ports)
      if (port.at == at) return &port;
  }
  return nullptr;
}

// Fills in the names of the rig file.
Suspect named(const Rig& rig, const Element& element) {
  Suspect suspect{.part = element.part, .way = element.way};
  const PortRef at{element.at.node, element.at.port}, peer{element.peer.node, element.peer.port};
  suspect.node = rig.node(at.node).name;
  if (has_peer(element.part)) suspect.peer = rig.node(peer.node).name;
  if (element.part == Part::kNode || element.part == Part::kPair) return suspect;
  suspect.port = rig.port(at).name;
  const Link& link = rig.link_of(at);
  suspect.link = link.name;
  suspect.through = link.through.value_or("");
  if (const Switch::Port* port = port_of_switch(rig, at, link.through)) suspect.interface = port->interface;
  if (has_peer(element.part)) suspect.peer_port = rig.port(peer).name;
  if (element.part != Part::kHalf && element.part != Part::kPath) return suspect;
  suspect.netdev = rig.half(element.at).netdev;
  suspect.rail = rig.rail_of(element.at).name;
  return suspect;
}

class Search {
 public:
  Search(const Rig& rig, const std::vector<PathRate>& rates, double least_unmissed)
      : rig_(rig), rates_(rates), least_unmissed_(least_unmissed) {}

  Blame run() {
    search({Kind::kRailPath});
    search({Kind::kLinkPath});
    if (found_.empty()) search({Kind::kRailPath, Kind::kLinkPath});  // too few values of one kind alone
    search({Kind::kNodePath});
    Blame blame{.rates = rates_.size()};
    const Partners partners(rates_, found_);
    std::set<const PathRate*> explained;
    for (const Found& one : found_) blame.suspects.push_back(suspect_of(one, partners, explained));
    std::set<const PathRate*> none;
    for (const Found& one : slower_group_) blame.slower_group.push_back(suspect_of(one, partners, none));
    std::erase_if(blame.suspects, [&](const Suspect& suspect) {
      return suspect.missed * 2 < suspect.rates && suspect.share > 1 - least_unmissed_;
    });
    std::ranges::stable_sort(blame.suspects, [](const Suspect& a, const Suspect& b) {
      return std::pair(a.missed, a.rates) > std::pair(b.missed, b.rates);
    });
    for (const PathRate& rate : rates_) blame.missed += rate.missed ? 1 : 0;
    for (const PathRate& rate : rates_)
      blame.unexplained += rate.missed && !explained.contains(&rate) ? 1 : 0;
    if (blame.suspects.empty() && blame.missed > 0) add_only_pair(blame);
    return blame;
  }

 private:
  [[nodiscard]] bool is_explained(const PathRate& rate) const {
    return std::ranges::any_of(found_, [&](const Found& one) { return is_on(one.element, rate.place); });
  }

  // Ignores rates that a known suspect explains: coarser paths add nothing.
  void search(const std::set<Kind>& kinds) {
    std::vector<const PathRate*> left;
    for (const PathRate& rate : rates_)
      if (kinds.contains(rate.place.kind) && !is_explained(rate)) left.push_back(&rate);
    if (left.empty()) return;
    auto [suspects, slower_group] = LevelSearch(rig_, std::move(left)).run();
    std::ranges::move(suspects, std::back_inserter(found_));
    std::ranges::move(slower_group, std::back_inserter(slower_group_));
  }

  Suspect suspect_of(const Found& one, const Partners& partners, std::set<const PathRate*>& explained) const {
    Suspect suspect = named(rig_, one.element);
    suspect.share = one.share;
    suspect.separable = one.separable;
    suspect.rates = one.rates.size();
    const std::set<const PathRate*> rates(one.rates.begin(), one.rates.end());
    explained.insert(rates.begin(), rates.end());
    for (const PathRate& rate : rates_) {
      const bool own = rates.contains(&rate);
      const bool coarser = rate.missed && !explained.contains(&rate) && is_on(one.element, rate.place);
      if (!own && !coarser) continue;
      explained.insert(&rate);
      suspect.missed += rate.missed ? 1 : 0;
    }
    for (const std::size_t node : partners.confirming(one))
      suspect.confirmed_with.push_back(rig_.node(node).name);
    return suspect;
  }

  // Two nodes that miss limits everywhere: only the pair can be named.
  void add_only_pair(Blame& blame) const {
    std::set<std::size_t> nodes;
    std::set<std::pair<std::size_t, std::size_t>> ways;
    std::vector<double> shares;
    for (const PathRate& rate : rates_) {
      nodes.insert({rate.place.from.node, rate.place.to.node});
      if (!rate.missed) continue;
      ways.emplace(rate.place.from.node, rate.place.to.node);
      if (rate.place.both_ways) ways.emplace(rate.place.to.node, rate.place.from.node);
      shares.push_back(rate.of_limit);
    }
    if (nodes.size() != 2) return;
    const auto [from, to] = *ways.begin();
    Suspect pair =
        named(rig_, {Part::kPair, ways.size() == 1 ? Way::kSends : Way::kBoth, {from, 0, 0}, {to, 0, 0}});
    pair.share = evaluate(Statistic::kMedian, shares);
    pair.rates = pair.missed = shares.size();
    pair.separable = false;
    pair.alone = true;
    blame.suspects.push_back(std::move(pair));
    blame.unexplained = 0;
  }

  const Rig& rig_;
  const std::vector<PathRate>& rates_;
  double least_unmissed_;
  std::vector<Found> found_, slower_group_;
};

}  // namespace

Blame find_suspects(const Rig& rig, const std::vector<PathRate>& rates, double slower) {
  return Search(rig, rates, slower > 0 ? std::min(kLeastUnmissed, slower / 2) : kLeastUnmissed).run();
}

}  // namespace rigproof::judge
