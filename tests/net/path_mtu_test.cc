#include "fixtures/net/datagrams.h"

#include <gmock/gmock.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/if_ether.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "fixtures/net/netdev.h"
#include "framework/process/file_descriptor.h"
#include "tests/net/ends.h"
#include "tests/support/private_network.h"
#include "tests/support/two_nodes.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;

DataSize bytes(std::uint64_t value) { return DataSize::bytes(value); }

// Both ends on loopback.
struct Probing {
  Probing() { receiver.meet(sender.local()); }
  ProbeReceiver receiver{kLoopback, kToken};
  ProbeSender sender{kLoopback, "127.0.0.1", receiver.port(), kToken};
};

TEST(PathMtu, EveryProbeIsCountedBySize) {
  Probing probing;
  auto& [receiver, sender] = probing;
  EXPECT_EQ(sender.send(bytes(9000), 20, kNoPoll).left_node, 20u);
  EXPECT_EQ(sender.send(bytes(1500), 5, kNoPoll).left_node, 5u);
  EXPECT_EQ(receiver.await(bytes(9000), 20, 5s, kNoPoll), 20u);
  EXPECT_EQ(receiver.await(bytes(1500), 5, 5s, kNoPoll), 5u);
  EXPECT_EQ(receiver.received(bytes(9001)), 0u);
  EXPECT_EQ(sender.next(), 25u);
  sender.send(bytes(9000), 3, kNoPoll);
  EXPECT_EQ(receiver.await(bytes(9000), 3, 5s, kNoPoll, 25), 3u);
}

