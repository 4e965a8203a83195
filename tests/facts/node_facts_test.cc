// The typed reading: what a document holds, what could not be read, and what the node does not have stay apart.
#include "fixtures/facts/node_facts.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "fixtures/facts/run_state.h"
#include "tests/support/private_network.h"

namespace rigproof::facts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

NodeFacts facts_of(const std::string& facts, const std::string& unread = "{}") {
  return NodeFacts(Document::parse(
      R"({"format": 1, "node": "node-a", "host": "a", "taken": "2026-11-21T12:00:00.000Z", "seconds": 0, )"
      R"("facts": )" +
          facts + R"(, "unread": )" + unread + "}",
      "f"));
}

TEST(NodeFacts, OfANetdevAreTyped) {
  const Netdev netdev =
      facts_of(R"({"netdevs": {"eth0": {"mac": "02:00:00:00:00:01", "mtu": 9000, "carrier": 1,
                                     "speed_bits_per_s": 2e11, "fec": ["RS"], "switch_id": "24", "port_name": "p0"}}})")
          .netdev("eth0");
  EXPECT_EQ(netdev.present.value, true);
  EXPECT_EQ(netdev.mtu.value, DataSize::bytes(9000));
  EXPECT_EQ(netdev.speed.value, DataRate::gigabits_per_second(200));
  EXPECT_EQ(netdev.carrier.value, true);
  EXPECT_THAT(*netdev.fec.value, ElementsAre("RS"));
  EXPECT_EQ(netdev.port.value, "24 p0");
}

// A driver without a name for the link's FEC shows an empty list. That is not "Off".
TEST(NodeFacts, TakeNoAnswerAboutFecForNone) {
  const auto fec = [](const std::string& active) {
    return facts_of(R"({"netdevs": {"eth0": {"mac": "x", "fec": )" + active + "}}}").netdev("eth0").fec;
  };
  EXPECT_EQ(fec("[]").value, std::nullopt);
  EXPECT_TRUE(fec("[]").unread);
  EXPECT_THAT(fec("[]").why(), HasSubstr("netdevs/eth0/fec: the driver does not report"));
  EXPECT_THAT(*fec(R"(["Off"])").value, ElementsAre("Off"));
}

// A driver that shows no switch id: one card's functions have one system GUID. GUIDs that are masked or none tell nothing.
TEST(NodeFacts, KnowAPortByTheCardsGuidWhereTheKernelNamesNoSwitch) {
  const auto spark = [](const std::string& guid) {
    return facts_of(
        R"({"netdevs": {"one": {"port_name": "p0"}, "twin": {"port_name": "p0"}, "other": {"port_name": "p1"},
                                    "plain": {"port_name": "p0"}},
                        "rdma": {"r1": {"netdevs": ["one"], "system_guid": ")" +
        guid + R"("},
                                 "r2": {"netdevs": ["twin"], "system_guid": ")" +
        guid + R"("},
                                 "r3": {"netdevs": ["other"], "system_guid": ")" +
        guid + R"("}}})");
  };
  const NodeFacts facts = spark("4cbb:4703:0083:10fd");
  EXPECT_TRUE(facts.netdev("one").port.value.has_value());
  EXPECT_EQ(facts.netdev("one").port.value, facts.netdev("twin").port.value);
  EXPECT_NE(facts.netdev("one").port.value, facts.netdev("other").port.value);
  EXPECT_EQ(facts.netdev("plain").port.value, std::nullopt);
  EXPECT_EQ(spark("0000:0000:0000:0000").netdev("one").port.value, std::nullopt);
}

TEST(NodeFacts, SayWhyOneIsUnreadAndThatOneIsAbsent) {
  const Netdev netdev =
      facts_of(R"({"netdevs": {"eth0": {"mac": "x"}}})", R"({"netdevs/eth0/module": "not permitted"})")
          .netdev("eth0");
  EXPECT_TRUE(netdev.module.vendor.unread);
  EXPECT_EQ(netdev.module.vendor.why(), "node-a: netdevs/eth0/module/vendor: not permitted");
  EXPECT_FALSE(netdev.pfc.unread);
  EXPECT_FALSE(netdev.pfc.value.has_value());
}

// As of a driver without a firmware version: no value that misses a limit, and none that meets it.
TEST(NodeFacts, OfAnEmptyTextHaveNoValue) {
  const Netdev netdev =
      facts_of(R"({"netdevs": {"eth0": {"mac": "x", "firmware": "", "module": {"part_number": ""}}}})")
          .netdev("eth0");
  EXPECT_EQ(netdev.firmware.value, std::nullopt);
  EXPECT_EQ(netdev.module.part_number.value, std::nullopt);
}

