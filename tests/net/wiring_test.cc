#include "fixtures/net/wiring.h"

#include <gmock/gmock.h>
#include <sys/socket.h>

#include "fixtures/net/netdev.h"
#include "fixtures/net/socket.h"
#include "tests/net/ends.h"
#include "tests/support/private_network.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

// Two cables in one namespace. The ends have no addresses, so that the kernel has no reason to refuse a
// packet.
constexpr char kTwoCables[] =
    "for c in one two; do ip link add $c type veth peer name $c-far; ip link set $c up; ip link set $c-far "
    "up; done;";

TEST(Wiring, HearsTheOtherEndOfTheCableOnly) {
  in_private_network(kTwoCables, [] {
    AnnouncementListener listener({"one-far", "two", "two-far"}, IpFamily::kIpv4, kToken);
    Announcer announcer("one", IpFamily::kIpv4);
    announcer.announce(kToken, listener.ports());
    EXPECT_THAT(listener.heard(announcer.local(), 5s, kNoPoll, "one-far"), ElementsAre("one-far"));
    EXPECT_THAT(listener.strangers().lines(), IsEmpty());
  });
}

// A crossed cable joins halves of different subnets.
TEST(Wiring, HearsAForeignSubnet) {
  constexpr char kForeign[] =
      "ip netns add far; ip link set one-far netns far; ip -n far link set one-far up;"
      "ip addr add 198.18.1.1/24 dev one; ip -n far addr add 203.0.113.2/24 dev one-far;";
  in_private_network(std::string(kTwoCables) + kForeign, [] {
    AnnouncementListener here({"one"}, IpFamily::kIpv4, kToken);
    Endpoint from;
    in_network_namespace("far", [&] {
      Announcer announcer("one-far", IpFamily::kIpv4);
      from = announcer.local();
      announcer.announce(kToken, here.ports());
    });
    EXPECT_EQ(from.text().substr(0, 12), "203.0.113.2:");
    EXPECT_THAT(here.heard(from, 5s, kNoPoll, "one"), ElementsAre("one"));
  });
}

// Catches: a crossed cable that looks sound, since another process announces what should have come.
TEST(Wiring, BelievesNobodyElse) {
  in_private_network(kTwoCables, [] {
    AnnouncementListener listener({"one-far"}, IpFamily::kIpv4, kToken);
    Announcer announcer("two", IpFamily::kIpv4), stranger("one", IpFamily::kIpv4);
    announcer.announce(kToken, listener.ports());
    stranger.announce(kToken, listener.ports(), 2);  // who has read the token
    stranger.announce(random_token(), listener.ports(), 1);
    EXPECT_THAT(listener.heard(announcer.local(), 100ms, kNoPoll), IsEmpty());
    EXPECT_THAT(listener.strangers().lines(), ElementsAre(testing::AllOf(testing::HasSubstr("on one-far"),
                                                                         testing::EndsWith("(3 times)"))));
  });
}

// Who came by the announcer's address and port, as a broadcast of the node itself may, has no token.
TEST(Wiring, BelievesNoOtherToken) {
  in_private_network(kTwoCables, [] {
    AnnouncementListener listener({"one-far"}, IpFamily::kIpv4, kToken);
    Announcer announcer("one", IpFamily::kIpv4);
    announcer.announce(random_token(), listener.ports());
    const auto all_five = ElementsAre(testing::EndsWith("(5 times)"));
    for (int i = 0; i < 50 && !testing::Matches(all_five)(listener.strangers().lines()); ++i)
      EXPECT_THAT(listener.heard(announcer.local(), 100ms, kNoPoll), IsEmpty());
    EXPECT_THAT(listener.strangers().lines(), all_five);
  });
}

// Catches: a port of everybody's, at which others listen too, or sit first.
TEST(Wiring, SharesItsPortWithNobody) {
  in_private_network(kTwoCables, [] {
    const AnnouncementListener listener({"one"}, IpFamily::kIpv4, kToken);
    const process::FileDescriptor other = socket_on(SOCK_DGRAM, "one", IpFamily::kIpv4);
    set_option(other.get(), SOL_SOCKET, SO_REUSEADDR, 1, {"reuse address"});
    EXPECT_THROW(bind_to(other.get(), {"one", "0.0.0.0"}, listener.ports().at(0)), NetError);
  });
}

TEST(Wiring, SaysWhichDeviceIsMissingOrDown) {
  EXPECT_THROW(AnnouncementListener({"no-such-dev"}, IpFamily::kIpv4, kToken), NetError);
  in_private_network(std::string(kTwoCables) + "ip link set one down", [] {
    EXPECT_NO_THROW(AnnouncementListener({"one"}, IpFamily::kIpv4, kToken));
    try {
      const Announcer announcer("one", IpFamily::kIpv4);
      FAIL() << "announces on a device that is down";
    } catch (const NetError& error) {
      EXPECT_EQ(error.device(), "one");
    }
  });
}

TEST(Wiring, ListeningEndsWhenPollThrows) {
  AnnouncementListener listener({"lo"}, IpFamily::kIpv4, kToken);
  EXPECT_THROW((void)listener.heard(Endpoint("127.0.0.1", 9), 1h,
                                    [] { throw std::runtime_error("the phase is over"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace rigproof::net
