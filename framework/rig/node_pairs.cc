#include "framework/rig/node_pairs.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace rigproof::inline rig {

// One place stands still and all others move on by one each round; of an odd number, one pauses.
std::vector<std::vector<NodePair>> rounds_of(std::uint32_t nodes, const Meet& meet) {
  std::vector<std::vector<NodePair>> rounds;
  const std::uint32_t places = nodes + nodes % 2;
  for (std::uint32_t turn = 0; places > 1 && turn < places - 1; ++turn) {
    std::vector<NodePair> round;
    for (std::uint32_t i = 0; i < places / 2; ++i) {
      const std::uint32_t one = i == 0 ? places - 1 : (turn + i) % (places - 1);
      const std::uint32_t other = (turn + places - 1 - i) % (places - 1);
      const NodePair pair{std::min(one, other), std::max(one, other)};
      if (pair.second < nodes && meet(pair)) round.push_back(pair);
    }
    if (!round.empty()) rounds.push_back(std::move(round));
  }
  return rounds;
}

std::set<NodePair> sampled_pairs(std::uint32_t nodes, const Meet& meet, const RoundsAsked& asked) {
  std::vector<std::uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937 random(asked.seed);  // the same numbers by every library, which its shuffle() is not
  for (std::uint32_t i = nodes; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::uint32_t>(random() % i)]);
  const auto pair_at = [&](NodePair places) {
    const auto [first, second] = std::minmax(order[places.first], order[places.second]);
    return NodePair{first, second};
  };
  const auto all = rounds_of(nodes, [&](NodePair places) { return meet(pair_at(places)); });
  std::set<NodePair> chosen;
  for (std::size_t round = 0; round < all.size() && round < static_cast<std::size_t>(asked.rounds); ++round)
    for (const NodePair places : all[round]) chosen.insert(pair_at(places));
  return chosen;
}

}  // namespace rigproof::inline rig
