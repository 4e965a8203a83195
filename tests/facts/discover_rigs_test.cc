// Rigs as their owners have them: what `discover` writes of each is tests/rig/*.toml, which are installed as examples.
// RIGPROOF_APPROVE=1 writes them anew.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <functional>
#include <tuple>

#include "fixtures/facts/discover.h"
#include "framework/rig/rig.h"
#include "tests/support/golden.h"

namespace rigproof::facts {
namespace {

using testing::HasSubstr;

// As the examples have it where they are installed; `discover` names its own installation's.
const std::string kSchemaLine = "#:schema ../schemas/rig.schema.json\n";

constexpr std::array kPort0{"enp1s0f0np0", "enP2p1s0f0np0"};
constexpr std::array kPort1{"enp1s0f1np1", "enP2p1s0f1np1"};

// Sparks as recorded, on straight cables: no LLDP is heard.
class Sparks {
 public:
  explicit Sparks(int count) {
    for (int i = 0; i < count; ++i) documents_.push_back(of(i));
  }
  void address(std::size_t node, const char* netdev, std::string address) {
    documents_[node].put({"netdevs", netdev, "ipv4"},
                         address.empty() ? std::vector<std::string>{} : std::vector{std::move(address)});
  }
  void management(std::size_t node, std::vector<std::string> addresses) {
    management_[node] = std::move(addresses);
  }
  Document& facts(std::size_t node) { return documents_[node]; }
  // Both halves of a port receive what one of the far port's halves broadcasts.
  void hears(std::size_t node, const std::array<const char*, 2>& port, std::size_t far,
             const char* far_netdev) {
    for (const char* netdev : port) heard_[node].push_back({netdev, documents_[far].node(), far_netdev});
  }
  [[nodiscard]] std::string rig(const std::string& name) const {
    std::vector<DiscoveredNode> nodes;
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      const auto own = management_.find(i);
      const auto heard = heard_.find(i);
      nodes.push_back(
          {NodeFacts(documents_[i]), "spark-" + std::string(1, static_cast<char>('a' + i)),
           own == management_.end() ? std::vector{"192.168.88." + std::to_string(i + 1)} : own->second,
           heard == heard_.end() ? std::vector<Announcement>{} : heard->second});
    }
    return kSchemaLine + found_rig(name, nodes).text;
  }

 private:
  static Document of(int index) {
    const std::string name = index == 0 ? "node-a" : "node-b";
    Document recorded = read_facts_file(RIGPROOF_SOURCE_DIR "/tests/preflight/sparks", name);
    if (index < 2) return recorded;
    std::string text = recorded.dump();
    const auto replace = [&](const std::string& from, const std::string& to) {
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    };
    replace("node-b", "node-c");
    replace("spark-b", "spark-c");
    replace("4c:bb:47", "4c:bb:49");
    replace("192.168.88.2", "192.168.88.3");
    return Document::parse(text, "c");
  }

