// Lumps of bytes become rates that count each byte once. A rate's outages and the shares of a sum's paths are seen where the median and the sum are right. Catches: traffic that
// stops for 0.6 s in every 2 s, a gap between two steps that carried a little, a dead path beside one that carries all,
// 126 + 44 where 85 + 85 belong.
#include "framework/stats/rate_series.h"

#include <gmock/gmock.h>

#include <stdexcept>

namespace rigproof {
namespace {

using namespace std::chrono_literals;
using testing::DoubleNear;
using testing::ElementsAre;
using Seconds = std::chrono::duration<double>;

// Ten seconds in steps of 10 ms, of which each two seconds' last 0.6 s carry `idle`.
std::vector<double> stopped_now_and_then(double idle) {
  std::vector<double> steps;
  for (int step = 0; step < 1000; ++step) steps.push_back(step % 200 < 140 ? 1000 : idle);
  return steps;
}

// A load that carried so many bytes in each step of 10 ms, `steps` of which are an interval.
RateSeries carried(const std::vector<double>& bytes, int steps = 1) {
  const LoadWindow window{.warm_up = 0ms,
                          .window = 10ms * static_cast<int>(bytes.size()),
                          .intervals = static_cast<int>(bytes.size()) / steps};
  RateSeries series(window, {});
  RateSeries::Time at{};
  for (const double lump : bytes) series.add(DataSize::bytes(static_cast<std::uint64_t>(lump)), at += 10ms);
  return series;
}

RateSeries path(std::string name, double may_carry, const std::vector<double>& bytes) {
  RateSeries series = carried(bytes);
  series.path = std::move(name);
  series.may_carry = DataRate::bits_per_second(may_carry);
  return series;
}

const RateSeries::Time kOrigin = RateSeries::Time(100s);
const LoadWindow kWindow{.warm_up = 100ms, .window = 200ms, .intervals = 2};

std::vector<double> bytes_per_second(const RateSeries& window) {
  std::vector<double> rates = window.intervals().values;
  for (double& rate : rates) rate /= 8;
  return rates;
}

// A message each 30 ms: 3 or 4 end in an interval of 100 ms, and both are the same rate.
TEST(RateSeries, ALumpCountsNeitherTwiceNorHalf) {
  RateSeries window(kWindow, kOrigin);
  for (auto at = 30ms; at < 500ms; at += 30ms) window.add(DataSize::bytes(3000), kOrigin + at);
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(100'000, 1e-3), DoubleNear(100'000, 1e-3)));
}

TEST(RateSeries, WhatComesBeforeOrLaterCountsForWhatItLasts) {
  RateSeries window(kWindow, kOrigin);
  window.add(DataSize::bytes(1'000'000), kOrigin + 50ms);  // before the window
  window.add(DataSize::bytes(1000), kOrigin + 150ms);      // half of its time
  window.add(DataSize::bytes(3000), kOrigin + 450ms);      // 50, 100 and 150 ms of its time
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(10'000, 1e-3), DoubleNear(10'000, 1e-3)));
}

// Catches: the silence behind an early end taken for an outage, and a half interval for a slow one.
TEST(RateSeries, ACutWindowHasItsWholeIntervalsOnly) {
  RateSeries window({.warm_up = 100ms, .window = 10s, .intervals = 100}, kOrigin);
  for (auto at = 30ms; at < 360ms; at += 30ms) window.add(DataSize::bytes(3000), kOrigin + at);
  window.cut(kOrigin + 350ms);
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(100'000, 1e-3), DoubleNear(100'000, 1e-3)));
  EXPECT_EQ(window.longest_gap().count(), 0);
}

TEST(RateSeries, OneMessageSlowerThanTheWindowIsARateToo) {
  RateSeries window(kWindow, kOrigin);
  window.add(DataSize::bytes(8000), kOrigin + 800ms);
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(10'000, 1e-3), DoubleNear(10'000, 1e-3)));
}

