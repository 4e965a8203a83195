// A suspect is one line that says which part, how slow, and who confirms it. Catches: a side that is left out, a pair
// that reads like a node, a line that claims more than two nodes can show.
#include "reports/text/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rigproof {
namespace {

using judge::Suspect;
using text::suspect_text;
using Part = Suspect::Part;
using Way = Suspect::Way;

Suspect suspect(Part part, Way way) {
  Suspect one{.part = part, .way = way};
  one.node = "node-c";
  one.port = "port1";
  one.netdev = "eth2";
  one.rail = "rail2";
  one.peer = "node-d";
  one.peer_port = "port0";
  one.link = "cable2";
  one.share = 0.6;
  one.missed = 4;
  one.confirmed_with = {"node-a", "node-b"};
  return one;
}

TEST(SuspectText, NamesASide) {
  EXPECT_EQ(suspect_text(suspect(Part::kNode, Way::kSends)),
            "node-c, sending side: 60 % of its peers'; confirmed with node-a and node-b");
  EXPECT_EQ(suspect_text(suspect(Part::kHalf, Way::kReceives)),
            "node-c eth2 (rail2), receiving side: 60 % of its peers'; confirmed with node-a and node-b");
}

TEST(SuspectText, NamesThePortOfTheSwitch) {
  Suspect port = suspect(Part::kPort, Way::kBoth);
  port.through = "crs804";
  port.interface = "qsfp56-dd-1-1";
  EXPECT_EQ(suspect_text(port),
            "node-c port1 with its cable and qsfp56-dd-1-1 of crs804, both directions: 60 % of its peers'; "
            "confirmed "
            "with node-a and node-b");
}

TEST(SuspectText, NamesWhatIsBetweenTwoNodes) {
  EXPECT_EQ(suspect_text(suspect(Part::kPair, Way::kBoth)),
            "node-c and node-d: 60 % of its peers'; both are sound with node-a and node-b");
  EXPECT_EQ(
      suspect_text(suspect(Part::kPath, Way::kSends)),
      "node-c to node-d on rail2, in this direction only: 60 % of its peers'; both are sound with node-a and "
      "node-b");
}

// A void attempt misses its limit and fails no case.
TEST(SuspectText, OfASlowPartThatFailedNoCaseClaimsNoMore) {
  Suspect one = suspect(Part::kNode, Way::kSends);
  one.missed = 0;
  EXPECT_EQ(
      suspect_text(one),
      "node-c, sending side: 60 % of its peers', no case failed for it; confirmed with node-a and node-b");
}

TEST(SuspectText, SaysWhatCantBeToldApart) {
  Suspect cable = suspect(Part::kCable, Way::kBoth);
  cable.separable = false;
  cable.confirmed_with.clear();
  EXPECT_EQ(suspect_text(cable),
            "cable2 (node-c port1 to node-d port0): 60 % of its peers'; not separable: the cable or a port "
            "at either "
            "end");
}

TEST(SuspectText, OfTwoNodesClaimsNoMoreThanTheMiss) {
  Suspect pair = suspect(Part::kPair, Way::kBoth);
  pair.alone = true;
  pair.separable = false;
  EXPECT_EQ(
      suspect_text(pair),
      "node-c and node-d: 60 % of the required rate; not separable: with two nodes it can be either node or "
      "the path between them");
}

TEST(SuspectText, OneWitnessConfirmsNothing) {
  Suspect node = suspect(Part::kNode, Way::kSends);
  node.confirmed_with = {"node-a"};
  EXPECT_THAT(suspect_text(node), testing::EndsWith("; seen with node-a only: not confirmed"));
  node.confirmed_with = {};
  EXPECT_THAT(suspect_text(node), testing::HasSubstr("not confirmed"));
}

TEST(SuspectLines, TellWhatNoPartExplains) {
  judge::Blame blame;
  EXPECT_TRUE(text::suspect_lines(blame).empty());
  blame.missed = 12;
  blame.unexplained = 3;
  ASSERT_EQ(text::suspect_lines(blame).size(), 1U);
  EXPECT_THAT(text::suspect_lines(blame)[0], testing::StartsWith("not separable: 3 of 12 missed rates"));
}

}  // namespace
}  // namespace rigproof
