#include <gmock/gmock.h>

#include <ostream>

#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// One change to a sound file of two nodes, and what must be said about it.
struct Refusal {
  const char* name;
  std::string from, to;
  const char* message;
};
void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

std::string refusal_of(const std::string& text) {
  try {
    (void)rig_of(text);
  } catch (const toml::InputError& error) {
    return error.what();
  }
  return "it was accepted";
}

class RigFile : public testing::TestWithParam<Refusal> {};

TEST_P(RigFile, IsRefusedAtThePlace) {
  const std::string message = refusal_of(replaced(star_text(2), GetParam().from, GetParam().to));
  EXPECT_THAT(message, HasSubstr(GetParam().message));
  EXPECT_THAT(message, ContainsRegex("^rig\\.toml:[0-9]+:[0-9]+: "));
  EXPECT_LT(message.size(), 600U) << message;
}

std::string name_of(const testing::TestParamInfo<Refusal>& info) { return info.param.name; }

const std::string kMegabyte(1 << 20, 'x');

const std::vector<Refusal> kTopLevel = {
    {"NoFormat", "format = 1\n", "", "missing key 'format'"},
    {"OtherFormat", "format = 1", "format = 2", "unknown format 2"},
    {"UnknownKind", R"(kind = "model")", R"(kind = "modell")", "did you mean 'model'"},
    {"NoName", "name = \"test-rig\"\n", "", "missing key 'name'"},
    {"MisspeltKey", "kind = ", "kinds = ", "rig.toml:3:9: unknown key 'kinds'; did you mean 'kind'?"},
    {"MisspeltTable", "[[rail]]", "[[rails]]", "unknown key 'rails'; did you mean 'rail'?"},
    {"OpenString", R"(name = "test-rig")", R"(name = "test-rig)", "this string has no closing quote"},
    {"UnknownKey", "kind = ", "colour = \"red\"\nkind = ", "unknown key 'colour'"},
    {"TrafficClassAbove255", "kind = ", "traffic_class = 256\nkind = ", "a whole number from 0 to 255"},
    {"TrafficClassBelow0", "kind = ", "traffic_class = -1\nkind = ", "a whole number from 0 to 255"},
    {"TrafficClassAsText", "kind = ", "traffic_class = \"x\"\nkind = ", "must be an integer"},
    {"ServiceLevelAbove7", "kind = ", "traffic_class = 106\nservice_level = 8\nkind = ", "from 0 to 7"},
    {"ServiceLevelAlone", "kind = ", "service_level = 3\nkind = ", "needs a traffic_class in the same table"},
    {"StandInOfTwoLines", "kind = ", "stand_in = \"a\\nb\"\nkind = ", "printable"},
};
INSTANTIATE_TEST_SUITE_P(TopLevel, RigFile, testing::ValuesIn(kTopLevel), name_of);

const std::vector<Refusal> kNames = {
    {"Space", R"(name = "node-a")", R"(name = "node a")", "characters other than"},
    {"Control", R"(name = "node-a")", "name = \"node\\u0007a\"", "'node\\x07a'"},
    {"Unicode", R"(name = "node-a")", "name = \"n\\u00f6de\"", "characters other than"},
    {"Escape", R"(name = "node-a")", "name = \"\\u001b[2J\"", "'\\x1B[2J'"},
    {"Dash", R"(name = "node-a")", R"(name = "-a")", "begin with a letter"},
    {"DotDot", R"(name = "node-a")", R"(name = "..")", "begin with a letter"},
    {"Megabyte", R"(name = "node-a")", R"(name = ")" + kMegabyte + R"(")", "is too long"},
    {"OneTooLong", R"(name = "node-a")", R"(name = ")" + std::string(65, 'x') + R"(")", "65 characters"},
    {"Twice", R"(name = "node-b")", R"(name = "node-a")", "'node-a' is already given at rig.toml:4"},
    {"AlmostTwice", R"(name = "node-b")", R"(name = "node.a")", "differs only in . _ and - from 'node-a'"},
    {"PortTwice", R"(name = "port1")", R"(name = "port0")", "port name 'port0' is already given"},
    {"LinkTwice", R"(name = "link1")", R"(name = "link0")", "link name 'link0' is already given"},
    {"RailTwice", R"(name = "rail1")", R"(name = "rail0")", "rail name 'rail0' is already given"},
    {"CasesOfOneName", R"(name = "rail0")", R"(name = "link0")",
     "two cases would be named 'link0_node_a_node_b'"},
};
INSTANTIATE_TEST_SUITE_P(Names, RigFile, testing::ValuesIn(kNames), name_of);

