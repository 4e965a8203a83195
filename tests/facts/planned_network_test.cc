// netplan's files as owners and NetworkManager (Ubuntu 23.10 and later) write them.
#include "fixtures/facts/readers.h"

#include <gmock/gmock.h>

namespace rigproof::facts {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

PlannedNetdev only(const std::string& text) {
  const auto plans = planned_by_netplan(text);
  EXPECT_EQ(plans.size(), 1U) << text;
  return plans.empty() ? PlannedNetdev{} : plans.front();
}

TEST(Netplan, OfNetworkManagerNamesTheNetdevUnderMatch) {
  const auto plan = only(R"(network:
  version: 2
  ethernets:
    NM-00000000-0000-4000-8000-000000000001:
      renderer: NetworkManager
      match:
        name: "enp1s0f0np0"
      addresses:
      - "198.18.1.1/24"
      mtu: 9000
      wakeonlan: true
      networkmanager:
        uuid: "00000000-0000-4000-8000-000000000001"
        name: "rail 1"
        passthrough:
          connection.timestamp: "1764594033"
          ethernet._: ""
          ipv4.address1: "198.18.1.1/24,198.18.1.254"
          ipv4.method: "manual"
)");
  EXPECT_EQ(plan.netdev, "enp1s0f0np0");
  EXPECT_THAT(plan.addresses, ElementsAre("198.18.1.1/24")) << "said twice, meant once";
  EXPECT_THAT(plan.mtu, Optional(9000));
  EXPECT_FALSE(plan.link_local);
}
TEST(Netplan, OfNetworkManagerMayKeepAllInItsPassthrough) {
  const auto plan = only(R"(network:
  ethernets:
    NM-00000000-0000-4000-8000-000000000002:
      match: {}
      networkmanager:
        passthrough:
          connection.interface-name: "enP2p1s0f0np0"
          ethernet.mtu: "9000"
          ipv4.address1: "198.18.2.1/24"
          ipv4.method: "link-local"
)");
  EXPECT_EQ(plan.netdev, "enP2p1s0f0np0");
  EXPECT_THAT(plan.addresses, ElementsAre("198.18.2.1/24"));
  EXPECT_THAT(plan.mtu, Optional(9000));
  EXPECT_TRUE(plan.link_local);
}
TEST(Netplan, GivesASetNameTheLastWord) {
  EXPECT_EQ(only("network: {ethernets: {a: {match: {name: 'enp*'}, set-name: rail0}}}").netdev, "rail0");
  EXPECT_EQ(only("network: {ethernets: {a: {match: {name: 'enp*'}}}}").netdev, "enp*");
  EXPECT_EQ(only("network: {ethernets: {a: {match: {macaddress: '02:00:00:00:00:01'}}}}").netdev, "a");
}
TEST(Netplan, OfAnOwnerInFlowStyleIsRead) {
  const auto plan = only(
      "network:\n  ethernets:\n    enp1s0f1np1: {dhcp4: no, link-local: [], mtu: 9000, addresses: "
      "[198.18.3.1/24]}\n");
  EXPECT_EQ(plan.netdev, "enp1s0f1np1");
  EXPECT_THAT(plan.addresses, ElementsAre("198.18.3.1/24"));
  EXPECT_FALSE(plan.link_local);
}
TEST(Netplan, WithAnAddressOfNothingIsRefusedAsYamlIs) {
  EXPECT_THROW((void)planned_by_netplan("network: {ethernets: {d: {addresses: [{}]}}}"), std::exception);
}
TEST(Networkd, KnowsSystemdsSuffixes) {
  const auto mtu = [](const std::string& text) {
    return planned_by_networkd("[Match]\nName=a\n[Link]\nMTUBytes=" + text + "\n").at(0).mtu;
  };
  EXPECT_EQ(mtu("9000"), 9000);
  EXPECT_EQ(mtu("9K"), 9216);
  EXPECT_EQ(mtu("9000\nMTUBytes="), std::nullopt);
  for (const char* wrong : {"9k", "9 K", "jumbo", "9Ki"})
    EXPECT_THROW((void)mtu(wrong), std::exception) << wrong;
}
TEST(Netplan, OfDhcpAloneHasNoAddress) {
  EXPECT_THAT(only("network: {ethernets: {NM-1: {match: {name: enp2s0}, dhcp4: true}}}").addresses,
              IsEmpty());
}

}  // namespace
}  // namespace rigproof::facts