// A device that hangs is not one that is gone.
TEST(NodeFacts, TellAnAbsentDeviceFromOneThatWasNotRead) {
  const NodeFacts facts = facts_of(R"({"netdevs": {"eth0": {"mac": "x"}}, "rdma": {}})",
                                   R"({"netdevs/eth1": "no answer", "rdma/mlx5_0": "no answer"})");
  EXPECT_EQ(facts.netdev("eth2").present.value, false);
  EXPECT_EQ(facts.netdev("eth1").present.value, std::nullopt);
  EXPECT_EQ(facts.rdma_device("mlx5_0").present.value, std::nullopt);
  EXPECT_EQ(facts.rdma_device("mlx5_1").present.value, false);
}

TEST(NodeFacts, KnowTheGidOfAnAddress) {
  const RdmaDevice device = facts_of(R"({"rdma": {"mlx5_0": {"ports": {"1": {"gids": {
      "2": {"gid": "0000:0000:0000:0000:0000:ffff:c612:0101", "type": "IB/RoCE v1"},
      "3": {"gid": "0000:0000:0000:0000:0000:ffff:c612:0101", "type": "RoCE v2"}}}}}}})")
                                .rdma_device("mlx5_0");
  EXPECT_FALSE(device.is_roce_v2_gid_of("198.18.1.1", "2"));
  EXPECT_TRUE(device.is_roce_v2_gid_of("198.18.1.1", "3"));
  EXPECT_FALSE(device.is_roce_v2_gid_of("198.18.1.2", "3"));
}

TEST(NodeFacts, TakeNcclsEnvironmentBeforeItsFiles) {
  const auto settings = facts_of(R"({"nccl": {"configuration": {"NCCL_NET": "IB", "NCCL_DEBUG": "INFO"},
                                     "environment": {"NCCL_NET": "Socket"}}})",
                                 R"({"nccl/configuration": "~/.nccl.conf: Permission denied"})")
                            .nccl_settings();
  EXPECT_EQ(settings.value->value("NCCL_DEBUG"), "INFO");
  EXPECT_EQ(settings.value->value("NCCL_NET"), "Socket");
  EXPECT_TRUE(settings.unread);
  EXPECT_THAT(settings.why(), HasSubstr("Permission denied"));
}

// NCCL_IB_TIMEOUT is 18 before 2.23.4 and 20 since.
TEST(NcclSettings, HaveTheDefaultOfTheirVersion) {
  EXPECT_EQ(NcclSettings("2.21.5").value("NCCL_IB_TIMEOUT"), "18");
  EXPECT_EQ(NcclSettings("2.23.4+cuda12.6").value("NCCL_IB_TIMEOUT"), "20");
  EXPECT_EQ(NcclSettings().value("NCCL_IB_TIMEOUT"), "20") << "no version known: the newest";
  EXPECT_EQ(NcclSettings("2.18.1").value("NCCL_IB_MERGE_NICS"), "") << "since 2.20.3";
}
TEST(NcclSettings, ListWhatDiffersFromTheDefaultWithItsOrigin) {
  NcclSettings settings("2.30.7");
  settings.set("NCCL_IB_MERGE_NICS", "1", "the environment");
  settings.set("NCCL_IB_USE_INLINE", "1", "the environment");
  settings.set("NCCL_IB_USE_INLINE", "0", "/etc/nccl.conf");
  settings.set("NCCL_IB_TIMEOUT", "", "the environment");
  settings.set("NCCL_DEBUG", "INFO", "the environment");
  settings.set("NCCL_IB_HCA", "mlx5_0", "/etc/nccl.conf");
  EXPECT_THAT(settings.changed(), ElementsAre(Pair("NCCL_IB_HCA", "mlx5_0 (/etc/nccl.conf)"),
                                              Pair("NCCL_IB_USE_INLINE", "1 (the environment, default 0)")));
}

