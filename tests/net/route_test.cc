#include "fixtures/net/netdev.h"

#include <gtest/gtest.h>

#include "fixtures/net/socket.h"
#include "tests/support/private_network.h"

namespace rigproof::net {
namespace {

constexpr char kTwoSubnets[] =
    "ip link add one type veth peer name one-far; ip link add two type veth peer name two-far;"
    "for d in one one-far two two-far; do ip link set $d up; done;"
    "ip addr add 198.18.1.1/24 dev one; ip addr add 198.18.2.1/24 dev two;"
    "ip route add 203.0.113.0/24 via 198.18.2.254;";

TEST(Route, ToLoopbackStaysThere) { EXPECT_EQ(route_to("127.0.0.1")->netdev, "lo"); }

TEST(Route, LeavesByTheDeviceOfTheSubnet) {
  in_private_network(kTwoSubnets, [] {
    EXPECT_EQ(route_to("198.18.1.2")->netdev, "one");
    EXPECT_EQ(route_to("198.18.1.2")->source, "198.18.1.1");
    EXPECT_EQ(route_to("198.18.1.2")->gateway, std::nullopt);
    EXPECT_EQ(route_to("198.18.2.2", "198.18.2.1")->netdev, "two");
  });
}

TEST(Route, BeyondTheLinkNamesTheGateway) {
  in_private_network(kTwoSubnets, [] { EXPECT_EQ(route_to("203.0.113.5")->gateway, "198.18.2.254"); });
}

TEST(Route, IsAbsentWhereNothingLeads) {
  in_private_network(kTwoSubnets, [] { EXPECT_FALSE(route_to("192.0.2.1")); });
}

// Two halves in one subnet: the kernel may take the other one.
TEST(Route, ShowsThatASourceLeavesByAnotherDevice) {
  in_private_network(std::string(kTwoSubnets) + "ip addr add 198.18.1.3/24 dev two",
                     [] { EXPECT_EQ(route_to("198.18.1.2", "198.18.1.3")->netdev, "one"); });
}

TEST(Route, RefusesWhatIsNoAddress) {
  EXPECT_THROW((void)route_to("localhost"), NetError);
  EXPECT_THROW((void)route_to("300.1.1.1"), NetError);
}

TEST(Route, IsAbsentFromASourceThatIsNotOfThisNode) {
  in_private_network(kTwoSubnets, [] { EXPECT_FALSE(route_to("198.18.1.2", "198.18.9.9")); });
}

}  // namespace
}  // namespace rigproof::net
