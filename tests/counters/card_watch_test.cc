// What a card's counters say of a load, whatever the load was. Catches: a marginal cable that passes while the figure
// holds (symbols, mended bits), frames thrown away under TCP or NCCL alone, a counter that sound rigs move and that is
// held to zero, a card that was reset in mid-load taken for a clean one, growth between looks that nobody is told of.
#include "fixtures/counters/card_watch.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/support/private_network.h"

namespace rigproof::counters {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

CardReading netdev(HwCounters counters) {
  return {
      .device = "enp1s0f0np0", .counters = std::move(counters), .line = DataRate::gigabits_per_second(200)};
}
CardReading rdma(HwCounters counters) {
  return {.device = "rocep1s0f0", .is_netdev = false, .counters = std::move(counters)};
}
std::map<std::string, record::Watched> grown(const CardReading& before, const CardReading& after) {
  std::map<std::string, record::Watched> by_id;
  for (const record::Watched& watched : growth_of({before}, {after}, 10s)) by_id[watched.id] = watched;
  return by_id;
}

TEST(CardGrowth, CountsWhatCameDamaged) {
  const auto found = grown(netdev({{"rx_pcs_symbol_err_phy", 5}, {"rx_crc_errors_phy", 0}}),
                           netdev({{"rx_pcs_symbol_err_phy", 7}, {"rx_crc_errors_phy", 1}}));
  EXPECT_EQ(found.at("load.damaged").grown, 2);
  EXPECT_TRUE(found.at("load.damaged").counts);
  EXPECT_THAT(found.at("load.damaged").names, HasSubstr("rx_pcs_symbol_err_phy 2"));
}

// 200 Gbit/s for 10 s are 2e12 bits. The driver's count and the kernel's are of the same bits.
TEST(CardGrowth, MakesABitErrorRatioOfMendedBits) {
  const auto found = grown(netdev({{"rx_corrected_bits_phy", 100}, {"fec_corrected_bits", 100}}),
                           netdev({{"rx_corrected_bits_phy", 2'000'100}, {"fec_corrected_bits", 2'000'100}}));
  const record::Watched& ber = found.at("load.ber");
  EXPECT_DOUBLE_EQ(ber.grown / ber.of, 1e-6);
  EXPECT_FALSE(ber.counts);
}

TEST(CardGrowth, HoldsDiscardsAgainstThePortsFrames) {
  const auto found = grown(
      netdev({{"rx_discards_phy", 0}, {"rx_packets_phy", 0}, {"tx_packets_phy", 0}, {"rx_packets", 0}}),
      netdev(
          {{"rx_discards_phy", 3}, {"rx_packets_phy", 2000}, {"tx_packets_phy", 1000}, {"rx_packets", 9}}));
  EXPECT_DOUBLE_EQ(found.at("load.discards").grown / found.at("load.discards").of, 0.001);
}

TEST(CardGrowth, HoldsRetriesAgainstTheDevicesPackets) {
  const auto found =
      grown(rdma({{"roce_slow_restart", 1}, {"port_xmit_packets", 0}, {"port_rcv_packets", 0}}),
            rdma({{"roce_slow_restart", 3}, {"port_xmit_packets", 100}, {"port_rcv_packets", 100}}));
  EXPECT_DOUBLE_EQ(found.at("load.retries").grown / found.at("load.retries").of, 0.01);
}

// A share of nothing is all of it: one packet that bnxt_re repeats would be 100 %, and so would be one frame that its port
// threw away while the kernel's own counters, which miss RDMA, stood still.
TEST(CardGrowth, HoldsThemAgainstThePacketsThatOtherDriversName) {
  const auto share = [](const record::Watched& watched) { return watched.grown / watched.of; };
  const auto device = grown(rdma({{"to_retransmits", 0}, {"tx_pkts", 0}, {"rx_pkts", 0}}),
                            rdma({{"to_retransmits", 2}, {"tx_pkts", 100}, {"rx_pkts", 100}}));
  EXPECT_DOUBLE_EQ(share(device.at("load.retries")), 0.01);
  const auto port = grown(
      netdev({{"rx_stat_discard", 0}, {"rx_total_frames", 0}, {"tx_total_frames", 0}, {"rx_packets", 0}}),
      netdev(
          {{"rx_stat_discard", 3}, {"rx_total_frames", 2000}, {"tx_total_frames", 1000}, {"rx_packets", 9}}));
  EXPECT_DOUBLE_EQ(share(port.at("load.discards")), 0.001);
}

// Up to Linux 6.8 the driver of Intel's E810 tells the kernel of length errors that are none.
TEST(CardGrowth, TakesNoLengthErrorsOfAnE810ForDamage) {
  const auto ice = [](std::uint64_t lengths, std::uint64_t checksums) {
    return netdev({{"rx_length_errors", lengths},
                   {"rx_crc_errors", checksums},
                   {"rx_unicast.nic", 9},
                   {"tx_unicast.nic", 9}});
  };
  EXPECT_EQ(grown(ice(0, 0), ice(700, 0)).at("load.damaged").grown, 0);
  EXPECT_EQ(grown(ice(0, 0), ice(700, 3)).at("load.damaged").grown, 3);
  EXPECT_EQ(
      grown(netdev({{"rx_length_errors", 0}}), netdev({{"rx_length_errors", 7}})).at("load.damaged").grown,
      7);
}

TEST(CardGrowth, SaysNothingOfWhatACardDoesNotCount) {
  EXPECT_THAT(growth_of({netdev({{"rx_packets", 1}})}, {netdev({{"rx_packets", 9}})}, 1s), IsEmpty());
}

TEST(CardGrowth, TellsAResetCardFromACleanOne) {
  const auto found = grown(netdev({{"rx_crc_errors_phy", 5}}), netdev({{"rx_crc_errors_phy", 0}}));
  EXPECT_EQ(found.at("load.damaged").lost, "rx_crc_errors_phy went back from 5 to 0");
}
TEST(CardGrowth, TellsACardThatIsGone) {
  EXPECT_THAT(grown(netdev({{"rx_crc_errors_phy", 5}}), netdev({})).at("load.damaged").lost,
              HasSubstr("can't be read any more"));
}
TEST(CardGrowth, WaitsForTheNextLookWhereACounterIsNew) {
  EXPECT_THAT(
      growth_of({netdev({{"rx_packets", 1}})}, {netdev({{"rx_packets", 9}, {"rx_crc_errors_phy", 5}})}, 1s),
      IsEmpty());
}
// The other halves report the same figure: without a word this one would pass by them.
TEST(CardGrowth, TellsACardThatCouldNotBeReadWhenTheLoadBegan) {
  EXPECT_THAT(grown(netdev({}), netdev({{"rx_crc_errors_phy", 5}})).at("load.damaged").lost,
              HasSubstr("could not be read when the load began"));
  EXPECT_THAT(grown(netdev({}), netdev({})).at("load.damaged").lost, HasSubstr("could not be read"));
  EXPECT_THAT(grown(rdma({}), rdma({{"roce_slow_restart", 5}})).at("load.retries").lost,
              HasSubstr("could not be read when the load began"));
}

// What is said of the device rocep1s0f0 where another has counters, before the load and after it.
std::vector<record::Watched> beside(CardReading other, CardReading device) {
  other.device = "rocep1s0f1";
  std::vector<record::Watched> found = growth_of({other, device}, {other, device}, 10s);
  std::erase_if(found, [](const record::Watched& watched) { return watched.subject != "rocep1s0f0"; });
  return found;
}
TEST(CardGrowth, TellsAnRdmaDeviceThatCountsNothingBesideOneThatDoes) {
  const auto lost = [](const char* id) {
    return AllOf(Field(&record::Watched::id, id), Field(&record::Watched::lost, Not(IsEmpty())));
  };
  EXPECT_THAT(beside(rdma({{"roce_slow_restart", 1}, {"out_of_sequence", 0}}), rdma({})),
              UnorderedElementsAre(lost("load.retries"), lost("load.out_of_sequence")));
  EXPECT_THAT(beside(rdma({{"roce_slow_restart", 1}}), rdma({{"port_xmit_packets", 9}})),
              UnorderedElementsAre(lost("load.retries")));
}
TEST(CardGrowth, ExpectsOfADeviceWhatOthersOfItsDriverCount) {
  CardReading other = rdma({{"roce_slow_restart", 1}}), device = rdma({{"port_xmit_packets", 9}});
  other.driver = "mlx5_core";
  device.driver = "irdma";
  EXPECT_THAT(beside(other, device), IsEmpty());
  EXPECT_THAT(beside(rdma({}), rdma({})), IsEmpty());
}

// Catches: a sound rig of Intel's E810 that is never proven.
TEST(NeverCounted, IsSaidOfDriversThatCountNoRetries) {
  const auto absent = [](const char* id) {
    return AllOf(Field(&record::Watched::id, id), Field(&record::Watched::absent, Not(IsEmpty())));
  };
  CardReading e810 = rdma({{"ip4InOctets", 9}}), mlx5 = rdma({{"port_xmit_packets", 9}});
  e810.driver = "ice";
  mlx5.driver = "mlx5_core";
  EXPECT_THAT(never_counted({e810, mlx5}),
              UnorderedElementsAre(absent("load.retries"), absent("load.out_of_sequence")));
  e810.counters["RTO"] = 0;  // a later generation of irdma
  EXPECT_THAT(never_counted({e810, mlx5}), UnorderedElementsAre(absent("load.out_of_sequence")));
}

// Catches: RDMA over IPv6 that irdma counts apart, so that its retries are shares of nothing.
TEST(CardGrowth, CountsTheRdmaPacketsOfBothFamilies) {
  const auto growth = [](const char* family) {
    const std::string sent = std::string(family) + "OutPkts", received = std::string(family) + "InPkts";
    return grown(rdma({{sent, 0}, {received, 0}, {"RTO", 0}}), rdma({{sent, 60}, {received, 40}, {"RTO", 1}}))
        .at("load.retries");
  };
  EXPECT_DOUBLE_EQ(growth("ip4").of, 100);
  EXPECT_DOUBLE_EQ(growth("ip6").of, 100);
}

// The netdevs that are watched on a rig of one node, whose port has these halves; each with those that stand on it.
std::set<std::string> watched(const std::vector<const char*>& netdevs) {
  Port port{
      .name = "port0",
      .rate = DataRate::gigabits_per_second(200),
      .counters = CounterSource{.kind = CounterSource::Kind::kNetlink, .device = "card0", .name_space = {}},
      .halves = {}};
  for (const char* netdev : netdevs)
    port.halves.push_back({.netdev = netdev,
                           .rdma = {},
                           .address = "198.18.1.1",
                           .prefix_length = 24,
                           .mac = {},
                           .rate = DataRate::gigabits_per_second(100),
                           .mtu = DataSize::bytes(9000)});
  Rig rig;
  rig.nodes = {{.name = "node-a", .address = "node-a", .management = {}, .ports = {port}}};
  std::set<std::string> seen;
  for (const record::Watched& one : CardWatch(rig, 0).look()) {
    seen.insert(one.subject);
    EXPECT_THAT(one.halves, testing::Not(testing::IsEmpty()))
        << one.subject;  // else a pulled cable is its fault
  }
  return seen;
}

TEST(CardWatch, LooksAtAHalf) {
  in_private_network("ip link add card0 type veth peer name far0",
                     [] { EXPECT_THAT(watched({"card0"}), testing::ElementsAre("card0")); });
}

// The kernel's own counters of a VLAN stand at 0 whatever the cable damages.
TEST(CardWatch, OfAHalfThatIsAVlanLooksAtTheCardUnderIt) {
  in_private_network(
      "ip link add card0 type veth peer name far0; ip link add link card0 name card0.100 type vlan id 100 || "
      "exit 76;"
      "ip link add card1 type veth peer name far1; ip link add link card1 name card1.100 type vlan id 100",
      [] {
        EXPECT_THAT(watched({"card0.100", "card1.100"}), testing::ElementsAre("card0", "card1"));
      });
}

// Of what the driver counts (symbols, mended bits, discards) a bond has nothing.
TEST(CardWatch, OfAHalfThatIsABondLooksAtItsCards) {
  in_private_network(
      "ip link add bond0 type bond mode active-backup || exit 76;"
      "ip link add card0 type veth peer name far0; ip link add card1 type veth peer name far1;"
      "ip link set card0 master bond0; ip link set card1 master bond0",
      [] { EXPECT_THAT(watched({"bond0"}), testing::ElementsAre("card0", "card1")); });
}

}  // namespace
}  // namespace rigproof::counters