const std::vector<Refusal> kAddresses = {
    {"Option", R"(address = "node-a")", R"(address = "-rsh")", "begin with a letter"},
    {"Shell", R"(address = "node-a")", R"(address = "a;reboot")", "characters other than"},
    {"Substitution", R"(address = "node-a")", R"(address = "`id`")", "characters other than"},
    {"Comma", R"(address = "node-a")", R"(address = "a,b")", "characters other than"},
    {"LaunchTwice", R"(address = "node-b")", R"(address = "node-a")", "already given at rig.toml:4"},
    {"LaunchTwiceInCapitals", R"(address = "node-b")", R"(address = "NODE-A")",
     "'NODE-A' is the same as 'node-a' at rig.toml:4"},
    {"Loopback", "10.1.0.1/16", "127.1.0.1/16", "is a loopback address"},
    {"NoPrefix", "10.1.0.1/16", "10.1.0.1", "has no prefix length"},
    {"Octet", "10.1.0.1/16", "10.1.256.1/16", "is not a valid IPv4 address"},
    {"ThreeOctets", "10.1.0.1/16", "10.1.0/16", "is not a valid IPv4 address"},
    {"FiveOctets", "10.1.0.1/16", "10.1.0.1.1/16", "is not a valid IPv4 address"},
    {"Octal", "10.1.0.1/16", "10.01.0.1/16", "is not a valid IPv4 address"},
    {"Sign", "10.1.0.1/16", "10.+1.0.1/16", "is not a valid IPv4 address"},
    {"Ipv6NoPrefix", "10.1.0.1/16", "fd93::1", "has no prefix length (write e.g. \"fd93::1/64\")"},
    {"Ipv6Invalid", "10.1.0.1/16", "fd93:::1/64", "is not a valid IPv6 address"},
    {"Ipv6Scope", "10.1.0.1/16", "fe80::1%enp1s0f0np0/64", "a link-local address, which NCCL never chooses"},
    {"Ipv6LinkLocal", "10.1.0.1/16", "fe80::1/64", "a link-local address, which NCCL never chooses"},
    {"Ipv6Multicast", "10.1.0.1/16", "ff02::1/64", "not an address that a host can have"},
    {"Ipv6Loopback", "10.1.0.1/16", "::1/64", "not an address that a host can have"},
    {"Ipv6OfIpv4", "10.1.0.1/16", "::ffff:10.1.0.1/120", "is not a valid IPv6 address"},
    {"Ipv6Routers", "10.1.0.1/16", "fd93::/64", "the address of the subnet's routers"},
    {"Ipv6LongPrefix", "10.1.0.1/16", "fd93::1/129", "prefix length from 8 to 128"},
    {"OneEndOfEachFamily", "10.1.0.1/16", "fd93::1/64", "addresses of IPv4 and of IPv6"},
    {"LongPrefix", "10.1.0.1/16", "10.1.0.1/33", "prefix length from 8 to 32"},
    {"HostPrefix", "10.1.0.1/16", "10.1.0.1/32", "write routed = true if a router joins them"},
    {"ShortPrefix", "10.1.0.1/16", "10.1.0.1/0", "prefix length from 8 to 32"},
    {"EmptyPrefix", "10.1.0.1/16", "10.1.0.1/", "prefix length from 8 to 32"},
    {"Network", "10.1.0.1/16", "10.1.0.0/16", "address of the network"},
    {"Broadcast", "10.1.0.1/16", "10.1.255.255/16", "broadcast address"},
    {"Multicast", "10.1.0.1/16", "224.0.0.1/16", "not an address that a host can have"},
    {"HalfTwice", "10.2.0.1/16", "10.1.0.1/16", "address '10.1.0.1' is already given"},
    {"MacTwice", "02:00:00:02:00:01", "02:00:00:01:00:01", "'02:00:00:01:00:01' is already given"},
    {"MacOfFive", "02:00:00:01:00:01", "02:00:00:01:00", "is not a valid MAC address"},
    {"MacByDashes", "02:00:00:01:00:01", "02-00-00-01-00-01", "is not a valid MAC address"},
    {"MacOfAGroup", "02:00:00:01:00:01", "03:00:00:01:00:01", "not the MAC address of a single NIC"},
};
INSTANTIATE_TEST_SUITE_P(Addresses, RigFile, testing::ValuesIn(kAddresses), name_of);

