#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

namespace rigproof::inline rig {

// Two nodes, by their places in the rig; the earlier first.
struct NodePair {
  std::uint32_t first, second;
  auto operator<=>(const NodePair&) const = default;
};
using Meet = std::function<bool(NodePair)>;

// The pairs that `meet`, in rounds in which no node is twice, by the circle method: where all meet, one round less than
// there are nodes, as many for an odd number. Rounds without a pair are left out.
[[nodiscard]] std::vector<std::vector<NodePair>> rounds_of(std::uint32_t nodes, const Meet& meet);

// Which pairs of a rig meet where all of them are too many: those of so many rounds, so that each node meets at most
// `rounds` others, one fewer where the number of nodes is odd and it pauses. The same for a seed, everywhere.
struct RoundsAsked {
  int rounds = 0;  // 0: all pairs meet
  std::uint32_t seed = 0;
};
[[nodiscard]] std::set<NodePair> sampled_pairs(std::uint32_t nodes, const Meet& meet,
                                               const RoundsAsked& asked);

}  // namespace rigproof::inline rig
