#include "fixtures/emulated_rigs/model_rig/layout.h"

#include <gmock/gmock.h>

#include <set>

#include "framework/rig/rig.h"

namespace rigproof::model_rig {
namespace {

using testing::HasSubstr;
using testing::Not;

Rig rig_of(const ModelRigSpec& spec) { return read_rig(toml::Document::parse(rig_text(spec), "rig.toml")); }

TEST(Layout, HalvesAreNamedAsOnTheRealNode) {
  EXPECT_EQ(half_netdev(0, 0), "enp1s0f0np0");
  EXPECT_EQ(half_netdev(0, 1), "enP2p1s0f0np0");
  EXPECT_EQ(half_netdev(1, 0), "enp1s0f1np1");
  EXPECT_EQ(half_netdev(1, 1), "enP2p1s0f1np1");
}

TEST(Layout, EachRailIsASubnetAndEachNodeAHostInIt) {
  EXPECT_EQ(half_address({}, 0, 0, 0), "198.18.1.1");
  EXPECT_EQ(half_address({}, 1, 1, 1), "198.18.4.2");
  EXPECT_EQ(management_address(7), "198.18.0.8");
}

TEST(Layout, EveryHalfHasAMacOfItsOwnInTheLocallyAdministeredRange) {
  std::set<std::string> macs;
  for (int node = 0; node < ModelRigSpec::kMaxNodes; ++node) {
    for (int half = 0; half < kPorts * kHalves; ++half) {
      macs.insert(half_mac(node, half / kHalves, half % kHalves));
      EXPECT_TRUE(half_mac(node, half / kHalves, half % kHalves).starts_with("02:"));
    }
  }
  EXPECT_EQ(macs.size(), 32u);
}

TEST(RigText, DescribesEveryNodePortAndHalf) {
  const Rig rig = rig_of({.nodes = 2});
  ASSERT_EQ(rig.nodes.size(), 2u);
  EXPECT_EQ(rig.kind, "model");
  EXPECT_EQ(rig.label(HalfRef{1, 1, 1}), "node-b:enP2p1s0f1np1");
  EXPECT_EQ(rig.half(HalfRef{1, 1, 1}).mac, half_mac(1, 1, 1));
  EXPECT_EQ(rig.half(HalfRef{1, 1, 1}).rate, DataRate::gigabits_per_second(1));
  EXPECT_EQ(rig.port(PortRef{0, 1}).rate, DataRate::gigabits_per_second(2));
}

TEST(RigText, CountersAreThoseOfTheNicPortInTheFabric) {
  const CounterSource counters = rig_of({}).port(PortRef{1, 0}).counters.value();
  EXPECT_EQ(counters.kind, CounterSource::Kind::kNetlink);
  EXPECT_EQ(counters.device, "b-port0");
  EXPECT_EQ(counters.name_space, "fabric");
}

TEST(RigText, AStarOfEightNodesPutsEveryNodeOnEveryRail) {
  const Rig rig = rig_of({.nodes = 8});
  EXPECT_EQ(rig.links.size(), 2u);
  ASSERT_EQ(rig.rails.size(), 4u);
  for (const Rail& rail : rig.rails) EXPECT_EQ(rail.halves.size(), 8u);
}

using Topology = ModelRigSpec::Topology;

TEST(RigText, APairHasTwoCablesAndNoSwitch) {
  const Rig rig = rig_of({.topology = Topology::kPair});
  ASSERT_EQ(rig.links.size(), 2u);
  for (const Link& link : rig.links) EXPECT_FALSE(link.through);
  EXPECT_EQ(rig.rails.size(), 4u);
}

TEST(RigText, TwoSwitchesKeepTheRailsApart) {
  const Rig rig = rig_of({.nodes = 3, .topology = Topology::kTwoSwitches});
  ASSERT_EQ(rig.links.size(), 2u);
  EXPECT_EQ(rig.links[0].through, "switch0");
  EXPECT_EQ(rig.links[1].through, "switch1");
  EXPECT_EQ(rig.links[0].ports.size(), 3u);
}

TEST(RigText, ARingHasACableToEachNeighbourAndSubnetsOfItsOwnOnEach) {
  const Rig rig = rig_of({.nodes = 4, .topology = Topology::kRing});
  ASSERT_EQ(rig.links.size(), 4u);
  EXPECT_EQ(rig.rails.size(), 8u);
  EXPECT_EQ(rig.label(rig.links[0].ports[0]), "node-a:port1");
  EXPECT_EQ(rig.label(rig.links[0].ports[1]), "node-b:port0");
  EXPECT_EQ(rig.label(rig.links[3].ports[0]), "node-a:port0");  // in node order
  EXPECT_EQ(rig.label(rig.links[3].ports[1]), "node-d:port1");
  EXPECT_FALSE(rig.forwarding);
  EXPECT_TRUE(rig_of({.nodes = 4, .topology = Topology::kRing, .forwarding = true}).forwarding);
}

TEST(RigText, HasIpv6RailsWhereAskedFor) {
  const Rig rig = rig_of({.ipv6 = true});
  EXPECT_EQ(rig.half(HalfRef{1, 0, 1}).address, "fd93:198:18:2::2");
  EXPECT_EQ(rig.half(HalfRef{1, 0, 1}).prefix_length, 64);
  EXPECT_THAT(rig_text({.ipv6 = true}), HasSubstr("IPv6 rails"));
  EXPECT_THAT(node_batch({.ipv6 = true}, 0), HasSubstr("addr add fd93:198:18:1::1/64 dev enp1s0f0np0 nodad"));
  const ModelRigSpec ring{.nodes = 4, .topology = Topology::kRing, .forwarding = true, .ipv6 = true};
  EXPECT_THAT(node_batch(ring, 0), HasSubstr("route add fd93:198:18:3::/64 via fd93:198:18:1::2"));
}

// Pairs measure at the same time on the same CPUs: together they carry no more than two nodes do at 1:100.
TEST(RigText, IsScaledDownAsNodesAreAdded) {
  for (const auto& [nodes, mbits] : {std::pair{2, 1000.0}, {3, 500.0}, {4, 333.0}, {6, 250.0}, {8, 250.0}}) {
    const Rig rig = rig_of({.nodes = nodes});
    EXPECT_EQ(rig.half(HalfRef{0, 0, 0}).rate, DataRate::megabits_per_second(mbits)) << nodes;
    EXPECT_EQ(rig.port(PortRef{0, 0}).rate, DataRate::megabits_per_second(2 * mbits)) << nodes;
  }
  EXPECT_THAT(rig_text({.nodes = 4}), HasSubstr("4 nodes, star, 1:300 (a half 333 Mbit/s)"));
}

TEST(RigText, SaysWhenTheModelIsNotShaped) {
  EXPECT_THAT(rig_text({.shaped = false}), HasSubstr("Not shaped"));
  EXPECT_THAT(rig_text({.shaped = true}), Not(HasSubstr("Not shaped")));
}

}  // namespace
}  // namespace rigproof::model_rig