const std::vector<Refusal> kDevices = {
    {"Long", R"(netdev = "enp1s0f0np0")", R"(netdev = "enp1s0f0np0xxxxx")", "at most 15"},
    {"Slash", R"(netdev = "enp1s0f0np0")", R"(netdev = "../net")", "characters other than"},
    {"Space", R"(netdev = "enp1s0f0np0")", R"(netdev = "e 0")", "characters other than"},
    {"Twice", R"(netdev = "enP2p1s0f0np0")", R"(netdev = "enp1s0f0np0")", "'enp1s0f0np0' is already given"},
    {"Management", R"(management = "mgmt0")", R"(management = "enp1s0f0np0")",
     "'enp1s0f0np0' is already given"},
    {"GpusBelowZero", R"(management = "mgmt0")", "gpus = -1", "a node can have 0 to 64 GPUs; here: -1"},
    {"TooManyGpus", R"(management = "mgmt0")", "gpus = 65", "a node can have 0 to 64 GPUs; here: 65"},
    {"GpusAsText", R"(management = "mgmt0")", R"(gpus = "8")", "gpus"},
    {"RdmaTwice", "rdma-enP2p1s0f0np0", "rdma-enp1s0f0np0", "RDMA device 'rdma-enp1s0f0np0' is already"},
    {"UnknownSource", R"("ethtool")", R"("ethtol")", "did you mean 'ethtool'"},
    {"NetlinkWithoutDevice", R"("ethtool", device = "enp1s0f0np0")", R"("netlink")", "missing key 'device'"},
    {"NetlinkWithNames", R"("ethtool", )", R"("netlink", tx_bytes = "x", )", "unknown key 'tx_bytes'"},
    {"CountersTwice", R"(device = "enp1s0f1np1")", R"(device = "enp1s0f0np0")", "'enp1s0f0np0' is already"},
    {"CountersOfAnotherPort", R"(device = "enp1s0f0np0")", R"(device = "enP2p1s0f1np1")",
     "counters: 'enP2p1s0f1np1' belongs to another port, 'port1'"},
    {"UnknownUse", R"(rate = "200 Gbit/s")", "rate = \"200 Gbit/s\"\nuse = \"storge\"",
     "the use of a port must be \"compute\" or \"storage\"; did you mean 'storage'"},
    {"CounterName", R"("ethtool", )", "\"ethtool\", tx_bytes = \"a\\tb\", ", "printable"},
};
INSTANTIATE_TEST_SUITE_P(Devices, RigFile, testing::ValuesIn(kDevices), name_of);

const std::vector<Refusal> kFigures = {
    {"NoUnit", R"(rate = "200 Gbit/s")", R"(rate = "200")", "no unit"},
    {"Number", R"(rate = "200 Gbit/s")", "rate = 200", "no unit"},
    {"Dimension", R"(rate = "200 Gbit/s")", R"(rate = "200 B")", "data rate"},
    {"Zero", R"(rate = "200 Gbit/s")", R"(rate = "0 Gbit/s")", "above 0"},
    {"Negative", R"(rate = "100 Gbit/s")", R"(rate = "-1 Gbit/s")", "negative"},
    {"Vast", R"(rate = "200 Gbit/s")", R"(rate = "100001 Gbit/s")", "at most 100 Tbit/s"},
    {"HalfAbovePort", R"(rate = "100 Gbit/s")", R"(rate = "201 Gbit/s")", "faster than its port"},
    {"SmallMtu", R"(mtu = "9000 B")", R"(mtu = "575 B")", "from 576 B to 65535 B"},
    {"LargeMtu", R"(mtu = "9000 B")", R"(mtu = "65536 B")", "from 576 B to 65535 B"},
    {"MtuWithoutUnit", R"(mtu = "9000 B")", R"(mtu = "9000")", "(write e.g. \"9000 B\")"},
    {"BrokenMtu", R"(mtu = "9000 B")", R"(mtu = "9000.5 B")", "whole number"},
};
INSTANTIATE_TEST_SUITE_P(Figures, RigFile, testing::ValuesIn(kFigures), name_of);

