#include "fixtures/verbs/hw_counters.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temp_folder.h"

namespace rigproof {
namespace {

TEST(HwCounters, AreReadByName) {
  const TempFolder sysfs;
  const auto folder = sysfs.path() / "rocep1s0f0/ports/1/hw_counters";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "out_of_sequence") << "12\n";
  std::ofstream(folder / "lifespan") << "10\n";
  EXPECT_EQ(verbs::read_hw_counters("rocep1s0f0", sysfs.path()),
            (verbs::HwCounters{{"out_of_sequence", 12}}));
  EXPECT_TRUE(verbs::read_hw_counters("rocep1s0f1", sysfs.path()).empty());
}

TEST(HwCounters, GrowFromWhatTheyWere) {
  const verbs::HwCounters grown =
      verbs::growth({{"sent_pkts", 5}, {"rcvd_pkts", 9}}, {{"sent_pkts", 7}, {"rcvd_pkts", 2}, {"new", 3}});
  EXPECT_EQ(grown, (verbs::HwCounters{{"sent_pkts", 2}, {"new", 3}}));
}
// 100, then 150, then a reset: no growth of 0 is to come of that.
TEST(HwCounters, AreLostWhereTheyWentBackOrAreGone) {
  const verbs::HwCounters before{{"out_of_sequence", 100}, {"rx_discards_phy", 4}, {"sent_pkts", 7}};
  EXPECT_EQ(verbs::lost(before, before), "");
  EXPECT_EQ(verbs::lost(before, {{"out_of_sequence", 0}}),
            "out_of_sequence went back from 100 to 0, rx_discards_phy is gone");
}

TEST(HwCounters, MeanTheSameUnderTheNamesOfBothDrivers) {
  const verbs::HwCounters mlx5{
      {"packet_seq_err", 3}, {"out_of_sequence", 1}, {"local_ack_timeout_err", 2}, {"rx_write_requests", 9}};
  EXPECT_EQ(sum_of(mlx5, verbs::CounterMeaning::kOutOfSequence).total, 4U);
  EXPECT_EQ(sum_of(mlx5, verbs::CounterMeaning::kRetry).grown, "local_ack_timeout_err 2");
  const verbs::HwCounters rxe{{"rcvd_seq_err", 3}, {"completer_retry_err", 0}, {"sent_pkts", 100}};
  EXPECT_EQ(sum_of(rxe, verbs::CounterMeaning::kOutOfSequence).total, 3U);
  EXPECT_TRUE(sum_of(rxe, verbs::CounterMeaning::kRetry).any);
  EXPECT_FALSE(sum_of(rxe, verbs::CounterMeaning::kCongestion).any);
}

TEST(HwCounters, OfNetdevsTellDiscardsFromPausesAndFromWhatIsNoFault) {
  for (const char* name : {"rx_discards_phy", "tx_discards_phy", "rx_prio3_buf_discard", "rx_out_of_buffer",
                           "rx_missed_errors", "rx_queue_0_drops", "rx_crc_errors_phy", "tx_queue_dropped"})
    EXPECT_EQ(verbs::meaning_of(name), verbs::CounterMeaning::kDiscard) << name;
  for (const char* name : {"rx_prio3_pause", "tx_pause_ctrl_phy"})
    EXPECT_EQ(verbs::meaning_of(name), verbs::CounterMeaning::kPause) << name;
  for (const char* name :
       {"rx_dropped", "rx_bytes_phy", "rx_xdp_drops", "rx_pcs_symbol_err_phy", "rx_packets"})
    EXPECT_EQ(verbs::meaning_of(name), verbs::CounterMeaning::kOther) << name;
}

TEST(FrameCounters, AreTheKernelsToo) {
  const TempFolder sysfs;
  std::filesystem::create_directories(sysfs.path() / "lo/statistics");
  std::ofstream(sysfs.path() / "lo/statistics/rx_missed_errors") << "4\n";
  std::ofstream(sysfs.path() / "lo/statistics/rx_dropped") << "5\n";
  EXPECT_EQ(verbs::read_frame_counters("lo", sysfs.path()), (verbs::HwCounters{{"rx_missed_errors", 4}}));
}

}  // namespace
}  // namespace rigproof