  std::vector<Document> documents_;
  std::map<std::size_t, std::vector<std::string>> management_;
  std::map<std::size_t, std::vector<Announcement>> heard_;
};

struct OwnersRig {
  std::string name;
  int nodes;
  std::size_t rails, links;
  std::function<void(Sparks&)> make;
};

void unplug_port1(Sparks& sparks) {
  for (const std::size_t node : {0U, 1U})
    for (const char* netdev : kPort1) sparks.address(node, netdev, "");
}

// Cables a-b, b-c, c-a: port 0 of a node to port 1 of the next, a subnet for each half of each cable.
void cable_ring(Sparks& sparks) {
  for (std::size_t node = 0; node < 3; ++node)
    for (std::size_t half = 0; half < 2; ++half) {
      const std::size_t next = (node + 1) % 3;
      const auto subnet = "198.18." + std::to_string(1 + 2 * node + half) + ".";
      sparks.address(node, kPort0[half], subnet + "1/24");
      sparks.address(next, kPort1[half], subnet + "2/24");
    }
}

// A subnet for each port, for both of its halves.
void share_subnets(Sparks& sparks) {
  for (std::size_t node = 0; node < 2; ++node)
    for (std::size_t half = 0; half < 2; ++half) {
      const auto host = std::to_string(10 * (half + 1) + node) + "/24";
      sparks.address(node, kPort0[half], "192.168.100." + host);
      sparks.address(node, kPort1[half], "192.168.101." + host);
    }
}

void address_by_link_local(Sparks& sparks) {
  int host = 10;
  for (std::size_t node = 0; node < 2; ++node)
    for (const auto& port : {kPort0, kPort1})
      for (const char* netdev : port)
        sparks.address(node, netdev, "169.254.77." + std::to_string(host++) + "/16");
}

void cable_to_switch(Sparks& sparks) {
  for (std::size_t node = 0; node < 2; ++node)
    for (const auto& port : {kPort0, kPort1})
      for (const char* netdev : port) {
        sparks.facts(node).put({"lldp", "neighbours", netdev, "system"}, "crs804");
        sparks.facts(node).put({"lldp", "neighbours", netdev, "port"}, "qsfp56-dd-1-1");
      }
}

const std::vector<OwnersRig> kRigs{
    {"one_cable", 2, 2, 1, unplug_port1},
    {"two_cables", 2, 4, 2, [](Sparks&) {}},
    {"switched", 2, 4, 2, cable_to_switch},
    {"ring_of_three", 3, 6, 3, cable_ring},
    {"no_management", 2, 4, 2,
     [](Sparks& sparks) {  // nothing but the cables: the nodes are launched by a half's address
       for (const std::size_t node : {0U, 1U}) {
         sparks.management(node, {"198.18.1." + std::to_string(node + 1)});
         sparks.address(node, "enP7s7", "");
       }
     }},
    {"other_management", 2, 4, 2,
     [](Sparks& sparks) {
       sparks.address(1, "enP7s7", "");
       sparks.address(1, "wlP9s9", "192.168.88.2/24");
       sparks.facts(1).put({"netdevs", "wlP9s9", "mac"}, "4c:bb:47:00:00:99");
     }},
    {"one_subnet_a_port", 2, 4, 2, share_subnets},
    {"link_local", 2, 4, 2, address_by_link_local},
};

class DiscoverOwnersRig : public testing::TestWithParam<OwnersRig> {};

TEST_P(DiscoverOwnersRig, IsWrittenAsApproved) {
  Sparks sparks(GetParam().nodes);
  GetParam().make(sparks);
  const std::string text = sparks.rig("dgx-spark-" + GetParam().name);
  const Rig rig = read_rig(toml::Document::parse(text, GetParam().name));
  EXPECT_EQ(rig.rails.size(), GetParam().rails) << text;
  EXPECT_EQ(rig.links.size(), GetParam().links) << text;
  for (const Rail& rail : rig.rails) EXPECT_EQ(rail.halves.size(), 2U);
  expect_approved("../rig/dgx_spark_" + GetParam().name + ".toml", text);
}
INSTANTIATE_TEST_SUITE_P(Sparks, DiscoverOwnersRig, testing::ValuesIn(kRigs),
                         [](const auto& info) { return info.param.name; });

// Ports whose halves all have addresses of one subnet: the first of one node talks to the first of the other.
TEST(DiscoverByOrder, PairsHalvesOfOnePlaceAndSaysThatItGuessed) {
  Sparks sparks(2);
  address_by_link_local(sparks);
  const std::string text = sparks.rig("found");
  EXPECT_THAT(text, HasSubstr("halves = [\"node-a:enp1s0f0np0\", \"node-b:enp1s0f0np0\"]"));
  EXPECT_THAT(text, HasSubstr("(?)"));
}
// A name that is no netdev's address (a name server's alias, a NAT): the netdev without RDMA is no half of the rig.
TEST(DiscoverManagement, IsGuessedWhereNoNetdevHasTheAddress) {
  Sparks sparks(2);
  sparks.management(0, {"203.0.113.1"});
  const std::string text = sparks.rig("found");
  EXPECT_THAT(text, HasSubstr("management = \"enP7s7\"  # (?) no netdev has the address of spark-a"));
  EXPECT_EQ(read_rig(toml::Document::parse(text, "found")).rails.size(), 4U);
}
TEST(DiscoverByOrder, GuessesNothingWhereNodesHaveNotAsManyHalves) {
  Sparks sparks(2);
  share_subnets(sparks);
  sparks.address(1, kPort0[1], "");
  EXPECT_THAT(sparks.rig("found"), HasSubstr("not equally many on each node"));
}

// Three nodes with link-local addresses on port 0 and port 1 alone, as a ring of three.
void address_ring_by_link_local(Sparks& sparks) {
  int host = 10;
  for (std::size_t node = 0; node < 3; ++node)
    for (const auto& port : {kPort0, kPort1}) {
      sparks.address(node, port[0], "169.254.10." + std::to_string(host++) + "/16");
      sparks.address(node, port[1], "");
    }
}
void hear(Sparks& sparks, std::size_t node, const char* netdev, std::size_t far, const char* far_netdev) {
  sparks.facts(node).put({"lldp", "neighbours", netdev, "system"},
                         "spark-" + std::string(1, static_cast<char>('a' + far)));
  sparks.facts(node).put({"lldp", "neighbours", netdev, "port"}, std::string(far_netdev));
}
// Catches: a ring that becomes a star around a switch, because link-local addresses are in one subnet.
TEST(DiscoverLinkLocal, TellsNothingAboutCables) {
  Sparks sparks(3);
  address_ring_by_link_local(sparks);
  const std::string text = sparks.rig("ring");
  EXPECT_THAT(text, HasSubstr("[[link]]  # (?) which ports a cable joins is not known: install lldpd"));
  EXPECT_THAT(text, HasSubstr("through = \"switch\"  # (?) a switch, or cables of which each joins two"));
  EXPECT_THAT(text, HasSubstr("[[rail]]  # 169.254.0.0/16, number 1 (?) of 2 in it at each node"));
  EXPECT_THAT(text,
              HasSubstr("has no address: without it the rig is half of that port. Which cable it has is "
                        "not known"));
  EXPECT_THAT(text, testing::Not(HasSubstr("ip addr add")));
}
TEST(DiscoverLinkLocal, LeavesCablesToLldp) {
  Sparks sparks(3);
  address_ring_by_link_local(sparks);
  for (std::size_t node = 0; node < 3; ++node) hear(sparks, node, kPort0[0], (node + 1) % 3, kPort1[0]);
  const std::string text = sparks.rig("ring");
  const Rig rig = read_rig(toml::Document::parse(text, "ring"));
  EXPECT_EQ(rig.rails.size(), 3U) << text;
  ASSERT_EQ(rig.links.size(), 3U) << text;
  for (const Link& link : rig.links) EXPECT_FALSE(link.through) << text;
  EXPECT_THAT(text, testing::Not(HasSubstr("(?) which ports")));
}
// Catches: cables that nobody knows, where no LLDP daemon runs and the addresses show none.
TEST(DiscoverByAnnouncements, FindsTheCablesOfARing) {
  Sparks sparks(3);
  address_ring_by_link_local(sparks);
  for (std::size_t node = 0; node < 3; ++node)
    sparks.hears((node + 1) % 3, kPort1, node, kPort0[0]);  // one way is enough
  const std::string text = sparks.rig("ring");
  const Rig rig = read_rig(toml::Document::parse(text, "ring"));
  EXPECT_EQ(rig.rails.size(), 3U) << text;
  ASSERT_EQ(rig.links.size(), 3U) << text;
  for (const Link& link : rig.links) EXPECT_FALSE(link.through) << text;
  EXPECT_THAT(text, HasSubstr("# by an announcement the cable leads to node-b:enp1s0f1np1"));
  EXPECT_THAT(text, testing::Not(HasSubstr("(?) which ports")));
  EXPECT_THAT(text, testing::Not(HasSubstr("cabling unknown")));
  EXPECT_THAT(text, HasSubstr("sudo ip addr add 192.168.100.1/24 dev enP2p1s0f0np0")) << "its cable is known";
}
// Both halves of each port have link-local addresses: a rail for each pair of halves.
TEST(DiscoverByAnnouncements, PairsTheHalvesOfTwoPorts) {
  Sparks sparks(2);
  address_by_link_local(sparks);
  for (const std::size_t half : {0U, 1U}) {
    sparks.hears(0, kPort0, 1, kPort1[half]);  // crossed cables
    sparks.hears(0, kPort1, 1, kPort0[half]);
  }
  const Rig rig = read_rig(toml::Document::parse(sparks.rig("pair"), "pair"));
  ASSERT_EQ(rig.rails.size(), 4U);
  for (const Rail& rail : rig.rails) {
    const std::string here = rig.half(rail.halves.at(0)).netdev, there = rig.half(rail.halves.at(1)).netdev;
    EXPECT_EQ(here.ends_with("f0np0"), there.ends_with("f1np1")) << here << there;
    EXPECT_EQ(here.starts_with("enP2"), there.starts_with("enP2")) << here << there;
  }
}
// Catches: a switch that is taken for cables because it hands broadcasts on.
TEST(DiscoverByAnnouncements, MakeNoCableThroughASwitch) {
  Sparks sparks(2);
  address_by_link_local(sparks);
  for (const auto& port : {kPort0, kPort1})
    for (const auto& far : {kPort0, kPort1}) sparks.hears(0, port, 1, far[0]);
  EXPECT_THAT(sparks.rig("pair"), HasSubstr("[[link]]  # (?) which ports a cable joins is not known"));
}
TEST(DiscoverByAnnouncements, GiveWayToLldp) {
  Sparks sparks(3);
  address_ring_by_link_local(sparks);
  hear(sparks, 0, kPort0[0], 1, kPort1[0]);
  sparks.hears(0, kPort0, 2, kPort1[0]);
  EXPECT_THAT(sparks.rig("ring"), HasSubstr("# by LLDP the cable leads to node-b:enp1s0f1np1"));
}
TEST(DiscoverLinkLocal, IsAGuessAlsoBetweenTwoPorts) {
  Sparks sparks(2);
  for (const std::size_t node : {0U, 1U}) {
    unplug_port1(sparks);
    sparks.address(node, kPort0[0], "169.254.10." + std::to_string(node + 1) + "/16");
    sparks.address(node, kPort0[1], "");
  }
  const std::string text = sparks.rig("pair");
  EXPECT_THAT(text,
              HasSubstr("[[rail]]  # 169.254.0.0/16 (?) link-local addresses tell nothing about cables"));
  EXPECT_THAT(text, HasSubstr("[[link]]  # (?) which ports"));
}

// A subnet for each first half: 192.168.100.0/24 to 192.168.102.0/24. Catches: the address of a neighbour, different
// subnets at the ends of a cable.
TEST(DiscoverAdvice, GivesBothEndsOfEachCableOfARingOneNewSubnet) {
  Sparks sparks(3);
  for (std::size_t node = 0; node < 3; ++node) {
    const std::size_t next = (node + 1) % 3;
    const std::string subnet = "192.168." + std::to_string(100 + node) + ".";
    sparks.address(node, kPort0[0], subnet + "1/24");
    sparks.address(next, kPort1[0], subnet + "2/24");
    sparks.address(node, kPort0[1], "");
    sparks.address(next, kPort1[1], "");
  }
  const std::string text = sparks.rig("ring");
  for (const auto& [node, netdev, address] :
       {std::tuple("node-a", kPort0[1], "192.168.103.1"), std::tuple("node-b", kPort1[1], "192.168.103.2"),
        std::tuple("node-b", kPort0[1], "192.168.104.1"), std::tuple("node-c", kPort1[1], "192.168.104.2"),
        std::tuple("node-a", kPort1[1], "192.168.105.1"), std::tuple("node-c", kPort0[1], "192.168.105.2")})
    EXPECT_THAT(
        text, testing::ContainsRegex(fmt::format("WARNING: {}: {} is .*sudo ip addr add {}/24 dev {} ", node,
                                                 netdev, address, netdev)));
}

// Tailscale's addresses are alone in their subnet.
TEST(Discover, TakesATunnelByWhichANodeIsLaunchedForItsManagement) {
  Sparks sparks(2);
  for (const std::size_t node : {0U, 1U}) {
    const std::string address = "100.64.0." + std::to_string(node + 1);
    sparks.facts(node).put({"netdevs", "tailscale0", "kind"}, "tun");
    sparks.address(node, "tailscale0", address + "/32");
    sparks.management(node, {address});
  }
  EXPECT_THAT(sparks.rig("tunnel"), HasSubstr("\nmanagement = \"tailscale0\"\n"));
}

}  // namespace
}  // namespace rigproof::facts
