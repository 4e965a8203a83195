#include "framework/supervisor/reachability.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/rig/rig_text.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// Names under .invalid resolve nowhere.
const Rig kThree = rig_of({node("a", "a.invalid"), node("b", "b.invalid"), node("c", "c.invalid")});

TEST(SilentNodes, AreThoseOnWhichNothingRuns) {
  const Scratch scratch;
  const auto agent =
      scratch.script("agent", "[ $1 != b.invalid ] || { echo banner; echo 'no route to b' >&2; exit 255; }");
  EXPECT_THAT(supervisor::unreachable_nodes(kThree, {0, 1, 2}, {agent}, seconds(20)),
              ElementsAre(Pair(1, "no route to b")));
}
TEST(SilentNodes, AreThoseThatHang) {
  const Scratch scratch;
  const auto agent = scratch.script("agent", "exec sleep 60");
  EXPECT_THAT(supervisor::unreachable_nodes(kThree, {0, 1, 2}, {agent}, milliseconds(50)),
              ElementsAre(Pair(0, ""), Pair(1, ""), Pair(2, "")));
}
TEST(SilentNodes, AreAllWithoutAnAgent) {
  EXPECT_EQ(supervisor::unreachable_nodes(kThree, {0, 1, 2}, {"no-such-agent"}, seconds(20)).size(), 3);
}
TEST(SilentNodes, ThisHostIsThereWithoutAsking) {
  const Rig here = rig_of({node("a", "localhost"), node("b", "127.0.0.1")});
  EXPECT_THAT(supervisor::unreachable_nodes(here, {0, 1}, {"false"}, seconds(20)), IsEmpty());
}

TEST(RemoteAgent, IsMpirunsOwn) {
  setenv("OMPI_MCA_plm_rsh_agent", "/run/agent -q", 1);
  EXPECT_THAT(supervisor::remote_agent(), ElementsAre("/run/agent", "-q"));
  unsetenv("OMPI_MCA_plm_rsh_agent");
  EXPECT_EQ(supervisor::remote_agent().front(), "ssh");
}
TEST(NameNodes, TellsAddressesThatDiffer) {
  const Rig rig = rig_of({node("node-a", "10.0.0.1"), node("b", "b")});
  EXPECT_EQ(supervisor::name_nodes(rig, {0, 1}), "node-a (10.0.0.1), b");
}

// Ranks may come from the addresses that a name has here, and from every half of a node.
TEST(AddressesOfNodes, AreThoseOfTheirNamesAndOfTheirHalves) {
  Rig rig = rig_of({node("a", "localhost"), node("b", "192.0.2.7"), node("c", "c.invalid")});
  const Rig star = read_rig(toml::Document::parse(star_text(2), "rig.toml"));
  rig.nodes[2].ports = {star.node(0).ports.at(0)};
  std::vector<std::string> all{"127.0.0.1", "192.0.2.7"};
  for (const Half& half : rig.nodes[2].ports[0].halves) all.push_back(half.address);
  EXPECT_EQ(supervisor::addresses_of_nodes(rig), all);
  EXPECT_GT(all.size(), 2U);
}

TEST(CommonSubnet, IsTheSmallestThatHoldsAllAddresses) {
  EXPECT_EQ(
      supervisor::common_subnet({"10.0.0.2", "10.0.0.3"}, {"172.17.0.1/16", "10.0.0.1/8", "10.0.0.1/24"}),
      "10.0.0.0/24");
}
TEST(CommonSubnet, IsNoneOfNodesThatOneSubnetDoesNotHold) {
  EXPECT_EQ(supervisor::common_subnet({"198.18.1.2", "198.18.2.3"}, {"198.18.1.1/24", "198.18.2.1/24"}), "");
  EXPECT_EQ(supervisor::common_subnet({}, {"198.18.1.1/24"}), "");
}
TEST(NetworksOfNodes, AreNoneWhereAllNodesAreThisHost) {
  EXPECT_EQ(supervisor::networks_of_nodes(rig_of({node("a", "localhost"), node("b", "127.0.0.1")})), "");
}

}  // namespace
}  // namespace rigproof
