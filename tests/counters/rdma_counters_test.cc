#include "fixtures/counters/port_counters.h"

#include <gtest/gtest.h>

#include <fstream>
#include <utility>

#include "tests/support/temp_folder.h"

namespace rigproof::counters {
namespace {

TEST(RdmaCounters, CountWordsOfFourBytes) {
  const TempFolder sysfs;
  const auto folder = sysfs.path() / "rocep1s0f0/ports/1/counters";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "port_xmit_data") << "250\n";
  std::ofstream(folder / "port_rcv_data") << "4611686018427387903\n";
  const auto counters = read_rdma_counters("rocep1s0f0", sysfs.path());
  ASSERT_TRUE(counters.has_value());
  EXPECT_EQ(counters->tx_bytes, 1000U);
  EXPECT_EQ(counters->rx_bytes, 18446744073709551612U);
}
// bnxt_re (before Linux 6.15), irdma and ionic have no folder `counters`: RDMA that was not seen there would count as none.
TEST(RdmaCounters, AreBytesUnderTheNamesOfOtherDrivers) {
  using Names = std::pair<const char*, const char*>;
  for (const auto& [tx, rx] :
       {Names{"tx_bytes", "rx_bytes"}, Names{"tx_rdma_ucast_bytes", "rx_rdma_ucast_bytes"},
        Names{"ip4OutOctets", "ip4InOctets"}}) {
    const TempFolder sysfs;
    const auto folder = sysfs.path() / "rdma0/ports/1/hw_counters";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / tx) << "1000\n";
    EXPECT_FALSE(read_rdma_counters("rdma0", sysfs.path()).has_value()) << tx;
    std::ofstream(folder / rx) << "250\n";
    const auto counters = read_rdma_counters("rdma0", sysfs.path());
    ASSERT_TRUE(counters.has_value()) << tx;
    EXPECT_EQ(counters->tx_bytes, 1000U);
    EXPECT_EQ(counters->rx_bytes, 250U);
  }
}

// Catches: IPv6 that irdma counts apart.
TEST(RdmaCounters, AddUpTheBytesOfBothFamilies) {
  const TempFolder sysfs;
  const auto folder = sysfs.path() / "rdma0/ports/1/hw_counters";
  std::filesystem::create_directories(folder);
  for (const auto& [name, bytes] : {std::pair("ip4OutOctets", 1), std::pair("ip4InOctets", 2),
                                    std::pair("ip6OutOctets", 1000), std::pair("ip6InOctets", 250)})
    std::ofstream(folder / name) << bytes << '\n';
  const auto counters = read_rdma_counters("rdma0", sysfs.path());
  ASSERT_TRUE(counters.has_value());
  EXPECT_EQ(counters->tx_bytes, 1001U);
  EXPECT_EQ(counters->rx_bytes, 252U);
}

// The shares of a port's halves under RDMA would be those of some ARP.
TEST(HalfCounters, HaveTheRdmaDevicesBytesWhereTheNetdevHasNone) {
  const TempFolder sysfs;
  const auto folder = sysfs.path() / "rdma0/ports/1/hw_counters";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tx_bytes") << (1ULL << 62) << '\n';
  std::ofstream(folder / "rx_bytes") << (1ULL << 61) << '\n';
  const PortCounters counters = read_half_counters("lo", "rdma0", sysfs.path());
  EXPECT_GE(counters.tx_bytes, 1ULL << 62);
  EXPECT_GE(counters.rx_bytes, 1ULL << 61);
  EXPECT_LT(read_half_counters("lo", "rdma1", sysfs.path()).tx_bytes, 1ULL << 61);
}

TEST(RdmaCounters, AreNothingWhereADeviceHasNone) {
  const TempFolder sysfs;
  EXPECT_FALSE(read_rdma_counters("rocep1s0f0", sysfs.path()).has_value());
  const auto folder = sysfs.path() / "rocep1s0f0/ports/1/counters";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "port_xmit_data") << "250\n";
  std::ofstream(folder / "port_rcv_data") << "N/A (no PMA)\n";
  EXPECT_FALSE(read_rdma_counters("rocep1s0f0", sysfs.path()).has_value());
}

}  // namespace
}  // namespace rigproof::counters
