#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "fixtures/verbs/load.h"
#include "fixtures/verbs/queue_pair.h"
#include "fixtures/verbs/rdma_device.h"
#include "fixtures/verbs/rdma_end.h"
#include "fixtures/verbs/registered_buffer.h"
#include "framework/record/codec.h"

namespace rigproof {
namespace {

TEST(PathMtu, IsAPowerOfTwo) {
  EXPECT_EQ(verbs::size_of(IBV_MTU_256), DataSize::bytes(256));
  EXPECT_EQ(verbs::size_of(IBV_MTU_4096), DataSize::bytes(4096));
  EXPECT_EQ(verbs::path_mtu_of(DataSize::bytes(1500)), IBV_MTU_1024);
  EXPECT_EQ(verbs::path_mtu_of(DataSize::bytes(9000)), IBV_MTU_4096);
}

TEST(Timeout, IsTheUsualOneWhereTheQueueDrainsAtOnce) {
  EXPECT_EQ(verbs::timeout_for(DataSize::mebibytes(2), DataRate::gigabits_per_second(100)), 14);
}

TEST(Timeout, OutlastsTheQueueOfTheLoadItself) {  // 1 MiB at 25 Mbit/s: 0.34 s; 4.096 us * 2^18 = 1.07 s
  EXPECT_EQ(verbs::timeout_for(DataSize::mebibytes(1), DataRate::bits_per_second(25e6)), 18);
  EXPECT_EQ(verbs::timeout_for(DataSize::mebibytes(1), DataRate::bits_per_second(1)), 31);
}

TEST(QueuePair, SendsInItsClassOfService) {
  const auto attributes = verbs::receiving_attributes(
      {.gid_index = 3, .first_packet = 1, .path_mtu = IBV_MTU_4096},
      {.number = 17, .first_packet = 2, .gid = {}}, {.traffic_class = 106, .service_level = 3});
  EXPECT_EQ(attributes.ah_attr.grh.traffic_class, 106);
  EXPECT_EQ(attributes.ah_attr.sl, 3);
  EXPECT_EQ(attributes.ah_attr.grh.sgid_index, 3);
}

TEST(Pattern, ShowsTheFirstWrongByte) {
  std::vector<std::uint8_t> bytes(1001);
  verbs::fill_pattern(bytes, 7);
  EXPECT_EQ(verbs::first_difference(bytes, 7), std::nullopt);
  bytes[1000] ^= 1;
  EXPECT_EQ(verbs::first_difference(bytes, 7), 1000U);
  bytes[13] ^= 0x80;
  EXPECT_EQ(verbs::first_difference(bytes, 7), 13U);
}

TEST(Pattern, OfAnotherSenderOrPlaceIsWrong) {
  std::vector<std::uint8_t> bytes(4096);
  verbs::fill_pattern(bytes, 7);
  EXPECT_TRUE(verbs::first_difference(bytes, 8));
  EXPECT_TRUE(verbs::first_difference(std::span(bytes).subspan(8), 7));
}

TEST(EndAddress, TravelsUnchanged) {
  const verbs::RdmaEndAddress address{.gid = {1, 2, 3},
                                      .buffer = 0x7f0000001000,
                                      .key = 42,
                                      .active_mtu = DataSize::bytes(4096),
                                      .first_packet = 99,
                                      .queue_pairs = {17, 18}};
  const std::string bytes = record::codec::to_bytes(address);
  const auto back = record::codec::from_bytes<verbs::RdmaEndAddress>(bytes);
  EXPECT_EQ(record::codec::to_bytes(back), bytes);
  EXPECT_EQ(back.active_mtu, address.active_mtu);
  EXPECT_EQ(back.queue_pairs, address.queue_pairs);
  EXPECT_EQ(back.gid, address.gid);
}

TEST(EndAddress, ThatIsNoneIsRefused) {
  for (const std::string& bytes : {std::string(), record::codec::to_bytes(std::vector{1, 2, 3})})
    EXPECT_THROW((void)record::codec::from_bytes<verbs::RdmaEndAddress>(bytes), std::invalid_argument);
}

// 64 receives of 16 KiB last 42 us at 200 Gbit/s: a receiver that wakes up after 100 us would find its peer waiting.
TEST(Receives, LastForAWakeUpBeyondThoseInFlight) {
  const verbs::RdmaLoadSpec sends{
      .operation = verbs::RdmaOperation::kSend, .message = DataSize::kibibytes(16), .depth = 8};
  const double beyond = (verbs::receives_of(sends, 8) - 8) * 8 * 16384.0 * 8;
  EXPECT_GE(beyond / 200e9, 100e-6);
  EXPECT_EQ(verbs::receives_of({.operation = verbs::RdmaOperation::kSend, .message = DataSize::bytes(64)}, 1),
            1024U);
  EXPECT_EQ(verbs::receives_of({}, 8), 1U);
}

}  // namespace
}  // namespace rigproof