const std::vector<Refusal> kLinks = {
    {"UnknownNode", R"("node-b:port0")", R"("node-c:port0")", "there is no node 'node-c'; did you mean"},
    {"UnknownPort", R"("node-b:port0")", R"("node-b:prt0")", "has no port 'prt0'; did you mean 'port0'"},
    {"NoColon", R"("node-b:port0")", R"("node-b")", "does not name a node"},
    {"OnePort", R"(, "node-b:port0")", "", "at least two"},
    {"OneNode", R"("node-b:port0")", R"("node-a:port1")", "are on the same node"},
    {"PortOnTwo", R"("node-a:port1")", R"("node-a:port0")", "'node-a:port0' is already given"},
    {"MegabytePort", R"("node-b:port0")", R"("node-b:)" + kMegabyte + R"(")", "has no port"},
    {"UnknownKey", "through = ", "trough = ", "did you mean 'through'"},
    {"TrafficClass", "through = ", "traffic_class = 106\nthrough = ", "unknown key 'traffic_class'"},
};
INSTANTIATE_TEST_SUITE_P(Links, RigFile, testing::ValuesIn(kLinks), name_of);

const std::vector<Refusal> kRails = {
    {"UnknownHalf", R"("node-b:enp1s0f0np0")", R"("node-b:enp1s0f0np1")", "did you mean 'enp1s0f0np0'"},
    {"HalfOnTwo", R"("node-b:enP2p1s0f0np0")", R"("node-b:enp1s0f0np0")", "is already given"},
    {"OneNode", R"("node-b:enp1s0f0np0")", R"("node-a:enP2p1s0f0np0")", "are on the same node"},
    {"OneHalf", R"(, "node-b:enp1s0f0np0")", "", "at least two"},
    {"Subnet", "10.1.0.1/16", "10.9.0.1/16", "are in different subnets"},
    {"PrefixLength", "10.1.0.1/16", "10.1.0.1/24", "are in different subnets"},
    {"RoutedInOneSubnet", "name = \"rail0\"", "name = \"rail0\"\nrouted = true",
     "all halves are in the subnet 10.1.0.0/16: no router is between them"},
    {"RoutedAsText", "name = \"rail0\"", "name = \"rail0\"\nrouted = \"yes\"", "routed"},
    {"TwoUses", R"(rate = "200 Gbit/s")", "rate = \"200 Gbit/s\"\nuse = \"storage\"",
     "node-a:enp1s0f0np0 is a half of a storage port, node-b:enp1s0f0np0 of a compute port"},
    {"TrafficClass", "name = \"rail0\"", "name = \"rail0\"\ntraffic_class = 256", "from 0 to 255"},
    {"Mtu", R"(mtu = "9000 B")", R"(mtu = "1500 B")", "has an MTU of 1500 B, node-b:enp1s0f0np0 of 9000 B"},
};
INSTANTIATE_TEST_SUITE_P(Rails, RigFile, testing::ValuesIn(kRails), name_of);

TEST(RigFileAsAWhole, TheMessagePointsAtTheValue) {
  const std::string text = replaced(star_text(2), "kind = \"model\"", "kind = \"modem\"");
  EXPECT_EQ(
      refusal_of(text),
      "rig.toml:3:8: a rig's kind must be \"model\", \"roce-vm\" or \"hardware\"; did you mean 'model'?\n"
      "  3 | kind = \"modem\"\n"
      "    |        ^");
}

TEST(RigFileAsAWhole, AnArrayIsPointedAtByElement) {
  const std::string message = refusal_of(replaced(star_text(2), "\"node-b:port0\"", "\"node-x:port0\""));
  EXPECT_THAT(message,
              HasSubstr("ports = [\"node-a:port0\", \"node-x:port0\"]\n     |                          ^"));
}

TEST(RigFileAsAWhole, APortIsNotNamedLikeItsHalf) {
  const std::string text = replaced_everywhere(star_text(2), "port0", "enp1s0f0np0");
  EXPECT_THAT(refusal_of(text), HasSubstr("two cases would be named 'node_a_enp1s0f0np0'"));
}

