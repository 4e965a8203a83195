#include "fixtures/counters/port_counters.h"

#include <gmock/gmock.h>

#include "fixtures/net/ethtool.h"
#include "fixtures/net/netdev.h"
#include "tests/support/private_network.h"

namespace rigproof::counters {
namespace {

using testing::HasSubstr;

constexpr char kCable[] =
    "ip netns add fabric; ip -n fabric link add port0 type veth peer name sw-port0;"
    "ip link add near type veth peer name far; ip link set near up; ip link set far up;";

CounterSource netlink(const std::string& device, std::optional<std::string> name_space = std::nullopt) {
  return {.kind = CounterSource::Kind::kNetlink, .device = device, .name_space = std::move(name_space)};
}

CounterSource ethtool(const std::string& device, const std::string& tx_bytes) {
  return {.kind = CounterSource::Kind::kEthtool,
          .device = device,
          .name_space = std::nullopt,
          .tx_bytes = tx_bytes};
}

std::string failure_of(const CounterSource& source) {
  try {
    (void)read_port_counters(source);
    return "none";
  } catch (const CounterError& error) {
    return error.what();
  }
}

TEST(PortCounters, OfANetdevGrowWithItsTraffic) {
  in_private_network("ip link set lo up", [] {
    const PortCounters before = read_netdev_counters("lo");
    ASSERT_EQ(std::system("bash -c 'echo 0123456789 > /dev/udp/127.0.0.1/9'"), 0);
    const PortTraffic traffic = traffic_between(before, read_netdev_counters("lo"));
    EXPECT_GE(traffic.tx_packets, 1u);
    EXPECT_GE(traffic.tx.bytes(), 11u + 8 + 20 + 14);
    EXPECT_EQ(traffic.tx, traffic.rx);
  });
}

TEST(PortCounters, AreReadInAnotherNamespaceWhileOursStays) {
  in_private_network(kCable, [] {
    const PortCounters counters = read_port_counters(netlink("port0", "fabric"));
    EXPECT_EQ(counters.tx_bytes, 0u);
    EXPECT_FALSE(net::read_netdev("port0")) << "the caller left its own namespace";
    EXPECT_TRUE(net::read_netdev("near"));
  });
}

// What asks again and again enters the namespace once: its sockets stay there.
TEST(PortCounters, GrowForAReaderThatIsInAnotherNamespace) {
  in_private_network(
      "ip netns add fabric; ip -n fabric link set lo up;"
      "ip -n fabric link add port0 type veth peer name sw-port0;",
      [] {
        PortCounterReader reader(netlink("lo", "fabric"));
        const PortCounters before = reader.read();
        const char* const send = "ip netns exec fabric bash -c 'echo 0 > /dev/udp/127.0.0.1/9'";
        ASSERT_EQ(std::system(send), 0);
        EXPECT_GE(traffic_between(before, reader.read()).tx_packets, 1u);
        EXPECT_EQ(read_netdev_counters("lo").tx_packets, 0u);

        CounterSource by_driver = ethtool("port0", "peer_ifindex");
        by_driver.rx_bytes = by_driver.tx_packets = by_driver.rx_packets = by_driver.tx_bytes;
        by_driver.name_space = "fabric";
        PortCounterReader driver(by_driver);
        EXPECT_GT(driver.read().tx_bytes, 0u);
        EXPECT_EQ(driver.read().tx_bytes, driver.read().rx_bytes);
      });
}

TEST(PortCounters, SayWhichDeviceOrNamespaceIsMissing) {
  in_private_network(kCable, [] {
    EXPECT_THAT(failure_of(netlink("port9")), HasSubstr("counters on port9: No such device"));
    EXPECT_THAT(failure_of(netlink("near", "fabric")), HasSubstr("in network namespace 'fabric'"));
    EXPECT_THAT(failure_of(netlink("near", "nowhere")),
                HasSubstr("enter network namespace nowhere: No such file"));
    EXPECT_THAT(failure_of(netlink("near", "../netns/fabric")), HasSubstr("not a name"));
    EXPECT_THAT(failure_of(ethtool("port9", "tx")), HasSubstr("No such device"));
  });
}

TEST(PortCounters, ByEthtoolAreFoundByNameOrTheNearestNamed) {
  in_private_network(kCable, [] {
    const auto known = net::ethtool_statistics("near");
    ASSERT_FALSE(known.empty()) << "veth counts by ethtool -S too";
    CounterSource source = ethtool("near", known[0].first);
    source.rx_bytes = source.tx_packets = source.rx_packets = known[0].first;
    EXPECT_EQ(read_port_counters(source).rx_bytes, known[0].second);
    EXPECT_THAT(failure_of(ethtool("near", "peer_ifindx")), HasSubstr("no 'peer_ifindx'; it has"));
    EXPECT_THAT(failure_of(ethtool("near", "peer_ifindx")), HasSubstr("most similar: peer_ifindex"));
    EXPECT_THAT(failure_of(ethtool("lo", "tx_bytes_phy")), HasSubstr("the driver has no counters"));
  });
}

// Catches: a counter read at the place that it had before the driver's queues, and with them its counters, became fewer.
TEST(PortCounters, ByEthtoolAreFoundAgainWhenTheDriversNamesChange) {
  in_private_network(
      "ip link add near numrxqueues 4 type veth peer name far && ethtool -L near rx 4 || exit 76", [] {
        const auto known = net::ethtool_statistics("near");
        CounterSource source = ethtool("near", known.back().first);
        source.rx_bytes = source.tx_packets = source.rx_packets = "peer_ifindex";
        PortCounterReader reader(source);
        const PortCounters before = reader.read();
        ASSERT_EQ(std::system("ethtool -L near rx 1"), 0);
        ASSERT_LT(net::ethtool_statistics("near").size(), known.size());
        EXPECT_EQ(reader.read().tx_bytes, before.tx_bytes);
      });
}

TEST(PortCounters, ThatGoBackwardsAreAnError) {
  const PortCounters before{.tx_bytes = 10, .rx_bytes = 10, .tx_packets = 1, .rx_packets = 1, .time = {}};
  PortCounters after = before;
  EXPECT_EQ(traffic_between(before, after).rx, DataSize::bytes(0));
  after.rx_bytes = 9;
  EXPECT_THROW((void)traffic_between(before, after), CounterError);
}

TEST(PortCounters, HoldMoreThanFourGigabytes) {
  const PortCounters before{.tx_bytes = 1, .rx_bytes = 0, .tx_packets = 0, .rx_packets = 0, .time = {}};
  PortCounters after = before;
  after.tx_bytes = (1ULL << 40) + 1;
  EXPECT_EQ(traffic_between(before, after).tx, DataSize::bytes(1ULL << 40));
}

// A VLAN counts TSO's large segments instead of packets, and no RDMA at all: what a half carried its card knows.
TEST(HalfCounters, OfAVlanAreThoseOfTheCardUnderIt) {
  in_private_network(
      std::string(kCable) +
          "ip link add link near name near.100 type vlan id 100 || exit 76; ip link set near.100 up;"
          "ip addr add 198.18.1.1/24 dev near;"
          "ip neigh add 198.18.1.2 lladdr 02:00:00:00:00:02 dev near;"
          "bash -c 'echo 0123456789 > /dev/udp/198.18.1.2/9'",
      [] {
        const PortCounters card = read_netdev_counters("near");
        EXPECT_GT(card.tx_bytes, read_netdev_counters("near.100").tx_bytes);
        EXPECT_GE(read_half_counters("near.100").tx_bytes, card.tx_bytes);
      });
}

}  // namespace
}  // namespace rigproof::counters
