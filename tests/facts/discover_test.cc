#include "fixtures/facts/discover.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::facts {
namespace {

using testing::HasSubstr;
using testing::Not;

Document spark(const char* node) {
  return read_facts_file(RIGPROOF_SOURCE_DIR "/tests/preflight/sparks", node);
}

std::vector<DiscoveredNode> pair(const Document& a, const Document& b) {
  return {{NodeFacts(a), "spark-a", {"192.168.88.1"}}, {NodeFacts(b), "spark-b", {"192.168.88.2"}}};
}

Rig rig_in(const std::string& text) { return read_rig(toml::Document::parse(text, "found")); }

void set_addresses(Document& facts, const std::string& netdev, const std::vector<std::string>& addresses) {
  facts.put({"netdevs", netdev, "ipv4"}, addresses);
}

// As of a driver that does not tell which port is behind a function.
Document without_ports(const Document& facts) {
  std::string text = facts.dump();
  for (const char* key : {"\"port\": \"switch", "\"port_name\": \""})
    for (std::size_t at = 0; (at = text.find(key, at)) != text.npos;)
      text.erase(at, text.find(',', at) + 1 - at);
  return Document::parse(text, "facts");
}

// The same NICs in a host of another kind.
void be_no_spark(Document& facts) {
  facts.put({"cpu", "model"}, "a server's");
  facts.put({"gpus", "0", "name"}, "NVIDIA H100");
}

constexpr std::array kNetdevs = {"enp1s0f0np0", "enP2p1s0f0np0", "enp1s0f1np1", "enP2p1s0f1np1"};

// Two Sparks, to be changed before their rig file is made.
class DiscoverPair : public testing::Test {
 protected:
  [[nodiscard]] std::string found() const { return found_rig("found", pair(a, b)).text; }