TEST(RigFileAsAWhole, AStraightLinkHasTwoPorts) {
  EXPECT_THAT(refusal_of(replaced(star_text(3), "through = \"switch0\"\n", "")), HasSubstr("two ports"));
}

TEST(RigFileAsAWhole, ARoutedRailNeedsMoreThanACable) {
  const std::string cabled = replaced(star_text(2), "through = \"switch0\"\n", "");
  const std::string text = replaced(cabled, "name = \"rail0\"", "name = \"rail0\"\nrouted = true");
  EXPECT_THAT(refusal_of(replaced(text, "10.1.0.1/16", "10.9.0.1/16")),
              HasSubstr("node-a:enp1s0f0np0 is on a straight cable"));
}

TEST(RigFileAsAWhole, AHalfIsOnARail) {
  const std::string text = star_text(2);
  EXPECT_THAT(refusal_of(text.substr(0, text.rfind("[[rail]]"))),
              HasSubstr("node-a:enP2p1s0f1np1 is on no rail"));
}

TEST(RigFileAsAWhole, APortIsOnALink) {
  const std::string text = star_text(2);
  EXPECT_THAT(refusal_of(text.substr(0, text.rfind("[[link]]"))), HasSubstr("node-a:port1 is on no link"));
}

TEST(RigFileAsAWhole, ARailRunsAlongOneLink) {
  const std::string crossed = "ports = [\"node-a:port1\", \"node-b:port0\"]";
  const std::string straight = "ports = [\"node-a:port0\", \"node-b:port0\"]";
  const std::string text = replaced(star_text(2), straight, crossed);
  EXPECT_THAT(refusal_of(replaced(text, "ports = [\"node-a:port1\", \"node-b:port1\"]",
                                  "ports = [\"node-a:port0\", \"node-b:port1\"]")),
              HasSubstr("node-a:enp1s0f0np0 and node-b:enp1s0f0np0 are on no common link"));
}

TEST(RigFileAsAWhole, ANodeHasPortsAndAPortHasHalves) {
  const std::string node = "[[node]]\nname = \"bare\"\naddress = \"bare\"\n";
  EXPECT_THAT(refusal_of(star_text(2) + node), HasSubstr("'bare' has no [[node.port]]"));
  const std::string port =
      "[[node.port]]\nname=\"p\"\nrate=\"1 Gbit/s\"\ncounters={source=\"ethtool\",device=\"d\"}";
  EXPECT_THAT(refusal_of(star_text(2) + node + port), HasSubstr("'p' has no [[node.port.half]]"));
}

// Catches: a rig that qualifies without NCCL and MPI because its file leaves every port to storage.
TEST(RigFileAsAWhole, ANodeHasAPortForJobs) {
  std::string text = star_text(2);
  const std::string rate = "rate = \"200 Gbit/s\"\n", use = "use = \"storage\"\n";
  for (auto at = text.find(rate); at != text.npos; at = text.find(rate, at + rate.size()))
    text.insert(at + rate.size(), use);
  EXPECT_THAT(refusal_of(text), HasSubstr("every port of 'node-a' is for storage"));
}

TEST(RigFileAsAWhole, HasTwoTo4096Nodes) {
  EXPECT_THAT(refusal_of(std::string(kHead)), HasSubstr("at least 2 nodes; here: 0"));
  EXPECT_THAT(refusal_of(std::string(kHead) + node_text(0, 1, 3)), HasSubstr("at least 2 nodes; here: 1"));
  std::string text(kHead);
  for (int n = 0; n < 4097; ++n) text += "[[node]]\n";
  EXPECT_THAT(refusal_of(text), HasSubstr("at most 4096 nodes; here: 4097"));
}

// Of so many nodes not every two cases' names are compared.
TEST(RigFileAsAWhole, HasNamesOfManyNodesThatReadOneWay) {
  const std::string text = star_text(257);
  const std::string advice = "no name is allowed to be, or to begin with, another name";
  for (const char* name : {"node-a-b", "to", "rail0", "port0", "all-nodes"})
    EXPECT_THAT(refusal_of(replaced_everywhere(text, "node-200", name)), HasSubstr(advice)) << name;
}

TEST(RigFileAsAWhole, IsRefusedWhenThereIsNone) {
  EXPECT_THROW((void)load_rig("/nonexistent/rig.toml"), toml::InputError);
}

}  // namespace
}  // namespace rigproof
