#include "fixtures/counters/port_sampler.h"

#include <gmock/gmock.h>

namespace rigproof::counters {
namespace {

using testing::ElementsAre;

// The numbers of the readings that are kept of 0, 1, ... offered ones.
std::vector<std::uint64_t> kept(std::size_t capacity, std::uint64_t offered) {
  DecimatedSeries readings(capacity);
  for (std::uint64_t i = 0; i < offered; ++i)
    readings.add({.tx_bytes = i, .rx_bytes = 0, .tx_packets = 0, .rx_packets = 0, .time = {}});
  std::vector<std::uint64_t> numbers;
  for (const PortCounters& reading : readings.all()) numbers.push_back(reading.tx_bytes);
  return numbers;
}

TEST(DecimatedSeries, AreAllKeptWhileTheyFit) { EXPECT_THAT(kept(4, 4), ElementsAre(0, 1, 2, 3)); }
TEST(DecimatedSeries, AreThinnedOutEvenlyWhenTheyDoNot) {
  EXPECT_THAT(kept(4, 5), ElementsAre(0, 2, 4));
  EXPECT_THAT(kept(4, 9), ElementsAre(0, 4, 8));
}
TEST(DecimatedSeries, AlwaysHoldTheFirstAndTheLast) {
  for (std::size_t capacity = 2; capacity <= 7; ++capacity) {
    for (std::uint64_t offered = 1; offered < 200; ++offered) {
      const auto numbers = kept(capacity, offered);
      EXPECT_EQ(numbers.front(), 0u);
      EXPECT_EQ(numbers.back(), offered - 1);
      EXPECT_LE(numbers.size(), capacity + 1);
    }
  }
}
TEST(DecimatedSeries, OfADayFitIntoTheMemoryOfAMinute) {
  const auto numbers = kept(600, 24 * 3600 * 10);
  EXPECT_LE(numbers.size(), 601u);
  EXPECT_GE(numbers.size(), 300u);
}

}  // namespace
}  // namespace rigproof::counters
