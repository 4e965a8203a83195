// A rate's outages and the shares of a sum's paths are seen where the median and the sum are right. Catches: traffic that
// stops for 0.6 s in every 2 s, a gap between two steps that carried a little, a dead path beside one that carries all,
// 126 + 44 where 85 + 85 belong.
#include "framework/stats/rate_series.h"

#include <gmock/gmock.h>

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

RateSeries series_of(std::initializer_list<double> rates) {
  Samples<DataRate> intervals;
  for (const double rate : rates) intervals.add(DataRate::bits_per_second(rate));
  return {intervals, Seconds(0)};
}

PathRate path(std::string name, double may_carry, std::initializer_list<double> rates) {
  return {std::move(name), DataRate::bits_per_second(may_carry), series_of(rates)};
}

TEST(LongestGap, OfAStopThatTheMedianDoesNotSee) {
  EXPECT_EQ(evaluate(Statistic::kMedian, stopped_now_and_then(0)), 1000);
  EXPECT_NEAR(longest_gap(stopped_now_and_then(0), 10ms).count(), 0.6, 1e-9);
}

TEST(LongestGap, ALittleTrafficIsNoTraffic) {
  EXPECT_NEAR(longest_gap(stopped_now_and_then(90), 10ms).count(), 0.6, 1e-9);
  EXPECT_EQ(longest_gap(stopped_now_and_then(110), 10ms).count(), 0);
}

TEST(LongestGap, OfWhatStoodStillForMostOfItsTime) {
  EXPECT_NEAR(longest_gap(std::vector<double>{0, 0, 0, 5, 0}, 10ms).count(), 0.03, 1e-9);
  EXPECT_NEAR(longest_gap(std::vector<double>{0, 0, 0, 0}, 10ms).count(), 0.04, 1e-9);
  EXPECT_EQ(longest_gap(std::vector<double>{}, 10ms).count(), 0);
  // A few packets that are sent again are no traffic either, however many steps have them.
  EXPECT_NEAR(longest_gap(std::vector<double>{9, 8, 9, 500, 9, 8, 600, 9}, 10ms).count(), 0.03, 1e-9);
}

TEST(LongestGap, OfBlocksIsWhatTheSlowestTookMore) {
  const Samples<Seconds> blocks(std::vector{Seconds(0.25), Seconds(0.85), Seconds(0.26)});
  EXPECT_NEAR(longest_gap(blocks).count(), 0.6, 1e-9);
}

TEST(WorstInterval, IsAPartOfTheMedianOne) {
  EXPECT_THAT(series_of({100, 100, 40, 102, 98}).of_median().values,
              ElementsAre(1, 1, DoubleNear(0.4, 1e-9), DoubleNear(1.02, 1e-9), DoubleNear(0.98, 1e-9)));
  EXPECT_THAT(series_of({0, 0, 5}).of_median().values, ElementsAre(0, 0, 0));
}

TEST(Shares, OneCableThatCarriesAllIsNoShare) {
  EXPECT_THAT(shares_of(std::vector{path("a", 100, {177, 177}), path("b", 100, {0, 0})}), ElementsAre(2, 0));
}

TEST(Shares, OfASumThatIsRight) {
  const std::vector paths{path("a", 100, {126, 126}), path("b", 100, {44, 44})};
  EXPECT_EQ(sum_of(paths).values()[0].bits_per_second(), 170);
  EXPECT_THAT(shares_of(paths), ElementsAre(DoubleNear(1.482, 1e-3), DoubleNear(0.518, 1e-3)));
}

TEST(Shares, AreInProportionOfWhatThePathsMayCarry) {
  EXPECT_THAT(shares_of(std::vector{path("a", 200, {100}), path("b", 100, {50})}), ElementsAre(1, 1));
  EXPECT_THAT(shares_of(std::vector{path("a", 100, {0}), path("b", 100, {0})}), ElementsAre());
}

}  // namespace
}  // namespace rigproof
