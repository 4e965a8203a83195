// Pairs of nodes meet in rounds, and of a rig that has too many of them a few are chosen.
#include "framework/rig/rig.h"

#include <gmock/gmock.h>

#include <map>

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const auto kAll = [](NodePair) { return true; };

const auto kPairsOf = [](std::uint32_t nodes) {
  std::set<NodePair> all;
  for (std::uint32_t a = 0; a < nodes; ++a)
    for (std::uint32_t b = a + 1; b < nodes; ++b) all.insert({a, b});
  return all;
};

// All pairs of so many nodes that `meet`, in rounds.
std::vector<std::vector<NodePair>> all_rounds(std::uint32_t nodes, const Meet& meet = kAll) {
  std::vector<NodePair> pairs;
  for (const NodePair pair : kPairsOf(nodes))
    if (meet(pair)) pairs.push_back(pair);
  return rounds_of(nodes, pairs);
}

TEST(Rounds, AreOneLessThanAnEvenNumberOfNodesAndAsManyAsAnOddOne) {
  for (const std::uint32_t nodes : {2U, 4U, 6U, 8U, 64U}) EXPECT_EQ(all_rounds(nodes).size(), nodes - 1);
  for (const std::uint32_t nodes : {3U, 5U, 7U, 63U}) EXPECT_EQ(all_rounds(nodes).size(), nodes);
}
TEST(Rounds, HaveEachPairOnceAndNoNodeTwiceInOne) {
  for (std::uint32_t nodes = 0; nodes < 20; ++nodes) {
    std::set<NodePair> pairs;
    for (const auto& round : all_rounds(nodes)) {
      std::set<std::uint32_t> busy;
      for (const NodePair pair : round) {
        EXPECT_LT(pair.first, pair.second);
        EXPECT_LT(pair.second, nodes);
        EXPECT_TRUE(pairs.insert(pair).second);
        EXPECT_TRUE(busy.insert(pair.first).second && busy.insert(pair.second).second);
      }
    }
    EXPECT_EQ(pairs.size(), nodes * (nodes - (nodes > 0 ? 1 : 0)) / 2);
  }
}
TEST(Rounds, LeaveOutPairsThatHaveNothingToDo) {
  const auto in_ring_of = [](std::uint32_t nodes) {
    return [nodes](NodePair pair) {
      return pair.second - pair.first == 1 || pair.second - pair.first == nodes - 1;
    };
  };
  EXPECT_EQ(all_rounds(3, in_ring_of(3)).size(), 3);
  EXPECT_EQ(all_rounds(4, in_ring_of(4)).size(), 2);
  EXPECT_THAT(rounds_of(4, {}), IsEmpty());
}

TEST(SampledPairs, AreOfSoManyRoundsAndTheSameForASeed) {
  const auto pairs = sampled_pairs(64, kAll, {15, 17});
  EXPECT_EQ(pairs.size(), 15U * 32);
  std::map<std::uint32_t, int> met;
  for (const NodePair pair : pairs) ++met[pair.first], ++met[pair.second];
  for (const auto& [node, others] : met) EXPECT_EQ(others, 15) << node;
  EXPECT_EQ(pairs, sampled_pairs(64, kAll, {15, 17}));
  EXPECT_NE(pairs, sampled_pairs(64, kAll, {15, 18}));
  EXPECT_EQ(sampled_pairs(64, kAll, {63, 17}), kPairsOf(64));
  EXPECT_EQ(sampled_pairs(64, kAll, {1000, 17}), kPairsOf(64));
}
// Recorded runs are made again by their seeds: another library must not choose other pairs.
TEST(SampledPairs, AreThoseOfEveryBuild) {
  EXPECT_THAT(sampled_pairs(6, kAll, {1, 1}), ElementsAre(NodePair{0, 2}, NodePair{1, 3}, NodePair{4, 5}));
}

}  // namespace
}  // namespace rigproof
