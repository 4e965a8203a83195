// Nodes in doubt meet known-good ones until each is told apart from its partners.
#include "framework/judge/meetings.h"

#include <gmock/gmock.h>

#include "tests/judge/simulated_rig.h"

namespace rigproof::judge {
namespace {

using Part = Suspect::Part;
using Way = Suspect::Way;

// Rates of 16 nodes whose pairs are given, of which some nodes carry less.
class Campaign {
 public:
  explicit Campaign(std::map<std::size_t, double> slow) : slow_(std::move(slow)) {}

  [[nodiscard]] std::vector<PathRate> rates() {
    std::vector<PathRate> rates;
    for (const NodePair pair : pairs_)
      for (const auto& [from, to] : {std::pair(pair.first, pair.second), std::pair(pair.second, pair.first)})
        for (std::size_t half = 0; half < 2; ++half) {
          const double rate = std::min(carries(from), carries(to)) * (1 + 0.005 * normal_(random_));
          rates.push_back({{Place::Kind::kRailPath, false, {from, 0, half}, {to, 0, half}},
                           half,
                           rate / 0.95,
                           rate < 0.95});
        }
    return rates;
  }
  void meet(const std::vector<NodePair>& pairs) { pairs_.insert(pairs_.end(), pairs.begin(), pairs.end()); }
  // One round in which neighbours meet.
  void meet_neighbours() {
    for (std::uint32_t node = 0; node < 16; node += 2) pairs_.push_back({node, node + 1});
  }
  [[nodiscard]] const Rig& rig() const { return rig_; }
  [[nodiscard]] std::set<std::string> named() {
    std::set<std::string> nodes;
    for (const Suspect& suspect : find_suspects(rig_, rates()).suspects)
      nodes.insert(suspect.part == Part::kNode ? suspect.node : suspect.node + " or " + suspect.peer);
    return nodes;
  }

 private:
  [[nodiscard]] double carries(std::size_t node) const {
    const auto found = slow_.find(node);
    return found == slow_.end() ? 1 : found->second;
  }
  std::map<std::size_t, double> slow_;
  Rig rig_ = simulated_rig({.nodes = 16});
  std::vector<NodePair> pairs_;
  std::mt19937 random_{5};
  std::normal_distribution<double> normal_;
};

TEST(Meetings, TellASlowNodeFromItsPartner) {
  Campaign campaign({{6, 0.8}});
  campaign.meet_neighbours();
  EXPECT_THAT(campaign.named(), testing::ElementsAre("node-6 or node-7"));
  const std::vector<NodePair> pairs = pairs_to_meet(campaign.rig(), campaign.rates());
  EXPECT_THAT(pairs, testing::ElementsAre(NodePair{0, 6}, NodePair{1, 7}));
  campaign.meet(pairs);
  EXPECT_THAT(campaign.named(), testing::ElementsAre("node-6"));
  EXPECT_THAT(pairs_to_meet(campaign.rig(), campaign.rates()), testing::IsEmpty());
}
TEST(Meetings, ToldApartAreTwoSlowPartners) {
  Campaign campaign({{6, 0.8}, {7, 0.7}});
  campaign.meet_neighbours();
  for (int round = 0; round < 3; ++round) campaign.meet(pairs_to_meet(campaign.rig(), campaign.rates()));
  EXPECT_THAT(campaign.named(), testing::UnorderedElementsAre("node-6", "node-7"));
}
TEST(Meetings, AreNoneOnASoundRig) {
  Campaign campaign({});
  campaign.meet_neighbours();
  EXPECT_THAT(pairs_to_meet(campaign.rig(), campaign.rates()), testing::IsEmpty());
}
// A node in doubt proves nothing about another one.
TEST(Meetings, AreWithKnownGoodNodesThatWereNotMet) {
  Campaign campaign({{2, 0.8}, {6, 0.8}, {10, 0.8}});
  campaign.meet_neighbours();
  std::set<std::uint32_t> busy;
  for (const NodePair pair : pairs_to_meet(campaign.rig(), campaign.rates())) {
    EXPECT_TRUE(busy.insert(pair.first).second && busy.insert(pair.second).second);
    const std::set<std::uint32_t> doubtful{2, 3, 6, 7, 10, 11};
    EXPECT_EQ(doubtful.contains(pair.first) + doubtful.contains(pair.second), 1);
  }
  EXPECT_EQ(busy.size(), 12U);
}

}  // namespace
}  // namespace rigproof::judge
