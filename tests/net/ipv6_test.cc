// The same experiments over IPv6: what a rail of IPv6 needs of the network, and where it differs from IPv4.
#include <gmock/gmock.h>
#include <sys/socket.h>

#include <chrono>
#include <optional>

#include "fixtures/net/datagrams.h"
#include "fixtures/net/netdev.h"
#include "fixtures/net/tcp.h"
#include "fixtures/net/wiring.h"
#include "tests/net/ends.h"
#include "tests/support/private_network.h"
#include "tests/support/two_nodes.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

const LocalEnd kSixA{"nic", "fd93::1"}, kSixB{"nic", "fd93::2"};
const LocalEnd kSixLoopback{"lo", "::1"};
const std::string kTwoNodesOfIpv6 =
    std::string(kTwoNodes) + "for n in a b; do ip -n $n addr flush dev nic; done;" +
    "ip -n a addr add fd93::1/64 dev nic nodad; ip -n b addr add fd93::2/64 dev nic nodad;";

// Both ends of a path from a to b, each in its namespace.
struct SixPath {
  SixPath() {
    in_network_namespace("b", [&] { receiver.emplace(kSixB, kToken); });
    in_network_namespace("a", [&] {
      sender.emplace(kSixA, kSixB.address, receiver->port(), kToken);
      receiver->meet(sender->local());
    });
  }
  std::optional<ProbeReceiver> receiver;
  std::optional<ProbeSender> sender;
};

TEST(Endpoint, IsReadBackFromItsText) {
  EXPECT_EQ(Endpoint("fd93::1", 4711).text(), "[fd93::1]:4711");
  EXPECT_EQ(Endpoint("198.18.1.1", 4711).text(), "198.18.1.1:4711");
  for (const char* text : {"[fd93::1]:4711", "198.18.1.1:4711"})
    EXPECT_EQ(Endpoint::parse(text).text(), text);
  for (const char* text : {"fd93::1", "[fd93::1]", "198.18.1.1", "198.18.1.1:x", "[]:1", ""})
    EXPECT_THROW((void)Endpoint::parse(text), NetError) << text;
}

TEST(Endpoint, IsTheSameWhateverTheLinksIndex) {
  Endpoint here("fe80::1", 9), there("fe80::1", 9);
  here.set_scope(3);
  there.set_scope(4);
  EXPECT_EQ(here, there);
  EXPECT_FALSE(here == Endpoint("fe80::1", 10));
  EXPECT_FALSE(here == Endpoint("fe80::2", 9));
}

TEST(Ipv6, ARoundTripIsOfAPacketOfThisSizeHeadersIncluded) {
  std::atomic<std::size_t> payload = 0;
  DatagramServer server(kSixLoopback, [&](const DatagramServer::Datagram& datagram, int) {
    payload = datagram.bytes.size();
    return true;
  });
  Pinger pinger({.from = kSixLoopback,
                 .to_address = "::1",
                 .to_port = server.port(),
                 .token = kToken,
                 .probes = 1,
                 .warm_up = 0,
                 .packet = DataSize::bytes(9000),
                 .timeout = 200ms});
  server.meet(pinger.local());
  EXPECT_EQ(pinger.measure(kNoPoll).lost, 1u);
  EXPECT_EQ(payload, 8952u);
}

TEST(Ipv6, AnEchoComesBack) {
  EchoResponder echo(kSixLoopback, kToken);
  Pinger pinger(
      {.from = kSixLoopback, .to_address = "::1", .to_port = echo.port(), .token = kToken, .probes = 5});
  echo.meet(pinger.local());
  EXPECT_EQ(pinger.measure(kNoPoll).times.values().size(), 5u);
  EXPECT_THAT(echo.strangers().lines(), IsEmpty());
}

// Catches: a sender whose kernel splits what is too large, so that a small MTU on the way is not seen.
TEST(Ipv6, AFullSizePacketIsNeitherSplitNorCut) {
  in_private_network(kTwoNodesOfIpv6, [] {
    SixPath path;
    in_network_namespace("a", [&] {
      EXPECT_EQ(path.sender->send(DataSize::bytes(9000), 2, kNoPoll).left_node, 2u);
      EXPECT_EQ(path.sender->send(DataSize::bytes(9001), 2, kNoPoll).too_big, 2u);
    });
    EXPECT_EQ(path.receiver->await(DataSize::bytes(9000), 2, 5s, kNoPoll), 2u);
    EXPECT_EQ(path.receiver->received(DataSize::bytes(9001)), 0u);
  });
}

// Catches: probes split by the kernel that arrive all the same, over a hop that drops large packets.
TEST(Ipv6, ASmallHopIsFoundToTheByte) {
  constexpr char kCut[] =
      "ip netns exec fabric tc qdisc add dev sw-b root tbf rate 1gbit burst 2000 latency 50ms;";
  in_private_network(kTwoNodesOfIpv6 + kCut, [] {
    SixPath path;
    const auto passes = [&](DataSize size) {
      in_network_namespace("a", [&] { (void)path.sender->send(size, 3, kNoPoll); });
      return path.receiver->await(size, 1, 100ms, kNoPoll) > 0;
    };
    EXPECT_EQ(largest_packet(DataSize::bytes(9000), passes),
              DataSize::bytes(2000 - 14));  // less Ethernet's header
  });
}