TEST(RateSeries, AfterTheLastCompletionNothingWasCarried) {
  RateSeries window(kWindow, kOrigin);
  window.add(DataSize::bytes(2000), kOrigin + 200ms);
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(10'000, 1e-3), 0));
}

// Two completions late and at once: the first has the time that they took, the second none of its own.
TEST(RateSeries, CompletionsAtOnceAreCounted) {
  RateSeries window(kWindow, kOrigin);
  window.add(DataSize::bytes(1), kOrigin + 100ms);
  window.add(DataSize::bytes(1000), kOrigin + 150ms);
  window.add(DataSize::bytes(1000), kOrigin + 150ms);
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(20'000, 1), 0));
}

TEST(LongestGap, OfAStopThatTheMedianDoesNotSee) {
  EXPECT_EQ(evaluate(Statistic::kMedian, stopped_now_and_then(0)), 1000);
  EXPECT_NEAR(carried(stopped_now_and_then(0)).longest_gap().count(), 0.6, 1e-9);
}

TEST(LongestGap, ALittleTrafficIsNoTraffic) {
  EXPECT_NEAR(carried(stopped_now_and_then(90)).longest_gap().count(), 0.6, 1e-9);
  EXPECT_EQ(carried(stopped_now_and_then(110)).longest_gap().count(), 0);
}

TEST(LongestGap, OfWhatStoodStillForMostOfItsTime) {
  EXPECT_NEAR(carried({0, 0, 0, 5, 0}).longest_gap().count(), 0.03, 1e-9);
  EXPECT_NEAR(carried({0, 0, 0, 0}).longest_gap().count(), 0.04, 1e-9);
  EXPECT_EQ(carried({1, 1}).first(0).longest_gap().count(), 0);
  // A few packets that are sent again are no traffic either, however many steps have them.
  EXPECT_NEAR(carried({9, 8, 9, 500, 9, 8, 600, 9}).longest_gap().count(), 0.03, 1e-9);
}

TEST(LongestGap, OfBlocksIsWhatTheSlowestTookMore) {
  const BlockRates blocks{{}, Samples(std::vector{Seconds(0.25), Seconds(0.85), Seconds(0.26)})};
  EXPECT_NEAR(blocks.longest_gap().count(), 0.6, 1e-9);
}

std::vector<double> bytes_between(const RateSeries& series, std::chrono::milliseconds from,
                                  std::chrono::milliseconds to) {
  std::vector<double> bytes = series.between(RateSeries::Time(from), RateSeries::Time(to)).values;
  for (double& rate : bytes) rate /= 8 * 100;  // of intervals of 10 ms
  return bytes;
}

TEST(Between, AreTheIntervalsThatHoldTheTimesWithoutTheLastOne) {
  const RateSeries series = carried({1, 2, 3, 4});
  EXPECT_THAT(bytes_between(series, 0ms, 40ms), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(bytes_between(series, 10ms, 30ms), ElementsAre(2, 3));
  EXPECT_THAT(bytes_between(series, 15ms, 39ms), ElementsAre(2, 3));
  EXPECT_THAT(bytes_between(series, 15ms, 20ms), ElementsAre(2));
}

TEST(Between, OfTimesOutsideOfTheWindowAreWhatIsThere) {
  const RateSeries series = carried({1, 2, 3, 4});
  EXPECT_THAT(bytes_between(series, -50ms, 500ms), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(bytes_between(series, 40ms, 500ms), ElementsAre());
  EXPECT_THAT(bytes_between(series, 30ms, 10ms), ElementsAre());
}

TEST(Parts, OfARateAndOfNone) {
  const auto intervals = carried({100, 50}).intervals();
  EXPECT_THAT(parts_of(intervals, 200 * 8 * 100).values, ElementsAre(0.5, 0.25));
  EXPECT_THAT(parts_of(intervals, 0).values, ElementsAre(0, 0));
  EXPECT_EQ(median_of({}), 0);
}

TEST(WorstInterval, IsAPartOfTheMedianOne) {
  EXPECT_THAT(of_median(carried({100, 100, 40, 102, 98}).intervals()).values,
              ElementsAre(1, 1, DoubleNear(0.4, 1e-9), DoubleNear(1.02, 1e-9), DoubleNear(0.98, 1e-9)));
  EXPECT_THAT(of_median(carried({0, 0, 5}).intervals()).values, ElementsAre(0, 0, 0));
}

TEST(Shares, OneCableThatCarriesAllIsNoShare) {
  EXPECT_THAT(shares_of(std::vector{path("a", 100, {177, 177}), path("b", 100, {0, 0})}), ElementsAre(2, 0));
}

TEST(Shares, OfASumThatIsRight) {
  const std::vector paths{path("a", 100, {126, 126}), path("b", 100, {44, 44})};
  EXPECT_EQ(sum_of(paths).intervals().values[0], 8 * 17'000);
  EXPECT_THAT(shares_of(paths), ElementsAre(DoubleNear(1.482, 1e-3), DoubleNear(0.518, 1e-3)));
}

TEST(Shares, PathsOfDifferentIntervalsHaveNoSum) {
  EXPECT_THROW((void)sum_of(std::vector{carried({1, 1}), carried({1})}), std::invalid_argument);
  EXPECT_THROW((void)sum_of({}), std::invalid_argument);
}

TEST(Shares, AreInProportionOfWhatThePathsMayCarry) {
  EXPECT_THAT(shares_of(std::vector{path("a", 200, {100}), path("b", 100, {50})}), ElementsAre(1, 1));
  EXPECT_THAT(shares_of(std::vector{path("a", 100, {0}), path("b", 100, {0})}), ElementsAre());
}

}  // namespace
}  // namespace rigproof