  Document a = spark("node-a"), b = spark("node-b");
  const std::array<Document*, 2> both{&a, &b};
};

TEST_F(DiscoverPair, MakesARigOfTwoSparks) {
  const Rig rig = rig_in(found());
  EXPECT_EQ(rig.rails.size(), 4U);
  EXPECT_EQ(rig.links.size(), 2U);
  EXPECT_EQ(rig.node(0).management, "enP7s7");
  EXPECT_EQ(rig.half({0, 0, 0}).rdma.has_value(), true);
  EXPECT_EQ(rig.port(PortRef{1, 1}).rate, DataRate::gigabits_per_second(200));
}
// Containers leave it on every node with the same address; two addresses alike make no rig.
TEST_F(DiscoverPair, LeavesOutBridgesLikeDocker0) {
  for (Document* facts : both) {
    facts->put({"netdevs", "docker0", "kind"}, "bridge");
    set_addresses(*facts, "docker0", {"172.17.0.1/16"});
  }
  const std::string text = found();
  EXPECT_EQ(rig_in(text).rails.size(), 4U);
  EXPECT_THAT(text, Not(HasSubstr("docker0")));
}
// Both halves of both nodes in one subnet: the cables tell who talks to whom.
// A card in InfiniBand mode with an address of IPoIB stops nothing.
TEST_F(DiscoverPair, LeavesOutInfiniBand) {
  for (Document* facts : both) facts->put({"rdma", "rocep1s0f1", "ports", "1", "link_layer"}, "InfiniBand");
  const std::string text = found();
  EXPECT_THAT(text, HasSubstr("# left out: enp1s0f1np1: its RDMA device rocep1s0f1 is InfiniBand"));
  EXPECT_EQ(rig_in(text).rails.size(), 3U);
}
// mlx4: both netdevs have one device.
TEST_F(DiscoverPair, SaysThatADeviceOfTwoPortsCantBeMeasured) {
  for (Document* facts : both)
    for (const char* device : {"rocep1s0f0", "roceP2p1s0f0", "rocep1s0f1", "roceP2p1s0f1"})
      facts->put({"rdma", device, "ports", "2", "link_layer"}, "Ethernet");
  try {
    (void)found();
    ADD_FAILURE() << "a rig of what can't be measured";
  } catch (const NoRig& error) {
    EXPECT_THAT(error.what(), HasSubstr("node-b: enp1s0f1np1: its RDMA device rocep1s0f1 has 2 ports"));
  }
}

TEST_F(DiscoverPair, MakesRailsOfCablesWhereSubnetsAreAmbiguous) {
  for (const char* netdev : {"enp1s0f0np0", "enP2p1s0f0np0"}) {
    set_addresses(a, netdev, {netdev[2] == 'p' ? "10.9.8.1/24" : "10.9.8.2/24"});
    set_addresses(b, netdev, {netdev[2] == 'p' ? "10.9.8.3/24" : "10.9.8.4/24"});
  }
  EXPECT_THAT(found(), HasSubstr("by their order"));
  a.put({"lldp", "neighbours", "enp1s0f0np0", "system"}, "spark-b.lan");
  a.put({"lldp", "neighbours", "enp1s0f0np0", "port"}, "enp1s0f0np0");
  b.put({"lldp", "neighbours", "enP2p1s0f0np0", "macs"},
        std::vector<std::string>{*a.text({"netdevs", "enP2p1s0f0np0", "mac"})});
  const std::string text = found();
  EXPECT_EQ(rig_in(text).rails.size(), 4U);
  EXPECT_THAT(text, HasSubstr("# by LLDP the cable leads to node-b:enp1s0f0np0"));
}
// What a port is called says nothing beyond its node: "device 9" of one may be "device 10" of another.
TEST_F(DiscoverPair, MakesRailsByTheOrderOfNetdevsWhateverPortsAreCalled) {
  int host = 1;
  for (Document* facts : both)
    for (const char* netdev : kNetdevs) {
      const bool first = netdev[std::string(netdev).size() - 1] == '0';
      set_addresses(*facts, netdev, {fmt::format("10.0.1.{}/16", host++)});
      facts->put({"netdevs", netdev, "port"},
                 facts == &a ? (first ? "device 8" : "device 9") : (first ? "device 9" : "device 10"));
    }
  const Rig rig = rig_in(found());
  ASSERT_EQ(rig.rails.size(), 4U);
  for (const Rail& rail : rig.rails)
    EXPECT_EQ(rig.half(rail.halves[0]).netdev, rig.half(rail.halves[1]).netdev);
  EXPECT_EQ(rig.links.size(), 2U);
}
// What the rig file lacks stands in it, or half a port would pass as the whole.
TEST_F(DiscoverPair, TellsOfAHalfWithoutAnAddressAndOfNoRdma) {
  for (Document* facts : both) set_addresses(*facts, "enP2p1s0f0np0", {});
  b.put_unread("netdevs/enP2p1s0f0np0/ipv4", "timed out");
  for (Document* facts : both) facts->put({"rdma", "rocep1s0f0", "netdevs"}, std::vector<std::string>{});
  const std::string text = found();
  EXPECT_EQ(rig_in(text).rails.size(), 3U);
  EXPECT_THAT(text, HasSubstr("# left out: enP2p1s0f0np0: it has no address\n"));
  EXPECT_THAT(text, HasSubstr("# left out: enP2p1s0f0np0: its addresses: timed out\n"));
  EXPECT_THAT(text,
              HasSubstr("netdev = \"enp1s0f0np0\"\n    # rdma = \"\"  (?) no RDMA device belongs to it\n"));
}
// As NVIDIA's older instructions for two Sparks leave them: half a port must not pass as the whole without a word.
TEST_F(DiscoverPair, WarnsOfASecondHalfWithoutAnAddress) {
  for (Document* facts : both)
    for (const char* netdev : {"enP2p1s0f0np0", "enP2p1s0f1np1"}) set_addresses(*facts, netdev, {});
  const std::string text = found();
  EXPECT_EQ(rig_in(text).rails.size(), 2U) << text;
  EXPECT_THAT(
      text,
      HasSubstr("# WARNING: node-a: enP2p1s0f0np0 is the second half of the port of enp1s0f0np0 and has no "
                "address"));
  // Both ends of each cable in one subnet.
  EXPECT_THAT(text, HasSubstr("sudo ip addr add 192.168.100.1/24 dev enP2p1s0f0np0 && sudo ip link set "
                              "enP2p1s0f0np0 mtu 9000 up; then discover again"));
  EXPECT_THAT(text, HasSubstr("sudo ip addr add 192.168.100.2/24 dev enP2p1s0f0np0"));
  EXPECT_THAT(text, HasSubstr("sudo ip addr add 192.168.101.1/24 dev enP2p1s0f1np1"));
  EXPECT_THAT(text, HasSubstr("sudo ip addr add 192.168.101.2/24 dev enP2p1s0f1np1"));
}
// Catches: an address that nobody at the other end of the cable has, because one end has one already.
TEST_F(DiscoverPair, ProposesAnAddressInTheSubnetOfTheFarEnd) {
  set_addresses(a, "enP2p1s0f0np0", {});
  const std::string text = found();
  EXPECT_THAT(text, HasSubstr("sudo ip addr add 198.18.2.1/24 dev enP2p1s0f0np0"));
  EXPECT_THAT(text, Not(HasSubstr("WARNING: node-b")));
}
// 169.255.0.0/16 is next to it, and public.
TEST_F(DiscoverPair, ProposesPrivateAddressesBesideLinkLocalOnes) {
  for (Document* facts : both) {
    set_addresses(*facts, "enp1s0f0np0", {facts == &a ? "169.254.35.62/16" : "169.254.189.2/16"});
    for (const char* netdev : {"enP2p1s0f0np0", "enp1s0f1np1", "enP2p1s0f1np1"})
      set_addresses(*facts, netdev, {});
  }
  const std::string text = found();
  EXPECT_THAT(text, HasSubstr("sudo ip addr add 192.168.100.1/24 dev enP2p1s0f0np0"));
  EXPECT_THAT(text, HasSubstr("sudo ip addr add 192.168.100.2/24 dev enP2p1s0f0np0"));
  EXPECT_THAT(text, Not(HasSubstr("169.255")));
}
// Rates of a port need one MTU at both of its halves: the smaller one is the fault, and preflight.mtu is red.
TEST_F(DiscoverPair, WarnsOfHalvesOfAPortThatDifferInMtu) {
  for (Document* facts : both) facts->put({"netdevs", "enP2p1s0f0np0", "mtu"}, 1500.0);
  const std::string text = found();
  EXPECT_THAT(text,
              HasSubstr("WARNING: node-b: enP2p1s0f0np0 has an MTU of 1500 B, and enp1s0f0np0, a half of "
                        "the same port, has 9000 B. Type: sudo ip link set enP2p1s0f0np0 mtu 9000"));
  EXPECT_THAT(text, HasSubstr("mtu = \"9000 B\"  # (?) now 1500 B, less than another half of this link"));
  const Rig rig = rig_in(text);
  for (const HalfRef half : rig.halves_of(0)) EXPECT_EQ(rig.half(half).mtu, DataSize::bytes(9000));
}
// With the same netdevs down and no cable in port 1 there is nothing to warn of.
TEST_F(DiscoverPair, DoesNotWarnOfAPortWithoutACable) {
  for (Document* facts : both)
    for (const char* netdev : {"enp1s0f1np1", "enP2p1s0f1np1"}) set_addresses(*facts, netdev, {});
  EXPECT_THAT(found(), Not(HasSubstr("WARNING")));
}
// One cable, and addresses on all four halves: the cage without a cable is none of the rig's ports.
TEST_F(DiscoverPair, LeavesOutAddressesOfAnEmptyCage) {
  for (Document* facts : both)
    for (const char* netdev : {"enp1s0f1np1", "enP2p1s0f1np1"}) {
      facts->put({"netdevs", netdev, "carrier"}, 0.0);
      facts->put({"netdevs", netdev, "speed_bits_per_s"}, 0.0);
    }
  const auto nodes = pair(a, b);
  const std::string text = found_rig("found", nodes).text;
  const Rig rig = rig_in(text);
  EXPECT_EQ(rig.rails.size(), 2U) << text;
  EXPECT_EQ(rig.node(0).ports.size(), 1U) << text;
  EXPECT_THAT(
      text, HasSubstr("# left out: enp1s0f1np1 with 198.18.3.1/24: no carrier at either end, so no cable."));
  EXPECT_THAT(found_rig("found", nodes).left_out, Contains(HasSubstr("no carrier at either end")).Times(4));
}
// What a switch negotiated is no plan of the owner's: the port is described as it should be, and preflight.rate is red.
TEST_F(DiscoverPair, ExpectsOfAGb10sPortItsFullRate) {
  for (Document* facts : both)
    for (const char* netdev : {"enp1s0f0np0", "enP2p1s0f0np0"})
      facts->put({"netdevs", netdev, "speed_bits_per_s"}, 1e11);
  const std::string text = found();
  EXPECT_EQ(rig_in(text).port(PortRef{0, 0}).rate, DataRate::gigabits_per_second(200));
  EXPECT_THAT(
      text,
      HasSubstr(
          "rate = \"200 Gbit/s\"  # (?) now 100 Gbit/s: a port of a GB10 runs at 200 Gbit/s. If you want 100 "
          "Gbit/s, say so here and an even share of it at each half, and add --thresholds "
          "dgx-spark-100g.toml\n"));
  for (Document* facts : both) facts->put({"netdevs", "enp1s0f0np0", "speed_bits_per_s"}, 25e9);
  for (Document* facts : both) facts->put({"netdevs", "enP2p1s0f0np0", "speed_bits_per_s"}, 25e9);
  EXPECT_THAT(
      found(),
      HasSubstr("If you want 25 Gbit/s, say so here and an even share of it at each half, and give it "
                "limits of its own: --thresholds FILE\n"));
}
TEST_F(DiscoverPair, MakesRoutedRailsOfNetdevsOfOneNameWhereNoSubnetIsShared) {
  for (Document* facts : both)
    for (const auto& [netdev, address] :
         {std::pair("enp1s0f0np0", "10.1.{}.0/31"), std::pair("enP2p1s0f0np0", "10.2.{}.0/31"),
          std::pair("enp1s0f1np1", "10.3.{}.0/31"), std::pair("enP2p1s0f1np1", "10.4.{}.0/31")})
      facts->put({"netdevs", netdev, "ipv4"},
                 std::vector<std::string>{fmt::format(fmt::runtime(address), facts == both[0] ? 1 : 2)});
  const std::string text = found();
  EXPECT_THAT(text, HasSubstr("# enp1s0f0np0 (?) of each node: no two nodes share a subnet"));
  EXPECT_THAT(text, HasSubstr("through = \"router\""));
  const Rig rig = rig_in(text);
  ASSERT_EQ(rig.rails.size(), 4U);
  for (const Rail& rail : rig.rails) EXPECT_TRUE(rail.routed);
}
// As some clouds give them; an address of 32 bits beside another one is no rail.
TEST_F(DiscoverPair, MakesRoutedRailsOfAddressesOf32Bits) {
  for (Document* facts : both)
    set_addresses(*facts, "enp1s0f0np0",
                  {facts == both[0] ? "198.18.1.1/24" : "198.18.1.2/24", "10.9.9.9/32"});
  EXPECT_THAT(found(), Not(HasSubstr("10.9.9.9")));
  for (Document* facts : both)
    for (const auto& [netdev, address] :
         {std::pair("enp1s0f0np0", "10.2.0.{}/32"), std::pair("enP2p1s0f0np0", "10.2.1.{}/32"),
          std::pair("enp1s0f1np1", "10.2.2.{}/32"), std::pair("enP2p1s0f1np1", "10.2.3.{}/32")})
      set_addresses(*facts, netdev, {fmt::format(fmt::runtime(address), facts == both[0] ? 4 : 5)});
  const Rig rig = rig_in(found());
  EXPECT_EQ(rig.rails.size(), 4U);
  EXPECT_EQ(rig.half({1, 0, 0}).prefix_length, 32);
}
TEST_F(DiscoverPair, TakesTheRateOfAnotherNodesPortAsItIs) {
  for (Document* facts : both) {
    be_no_spark(*facts);
    for (const char* netdev : kNetdevs) facts->put({"netdevs", netdev, "speed_bits_per_s"}, 1e11);
  }
  EXPECT_EQ(rig_in(found()).port(PortRef{0, 0}).rate, DataRate::gigabits_per_second(100));
}
TEST_F(DiscoverPair, StatesTheGpusOfANodeThatHasSeveral) {
  a.put({"gpus", "1", "name"}, "NVIDIA GB10");
  EXPECT_EQ(rig_in(found()).node(0).gpus, 2U);
  EXPECT_EQ(rig_in(found()).node(1).gpus, std::nullopt);
}
// A cable that is dead at one end is a fault of the rig, and no cable's absence.
// The devices that NCCL's settings leave out are for storage, at both ends of their cables.
TEST_F(DiscoverPair, LeavesPortsToStorageThatNcclsSettingsLeaveOut) {
  for (Document* facts : both) be_no_spark(*facts);
  a.put({"nccl", "environment", "NCCL_IB_HCA"}, std::string("=rocep1s0f0,roceP2p1s0f0"));
  const std::string text = found();
  EXPECT_THAT(text, HasSubstr("use = \"storage\"  # (?) NCCL_IB_HCA==rocep1s0f0,roceP2p1s0f0 leaves out "));
  EXPECT_THAT(text, HasSubstr("use = \"storage\"  # (?) as at node-a"));
  const Rig rig = rig_in(text);
  for (const std::size_t node : {0U, 1U}) {
    EXPECT_EQ(rig.port(PortRef{node, 0}).use, PortUse::kCompute);
    EXPECT_EQ(rig.port(PortRef{node, 1}).use, PortUse::kStorage);
  }
}
// A Spark has no NICs for storage: the list of another job, or of one cable, is stale.
TEST_F(DiscoverPair, TakesNoPortOfASparkForStorage) {
  for (Document* facts : both) facts->put({"nccl", "environment", "NCCL_IB_HCA"}, "=rocep1s0f0,roceP2p1s0f0");
  EXPECT_THAT(found(), Not(HasSubstr("storage")));
}
TEST_F(DiscoverPair, TakesNoPortWithANamedHalfForStorage) {
  for (Document* facts : both) {
    be_no_spark(*facts);
    facts->put({"nccl", "environment", "NCCL_IB_HCA"}, "=rocep1s0f0,roceP2p1s0f0,rocep1s0f1");
  }
  EXPECT_THAT(found(), Not(HasSubstr("storage")));
}
TEST_F(DiscoverPair, ProposesTheClassInWhichNcclSends) {
  a.put({"nccl", "environment", "NCCL_IB_TC"}, "106");
  EXPECT_THAT(found(), Not(HasSubstr("traffic_class"))) << "node-b sends in another one";
  b.put({"nccl", "configuration", "NCCL_IB_TC"}, "0x6a");
  const Rig rig = rig_in(found());
  EXPECT_EQ(rig.rails.at(3).service, (ServiceClass{106, 0}));
  EXPECT_THAT(found(), HasSubstr("traffic_class = 106  # (?) NCCL_IB_TC of each node"));
}
// What came up at a lower rate than its neighbours with the same NIC is a fault until a person says otherwise.
TEST_F(DiscoverPair, ExpectsOfEachPortTheRateOfItsNic) {
  for (Document* facts : both) be_no_spark(*facts);
  for (const char* netdev : {"enp1s0f1np1", "enP2p1s0f1np1"})
    a.put({"netdevs", netdev, "speed_bits_per_s"}, 1e11);
  const std::string text = found();
  EXPECT_EQ(rig_in(text).port(PortRef{0, 1}).rate, DataRate::gigabits_per_second(200));
  EXPECT_THAT(
      text, HasSubstr("# (?) now 100 Gbit/s: enP2p1s0f0np0 of node-a with the same NIC runs at 200 Gbit/s"));
}
TEST_F(DiscoverPair, RefusesARailOfWhichOneEndHasNoRdma) {
  b.put({"rdma", "rocep1s0f1", "netdevs"}, std::vector<std::string>{});
  try {
    (void)found();
    FAIL() << "a rail was made";
  } catch (const NoRig& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr("node-b: 'enp1s0f1np1' has no RDMA device, and 'enp1s0f1np1' of node-a on the same rail"));
  }
}
// A mistyped subnet at one end: the rig would be measured in part.
TEST_F(DiscoverPair, TellsOfHalvesThatNoOtherNodeReaches) {
  set_addresses(b, "enp1s0f1np1", {"198.18.33.2/24"});
  const FoundRig rig = found_rig("found", pair(a, b));
  EXPECT_THAT(rig.unmeasured,
              testing::ElementsAre("node-a: enp1s0f1np1 with 198.18.3.1/24: no other node has that subnet",
                                   "node-b: enp1s0f1np1 with 198.18.33.2/24: no other node has that subnet"));
  EXPECT_THAT(rig.text, HasSubstr("# left out: (?) enp1s0f1np1 with 198.18.33.2/24"));
}
// A list of devices that are not there says nothing.
TEST_F(DiscoverPair, TakesNoRoleFromAListOfOtherDevices) {
  a.put({"nccl", "environment", "NCCL_IB_HCA"}, std::string("mlx5_0"));
  EXPECT_THAT(found(), Not(HasSubstr("storage")));
}
TEST_F(DiscoverPair, LeavesPortsToStorageThatAreFarFromTheGpus) {
  const auto place = [&](Document& facts, const std::string& function, const char* bridge) {
    facts.put({"pci", function, "bridges"}, std::vector<std::string>{"0000:10:01.0", bridge});
  };
  for (Document* facts : both) {
    facts->put({"nccl", "environment", "NCCL_IB_HCA"}, std::string());
    facts->put({"pci", "0000:19:00.0", "class"}, std::string("0x030200"));
    facts->put({"pci", "0000:19:00.0", "vendor"}, std::string("0x10de"));
    facts->put({"pci", "0000:19:00.0", "bridges"}, std::vector<std::string>{"0000:17:01.0", "0000:18:00.0"});
    for (const char* netdev : {"enp1s0f1np1", "enP2p1s0f1np1"})
      place(*facts, *facts->text({"netdevs", netdev, "pci"}), "0000:11:00.0");
  }
  EXPECT_THAT(found(), Not(HasSubstr("storage"))) << "no NIC is near a GPU";
  for (Document* facts : both)
    for (const char* netdev : {"enp1s0f0np0", "enP2p1s0f0np0"})
      place(*facts, *facts->text({"netdevs", netdev, "pci"}), "0000:18:00.0");
  const std::string text = found();
  EXPECT_THAT(text, HasSubstr("# (?) enP2p1s0f1np1 shares no PCIe bridge with a GPU, and other NICs do"));
  EXPECT_EQ(rig_in(text).port(PortRef{1, 0}).use, PortUse::kCompute);
  EXPECT_EQ(rig_in(text).port(PortRef{1, 1}).use, PortUse::kStorage);
}
TEST_F(DiscoverPair, ProposesNoCountersOfAVirtualFunction) {
  for (const char* netdev : {"enp1s0f0np0", "enP2p1s0f0np0"})
    a.put({"pci", *a.text({"netdevs", netdev, "pci"}), "physical_function"}, std::string("0000:01:00.0"));
  const std::string text = found();
  EXPECT_THAT(text, HasSubstr("# no counters: enP2p1s0f0np0 is a virtual function"));
  EXPECT_FALSE(rig_in(text).port(PortRef{0, 0}).counters);
  EXPECT_TRUE(rig_in(text).port(PortRef{0, 1}).counters);
}
TEST_F(DiscoverPair, KeepsACableThatHasACarrierAtOneEnd) {
  for (const char* netdev : {"enp1s0f1np1", "enP2p1s0f1np1"}) a.put({"netdevs", netdev, "carrier"}, 0.0);
  const auto nodes = pair(a, b);
  EXPECT_EQ(rig_in(found_rig("found", nodes).text).rails.size(), 4U);
  EXPECT_THAT(found_rig("found", nodes).left_out, Not(Contains(HasSubstr("no carrier"))));
}
TEST_F(DiscoverPair, KeepsARigWhoseCablesAreAllOut) {
  for (Document* facts : both)
    for (const char* netdev : kNetdevs) facts->put({"netdevs", netdev, "carrier"}, 0.0);
  EXPECT_EQ(rig_in(found()).rails.size(), 4U);
}
// One cable from port 0 to port 1, all halves in one subnet: who talks to whom is told by those with a carrier alone.
TEST_F(DiscoverPair, FindsACableThatCrossesPortsByItsCarriers) {
  int host = 0;
  for (auto& [facts, dark] : {std::pair(&a, "f1np1"), std::pair(&b, "f0np0")})
    for (const char* netdev : kNetdevs) {
      facts->put({"netdevs", netdev, "ipv4"}, std::vector{fmt::format("10.0.1.{}/16", ++host)});
      if (std::string(netdev).ends_with(dark)) facts->put({"netdevs", netdev, "carrier"}, 0.0);
    }
  const std::string text = found();
  const Rig rig = rig_in(text);
  ASSERT_EQ(rig.rails.size(), 2U) << text;
  EXPECT_EQ(rig.half(rig.rails[0].halves.at(0)).netdev, "enP2p1s0f0np0") << text;
  EXPECT_EQ(rig.half(rig.rails[0].halves.at(1)).netdev, "enP2p1s0f1np1") << text;
}
// A driver that does not tell which port is behind a function: by PCI addresses it is a guess, and marked.
TEST_F(DiscoverPair, GuessesThePortOfFunctionsOfSeveralDomains) {
  a = without_ports(a), b = without_ports(b);
  ASSERT_EQ(NodeFacts(a).netdev("enp1s0f0np0").port.value, std::nullopt);
  const std::string text = found();
  const Rig rig = rig_in(text);
  EXPECT_EQ(rig.links.size(), 2U) << text;
  EXPECT_EQ(rig.node(0).ports.at(0).halves.size(), 2U) << text;
  EXPECT_THAT(text, HasSubstr("[[node.port]]  # (?) one port by the PCI addresses"));
}
TEST_F(DiscoverPair, NamesTheSwitchThatIsHeardAndCablesThatCross) {
  a.put({"lldp", "neighbours", "enp1s0f0np0", "system"}, "CRS 804");
  a.put({"lldp", "neighbours", "enp1s0f0np0", "port"}, "qsfp56-dd-1-1");
  b.put({"lldp", "neighbours", "enp1s0f1np1", "system"}, "spark-a");
  b.put({"lldp", "neighbours", "enp1s0f1np1", "port"}, "enP2p1s0f0np0");
  const std::string text = found();
  EXPECT_EQ(rig_in(text).links.at(0).through, "CRS-804");
  EXPECT_THAT(text, HasSubstr("# by LLDP the cable leads to CRS 804 qsfp56-dd-1-1"));
  EXPECT_THAT(text, HasSubstr("crossed cables, or swapped addresses?"));
}
// keepalived's address floats beside the netdev's own.
TEST_F(DiscoverPair, TakesTheFirstOfSeveralAddressesInOneSubnet) {
  set_addresses(a, "enp1s0f0np0", {"198.18.1.1/24", "198.18.1.100/24", "203.0.113.9/32"});
  const std::string text = found();
  EXPECT_EQ(rig_in(text).rails.size(), 4U);
  EXPECT_THAT(text, HasSubstr("address = \"198.18.1.1/24\""));
  EXPECT_THAT(text, Not(HasSubstr("address = \"198.18.1.100/24\"")));
}
// RoCE goes by the VLAN's GIDs, on the device of the card under it; so it does by a bond's.
TEST_F(DiscoverPair, KnowsTheRdmaDeviceUnderAVlanAndUnderABond) {
  for (Document* facts : both) {
    const auto stand_on = [&](const char* card, const char* rdma, const char* netdev, const char* kind) {
      facts->put({"netdevs", netdev, "mac"}, *facts->text({"netdevs", card, "mac"}));
      facts->put({"netdevs", netdev, "kind"}, kind);
      facts->put({"netdevs", netdev, "driver"}, kind);
      facts->put({"netdevs", netdev, "mtu"}, 9000.0);
      facts->put({"netdevs", netdev, "ipv4"}, facts->texts({"netdevs", card, "ipv4"}));
      set_addresses(*facts, card, {});
      facts->put({"rdma", rdma, "ports", "1", "gids", "5", "gid"}, "0000:0000:0000:0000:0000:ffff:c612:0101");
      facts->put({"rdma", rdma, "ports", "1", "gids", "5", "type"}, "RoCE v2");
      facts->put({"rdma", rdma, "ports", "1", "gids", "5", "netdev"}, netdev);
    };
    stand_on("enp1s0f0np0", "rocep1s0f0", "enp1s0f0np0.7", "vlan");
    stand_on("enP2p1s0f0np0", "roceP2p1s0f0", "bond0", "bond");
  }
  // A second VLAN of the same card: one device is no two halves.
  set_addresses(a, "enp1s0f0np0.8", {"10.9.8.1/24"});
  set_addresses(b, "enp1s0f0np0.8", {"10.9.8.2/24"});
  for (Document* facts : both)
    facts->put({"rdma", "rocep1s0f0", "ports", "1", "gids", "6", "netdev"}, "enp1s0f0np0.8");
  for (Document* facts : both) facts->put({"netdevs", "enp1s0f0np0.8", "kind"}, "vlan");
  const std::string text = found();
  EXPECT_EQ(rig_in(text).rails.size(), 4U) << text;
  EXPECT_THAT(text, HasSubstr("# left out: enp1s0f0np0.8: it has no RDMA device"));
  EXPECT_THAT(text, HasSubstr("netdev = \"enp1s0f0np0.7\"\n    rdma = \"rocep1s0f0\""));
  EXPECT_THAT(text, HasSubstr("netdev = \"bond0\"\n    rdma = \"roceP2p1s0f0\""));
}
// One device is no two halves: of a VLAN beside the card's own address the card keeps it.
TEST_F(DiscoverPair, LeavesTheRdmaDeviceToTheCardThatHasAnAddress) {
  for (Document* facts : both) {
    set_addresses(*facts, "enp1s0f0np0.7", {facts == &a ? "10.9.8.1/24" : "10.9.8.2/24"});
    facts->put({"netdevs", "enp1s0f0np0.7", "driver"}, "802.1Q VLAN Support");
    facts->put({"netdevs", "enp1s0f0np0.7", "kind"}, "vlan");
    facts->put({"rdma", "rocep1s0f0", "ports", "1", "gids", "5", "netdev"}, "enp1s0f0np0.7");
  }
  const std::string text = found();
  EXPECT_EQ(rig_in(text).rails.size(), 4U) << text;
  EXPECT_THAT(text, HasSubstr("# left out: enp1s0f0np0.7: it has no RDMA device"));
}
// As a switch with tagged ports wants it: addresses on VLANs alone, whose cards' ports, rates and counters they use.
void tag(Document& facts, const std::string& card, const std::string& vlan) {
  facts.put({"netdevs", vlan, "mac"}, *facts.text({"netdevs", card, "mac"}));
  facts.put({"netdevs", vlan, "kind"}, "vlan");
  facts.put({"netdevs", vlan, "lower"}, std::vector{card});
  facts.put({"netdevs", vlan, "driver"}, "802.1Q VLAN Support");
  facts.put({"netdevs", vlan, "mtu"}, 9000.0);
  facts.put({"netdevs", vlan, "carrier"}, 1.0);
  facts.put({"netdevs", vlan, "speed_bits_per_s"}, 2e11);
  facts.put({"netdevs", vlan, "ipv4"}, facts.texts({"netdevs", card, "ipv4"}));
  facts.put({"netdevs", card, "ipv4"}, std::vector<std::string>{});
}
TEST_F(DiscoverPair, DescribesAPortWhoseHalvesAreVlansByTheCardsUnderThem) {
  for (Document* facts : both)
    for (const auto& [card, rdma, vlan] :
         {std::tuple("enp1s0f0np0", "rocep1s0f0", "v0"), std::tuple("enP2p1s0f0np0", "roceP2p1s0f0", "v1")}) {
      tag(*facts, card, vlan);
      facts->put({"rdma", rdma, "ports", "1", "gids", "3", "netdev"}, vlan);
    }
  const auto nodes = pair(a, b);
  const std::string text = found_rig("found", nodes).text;
  const Rig rig = rig_in(text);
  EXPECT_EQ(rig.rails.size(), 4U) << text;
  EXPECT_EQ(rig.links.size(), 2U) << text;
  EXPECT_THAT(text, HasSubstr("counters = { source = \"ethtool\", device = \"enp1s0f0np0\" }"));
  EXPECT_THAT(text, Not(HasSubstr("WARNING")));
  EXPECT_THAT(text, Not(HasSubstr("it has no address")));
}
// A bond adds up what its netdevs have, and has failed NCCL: two halves are no two cables.
TEST_F(DiscoverPair, WarnsOfABondOverTheHalvesOfOnePort) {
  for (Document* facts : both) {
    tag(*facts, "enp1s0f0np0", "bond0");
    facts->put({"netdevs", "bond0", "kind"}, "bond");
    facts->put({"netdevs", "bond0", "driver"}, "bonding");
    facts->put({"netdevs", "bond0", "lower"}, std::vector<std::string>{"enp1s0f0np0", "enP2p1s0f0np0"});
    facts->put({"netdevs", "bond0", "speed_bits_per_s"}, 4e11);
    set_addresses(*facts, "enP2p1s0f0np0", {});
    for (const char* rdma : {"rocep1s0f0", "roceP2p1s0f0"})
      facts->put({"rdma", rdma, "ports", "1", "gids", "3", "netdev"}, "bond0");
  }
  const std::string text = found();
  EXPECT_THAT(text, HasSubstr("WARNING: node-a: bond0 is a bond over enp1s0f0np0 and enP2p1s0f0np0, the "
                              "halves of one port"));
  EXPECT_THAT(text, Not(HasSubstr("400 Gbit/s")));
  EXPECT_THAT(text, Not(HasSubstr("second half of the port of bond0")));
}
// Its cards may differ, so that no fact of a card is the bond's.
TEST_F(DiscoverPair, WarnsOfABondOverTwoPorts) {
  for (Document* facts : both) {
    tag(*facts, "enp1s0f0np0", "bond0");
    facts->put({"netdevs", "bond0", "kind"}, "bond");
    facts->put({"netdevs", "bond0", "lower"}, std::vector<std::string>{"enp1s0f0np0", "enp1s0f1np1"});
    set_addresses(*facts, "enp1s0f1np1", {});  // its twin has one
    facts->put({"rdma", "rocep1s0f0", "ports", "1", "gids", "3", "netdev"}, "bond0");
  }
  const std::string text = found();
  EXPECT_THAT(text, HasSubstr("WARNING: node-a: bond0 is a bond over enp1s0f0np0 and enp1s0f1np1, which "
                              "can't be qualified as one half"));
  EXPECT_THAT(text, Not(HasSubstr("enp1s0f1np1 is the second half")));
}
TEST_F(DiscoverPair, FindsRailsOfIpv6WhereHalvesHaveNoIpv4Address) {
  int host = 0;
  for (Document* facts : both) {
    ++host;
    for (std::size_t rail = 0; rail < kNetdevs.size(); ++rail) {
      set_addresses(*facts, kNetdevs[rail], {});
      facts->put({"netdevs", kNetdevs[rail], "ipv6"},
                 std::vector{fmt::format("fd93:0:0:{}::{}/64", rail + 1, host)});
    }
  }
  const Rig rig = rig_in(found());
  ASSERT_EQ(rig.rails.size(), 4U);
  EXPECT_EQ(rig.half(rig.rails[0].halves[0]).address, "fd93:0:0:1::1");
  EXPECT_EQ(rig.half(rig.rails[1].halves[1]).address, "fd93:0:0:2::2");
  EXPECT_EQ(rig.node(0).management, "enP7s7");
}
// Catches: rails of addresses that come and go with a router's advertisements, beside those of the owner.
TEST_F(DiscoverPair, PrefersIpv4Addresses) {
  for (Document* facts : both)
    facts->put({"netdevs", "enp1s0f0np0", "ipv6"}, std::vector<std::string>{"fd93::1/64"});
  const Rig rig = rig_in(found());
  EXPECT_EQ(rig.rails.size(), 4U);
  EXPECT_EQ(family_of(rig.half({0, 0, 0}).address), IpFamily::kIpv4);
}
// Rails are found by addresses: the management network is none of them, although it is all that two nodes share.
TEST_F(DiscoverPair, SaysWhichCardsHaveNoAddress) {
  for (Document* facts : both)
    for (const char* netdev : kNetdevs) set_addresses(*facts, netdev, {});
  try {
    (void)found_rig("found", {{NodeFacts(a), "spark-a", {}}, {NodeFacts(b), "spark-b", {}}}).text;
    ADD_FAILURE() << "a rig of the management network";
  } catch (const NoRig& none) {
    EXPECT_THAT(none.what(), HasSubstr("its address first"));
    EXPECT_THAT(none.what(), HasSubstr("enp1s0f0np0 and enp1s0f1np1 have none"));
  }
}
TEST_F(DiscoverPair, NamesTwoNodesThatHaveOneAddress) {
  set_addresses(b, "enp1s0f0np0", {"198.18.1.1/24"});
  try {
    (void)found();
    ADD_FAILURE() << "one address at two nodes";
  } catch (const NoRig& none) {
    EXPECT_STREQ(none.what(),
                 "node-a: enp1s0f0np0 and node-b: enp1s0f0np0 have the same address, 198.18.1.1: give one of "
                 "them another");
  }
}
// Hosts without RDMA, and what else they have: Tailscale, WireGuard, an overlay, Wi-Fi, a BlueField's console network, which
// has one address on every host.
TEST_F(DiscoverPair, TakesNoTunnelNoOverlayAndNoWifiForACable) {
  int host = 1;
  for (Document* facts : both) {
    facts->put_unread("rdma", "no /sys/class/infiniband");
    for (const char* rdma : {"rocep1s0f0", "roceP2p1s0f0", "rocep1s0f1", "roceP2p1s0f1"})
      facts->put({"rdma", rdma, "netdevs"}, std::vector<std::string>{});
    for (const auto& [netdev, kind, address] :
         {std::tuple("wg0", "wireguard", "10.8.0.{}/24"), std::tuple("tailscale0", "tun", "100.64.0.{}/10"),
          std::tuple("vxlan7", "vxlan", "10.77.0.{}/24"), std::tuple("wlp3s0", "wlan", "192.168.1.{}/24"),
          std::tuple("tmfifo_net0", "tun", "192.168.100.1/30")}) {
      facts->put({"netdevs", netdev, "kind"}, kind);
      facts->put({"netdevs", netdev, "mtu"}, 1500.0);
      set_addresses(*facts, netdev, {fmt::format(fmt::runtime(address), host)});
    }
    ++host;
  }
  const std::string text = found();
  EXPECT_EQ(rig_in(text).rails.size(), 4U) << text;
}
// A server has a PCIe domain for each slot: two cards with the same function are no two halves of one port.
TEST_F(DiscoverPair, TellsCardsOfSeveralDomainsApartByTheirGuids) {
  for (Document* facts : both)
    for (const auto& [rdma, guid] : {std::pair("rocep1s0f0", "1"), std::pair("rocep1s0f1", "1"),
                                     std::pair("roceP2p1s0f0", "2"), std::pair("roceP2p1s0f1", "2")})
      facts->put({"rdma", rdma, "system_guid"}, std::string("0c42:a103:0083:000") + guid);
  const std::string text = found_rig("found", pair(without_ports(a), without_ports(b))).text;
  EXPECT_EQ(rig_in(text).links.size(), 4U) << text;
}
// Hosts whose names have dots and capitals: "gpu.rack1" is not "gpu.rack2", "GPU.rack1" is.
TEST_F(DiscoverPair, ComparesNamesOfHostsAsNameServersDo) {
  Document c = spark("node-b");
  a.host = "gpu.rack1", b.host = "gpu.rack2", c.host = "gpu.rack3";
  c.put({"lldp", "neighbours", "enp1s0f0np0", "system"}, "GPU.Rack2");
  c.put({"lldp", "neighbours", "enp1s0f0np0", "port"}, "enp1s0f0np0");
  const NodeFacts one(a), two(b), three(c);
  const auto end = Cabling({&one, &two, &three}).far_end({2, "enp1s0f0np0"});
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->node, 1U);
  c.put({"lldp", "neighbours", "enp1s0f0np0", "system"}, "GPU");  // which of them?
  const NodeFacts short_one(c);
  EXPECT_FALSE(Cabling({&one, &two, &short_one}).far_end({2, "enp1s0f0np0"}).has_value());
  EXPECT_TRUE(Cabling({&one, &short_one}).far_end({1, "enp1s0f0np0"}).has_value());
}
// Drivers count what the port moves, RDMA included, by names of their own. Of mlx4_en's no name ends in _phy: a run that asked
// for one would end at once.
TEST_F(DiscoverPair, NamesTheCountersOfOtherDrivers) {
  for (const auto& [driver, text_of_it] :
       {std::pair("bnxt_en", "tx_packets = \"tx_total_frames\""),
        std::pair("ice", "rx_bytes = \"rx_bytes.nic\""), std::pair("ionic", "tx_bytes = \"octets_tx_total\""),
        std::pair("mlx4_en", "source = \"netlink\"")}) {
    for (Document* facts : both) {
      facts->put({"netdevs", "enp1s0f0np0", "driver"}, driver);
      facts->put({"netdevs", "enP2p1s0f0np0", "driver"}, driver);
    }
    const std::string text = found();
    EXPECT_EQ(rig_in(text).rails.size(), 4U) << text;
    EXPECT_THAT(text, HasSubstr(text_of_it));
  }
}
// lldpd names the chassis by the MAC of any of its netdevs.
TEST_F(DiscoverPair, OfAChassisMacDoesNotTakeItsNetdevForTheEndOfTheCable) {
  const std::string chassis = *a.text({"netdevs", "enP7s7", "mac"}),
                    port = *a.text({"netdevs", "enp1s0f0np0", "mac"});
  const auto lead = [&](const std::string& called, const std::vector<std::string>& macs) {
    b.put({"lldp", "neighbours", "enp1s0f0np0", "port"}, called);
    b.put({"lldp", "neighbours", "enp1s0f0np0", "macs"}, macs);
    const NodeFacts one(a), other(b);
    const auto end = Cabling({&one, &other}).far_end({1, "enp1s0f0np0"});
    return end ? end->netdev : "not known";
  };
  EXPECT_EQ(lead("enp1s0f0np0", {chassis}), "enp1s0f0np0");
  EXPECT_EQ(lead("left rail", {port, chassis}), "enp1s0f0np0");
  EXPECT_EQ(lead("left rail", {chassis}), "not known");
}
TEST_F(DiscoverPair, OfThreeNodesGoesThroughASwitch) {
  Document c = Document::parse(
      [] {
        std::string text = spark("node-b").dump();
        for (std::size_t at = 0; (at = text.find("node-b", at)) != std::string::npos; ++at)
          text[at + 5] = 'c';
        for (int subnet = 1; subnet <= 4; ++subnet) {
          const std::string own = "198.18." + std::to_string(subnet) + ".2/24";
          for (std::size_t at = 0; (at = text.find(own, at)) != std::string::npos; ++at)
            text[at + own.size() - 4] = '3';
        }
        for (std::size_t at = 0; (at = text.find("4c:bb:47", at)) != std::string::npos; ++at)
          text[at + 7] = '9';
        return text;
      }(),
      "c");
  const std::string text = found_rig("found", {{NodeFacts(spark("node-a")), "spark-a", {"192.168.88.1"}},
                                               {NodeFacts(spark("node-b")), "spark-b", {"192.168.88.2"}},
                                               {NodeFacts(c), "spark-c", {"192.168.88.2"}}})
                               .text;
  const Rig rig = rig_in(text);
  EXPECT_EQ(rig.nodes.size(), 3U);
  EXPECT_EQ(rig.rails.at(0).halves.size(), 3U);
  EXPECT_EQ(rig.links.at(0).through, "switch");
  EXPECT_THAT(text, HasSubstr("# (?) cabling unknown: rails guessed from subnets"));
}
TEST_F(DiscoverPair, SaysWhatItLeftOut) {
  Document lonely = spark("node-b");
  set_addresses(lonely, "enp1s0f0np0", {"10.9.8.7/24"});
  const std::string text =
      found_rig("found", {{NodeFacts(spark("node-a")), "spark-a", {}}, {NodeFacts(lonely), "spark-b", {}}})
          .text;
  EXPECT_THAT(text, HasSubstr("# left out: (?) enp1s0f0np0 with 10.9.8.7/24: no other node has that subnet"));
  EXPECT_THROW(
      (void)found_rig("none", {{NodeFacts(Document("a")), "a", {}}, {NodeFacts(Document("b")), "b", {}}})
          .text,
      NoRig);
}

}  // namespace
}  // namespace rigproof::facts
