#include "framework/ranks/netdev_order.h"

#include <gtest/gtest.h>

namespace rigproof {
namespace {

IpInterface at(const char* text) { return IpInterface::parse(text).value(); }

const NodeNetdevs kNode{.ipv6 = {"rail1", "rail0", "rail1"},
                        .ipv4 = {{"lo", at("127.0.0.1/8")}, {"mgmt0", at("10.0.0.7/24")}}};

// Catches: connections of rail0 that have the address of rail1, so that the job hangs.
TEST(NetdevOrder, IsThatOfTheKernelsAddresses) {
  EXPECT_EQ(in_open_mpis_order("mgmt0,rail0,rail1", kNode), "rail1,rail0,mgmt0");
  EXPECT_EQ(in_open_mpis_order("rail0", kNode), "rail0");
}

TEST(NetdevOrder, NamesTheNetdevOfASubnet) {
  EXPECT_EQ(in_open_mpis_order("10.0.0.0/24,rail0", kNode), "rail0,mgmt0");
  EXPECT_EQ(in_open_mpis_order("10.0.0.7/32,rail0", kNode), "rail0,mgmt0");
  EXPECT_EQ(in_open_mpis_order("10.0.1.0/24,rail0", kNode), "rail0");
}

// Catches: a job that ends, because another node's netdev has a name that this node lacks.
TEST(NetdevOrder, LeavesOutNetdevsOfOtherNodes) {
  EXPECT_EQ(in_open_mpis_order("mgmt0,rail0,eth7", kNode), "rail0,mgmt0");
}

TEST(NetdevOrder, OfIpv4StaysAsTheLauncherHasIt) {
  EXPECT_EQ(in_open_mpis_order("mgmt0,198.18.1.0/24,eth7", kNode), "mgmt0,198.18.1.0/24,eth7");
  const NodeNetdevs both{.ipv6 = {"rail0"}, .ipv4 = {{"rail0", at("198.18.1.1/24")}}};
  EXPECT_EQ(in_open_mpis_order("mgmt0,rail0", both), "mgmt0,rail0");
}

}  // namespace
}  // namespace rigproof
