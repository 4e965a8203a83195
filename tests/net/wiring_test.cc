#include "fixtures/net/wiring.h"

#include <gmock/gmock.h>

#include "fixtures/net/netdev.h"
#include "fixtures/net/socket.h"
#include "tests/net/ends.h"
#include "tests/support/private_network.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// Two cables in one namespace. The ends have no addresses, so that the kernel has no reason to refuse a
// packet.
constexpr char kTwoCables[] =
    "for c in one two; do ip link add $c type veth peer name $c-far; ip link set $c up; ip link set $c-far "
    "up; done;";

TEST(Wiring, HearsTheOtherEndOfTheCableOnly) {
  in_private_network(kTwoCables, [] {
    Wiring wiring({.netdevs = {"one", "one-far", "two", "two-far"}, .token = "run1"});
    wiring.announce("one", "node-a:one");
    const Wiring::Heard expected = {{"one-far", {"node-a:one"}}};
    EXPECT_THAT(wiring.heard(5s, kNoPoll, expected),
                ElementsAre(Pair("one", IsEmpty()), Pair("one-far", ElementsAre("node-a:one")),
                            Pair("two", IsEmpty()), Pair("two-far", IsEmpty())));
  });
}

// A crossed cable joins halves of different subnets.
TEST(Wiring, HearsAForeignSubnet) {
  constexpr char kForeign[] =
      "ip netns add far; ip link set one-far netns far; ip -n far link set one-far up;"
      "ip addr add 198.18.1.1/24 dev one; ip -n far addr add 203.0.113.2/24 dev one-far;";
  in_private_network(std::string(kTwoCables) + kForeign, [] {
    Wiring here({.netdevs = {"one"}, .token = "run1"});
    in_network_namespace("far",
                         [] { Wiring({.netdevs = {}, .token = "run1"}).announce("one-far", "node-b:one"); });
    EXPECT_THAT(here.heard(5s, kNoPoll, {{"one", {"node-b:one"}}}).at("one"), ElementsAre("node-b:one"));
  });
}

TEST(Wiring, IgnoresOtherRunsAndItself) {
  in_private_network(kTwoCables, [] {
    Wiring other({.netdevs = {}, .token = "run2"});
    Wiring wiring({.netdevs = {"one", "one-far"}, .token = "run1"});
    other.announce("one", "a stranger");
    wiring.announce("one", "node-a:one");
    const auto heard = wiring.heard(5s, kNoPoll, {{"one-far", {"node-a:one"}}});
    EXPECT_THAT(heard.at("one-far"), ElementsAre("node-a:one"));
    EXPECT_THAT(heard.at("one"), IsEmpty());
  });
}

TEST(Wiring, SaysWhichDeviceIsMissingOrDown) {
  EXPECT_THROW(Wiring({.netdevs = {"no-such-dev"}, .token = "run1"}), NetError);
  in_private_network(std::string(kTwoCables) + "ip link set one down", [] {
    Wiring wiring({.netdevs = {"one"}, .token = "run1"});
    try {
      wiring.announce("one", "node-a:one");
      FAIL() << "announced on a device that is down";
    } catch (const NetError& error) {
      EXPECT_EQ(error.device(), "one");
    }
  });
}

TEST(Wiring, ListeningEndsWhenPollThrows) {
  Wiring wiring({.netdevs = {"lo"}, .token = "run1"});
  EXPECT_THROW((void)wiring.heard(1h, [] { throw std::runtime_error("the phase is over"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace rigproof::net
