#include "fixtures/facts/new_addresses.h"

#include <gtest/gtest.h>

namespace rigproof::facts {
namespace {

std::string subnet_of(const std::optional<IpInterface>& subnet) {
  return subnet ? subnet->network_text() : "none";
}

TEST(NewAddresses, AreInSubnetsThatNoNodeUses) {
  NewAddresses addresses({"192.168.100.7/24", "192.168.101.200/32", "192.168.102.1/23", "fe80::1/64"});
  EXPECT_EQ(subnet_of(addresses.take_subnet(2)), "192.168.104.0/24");
  EXPECT_EQ(subnet_of(addresses.take_subnet(2)), "192.168.105.0/24");
}
TEST(NewAddresses, LeaveARangeThatOneNetworkCovers) {
  NewAddresses addresses({"192.168.1.7/16"});
  EXPECT_EQ(subnet_of(addresses.take_subnet(2)), "172.16.0.0/24");
  EXPECT_EQ(subnet_of(NewAddresses({"192.168.1.7/16", "172.16.3.3/12", "10.0.0.9/8"}).take_subnet(2)),
            "none");
}
TEST(NewAddresses, MakeRoomForManyHosts) {
  NewAddresses addresses({});
  const auto subnet = addresses.take_subnet(400);
  EXPECT_EQ(subnet_of(subnet), "172.16.0.0/16");
  for (int host = 0; host < 399; ++host) EXPECT_NE(addresses.take_address(*subnet), "");
  EXPECT_EQ(addresses.take_address(*subnet), "172.16.1.144/16");
}
TEST(NewAddresses, AreFreeInASubnetThatIsInUse) {
  NewAddresses addresses({"10.0.0.1/29", "10.0.0.3/29"});
  const IpInterface subnet = IpInterface::parse("10.0.0.1/29").value();
  EXPECT_EQ(addresses.take_address(subnet), "10.0.0.2/29");
  EXPECT_EQ(addresses.take_address(subnet), "10.0.0.4/29");
  EXPECT_EQ(addresses.take_address(subnet), "10.0.0.5/29");
  EXPECT_EQ(addresses.take_address(subnet), "10.0.0.6/29");
  EXPECT_EQ(addresses.take_address(subnet), "") << "7 is the broadcast address";
}
TEST(NewAddresses, LeaveTheReservedLinkLocalOnes) {
  NewAddresses addresses({"169.254.9.9/16"});
  EXPECT_EQ(addresses.take_address(IpInterface::parse("169.254.9.9/16").value()), "169.254.1.0/16");
}

}  // namespace
}  // namespace rigproof::facts