// A receiver that takes what it gets from all ports of the sender, and not from another address.
TEST(Flows, EachHasAPortOfItsOwn) {
  ProbeReceiver receiver(kLoopback, kToken);
  ProbeSender sender(kLoopback, "127.0.0.1", receiver.port(), kToken, 4);
  EXPECT_EQ(sender.local().port(), 0);
  receiver.meet(sender.local());
  ProbeSender other({"lo", "127.0.0.2"}, "127.0.0.1", receiver.port(), kToken, 4);
  other.send(kSmallestProbe, 4, kNoPoll);
  EXPECT_EQ(sender.send(bytes(9000), 3, kNoPoll).left_node, 3u);
  EXPECT_EQ(receiver.await(bytes(9000), 3, 5s, kNoPoll), 3u);
  EXPECT_THAT(receiver.flows_received(4), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(receiver.strangers().lines(), testing::Contains(testing::StartsWith("127.0.0.2:")));
}

// Two networks with a router between them.
constexpr char kRouter[] =
    "ip netns add a; ip netns add r; ip link set lo up;"
    "ip link add to-r type veth peer name to-a; ip link set to-r netns a; ip link set to-a netns r;"
    "for n in 'a to-r 1' 'r to-a 254'; do set -- $n; ip -n $1 link set $2 up; "
    "ip -n $1 address add 198.18.1.$3/24 dev $2; ip -n $1 address add fd93::$3/64 dev $2 nodad; done;"
    "ip -n a route add default via 198.18.1.254; ip -n a -6 route add default via fd93::254;"
    "ip -n r link add far type veth peer name end; ip -n r link set far up; ip -n r link set end up;"
    "ip -n r address add 198.18.2.254/24 dev far; ip -n r address add fd94::254/64 dev far nodad;"
    "ip netns exec r sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 "
    "net.ipv4.icmp_ratelimit=0 "
    "net.ipv6.icmp.ratelimit=0;";

TEST(Flows, TheRouterWhereTheyEndIsNamed) {
  in_private_network(kRouter, [] {
    in_network_namespace("a", [&] {
      ProbeSender ipv4({"to-r", "198.18.1.1"}, "198.18.2.1", 9, kToken, 3);
      EXPECT_THAT(ipv4.routers(1, kNoPoll),
                  testing::ElementsAre(testing::Pair(0, "198.18.1.254"), testing::Pair(1, "198.18.1.254"),
                                       testing::Pair(2, "198.18.1.254")));
      ProbeSender ipv6({"to-r", "fd93::1"}, "fd94::1", 9, kToken, 1);
      EXPECT_THAT(ipv6.routers(1, kNoPoll), testing::ElementsAre(testing::Pair(0, "fd93::254")));
      EXPECT_THAT(ipv6.routers(2, kNoPoll), testing::IsEmpty()) << "no time to live is over";
    });
  });
}

TEST(TrafficClass, IsReadFromTheHeaderOfEachProbe) {
  Probing probing;
  auto& [receiver, sender] = probing;
  sender.send(kSmallestProbe, 1, kNoPoll);
  sender.set_traffic_class(106);
  sender.send(kSmallestProbe, 2, kNoPoll);
  EXPECT_EQ(receiver.await(kSmallestProbe, 3, 5s, kNoPoll), 3u);
  EXPECT_THAT(receiver.traffic_classes(), testing::ElementsAre(testing::Pair(0, 1), testing::Pair(106, 2)));
}

TEST(TrafficClass, OnlyACongestionMarkIsNoFault) {
  EXPECT_EQ(class_change(106, 106), ClassChange::kNone);
  EXPECT_EQ(class_change(106, 107), ClassChange::kMarked);
  EXPECT_EQ(class_change(105, 107), ClassChange::kMarked);
  EXPECT_EQ(class_change(104, 107), ClassChange::kForbidden) << "the sender does not understand marks";
  EXPECT_EQ(class_change(106, 104), ClassChange::kForbidden) << "marks would no longer be possible";
  EXPECT_EQ(class_change(106, 2), ClassChange::kForbidden);
  EXPECT_EQ(class_change(106, 3), ClassChange::kForbidden);
}

TEST(PathMtu, WhatComesTwiceAndWhatIsOvertakenIsCounted) {
  ProbeReceiver receiver(kLoopback, kToken);
  const process::FileDescriptor between = bound_socket(SOCK_DGRAM, kLoopback);
  receiver.meet(local_address(between.get()));
  ProbeSender sender(kLoopback, "127.0.0.1", local_port(between.get()), kToken);
  sender.send(bytes(1000), 4, kNoPoll);
  std::array<std::array<char, 1000 - 28>, 4> probes{};
  for (auto& probe : probes)
    ASSERT_EQ(::recv(between.get(), probe.data(), probe.size(), 0), static_cast<ssize_t>(probe.size()));
  const Endpoint to("127.0.0.1", receiver.port());
  for (const std::size_t number : {0, 0, 2, 1, 1, 0, 3})
    ::sendto(between.get(), probes[number].data(), probes[number].size(), 0, to.data(), to.size());
  EXPECT_EQ(receiver.await(bytes(1000), 4, 5s, kNoPoll), 4u);
  EXPECT_EQ(receiver.duplicates(), 3u);
  EXPECT_EQ(receiver.out_of_order(), 1u);
}

TEST(PathMtu, APacketAboveTheMtuOfTheDeviceIsRefusedHere) {
  in_private_network("ip link set lo mtu 1500 up", [] {
    Probing probing;
    auto& [receiver, sender] = probing;
    EXPECT_EQ(sender.send(bytes(1501), 3, kNoPoll).too_big, 3u);
    EXPECT_EQ(sender.send(bytes(1500), 3, kNoPoll).too_big, 0u);
    EXPECT_EQ(receiver.await(bytes(1500), 3, 5s, kNoPoll), 3u);
  });
}

// A token bucket drops what is larger than its burst, here on the way to b only.
TEST(PathMtu, ACutInOneDirectionIsSeenInThatDirectionAlone) {
  constexpr char kCut[] =
      "ip netns exec fabric tc qdisc add dev sw-b root tbf rate 1gbit burst 2000 latency 50ms;";
  in_private_network(std::string(kTwoNodes) + kCut, [] {
    std::optional<ProbeReceiver> at_a, at_b;
    in_network_namespace("a", [&] { at_a.emplace(kNodeA, kToken); });
    in_network_namespace("b", [&] { at_b.emplace(kNodeB, kToken); });
    in_network_namespace("a", [&] {
      ProbeSender sender(kNodeA, kNodeB.address, at_b->port(), kToken);
      at_b->meet(sender.local());
      EXPECT_EQ(sender.send(bytes(9000), 3, kNoPoll).left_node, 3u);
      sender.send(bytes(1500), 3, kNoPoll);
    });
    in_network_namespace("b", [&] {
      ProbeSender sender(kNodeB, kNodeA.address, at_a->port(), kToken);
      at_a->meet(sender.local());
      sender.send(bytes(9000), 3, kNoPoll);
    });
    EXPECT_EQ(at_b->await(bytes(1500), 3, 5s, kNoPoll), 3u);
    EXPECT_EQ(at_b->received(bytes(9000)), 0u) << "sent before those of 1500 B";
    EXPECT_EQ(at_a->await(bytes(9000), 3, 5s, kNoPoll), 3u);
  });
}

// A path that takes `mtu`, tried so often; every try of those that `stopped` names is lost.
DataSize found_on(std::uint64_t mtu, const std::function<bool(int attempt)>& stopped, int& attempts) {
  attempts = 0;
  return largest_packet(bytes(9000),
                        [&](DataSize size) { return !stopped(attempts++) && size.bytes() <= mtu; });
}

TEST(LargestPacket, IsWhatTheNarrowestHopTakes) {
  int attempts = 0;
  const auto never = [](int) { return false; };
  for (const std::uint64_t mtu : {96u, 1500u, 8998u, 8999u, 9000u})
    EXPECT_EQ(found_on(mtu, never, attempts), bytes(mtu));
  EXPECT_EQ(found_on(75, never, attempts), bytes(0));
}

// An outage took the first try of the full size, and all else passed: 8999 B was no MTU.
TEST(LargestPacket, AStopIsNoNarrowHop) {
  int attempts = 0;
  EXPECT_EQ(found_on(
                9000, [](int attempt) { return attempt < 1; }, attempts),
            bytes(9000));
  EXPECT_EQ(found_on(
                9000, [](int attempt) { return attempt < 3; }, attempts),
            bytes(9000));
  EXPECT_EQ(found_on(
                9000, [](int attempt) { return attempt % 10 < 3; }, attempts),
            bytes(9000));
  EXPECT_LT(attempts, 60);
}

TEST(LargestPacket, OfANarrowHopIsExactInSpiteOfLoss) {
  int attempts = 0;
  for (const int beat : {4, 5, 7})
    EXPECT_EQ(found_on(
                  1500, [beat](int attempt) { return attempt % beat == 0; }, attempts),
              bytes(1500));
}

// On a busy machine a train would outlast its phase.
TEST(ProbeTrain, EndsInTimeWhenTheSenderIsLate) {
  Probing probing;
  auto& sender = probing.sender;
  const auto begin = std::chrono::steady_clock::now();
  const auto sent = sender.send(bytes(9000), ProbeTrain{.count = 100, .spacing = 1ms},
                                [] { std::this_thread::sleep_for(20ms); });
  EXPECT_LT(sent.left_node, 50u);
  EXPECT_GT(sent.left_node, 0u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
}

TEST(ProbeTrain, LeavesThePathRoom) {
  EXPECT_EQ(probe_train(bytes(9000), DataRate::gigabits_per_second(200), 500ms).count, 1000u);
  const ProbeTrain slow = probe_train(bytes(9000), DataRate::megabits_per_second(25), 500ms);
  EXPECT_EQ(slow.spacing, 11520us);
  EXPECT_EQ(slow.count, 43u);
}

// What finds no room at a receiver that is late was lost by no path.
TEST(PathMtu, WhatAReceiverHadNoRoomForIsCounted) {
  std::atomic<std::size_t> handled = 0;
  std::atomic<bool> late = true;
  DatagramServer server(kLoopback, [&](const DatagramServer::Datagram&, int) {
    ++handled;
    while (late) std::this_thread::sleep_for(1ms);
    return true;
  });
  constexpr std::size_t kProbes = 3000;
  ProbeSender sender(kLoopback, "127.0.0.1", server.port(), kToken);
  server.meet(sender.local());
  EXPECT_EQ(sender.send(bytes(9000), kProbes, kNoPoll, 0us).left_node, kProbes);
  EXPECT_GT(server.dropped(), 0u);
  late = false;
  EXPECT_TRUE(wait_for([&] { return handled + server.dropped() == kProbes; }, 5s, kNoPoll));
}

// All packets that cross a netdev, in both directions.
process::FileDescriptor packet_socket(const char* netdev) {
  process::FileDescriptor wire(::socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)));
  sockaddr_ll at{};
  at.sll_family = AF_PACKET;
  at.sll_protocol = htons(ETH_P_ALL);
  at.sll_ifindex = static_cast<int>(if_nametoindex(netdev));
  EXPECT_EQ(::bind(wire.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0) << netdev;
  const timeval patience{.tv_sec = 5, .tv_usec = 0};
  EXPECT_EQ(::setsockopt(wire.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
  return wire;
}

// Sends the next packet of this size once more, with a byte of its UDP payload changed.
void repeat_damaged(int wire, DataSize packet, std::size_t byte) {
  constexpr std::size_t kEthernet = 14, kHeaders = kEthernet + 20 + 8;
  std::vector<char> frame(1 << 16);
  ssize_t size = 0;
  while (static_cast<std::size_t>(size) != packet.bytes() + kEthernet)
    ASSERT_GT(size = ::recv(wire, frame.data(), frame.size(), 0), 0);
  frame[kHeaders + byte] ^= 0x40;
  ASSERT_EQ(::send(wire, frame.data(), static_cast<std::size_t>(size), 0), size);
}

// Catches: what was damaged on the way counted as arrived, or as what found no room.
TEST(PathMtu, ADamagedProbeHasNotArrived) {
  in_private_network(kTwoNodes, [] {
    std::optional<ProbeReceiver> at_b;
    std::optional<ProbeSender> at_a;
    process::FileDescriptor wire;
    in_network_namespace("b", [&] { at_b.emplace(kNodeB, kToken); });
    in_network_namespace("a", [&] {
      at_a.emplace(kNodeA, kNodeB.address, at_b->port(), kToken);
      at_b->meet(at_a->local());
    });
    in_network_namespace("fabric", [&] { wire = packet_socket("sw-b"); });
    std::size_t sent = 0;
    for (const std::size_t byte : {0u, 8u, 4000u, 8971u}) {  // of the token, of the rest
      EXPECT_EQ(at_a->send(bytes(9000), 1, kNoPoll).left_node, 1u);
      repeat_damaged(wire.get(), bytes(9000), byte);
      EXPECT_EQ(at_b->await(bytes(9000), ++sent + 1, 50ms, kNoPoll), sent) << byte;
    }
    EXPECT_EQ(at_a->send(kSmallestProbe, 1, kNoPoll).left_node, 1u);
    repeat_damaged(wire.get(), kSmallestProbe, 8);
    EXPECT_EQ(at_b->await(kSmallestProbe, 2, 50ms, kNoPoll), 1u);
    EXPECT_EQ(at_b->dropped(), 0u);
  });
}

// A stranger's socket, and one who has the peer's address and port without being the peer.
process::FileDescriptor stranger_on(const LocalEnd& at, std::uint16_t port = 0) {
  process::FileDescriptor fd = socket_on(SOCK_DGRAM, at.netdev, IpFamily::kIpv4);
  bind_to(fd.get(), at, port);
  return fd;
}
void send_marks(int fd, const Token& token, std::uint64_t count, std::uint16_t to_port, std::size_t size) {
  const Endpoint to("127.0.0.1", to_port);
  std::vector<char> probe(size);
  for (std::uint64_t sequence = 0; sequence < count; ++sequence) {
    const std::array<std::uint64_t, 3> mark{token.words[0], token.words[1], sequence};
    for (std::size_t at = 0; at < size; at += sizeof mark)
      std::memcpy(probe.data() + at, mark.data(), std::min(sizeof mark, size - at));
    ASSERT_EQ(::sendto(fd, probe.data(), size, 0, to.data(), to.size()), static_cast<ssize_t>(size));
  }
}

// Catches: 1 % of the probes lost, and a stranger who sends them instead, even one who knows the token.
TEST(PathMtu, AStrangersProbesCountNowhere) {
  Probing probing;
  auto& [receiver, sender] = probing;
  const auto stranger = stranger_on({"lo", "127.0.0.1"});
  send_marks(stranger.get(), kToken, 3, receiver.port(), 9000 - 28);
  EXPECT_EQ(sender.send(kSmallestProbe, 1, kNoPoll).left_node, 1u);
  EXPECT_EQ(receiver.await(kSmallestProbe, 1, 5s, kNoPoll), 1u);
  EXPECT_EQ(receiver.received(bytes(9000)), 0u);
  EXPECT_THAT(receiver.strangers().lines(),
              testing::Contains(
                  testing::AllOf(testing::StartsWith("127.0.0.1:"), testing::HasSubstr("not the peer"))));
}

TEST(PathMtu, AnotherTokenFromThePeersAddressCountsNowhere) {
  ProbeReceiver receiver(kLoopback, kToken);
  const auto forger = stranger_on(kLoopback);
  receiver.meet(local_address(forger.get()));
  send_marks(forger.get(), random_token(), 3, receiver.port(), 9000 - 28);
  const auto heard = [&] { return !receiver.strangers().lines().empty(); };
  EXPECT_TRUE(wait_for(heard, 5s, kNoPoll));
  EXPECT_EQ(receiver.received(bytes(9000)), 0u);
  EXPECT_THAT(receiver.strangers().lines()[0], testing::HasSubstr("another token"));
}

// What finds no room is no loss of the path, so that a flood could hide one: it must find its room elsewhere.
TEST(PathMtu, AFloodNeitherHidesALossNorCausesOne) {
  std::atomic<std::size_t> handled = 0;
  std::atomic<bool> late = true;
  DatagramServer server(kLoopback, [&](const DatagramServer::Datagram&, int) {
    ++handled;
    while (late) std::this_thread::sleep_for(1ms);
    return true;
  });
  ProbeSender sender(kLoopback, "127.0.0.1", server.port(), kToken);
  server.meet(sender.local());
  const auto stranger = stranger_on(kLoopback);
  send_marks(stranger.get(), kToken, 3000, server.port(), 9000 - 28);
  EXPECT_EQ(sender.send(bytes(9000), 5, kNoPoll).left_node, 5u);
  EXPECT_EQ(server.dropped(), 0u);
  late = false;
  EXPECT_TRUE(wait_for([&] { return handled == 5; }, 5s, kNoPoll));
  EXPECT_THAT(server.strangers().lines(), testing::Contains(testing::EndsWith(" more")));
}

TEST(PathMtu, WaitingEndsWithPatience) {
  const ProbeReceiver receiver(kLoopback, kToken);
  EXPECT_EQ(receiver.await(bytes(9000), 1, 1ms, kNoPoll), 0u);
}

TEST(PathMtu, SizesThatCannotBeAreRefused) {
  ProbeSender sender(kLoopback, "127.0.0.1", 9, kToken);
  EXPECT_THROW(sender.send(bytes(95), 1, kNoPoll), std::invalid_argument);
  EXPECT_THROW(sender.send(bytes(65536), 1, kNoPoll), std::invalid_argument);
  EXPECT_NO_THROW(sender.send(kSmallestProbe, 1, kNoPoll));
}

TEST(PathMtu, AnAddressThatIsNotOfThisNodeIsNamed) {
  try {
    ProbeReceiver receiver({"lo", "198.18.1.1"}, kToken);
    FAIL() << "bound to a foreign address";
  } catch (const NetError& error) {
    EXPECT_EQ(error.error_number(), EADDRNOTAVAIL);
    EXPECT_STREQ(error.what(), "bind to 198.18.1.1:0 on lo: Cannot assign requested address");
  }
}

}  // namespace
}  // namespace rigproof::net