TEST(NodeFacts, KnowTheSettingsOfANetdevWithADot) {
  Document document("node-a");
  document.put({"sysctls", "net.ipv4.conf.eth0/7.rp_filter"}, "2");
  EXPECT_EQ(NodeFacts(document).sysctl_of("net.ipv4", "eth0.7", "rp_filter").value, "2");
}
TEST(NodeFacts, KnowTheGidOfEitherFamily) {
  EXPECT_EQ(gid_of("198.18.1.1"), "0000:0000:0000:0000:0000:ffff:c612:0101");
  EXPECT_EQ(gid_of("fd93:198:18:1::1"), "fd93:0198:0018:0001:0000:0000:0000:0001");
  EXPECT_EQ(gid_of("fd93"), "");
}
// As of nodes whose facts do not list IPv6 addresses. Catches: a link-local GID that passes for an address.
TEST(NodeFacts, FindIpv6AddressesInTheGids) {
  Document document("node-a");
  const auto put = [&](const char* index, const char* gid) {
    document.put({"rdma", "mlx5_0", "ports", "1", "gids", index, "gid"}, gid);
    document.put({"rdma", "mlx5_0", "ports", "1", "gids", index, "netdev"}, "eth0");
  };
  put("0", "fe80:0000:0000:0000:0690:81ff:fe01:0000");
  put("1", "fd00:0001:0001:0100:0690:81ff:fe01:0000");
  put("2", "0000:0000:0000:0000:0000:ffff:c612:0101");
  EXPECT_THAT(*NodeFacts(document).netdev("eth0").ipv6.value, ElementsAre("fd00:1:1:100:690:81ff:fe01:0/64"));
  EXPECT_FALSE(NodeFacts(document).netdev("eth1").ipv6.value);
  document.put({"netdevs", "eth0", "ipv6"}, std::vector<std::string>{"fd93::1/80"});
  EXPECT_THAT(*NodeFacts(document).netdev("eth0").ipv6.value, ElementsAre("fd93::1/80"));
}
TEST(NodeFacts, OfAnRdmaDeviceTellTheNetdevsThatHaveItsGids) {
  Document document("node-a");
  document.put({"rdma", "mlx5_bond_0", "netdevs"}, std::vector<std::string>{"ens1f0np0"});
  document.put({"rdma", "mlx5_bond_0", "ports", "1", "gids", "3", "netdev"}, "bond0");
  document.put({"rdma", "mlx5_bond_0", "ports", "1", "gids", "4", "netdev"}, "ens2f0np0");
  document.put({"netdevs", "bond0", "kind"}, "bond");
  document.put({"netdevs", "ens2f0np0", "kind"}, "hardware");
  document.put({"rdma", "siw0", "ports", "1", "gids", "0", "netdev"}, "eth0");
  const NodeFacts facts(document);
  EXPECT_EQ(facts.rdma_device("mlx5_bond_0").netdevs.value, (std::vector<std::string>{"ens1f0np0", "bond0"}));
  EXPECT_EQ(facts.rdma_device("siw0").netdevs.value, std::vector<std::string>{"eth0"});
}
TEST(NodeFacts, TakeAnyNumberAsASize) {
  const NodeFacts facts = facts_of(R"({"netdevs": {"eth0": {"mtu": -1}, "eth1": {"mtu": 1e300}}})");
  EXPECT_EQ(facts.netdev("eth0").mtu.value, DataSize::bytes(0));
  EXPECT_EQ(facts.netdev("eth1").mtu.value, DataSize::bytes(1ULL << 53));
}

// A VLAN's own stand at 0 whatever the wire damages.
TEST(NodeFacts, OfAVlanTellTheCountersOfTheCardUnderIt) {
  const auto facts = facts_of(
      R"({"netdevs": {"eth0": {"mac": "02:00:00:00:00:01", "counters": {"rx_crc_errors_phy": 3}},
          "eth0.7": {"mac": "02:00:00:00:00:01", "kind": "vlan", "lower": ["eth0"], "counters": {"rx_errors": 0}}}})");
  EXPECT_THAT(facts.netdev("eth0.7").counters.value.value(), ElementsAre(Pair("rx_crc_errors_phy", 3)));
}

// A VLAN in a VLAN, as the runner itself goes down to the card; a file that names a netdev as its own ends nothing.
TEST(NodeFacts, OfAVlanInAVlanTellTheCardUnderBoth) {
  const auto facts = facts_of(R"({"netdevs": {"eth0": {"driver": "mlx5_core"},
      "eth0.7": {"kind": "vlan", "lower": ["eth0"]}, "eth0.7.8": {"kind": "vlan", "lower": ["eth0.7"]},
      "loop": {"kind": "vlan", "lower": ["loop"]}}})");
  EXPECT_EQ(facts.card_of("eth0.7.8"), "eth0");
  EXPECT_EQ(facts.netdev("eth0.7.8").driver.value, "mlx5_core");
  EXPECT_EQ(facts.card_of("loop"), "loop");
}