TEST(Ipv6, AProbeShowsItsTrafficClass) {
  in_private_network(kTwoNodesOfIpv6, [] {
    SixPath path;
    in_network_namespace("a", [&] {
      path.sender->set_traffic_class(106);
      (void)path.sender->send(kSmallestProbe, 3, kNoPoll);
    });
    EXPECT_EQ(path.receiver->await(kSmallestProbe, 3, 5s, kNoPoll), 3u);
    EXPECT_THAT(path.receiver->traffic_classes(), ElementsAre(testing::Pair(106, 3u)));
  });
}

TEST(Ipv6, TcpFillsItsPackets) {
  in_private_network(kTwoNodesOfIpv6, [] {
    std::vector<TcpSink> sinks;
    std::vector<TcpSource> sources;
    in_network_namespace(
        "b", [&] { sinks.emplace_back(TcpSinkSpec{.at = kSixB, .peer = "fd93::1", .token = kToken}); });
    in_network_namespace("a", [&] {
      sources.emplace_back(TcpSourceSpec{.from = kSixA,
                                         .to_address = "fd93::2",
                                         .to_port = sinks[0].port(),
                                         .volume = DataSize::mebibytes(1),
                                         .token = kToken},
                           5s, kNoPoll);
    });
    sinks[0].accept(5s, kNoPoll);
    move_tcp(sinks, sources, 20s, kNoPoll);
    EXPECT_EQ(sinks[0].received(), DataSize::mebibytes(1));
    EXPECT_EQ(sources[0].streams().at(0).segment, DataSize::bytes(9000 - 40 - 32));
  });
}

TEST(Ipv6, AnAnnouncementReachesTheOtherEndOfTheCableOnly) {
  constexpr char kTwoCables[] =
      "for c in one two; do ip link add $c type veth peer name $c-far; ip link set $c up; ip link set $c-far "
      "up; done;"
      "ip addr add fd93::1/64 dev one nodad;";
  in_private_network(kTwoCables, [] {
    AnnouncementListener listener({"one-far", "two", "two-far"}, IpFamily::kIpv6, kToken);
    Announcer announcer("one", IpFamily::kIpv6);
    announcer.announce(kToken, listener.ports());
    EXPECT_THAT(listener.heard(announcer.local(), 5s, kNoPoll, "one-far"), ElementsAre("one-far"));
    EXPECT_THAT(listener.strangers().lines(), IsEmpty());
  });
}

TEST(Ipv6, RoutesNameTheDeviceAndTheRouter) {
  in_private_network(kTwoNodesOfIpv6 + "ip -n a route add fd94::/64 via fd93::fe dev nic;", [] {
    in_network_namespace("a", [] {
      EXPECT_EQ(route_to("fd93::2", "fd93::1")->netdev, "nic");
      EXPECT_EQ(route_to("fd93::2")->source, "fd93::1");
      EXPECT_EQ(route_to("fd93::2")->gateway, std::nullopt);
      EXPECT_EQ(route_to("fd94::1")->gateway, "fd93::fe");
      EXPECT_FALSE(route_to("fd95::1"));
    });
  });
}

TEST(Ipv6, ANeighbourIsKnownOnceItWasCalled) {
  in_private_network(kTwoNodesOfIpv6, [] {
    std::string mac;
    in_network_namespace("b", [&] { mac = read_netdev("nic")->mac; });
    in_network_namespace("a", [&] {
      EXPECT_EQ(neighbour_mac("nic", "fd93::2"), std::nullopt);
      NeighbourCall(kSixA).call("fd93::2", 9);
      EXPECT_TRUE(wait_for([] { return neighbour_mac("nic", "fd93::2").has_value(); }, 5s, [] {}));
      EXPECT_EQ(neighbour_mac("nic", "fd93::2"), mac);
    });
  });
}

TEST(Ipv6, ANetdevsAddressesAreThoseWithoutItsLinkLocalOne) {
  in_private_network(kTwoNodesOfIpv6, [] {
    in_network_namespace("a", [] {
      EXPECT_THAT(read_netdev("nic")->ipv6, ElementsAre("fd93::1/64"));
      EXPECT_THAT(read_netdev("nic")->ipv4, IsEmpty());
      EXPECT_THAT(read_netdev("nic")->ipv6_duplicates, IsEmpty());
    });
  });
}

// Catches: two machines with one address, where the kernel refuses the second.
TEST(Ipv6, AnAddressOfAnotherMachineIsADuplicate) {
  in_private_network(kTwoNodesOfIpv6 + "ip -n b addr add fd93::1/64 dev nic;", [] {
    in_network_namespace("b", [] {
      const auto found = [] { return !read_netdev("nic")->ipv6_duplicates.empty(); };
      EXPECT_TRUE(wait_for(found, 10s, kNoPoll));
      EXPECT_THAT(read_netdev("nic")->ipv6_duplicates, ElementsAre("fd93::1/64"));
      EXPECT_THAT(read_netdev("nic")->ipv6, ElementsAre("fd93::2/64"));
    });
  });
}

TEST(Ipv6, AnAddressThatIsNotOfThisNodeIsNamed) {
  try {
    ProbeReceiver receiver({"lo", "fd93::1"}, kToken);
    FAIL() << "bound to a foreign address";
  } catch (const NetError& error) {
    EXPECT_STREQ(error.what(), "bind to [fd93::1]:0 on lo: Cannot assign requested address");
  }
}

}  // namespace
}  // namespace rigproof::net
