#include "framework/judge/meetings.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

namespace rigproof::judge {
namespace {

using Node = std::uint32_t;

NodePair pair_of(std::size_t one, std::size_t other) {
  const auto [first, second] = std::minmax({static_cast<Node>(one), static_cast<Node>(other)});
  return {first, second};
}

struct Doubts {
  std::set<Node> nodes = {};     // in doubt
  std::set<Node> suspects = {};  // nodes of all suspects
};

bool is_confirmed(const Suspect& suspect) {
  return suspect.separable && !suspect.alone && !suspect.confirmed_with.empty();
}

Doubts doubts_of(const Rig& rig, const std::vector<PathRate>& rates, double slower) {
  Doubts doubts;
  const Blame blame = find_suspects(rig, rates, slower);
  for (const Suspect& suspect : blame.suspects)
    for (const std::string& name : {suspect.node, suspect.peer}) {
      if (name.empty()) continue;
      const auto node = static_cast<Node>(rig.find_node(name).value());
      doubts.suspects.insert(node);
      if (!is_confirmed(suspect)) doubts.nodes.insert(node);
    }
  if (blame.unexplained == 0) return doubts;
  for (const PathRate& rate : rates) {
    const auto from = static_cast<Node>(rate.place.from.node), to = static_cast<Node>(rate.place.to.node);
    if (rate.missed && !doubts.suspects.contains(from) && !doubts.suspects.contains(to))
      doubts.nodes.insert({from, to});
  }
  return doubts;
}

}  // namespace

std::vector<NodePair> pairs_to_meet(const Rig& rig, const std::vector<PathRate>& rates, double slower) {
  const Doubts doubts = doubts_of(rig, rates, slower);
  std::set<NodePair> met;
  std::set<Node> measured, bad = doubts.nodes;
  bad.insert(doubts.suspects.begin(), doubts.suspects.end());
  for (const PathRate& rate : rates) {
    const NodePair pair = pair_of(rate.place.from.node, rate.place.to.node);
    met.insert(pair);
    measured.insert({pair.first, pair.second});
  }
  std::vector<Node> free;  // known-good nodes
  std::ranges::set_difference(measured, bad, std::back_inserter(free));
  std::vector<NodePair> pairs;
  for (const Node node : doubts.nodes) {
    const auto partner =
        std::ranges::find_if(free, [&](Node good) { return !met.contains(pair_of(node, good)); });
    if (partner == free.end()) continue;
    pairs.push_back(pair_of(node, *partner));
    free.erase(partner);
  }
  return pairs;
}

}  // namespace rigproof::judge
