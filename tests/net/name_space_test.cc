#include "fixtures/net/netdev.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "fixtures/net/socket.h"
#include "tests/support/private_network.h"

namespace rigproof::net {
namespace {

constexpr char kFabric[] = "ip netns add fabric; ip -n fabric link add port0 type veth peer name sw-port0;";

TEST(NameSpace, WorkIsDoneThereWhileTheCallerStays) {
  in_private_network(kFabric, [] {
    in_network_namespace("fabric", [] { EXPECT_TRUE(read_netdev("port0")); });
    EXPECT_FALSE(read_netdev("port0"));
  });
}

TEST(NameSpace, RethrowsWhatTheWorkThrows) {
  in_private_network(kFabric, [] {
    EXPECT_THROW(in_network_namespace("fabric", [] { throw std::logic_error("work"); }), std::logic_error);
  });
}

TEST(NameSpace, RefusesWhatIsNotThere) {
  EXPECT_THROW(in_network_namespace("no-such-namespace", [] {}), NetError);
  EXPECT_THROW(in_network_namespace("../netns/x", [] {}), NetError);
  EXPECT_THROW(in_network_namespace("", [] {}), NetError);
}

}  // namespace
}  // namespace rigproof::net
