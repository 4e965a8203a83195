
#include <gtest/gtest.h>

#include <chrono>

#include "fixtures/net/netdev.h"
#include "fixtures/net/socket.h"
#include "tests/support/private_network.h"
#include "tests/support/two_nodes.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;

// Which MAC a half's packets go to is what ARP left in the kernel, and a call makes it ask.
TEST(Neighbour, IsUnknownUntilThereIsTraffic) {
  in_private_network(kTwoNodes, [] {
    std::string mac;
    in_network_namespace("b", [&] { mac = read_netdev("nic")->mac; });
    in_network_namespace("a", [&] {
      EXPECT_EQ(neighbour_mac("nic", "198.18.1.2"), std::nullopt);
      NeighbourCall({"nic", "198.18.1.1"}).call("198.18.1.2", 9);
      EXPECT_TRUE(wait_for([] { return neighbour_mac("nic", "198.18.1.2").has_value(); }, 5s, [] {}));
      EXPECT_EQ(neighbour_mac("nic", "198.18.1.2"), mac);
      EXPECT_EQ(neighbour_mac("nic", "198.18.1.9"), std::nullopt);
    });
  });
}

TEST(Neighbour, ThatIsNotThereStaysUnknown) {
  in_private_network(kTwoNodes, [] {
    in_network_namespace("a", [] {
      NeighbourCall({"nic", "198.18.1.1"}).call("198.18.1.9", 9);
      EXPECT_EQ(neighbour_mac("nic", "198.18.1.9"), std::nullopt);
      EXPECT_THROW((void)neighbour_mac("none", "198.18.1.9"), NetError);
      EXPECT_THROW(NeighbourCall({"nic", "198.18.1.7"}), NetError);
    });
  });
}

}  // namespace
}  // namespace rigproof::net
