// TCP load between two nodes, where the wire does something to it.
#include <gmock/gmock.h>

#include <chrono>
#include <optional>
#include <thread>

#include "fixtures/net/netdev.h"
#include "fixtures/net/tcp.h"
#include "tests/net/ends.h"
#include "tests/support/private_network.h"
#include "tests/support/two_nodes.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;

// From a to b. The ends are made in their nodes and stay there.
struct Flow {
  explicit Flow(DataSize volume) {
    in_network_namespace("b", [&] { sinks.emplace_back(TcpSinkSpec{.at = kNodeB}); });
    const TcpSourceSpec spec{
        .from = kNodeA, .to_address = kNodeB.address, .to_port = sinks[0].port(), .volume = volume};
    in_network_namespace("a", [&] { sources.emplace_back(spec, 5s, kNoPoll); });
    sinks[0].accept(5s, kNoPoll);
  }
  std::vector<TcpSink> sinks;
  std::vector<TcpSource> sources;
};

// No more than the first receive window: of more, segments are dropped where the machine lets the sink read late.
TEST(TcpWire, SegmentsFillTheMtu) {
  in_private_network(kTwoNodes, [] {
    Flow flow(DataSize::kibibytes(32));
    move_tcp(flow.sinks, flow.sources, 10s, kNoPoll);
    EXPECT_EQ(flow.sources[0].streams().at(0).segment, DataSize::bytes(8948));
    EXPECT_EQ(flow.sources[0].segments_lost(), 0u);
  });
}

// A queue of three packets at the switch.
TEST(TcpWire, LossShowsAsRetransmissions) {
  constexpr char kShortQueue[] =
      "ip netns exec fabric tc qdisc add dev sw-b root tbf rate 400mbit burst 10kb limit 27kb;";
  in_private_network(std::string(kTwoNodes) + kShortQueue, [] {
    Flow flow(DataSize::mebibytes(4));
    move_tcp(flow.sinks, flow.sources, 10s, kNoPoll);
    EXPECT_GT(flow.sources[0].segments_lost(), 0u);
    EXPECT_GT(flow.sources[0].streams().at(0).bytes_retransmitted, DataSize::bytes(0));
    EXPECT_EQ(flow.sinks[0].received(), DataSize::mebibytes(4));
    EXPECT_LT(flow.sinks[0].data_segments(), flow.sources[0].streams().at(0).data_segments_sent);
  });
}

// Catches: data that crossed the wire twice, because the sink's node had no room for it, taken for lost on the wire.
TEST(TcpWire, ASinkThatReadsLateCountsAllSegmentsThatWereSent) {
  in_private_network(kTwoNodes, [] {
    Flow flow(DataSize::mebibytes(16));
    StartSignal signal;
    flow.sources[0].start(signal);
    signal.give();
    std::this_thread::sleep_for(500ms);  // the window is full
    flow.sinks[0].start();
    finish_tcp(flow.sinks, flow.sources, std::chrono::steady_clock::now() + 10s, kNoPoll);
    EXPECT_EQ(flow.sinks[0].data_segments(), flow.sources[0].streams().at(0).data_segments_sent);
  });
}

TEST(TcpWire, NothingLeavesByAnotherDeviceThanTheOneNamed) {
  constexpr char kDeadEnd[] =
      "ip -n a link add dead type veth peer name dead-far; ip -n a link set dead up; ip -n a link set "
      "dead-far up;"
      "ip -n a addr add 198.18.9.1/24 dev dead;";
  in_private_network(std::string(kTwoNodes) + kDeadEnd, [] {
    std::optional<TcpSink> sink;
    in_network_namespace("b", [&] { sink.emplace(TcpSinkSpec{.at = kNodeB}); });
    const TcpSourceSpec spec{
        .from = {"dead", kNodeA.address}, .to_address = kNodeB.address, .to_port = sink->port()};
    in_network_namespace("a", [&] { EXPECT_THROW(TcpSource(spec, 200ms, kNoPoll), NetError); });
  });
}

// Two netdevs of one node on one wire: each answers ARP for the other's address, unless told not to.
TEST(TcpWire, APeerThatAnswersOnAnotherNetdevIsNotTakenForTheRail) {
  constexpr char kSecondHalf[] =
      "ip -n b link add nic2 mtu 9000 type veth peer name sw-b2 mtu 9000 netns fabric;"
      "ip -n fabric link set sw-b2 master br0 up; ip -n b link set nic2 up;"
      "ip netns exec b sh -c 'echo 8 > /proc/sys/net/ipv4/conf/nic/arp_ignore';";
  in_private_network(std::string(kTwoNodes) + kSecondHalf, [] {
    std::optional<TcpSink> sink;
    in_network_namespace("b", [&] { sink.emplace(TcpSinkSpec{.at = kNodeB}); });
    const TcpSourceSpec spec{.from = kNodeA, .to_address = kNodeB.address, .to_port = sink->port()};
    in_network_namespace("a", [&] {
      try {
        TcpSource source(spec, 5s, kNoPoll);
        FAIL() << "connected through the other netdev";
      } catch (const NetError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("arp_ignore"));
      }
    });
  });
}

TEST(TcpWire, APeerThatDoesNotAnswerCostsThePatienceAndIsNamed) {
  in_private_network(std::string(kTwoNodes) + "ip -n b link set nic down;", [] {
    const TcpSourceSpec spec{.from = kNodeA, .to_address = kNodeB.address, .to_port = 9};
    in_network_namespace("a", [&] {
      try {
        TcpSource source(spec, 100ms, kNoPoll);
        FAIL() << "connected to a node that is down";
      } catch (const NetError& error) {
        EXPECT_EQ(error.error_number(), ETIMEDOUT);
        EXPECT_STREQ(error.what(), "connect to 198.18.1.2:9 on nic: Connection timed out");
      }
    });
  });
}

}  // namespace
}  // namespace rigproof::net
