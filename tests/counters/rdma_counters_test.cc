#include "fixtures/counters/port_counters.h"

#include <gtest/gtest.h>

#include <fstream>

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
