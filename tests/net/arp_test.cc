// ARP with several answers. Catches: a stranger with a node's address that answers after the node.
#include "fixtures/net/arp.h"

#include <gmock/gmock.h>

#include <chrono>

#include "fixtures/net/netdev.h"
#include "tests/support/private_network.h"
#include "tests/support/two_nodes.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;

constexpr LocalEnd kNodeA{"nic", "198.18.1.1"};

TEST(ArpAnswers, AreThoseOfAllMachinesWithTheAddress) {
  const std::string stranger =
      std::string(kTwoNodes) +
      "ip netns add stranger; ip -n stranger link add nic mtu 9000 type veth peer name sw-c mtu 9000 netns "
      "fabric;"
      "ip -n fabric link set sw-c master br0 up;"
      "ip -n stranger addr add 198.18.1.2/24 dev nic; ip -n stranger link set nic up;";
  in_private_network(stranger, [] {
    std::string owner, other;
    in_network_namespace("b", [&] { owner = read_netdev("nic")->mac; });
    in_network_namespace("stranger", [&] { other = read_netdev("nic")->mac; });
    in_network_namespace("a", [&] {
      EXPECT_THAT(arp_answers(kNodeA, "198.18.1.2", 500ms, [] {}),
                  testing::Optional(testing::UnorderedElementsAre(owner, other)));
    });
  });
}

TEST(ArpAnswers, AreNoneWhereNobodyHasTheAddress) {
  in_private_network(kTwoNodes, [] {
    in_network_namespace("a", [] {
      EXPECT_THAT(arp_answers(kNodeA, "198.18.1.9", 100ms, [] {}), testing::Optional(testing::IsEmpty()));
      EXPECT_THROW((void)arp_answers({"none", "198.18.1.1"}, "198.18.1.9", 100ms, [] {}), NetError);
    });
  });
}

}  // namespace
}  // namespace rigproof::net
