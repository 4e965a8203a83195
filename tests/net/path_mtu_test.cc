#include "fixtures/net/datagrams.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "fixtures/net/netdev.h"
#include "tests/support/private_network.h"
#include "tests/support/two_nodes.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;

const Poll kNoPoll = [] {};
const LocalEnd kLoopback{"lo", "127.0.0.1"};
const LocalEnd kNodeA{"nic", "198.18.1.1"}, kNodeB{"nic", "198.18.1.2"};

DataSize bytes(std::uint64_t value) { return DataSize::bytes(value); }

TEST(PathMtu, EveryProbeIsCountedBySize) {
  ProbeReceiver receiver(kLoopback);
  ProbeSender sender(kLoopback, "127.0.0.1", receiver.port());
  EXPECT_EQ(sender.send(bytes(9000), 20, kNoPoll).left_node, 20u);
  EXPECT_EQ(sender.send(bytes(1500), 5, kNoPoll).left_node, 5u);
  EXPECT_EQ(receiver.await(bytes(9000), 20, 5s, kNoPoll), 20u);
  EXPECT_EQ(receiver.await(bytes(1500), 5, 5s, kNoPoll), 5u);
  EXPECT_EQ(receiver.received(bytes(9001)), 0u);
}

TEST(PathMtu, APacketAboveTheMtuOfTheDeviceIsRefusedHere) {
  in_private_network("ip link set lo mtu 1500 up", [] {
    ProbeReceiver receiver(kLoopback);
    ProbeSender sender(kLoopback, "127.0.0.1", receiver.port());
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
    in_network_namespace("a", [&] { at_a.emplace(kNodeA); });
    in_network_namespace("b", [&] { at_b.emplace(kNodeB); });
    in_network_namespace("a", [&] {
      ProbeSender sender(kNodeA, kNodeB.address, at_b->port());
      EXPECT_EQ(sender.send(bytes(9000), 3, kNoPoll).left_node, 3u);
      sender.send(bytes(1500), 3, kNoPoll);
    });
    in_network_namespace(
        "b", [&] { ProbeSender(kNodeB, kNodeA.address, at_a->port()).send(bytes(9000), 3, kNoPoll); });
    EXPECT_EQ(at_b->await(bytes(1500), 3, 5s, kNoPoll), 3u);
    EXPECT_EQ(at_b->received(bytes(9000)), 0u) << "sent before those of 1500 B";
    EXPECT_EQ(at_a->await(bytes(9000), 3, 5s, kNoPoll), 3u);
  });
}

TEST(PathMtu, WaitingEndsWithPatience) {
  const ProbeReceiver receiver(kLoopback);
  EXPECT_EQ(receiver.await(bytes(9000), 1, 1ms, kNoPoll), 0u);
}

TEST(PathMtu, SizesThatCannotBeAreRefused) {
  ProbeSender sender(kLoopback, "127.0.0.1", 9);
  EXPECT_THROW(sender.send(bytes(47), 1, kNoPoll), std::invalid_argument);
  EXPECT_THROW(sender.send(bytes(65536), 1, kNoPoll), std::invalid_argument);
  EXPECT_NO_THROW(sender.send(kSmallestProbe, 1, kNoPoll));
}

TEST(PathMtu, AnAddressThatIsNotOfThisNodeIsNamed) {
  try {
    ProbeReceiver receiver({"lo", "198.18.1.1"});
    FAIL() << "bound to a foreign address";
  } catch (const NetError& error) {
    EXPECT_EQ(error.error_number(), EADDRNOTAVAIL);
    EXPECT_STREQ(error.what(), "bind to 198.18.1.1:0 on lo: Cannot assign requested address");
  }
}

}  // namespace
}  // namespace rigproof::net