// What the bond's own driver says is of no card, and one card's facts hide those of a worse one beside it.
TEST(NodeFacts, OfABondAreThoseOfNoCard) {
  const auto facts =
      facts_of(R"({"netdevs": {"eth0": {"driver": "mlx5_core", "pci": "0000:01:00.0", "fec": ["RS"]},
      "eth1": {"driver": "mlx5_core", "pci": "0000:02:00.0", "fec": ["Off"]},
      "bond0": {"mac": "x", "kind": "bond", "lower": ["eth0", "eth1"], "driver": "bonding", "mtu": 9000},
      "bond0.7": {"kind": "vlan", "lower": ["bond0"]}}})");
  for (const char* name : {"bond0", "bond0.7"}) {
    const Netdev netdev = facts.netdev(name);
    for (const Text& fact : {netdev.driver, netdev.firmware, netdev.pci, netdev.port, netdev.autoneg,
                             netdev.pause, netdev.pfc, netdev.ecn, netdev.module.part_number}) {
      EXPECT_EQ(fact.value, std::nullopt) << fact.place;
      EXPECT_TRUE(fact.unread) << fact.place;
    }
    EXPECT_TRUE(netdev.fec.unread);
    EXPECT_THAT(
        netdev.driver.why(),
        HasSubstr("netdevs/bond0/driver: bond0 is a bond over eth0 and eth1, which can't be qualified as one "
                  "half: give each of its cards an address and name the cards as halves"));
  }
  EXPECT_EQ(facts.netdev("bond0").mtu.value, DataSize::bytes(9000));
  EXPECT_EQ(facts.netdev("eth0").driver.value, "mlx5_core");
}

// What the runner compares at the suites' boundaries.
TEST(RunState, SaysThatADeviceIsAbsent) {
  const Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  const auto state = run_state(rig, 0);
  EXPECT_EQ(state.at("enp1s0f0np0").at("link"), "absent");
  EXPECT_EQ(state.at("rocep1s0f0").at("state"), "absent");
  EXPECT_TRUE(state.at("").contains("boot"));
  const auto losses = count_link_downs(rig, 0);
  ASSERT_EQ(losses.size(), 4U);
  EXPECT_EQ(losses[0].unread, "there is no such netdev");
}

// What changes under a VLAN, its card's driver, firmware and PCIe link, changes what it carries.
TEST(RunState, OfAHalfThatIsAVlanIsThatOfTheCardUnderIt) {
  in_private_network(
      "mount -t sysfs sys /sys || exit 77; ip link add card type veth peer name far;"
      "ip link add link card name card.100 type vlan id 100 || exit 76",
      [] {
        Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
        rig.nodes[0].ports[0].halves[0].netdev = "card.100";
        EXPECT_EQ(run_state(rig, 0).at("card.100").at("driver"), "veth");
      });
}

// Catches: a counter that was read once, taken for one that was read twice and stood still.
TEST(RunState, CountsTheCardsOfABondOnceForAllItsVlans) {
  in_private_network(
      "ip link add bond0 type bond mode active-backup || exit 76;"
      "ip link add card0 type veth peer name far0; ip link add card1 type veth peer name far1;"
      "ip link set card0 master bond0; ip link set card1 master bond0;"
      "ip link add link bond0 name bond0.1 type vlan id 1 || exit 76; ip link add link bond0 name bond0.2 "
      "type vlan id 2",
      [] {
        Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
        rig.nodes[0].ports[0].halves[0].netdev = "bond0.1";
        rig.nodes[0].ports[0].halves[1].netdev = "bond0.2";
        const auto losses = count_link_downs(rig, 0);
        for (const char* card : {"card0", "card1"})
          EXPECT_EQ(std::ranges::count(losses, card, &record::Observed::subject), 1) << card;
      });
}

// A driver that was loaded anew in mid-run has lost no carrier since, and has the name, MAC and addresses of before.
TEST(RunState, ChangesWithADeviceThatCameBack) {
  in_private_network(
      "ip link add card address 02:00:00:00:00:01 up type veth peer name far; ip link set far up", [] {
        Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
        rig.nodes[0].ports[0].halves[0].netdev = "card";
        const auto before = run_state(rig, 0).at("card");
        EXPECT_EQ(run_state(rig, 0).at("card"), before);
        ASSERT_EQ(
            std::system(
                "ip link del card;"
                "ip link add card address 02:00:00:00:00:01 up type veth peer name far; ip link set far up"),
            0);
        EXPECT_NE(run_state(rig, 0).at("card"), before);
      });
}

TEST(RunState, ReadsANetdev) {
  const Netdev loopback = read_netdev_now("lo");
  EXPECT_EQ(loopback.up.value, true);
  EXPECT_TRUE(loopback.mtu.value.has_value());
}

}  // namespace
}  // namespace rigproof::facts
