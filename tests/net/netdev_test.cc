#include "fixtures/net/netdev.h"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "tests/support/private_network.h"

namespace rigproof::net {
namespace {

using testing::Contains;
using testing::ElementsAre;

// A port whose two halves are macvlans on it, and a port of its own, as on the model rig; carrier is what the
// other end of the veth gives.
constexpr char kTwoHalves[] =
    "ip netns add fabric;"
    "ip -n fabric link add port0 mtu 9216 type veth peer name sw-port0 mtu 9216;"
    "ip -n fabric link set port0 up; ip -n fabric link set sw-port0 up;"
    "ip -n fabric link add link port0 name half0 netns $$ mtu 9000 type macvlan mode bridge;"
    "ip -n fabric link add link port0 name half1 netns $$ type macvlan mode bridge;"
    "ip -n fabric link add port1 type veth peer name sw-port1; ip -n fabric link set port1 up;"
    "ip -n fabric link add link port1 name other netns $$ type macvlan mode bridge;"
    "ip link set half0 up; ip link set half1 up; ip addr add 198.18.1.1/24 dev half0;";

TEST(Netdev, DescribesLoopback) {
  const auto lo = read_netdev("lo");
  ASSERT_TRUE(lo);
  EXPECT_EQ(lo->name, "lo");
  EXPECT_GT(lo->index, 0);
  EXPECT_GT(lo->mtu, DataSize::bytes(1000));
  EXPECT_EQ(lo->port, std::nullopt) << "loopback has no port";
}

TEST(Netdev, IsAbsentWhenThereIsNoSuchDevice) {
  EXPECT_FALSE(read_netdev("no-such-dev"));
  EXPECT_FALSE(read_netdev(""));
  EXPECT_FALSE(read_netdev("a-name-longer-than-any-device-can-have"));
  EXPECT_FALSE(read_netdev("../lo"));
}

TEST(Netdev, NamesIncludeLoopback) { EXPECT_THAT(netdev_names(), Contains("lo")); }

TEST(Netdev, OfAHalfShowsWhatWasSet) {
  in_private_network(kTwoHalves, [] {
    const auto half = read_netdev("half0").value();
    EXPECT_TRUE(half.up);
    EXPECT_EQ(half.kind, "macvlan");
    EXPECT_EQ(half.mtu, DataSize::bytes(9000));
    EXPECT_EQ(half.mac.size(), 17u);
    EXPECT_THAT(half.ipv4, ElementsAre("198.18.1.1/24"));
    EXPECT_EQ(half.driver, "macvlan");
    EXPECT_TRUE(half.speed);
  });
}

TEST(Netdev, HalvesOfOnePortShareItsIdentityAndThatOfAnotherDiffers) {
  in_private_network(kTwoHalves, [] {
    const auto half0 = read_netdev("half0"), half1 = read_netdev("half1"), other = read_netdev("other");
    ASSERT_TRUE(half0->port && half1->port && other->port);
    EXPECT_EQ(half0->port, half1->port);
    EXPECT_NE(half0->port, other->port);
    EXPECT_EQ(half0->port->known_by, "the device under the macvlan");
    EXPECT_NE(half0->mac, half1->mac);
  });
}

TEST(Netdev, OfAHalfLosesItsCarrierWithThePortAndCountsIt) {
  in_private_network(kTwoHalves, [] {
    const auto before = read_netdev("half0").value();
    EXPECT_EQ(before.carrier, true);
    ASSERT_EQ(std::system("ip -n fabric link set sw-port0 down"), 0);
    // The kernel passes the loss on a moment later, and never if the port is up by then.
    for (int i = 0; i < 500 && read_netdev("half0").value().carrier == true; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_EQ(std::system("ip -n fabric link set sw-port0 up"), 0);
    const auto after = read_netdev("half0").value();
    EXPECT_GT(after.carrier_down_count.value(), before.carrier_down_count.value());
  });
}

TEST(Netdev, CarrierIsNotKnownWhileTheDeviceIsDown) {
  in_private_network(std::string(kTwoHalves) + "ip link set half0 down", [] {
    const auto half = read_netdev("half0").value();
    EXPECT_FALSE(half.up);
    EXPECT_EQ(half.carrier, std::nullopt);
  });
}

TEST(Netdev, HasNoSpeedOrPortWhereTheKernelDoesNotSay) {
  in_private_network("ip link add br0 type bridge", [] {
    const auto bridge = read_netdev("br0").value();
    EXPECT_EQ(bridge.speed, std::nullopt);
    EXPECT_EQ(bridge.port, std::nullopt);
    EXPECT_TRUE(bridge.ipv4.empty());
  });
}

TEST(Netdev, AVlanSitsBehindThePortOfItsDevice) {
  in_private_network(std::string(kTwoHalves) + "ip link add link half0 name tagged type macvlan mode bridge",
                     [] { EXPECT_EQ(read_netdev("tagged")->port, read_netdev("half1")->port); });
}

// Counters of the hardware are the card's: a VLAN has none of them.
TEST(Netdev, OfAVlanNamesTheCardUnderIt) {
  in_private_network(
      "ip link add card type veth peer name far; ip link add link card name card.100 type vlan id 100 || "
      "exit 76;"
      "ip link add link card.100 name inner type vlan id 7; ip link add link card name mac type macvlan",
      [] {
        EXPECT_EQ(card_of("card.100"), "card");
        EXPECT_EQ(card_of("inner"), "card");
        EXPECT_EQ(card_of("card"), "card") << "the other end of a veth is no card of it";
        EXPECT_EQ(card_of("mac"), "mac");
        EXPECT_EQ(card_of("gone"), "gone");
      });
}

}  // namespace
}  // namespace rigproof::net
