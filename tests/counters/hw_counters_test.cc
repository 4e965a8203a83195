#include "fixtures/counters/hw_counters.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temp_folder.h"

namespace rigproof::counters {
namespace {

TEST(HwCounters, AreReadByName) {
  const TempFolder sysfs;
  const auto folder = sysfs.path() / "rocep1s0f0/ports/1/hw_counters";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "out_of_sequence") << "12\n";
  std::ofstream(folder / "lifespan") << "10\n";
  EXPECT_EQ(read_hw_counters("rocep1s0f0", sysfs.path()), (HwCounters{{"out_of_sequence", 12}}));
  EXPECT_TRUE(read_hw_counters("rocep1s0f1", sysfs.path()).empty());
}

// A BlueField's port shows "vport_out_of_sequence", which stands still; bnxt_re's receives that nobody posted have the name of
// a netdev's lost frames.
TEST(HwCounters, AreThoseBesideThePortsToo) {
  const TempFolder sysfs;
  const auto device = sysfs.path() / "mlx5_0", port = device / "ports/1/hw_counters";
  std::filesystem::create_directories(device / "hw_counters");
  std::filesystem::create_directories(port);
  std::ofstream(port / "vport_out_of_sequence") << "0\n";
  std::ofstream(port / "duplicate_request") << "1\n";
  std::ofstream(device / "hw_counters/out_of_sequence") << "12\n";
  std::ofstream(device / "hw_counters/duplicate_request") << "3\n";
  std::ofstream(device / "hw_counters/rx_out_of_buffer") << "5\n";
  std::ofstream(device / "hw_counters/lifespan") << "10\n";
  EXPECT_EQ(read_hw_counters("mlx5_0", sysfs.path()), (HwCounters{{"vport_out_of_sequence", 0},
                                                                  {"duplicate_request", 1},
                                                                  {"out_of_sequence", 12},
                                                                  {"out_of_buffer", 5}}));
}

// What a driver shows for "not known" is no counter that stands still at its highest value.
TEST(HwCounters, ThatAreNoNumbersAreNotThere) {
  const TempFolder sysfs;
  const auto folder = sysfs.path() / "rocep1s0f0/ports/1/hw_counters";
  std::filesystem::create_directories(folder);
  for (const char* text : {"-1\n", "", "N/A (no PMA)\n", "0x10\n", "12abc\n", "18446744073709551616\n"}) {
    std::ofstream(folder / "out_of_sequence") << text;
    EXPECT_TRUE(read_hw_counters("rocep1s0f0", sysfs.path()).empty()) << text;
  }
}

TEST(HwCounters, GrowFromWhatTheyWere) {
  const HwCounters grown =
      growth({{"sent_pkts", 5}, {"rcvd_pkts", 9}}, {{"sent_pkts", 7}, {"rcvd_pkts", 2}, {"new", 3}});
  EXPECT_EQ(grown, (HwCounters{{"sent_pkts", 2}, {"new", 3}}));
}
// 100, then 150, then a reset: no growth of 0 is to come of that.
TEST(HwCounters, AreLostWhereTheyWentBackOrAreGone) {
  const HwCounters before{{"out_of_sequence", 100}, {"rx_discards_phy", 4}, {"sent_pkts", 7}};
  EXPECT_EQ(lost(before, before), "");
  EXPECT_EQ(lost(before, {{"out_of_sequence", 0}}),
            "out_of_sequence went back from 100 to 0, rx_discards_phy is gone");
}

TEST(HwCounters, MeanTheSameUnderTheNamesOfBothDrivers) {
  const HwCounters mlx5{
      {"packet_seq_err", 3}, {"out_of_sequence", 1}, {"local_ack_timeout_err", 2}, {"rx_write_requests", 9}};
  EXPECT_EQ(sum_of(mlx5, CounterMeaning::kOutOfSequence).total, 4U);
  EXPECT_EQ(sum_of(mlx5, CounterMeaning::kRetry).grown, "local_ack_timeout_err 2");
  const HwCounters rxe{{"rcvd_seq_err", 3}, {"completer_retry_err", 0}, {"sent_pkts", 100}};
  EXPECT_EQ(sum_of(rxe, CounterMeaning::kOutOfSequence).total, 3U);
  EXPECT_TRUE(sum_of(rxe, CounterMeaning::kRetry).any);
  EXPECT_FALSE(sum_of(rxe, CounterMeaning::kCongestion).any);
}

TEST(HwCounters, MeanTheSameUnderTheNamesOfOtherDrivers) {
  for (const char* name : {"to_retransmits", "dup_req", "tx_rdma_ack_timeout", "tx_rdma_retx_pkts", "RTO",
                           "sq_num_to", "rq_num_dup"})
    EXPECT_EQ(meaning_of(name), CounterMeaning::kRetry) << name;
  for (const char* name : {"oos_drop_count", "seq_err_naks_rcvd", "resp_rx_outouf_seq", "req_rx_pkt_seq_err",
                           "Rcvd Out of order packets", "rq_num_oos"})
    EXPECT_EQ(meaning_of(name), CounterMeaning::kOutOfSequence) << name;
  for (const char* name : {"rnr_naks_rcvd", "resp_rx_outof_buf", "RNR received", "sq_num_rnr"})
    EXPECT_EQ(meaning_of(name), CounterMeaning::kNoReceive) << name;
  for (const char* name : {"tx_cnp_pkts", "rx_rdma_cnp_pkts", "cnpSent"})
    EXPECT_EQ(meaning_of(name), CounterMeaning::kCongestion) << name;
  for (const char* name : {"vport_out_of_sequence", "tx_pkts", "active_qps", "ip4InOctets", "rq_num_lle"})
    EXPECT_EQ(meaning_of(name), CounterMeaning::kOther) << name;
}

// A switch that damages a packet makes its frame's checksum anew: the card that checks RoCE's own counts it beside the device.
TEST(HwCounters, MeanThatAFrameCameDamagedWhateverItsLengthAndWhoChecks) {
  for (const char* counter :
       {"rx_crc_errors_phy", "rx_fragments_phy", "rx_jabbers_phy", "rx_icrc_encapsulated",
        "frames_rx_bad_fcs", "frames_rx_stomped_crc", "frames_rx_fragments", "frames_rx_jabber"})
    EXPECT_EQ(meaning_of(counter), CounterMeaning::kDamaged) << counter;
}

// What a card sends to the memory is checked by the port above it, which alone counts what came damaged there.
TEST(PcieErrors, AreThoseOfBothEndsOfTheLink) {
  const TempFolder devices;
  const auto port = devices.path() / "0000:00:00.0", card = port / "0000:01:00.0";
  std::filesystem::create_directories(card);
  std::ofstream(card / "aer_dev_nonfatal") << "Undefined 1\nTOTAL_ERR_NONFATAL 1\n";
  std::ofstream(card / "aer_dev_correctable") << "RxErr 9\nBadTLP 0\nTOTAL_ERR_COR 9\n";
  EXPECT_EQ(read_pcie_errors(card), (HwCounters{{"pcie_replays", 0}, {"pcie_uncorrectable", 1}}));
  std::ofstream(port / "aer_dev_nonfatal") << "TOTAL_ERR_NONFATAL 2\n";
  std::ofstream(port / "aer_dev_correctable") << "BadTLP 4\nTOTAL_ERR_COR 4\n";
  const auto link = devices.path() / "device";  // as a netdev names its card
  std::filesystem::create_symlink(card, link);
  EXPECT_EQ(read_pcie_errors(link), (HwCounters{{"pcie_replays", 4}, {"pcie_uncorrectable", 3}}));
  EXPECT_TRUE(read_pcie_errors(devices.path() / "absent").empty());
}

// A half whose counters can't be read would pass by its twin's.
TEST(HwCounters, TellWhichDevicesDoNotCountWhatOthersDo) {
  const HwCounters counts{{"completer_retry_err", 0}}, other{{"sent_pkts", 1}};
  using Names = std::vector<std::string>;
  EXPECT_EQ(uncounted({{"a", counts}, {"b", other}, {"c", {}}}, CounterMeaning::kRetry), (Names{"b", "c"}));
  EXPECT_EQ(uncounted({{"a", counts}}, CounterMeaning::kRetry), Names{});
  EXPECT_EQ(uncounted({{"b", other}, {"c", {}}}, CounterMeaning::kRetry), Names{});
}

TEST(HwCounters, OfNetdevsTellDiscardsFromPausesAndFromWhatIsNoFault) {
  for (const char* name : {"rx_discards_phy", "tx_discards_phy", "rx_prio3_buf_discard", "rx_out_of_buffer",
                           "rx_missed_errors", "rx_queue_0_drops", "tx_queue_dropped"})
    EXPECT_EQ(meaning_of(name), CounterMeaning::kDiscard) << name;
  for (const char* name :
       {"rx_crc_errors_phy", "rx_pcs_symbol_err_phy", "rx_symbol_err_phy", "fec_uncorrectable_blocks"})
    EXPECT_EQ(meaning_of(name), CounterMeaning::kDamaged) << name;
  EXPECT_EQ(meaning_of("rx_corrected_bits_phy"), CounterMeaning::kCorrectedBits);
  EXPECT_EQ(meaning_of("rx_err_lane_3_phy"), CounterMeaning::kLaneError);
  for (const char* name : {"rx_prio3_pause", "tx_pause_ctrl_phy", "link_xoff_rx.nic",
                           "tx_priority_3_xoff.nic", "port.rx_priority_3_xoff", "rx_pause_frames",
                           "tx_pfc_frames", "frames_rx_pause", "frames_tx_pripause"})
    EXPECT_EQ(meaning_of(name), CounterMeaning::kPause) << name;
  for (const char* name : {"link_xon_rx.nic", "rx_priority_3_xon.nic", "rx_pfc_ena_frames_pri3",
                           "rx_pripause_3_1us_count", "rx_prio3_pause_duration"})
    EXPECT_EQ(meaning_of(name), CounterMeaning::kOther) << name;
  for (const char* name : {"rx_dropped", "rx_bytes_phy", "rx_xdp_drops", "rx_packets"})
    EXPECT_EQ(meaning_of(name), CounterMeaning::kOther) << name;
}

// A limit of one frame would be missed by the first one.
TEST(HwCounters, OfTheSameFramesUnderTwoNamesCountThemOnce) {
  const HwCounters mlx5{{"rx_crc_errors_phy", 1}, {"rx_crc_errors", 1},    {"tx_discards_phy", 1},
                        {"tx_aborted_errors", 1}, {"rx_discards_phy", 3},  {"rx_prio0_discards", 2},
                        {"rx_prio3_discards", 1}, {"rx_out_of_buffer", 4}, {"rx_missed_errors", 4}};
  EXPECT_EQ(sum_of(mlx5, CounterMeaning::kDamaged).grown, "rx_crc_errors_phy 1");
  EXPECT_EQ(sum_of(mlx5, CounterMeaning::kDiscard).total, 8U);
  const HwCounters bnxt{{"[0]: rx_discards", 1},      {"[1]: tx_discards", 0},
                        {"rx_total_discard_pkts", 1}, {"tx_total_discard_pkts", 0},
                        {"rx_missed_errors", 1},      {"rx_discard_bytes_cos0", 9018}};
  EXPECT_EQ(sum_of(bnxt, CounterMeaning::kDiscard).total, 1U);
  const HwCounters newer{{"[0]: rx_discards", 1},       {"[1]: tx_discards", 2},
                         {"rx_total_ring_discards", 1}, {"tx_total_ring_discards", 2},
                         {"rx_total_oom_discards", 0},  {"rx_missed_errors", 1}};
  EXPECT_EQ(sum_of(newer, CounterMeaning::kDiscard).total, 3U);
  const HwCounters drops{{"[0]: rx_drops", 4}, {"rx_total_discard_pkts", 0}};
  EXPECT_EQ(sum_of(drops, CounterMeaning::kDiscard).total, 4U);
  const HwCounters kernel{{"rx_crc_errors", 2}, {"rx_missed_errors", 4}};
  EXPECT_EQ(sum_of(kernel, CounterMeaning::kDamaged).total, 2U);
  EXPECT_EQ(sum_of(kernel, CounterMeaning::kDiscard).total, 4U);
}

// One block in a minute may be chance: by its symbols and its frame it would be three.
TEST(HwCounters, OfOneDamageInEachLayerCountItOnce) {
  const HwCounters block{
      {"fec_uncorrectable_blocks", 1}, {"rx_symbol_err_phy", 1}, {"rx_pcs_symbol_err_phy", 1},
      {"rx_crc_errors_phy", 1},        {"rx_crc_errors", 1},     {"rx_length_errors", 0}};
  EXPECT_EQ(sum_of(block, CounterMeaning::kDamaged).total, 1U);
}
// Error correction mends 15 symbols of a block; a block may lie in two frames.
TEST(HwCounters, OfABlockCountNeitherItsSymbolsNorItsFramesBesideIt) {
  const auto damage = [](std::uint64_t blocks, std::uint64_t symbols, std::uint64_t frames) {
    return sum_of({{"fec_uncorrectable_blocks", blocks},
                   {"rx_pcs_symbol_err_phy", symbols},
                   {"rx_crc_errors_phy", frames}},
                  CounterMeaning::kDamaged)
        .total;
  };
  EXPECT_EQ(damage(1, 16, 2), 1U);
  EXPECT_EQ(damage(1, 544, 0), 1U);
  EXPECT_EQ(damage(2, 40, 3), 2U);
  EXPECT_EQ(damage(1, 16, 3), 3U) << "more frames than one block lies in";
  EXPECT_EQ(damage(1, 545, 1), 545U);
  EXPECT_EQ(damage(0, 16, 2), 16U)
      << "no block was lost: error correction is off, or the damage is not the wire's";
  EXPECT_EQ(sum_of({{"rx_pcs_symbol_err_phy", 16}}, CounterMeaning::kDamaged).total, 16U);
}

// Of one frame that found no room an mlx5 card counts a discard of the port, of its priority and of its buffer; a bnxt card
// one of the port and of its class.
TEST(HwCounters, OfOneDiscardInEachLayerCountItOnce) {
  const HwCounters mlx5{{"rx_discards_phy", 1}, {"rx_prio0_discards", 1}, {"rx_prio0_buf_discard", 1}};
  EXPECT_EQ(sum_of(mlx5, CounterMeaning::kDiscard).total, 1U);
  const HwCounters host{{"rx_discards_phy", 0},
                        {"rx_prio0_buf_discard", 2},
                        {"rx_prio3_buf_discard", 1},
                        {"rx_prio3_cong_discard", 1}};
  EXPECT_EQ(sum_of(host, CounterMeaning::kDiscard).total, 3U);
  const HwCounters bnxt{{"rx_stat_discard", 1}, {"rx_discard_packets_cos0", 1}, {"tx_stat_discard", 0}};
  EXPECT_EQ(sum_of(bnxt, CounterMeaning::kDiscard).total, 1U);
}

TEST(FrameCounters, AreTheKernelsToo) {
  const TempFolder sysfs;
  std::filesystem::create_directories(sysfs.path() / "lo/statistics");
  std::ofstream(sysfs.path() / "lo/statistics/rx_missed_errors") << "4\n";
  std::ofstream(sysfs.path() / "lo/statistics/rx_dropped") << "5\n";
  EXPECT_EQ(read_frame_counters("lo", sysfs.path()), (HwCounters{{"rx_missed_errors", 4}}));
}

}  // namespace
}  // namespace rigproof::counters
