#include "framework/rig/rig.h"

#include <gmock/gmock.h>

#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

using testing::ElementsAre;

Rig spark_pair() { return load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml"); }

TEST(RigFile, TwoSparksAreReadAsWritten) {
  const Rig rig = spark_pair();
  EXPECT_EQ(rig.name, "dgx-spark-pair");
  EXPECT_EQ(rig.kind, "hardware");
  EXPECT_EQ(rig.stand_in, std::nullopt);
  EXPECT_EQ(rig.nodes.size(), 2U);
  EXPECT_EQ(rig.links.size(), 2U);
  EXPECT_EQ(rig.rails.size(), 4U);
  EXPECT_EQ(rig.node(1).address, "spark-b");
  EXPECT_EQ(rig.node(1).management, "enP7s7");
}

TEST(RigFile, AHalfIsReadAsWritten) {
  const Rig rig = spark_pair();
  const Half& half = rig.half({1, 0, 1});
  EXPECT_EQ(half.netdev, "enP2p1s0f0np0");
  EXPECT_EQ(half.rdma, "roceP2p1s0f0");
  EXPECT_EQ(half.address, "198.18.2.2");
  EXPECT_EQ(half.prefix_length, 24);
  EXPECT_EQ(half.rate, DataRate::gigabits_per_second(100));
  EXPECT_EQ(half.mtu, DataSize::bytes(9000));
  EXPECT_EQ(half.mac, std::nullopt);
}

TEST(RigFile, EthtoolCountersHaveTheUsualNamesUnlessTheFileSaysOtherwise) {
  const Rig rig =
      rig_of(replaced(star_text(2), "\"ethtool\", ", "\"ethtool\", tx_bytes = \"tx_queue_0_bytes\", "));
  EXPECT_EQ(rig.port(PortRef{0, 0}).counters->tx_bytes, "tx_queue_0_bytes");
  EXPECT_EQ(rig.port(PortRef{0, 0}).counters->rx_bytes, "rx_bytes_phy");
  EXPECT_EQ(rig.port(PortRef{0, 1}).counters->tx_bytes, "tx_bytes_phy");
}

TEST(RigFile, NetlinkCountersAreReadInTheirNamespace) {
  const Rig rig = rig_of(replaced(star_text(2), R"("ethtool", device = "enp1s0f0np0")",
                                  R"("netlink", device = "a-port0", namespace = "fabric")"));
  const CounterSource counters = rig.port(PortRef{0, 0}).counters.value();
  EXPECT_EQ(counters.kind, CounterSource::Kind::kNetlink);
  EXPECT_EQ(counters.device, "a-port0");
  EXPECT_EQ(counters.name_space, "fabric");
}

TEST(RigFile, MacsAreKeptInLowerCase) {
  const Rig rig = rig_of(replaced(star_text(2), "02:00:00:01:00:01", "4C:BB:47:83:75:FD"));
  EXPECT_EQ(rig.half({0, 0, 0}).mac, "4c:bb:47:83:75:fd");
}

TEST(RigFile, HalvesMayAddUpToLessThanTheirPort) {
  EXPECT_NO_THROW((void)rig_of(replaced(star_text(2), "rate = \"100 Gbit/s\"", "rate = \"50 Gbit/s\"")));
}

TEST(RigFile, APointToPointNetHasNoBroadcastAddress) {
  const std::string text = replaced(star_text(2), "10.1.0.1/16", "10.1.0.2/31");
  EXPECT_NO_THROW((void)rig_of(replaced(text, "10.1.0.2/16", "10.1.0.3/31")));
}

TEST(RigFile, AnIpv6AddressIsKeptInItsCanonicalText) {
  const std::string text = over_ipv6(star_text(2));
  const Rig rig = rig_of(replaced(text, "fd93:10:1::10:1/64", "FD93:10:1:0::0010:01/64"));
  EXPECT_EQ(rig.half({0, 0, 0}).address, "fd93:10:1::10:1");
  EXPECT_EQ(rig.half({0, 0, 0}).prefix_length, 64);
  EXPECT_FALSE(rig.rails[0].routed);
}

// Catches: one address of two halves, spelt in two ways.
TEST(RigFile, AnIpv6AddressIsGivenOnce) {
  const std::string text = over_ipv6(star_text(2));
  EXPECT_THROW((void)rig_of(replaced(text, "fd93:10:2::10:1/64", "fd93:10:1:0::10:1/64")), toml::InputError);
}

// Catches: a rig file of which Open MPI and NCCL could use a half of the rails.
TEST(RigFile, RailsOfJobsAreOfOneFamily) {
  const std::string text = star_text(2), ipv6 = over_ipv6(text);
  const auto second_rail = [](std::string of) {
    for (const char* host : {"1", "2"})
      of = replaced(of, fmt::format("10.2.0.{}/16", host), fmt::format("fd93::{}/64", host));
    return of;
  };
  EXPECT_THROW((void)rig_of(second_rail(text)), toml::InputError);
  EXPECT_NO_THROW((void)rig_of(ipv6));
}

TEST(RigFile, AnMtuBelowThatOfIpv6IsRefused) {
  const std::string text = replaced_everywhere(star_text(2), "9000 B", "1279 B");
  EXPECT_NO_THROW((void)rig_of(text));
  EXPECT_THROW((void)rig_of(over_ipv6(text)), toml::InputError);
  EXPECT_NO_THROW((void)rig_of(over_ipv6(replaced_everywhere(text, "1279 B", "1280 B"))));
}

TEST(RigFile, ARailHasItsOwnClassOfServiceOrTheRigs) {
  const std::string text =
      replaced(star_text(2), "name = \"rail0\"", "name = \"rail0\"\ntraffic_class = 104");
  EXPECT_EQ(rig_of(text).rails[1].service, std::nullopt);
  const Rig rig = rig_of(replaced(text, "kind = ", "traffic_class = 106\nservice_level = 3\nkind = "));
  EXPECT_EQ(rig.rails[0].service, (ServiceClass{.traffic_class = 104, .service_level = 0}));
  EXPECT_EQ(rig.rails[1].service, (ServiceClass{.traffic_class = 106, .service_level = 3}));
  EXPECT_EQ(restricted(rig, {0, 1}).rails[1].service, rig.rails[1].service) << "a job's part of the rig";
}

TEST(RigFile, AStandInIsKept) {
  const Rig rig = rig_of(replaced(star_text(2), "kind = ", "stand_in = \"a stand-in switch\"\nkind = "));
  EXPECT_EQ(rig.stand_in, "a stand-in switch");
}

TEST(RigFile, MembersStandInNodeOrderHoweverTheyAreWritten) {
  const Rig rig = rig_of(replaced(star_text(2), R"(["node-a:enp1s0f0np0", "node-b:enp1s0f0np0"])",
                                  R"(["node-b:enp1s0f0np0", "node-a:enp1s0f0np0"])"));
  EXPECT_THAT(rig.rails[0].halves, ElementsAre(HalfRef{0, 0, 0}, HalfRef{1, 0, 0}));
}

TEST(RigFile, ThreeNodesMayFormARingWithoutASwitch) {
  const Rig rig = rig_of(ring_text());
  EXPECT_EQ(rig.links.size(), 3U);
  EXPECT_EQ(rig.rails.size(), 6U);
  EXPECT_EQ(rig.links[2].through, std::nullopt);
  EXPECT_THAT(rig.links[2].ports, ElementsAre(PortRef{0, 0}, PortRef{2, 1}));
}

TEST(RigFile, EightNodesMayFormAStar) {
  const Rig rig = rig_of(star_text(8));
  EXPECT_EQ(rig.links[0].ports.size(), 8U);
  EXPECT_EQ(rig.rails[3].halves.size(), 8U);
}

TEST(RigFile, HundredsOfNodesAreAccepted) {
  for (const int nodes : {256, 257, 300})
    EXPECT_EQ(rig_of(star_text(nodes)).nodes.size(), static_cast<std::size_t>(nodes));
}

TEST(Rig, FindsItsPartsByName) {
  const Rig rig = spark_pair();
  EXPECT_EQ(rig.find_node("node-b"), 1U);
  EXPECT_EQ(rig.find_node("node-c"), std::nullopt);
  EXPECT_EQ(rig.find_port(1, "port1"), (PortRef{1, 1}));
  EXPECT_EQ(rig.find_half(1, "enP2p1s0f1np1"), (HalfRef{1, 1, 1}));
  EXPECT_EQ(rig.find_half(1, "eth0"), std::nullopt);
}

TEST(Rig, KnowsTheHalvesLinkAndRailOfAPart) {
  const Rig rig = spark_pair();
  EXPECT_EQ(rig.halves_of(0).size(), 4U);
  EXPECT_THAT(rig.halves_of(PortRef{1, 1}), ElementsAre(HalfRef{1, 1, 0}, HalfRef{1, 1, 1}));
  EXPECT_EQ(rig.link_of({1, 1}).name, "link1");
  EXPECT_EQ(rig.rail_of({1, 1, 1}).name, "rail3");
}

TEST(Rig, LabelsNameTheNode) {
  const Rig rig = spark_pair();
  EXPECT_EQ(rig.label(PortRef{0, 1}), "node-a:port1");
  EXPECT_EQ(rig.label(HalfRef{1, 0, 1}), "node-b:enP2p1s0f0np0");
}

}  // namespace
}  // namespace rigproof
