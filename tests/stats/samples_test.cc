#include "framework/stats/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace rigproof {
namespace {

using namespace std::chrono_literals;

std::vector<double> one_to(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.rbegin(), values.rend(), 1.0);
  return values;
}

TEST(Samples, BecomeASampleSetInBaseUnitsAndKeepTheirOrder) {
  Samples<DataRate> rates;
  rates.add(DataRate::gigabits_per_second(2));
  rates.add(DataRate::gigabits_per_second(1));
  EXPECT_EQ(rates.set(), (SampleSet{Dimension::kDataRate, {2e9, 1e9}}));
}

TEST(Samples, OfADurationAreTimes) {
  EXPECT_EQ(Samples<std::chrono::milliseconds>({5ms}).set(), (SampleSet{Dimension::kTime, {0.005}}));
  EXPECT_TRUE(Samples<DataSize>().empty());
}

TEST(Evaluate, MedianIsTheMiddleOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(evaluate(Statistic::kMedian, std::vector{3.0, 1.0, 2.0}), 2);
  EXPECT_EQ(evaluate(Statistic::kMedian, std::vector{4.0, 1.0, 3.0, 2.0}), 2.5);
  EXPECT_EQ(evaluate(Statistic::kMedian, std::vector{7.0}), 7);
}

TEST(Evaluate, PercentilesAreTheNearestRank) {
  EXPECT_EQ(evaluate(Statistic::kP90, one_to(100)), 90);
  EXPECT_EQ(evaluate(Statistic::kP90, one_to(101)), 91);
  EXPECT_EQ(evaluate(Statistic::kP99, one_to(100)), 99);
  EXPECT_EQ(evaluate(Statistic::kP99, one_to(101)), 100);
  EXPECT_EQ(evaluate(Statistic::kP99, one_to(10)), 10);
  EXPECT_EQ(evaluate(Statistic::kP999, one_to(1000)), 999);
  EXPECT_EQ(evaluate(Statistic::kP999, one_to(1)), 1);
}

TEST(Evaluate, MinMeanAndMax) {
  EXPECT_EQ(evaluate(Statistic::kMin, one_to(4)), 1);
  EXPECT_EQ(evaluate(Statistic::kMean, one_to(4)), 2.5);
  EXPECT_EQ(evaluate(Statistic::kMax, one_to(4)), 4);
}

TEST(Evaluate, ANanSampleIsNeverSortedAway) {
  const std::vector<double> values = {1, std::numeric_limits<double>::quiet_NaN(), 3};
  for (const auto statistic : {Statistic::kMin, Statistic::kMedian, Statistic::kP99, Statistic::kMax}) {
    EXPECT_TRUE(std::isnan(evaluate(statistic, values))) << name(statistic);
  }
}

TEST(Evaluate, RefusesNoSamples) { EXPECT_THROW((void)evaluate(Statistic::kMin, {}), std::invalid_argument); }

TEST(Statistics, NamesGoBothWays) {
  for (const auto text : {"min", "median", "mean", "p99", "p999", "max"}) {
    EXPECT_EQ(name(parse_statistic(text)), text);
  }
}

TEST(Statistics, AnUnknownOneListsTheKnown) {
  try {
    (void)parse_statistic("avg");
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "unknown statistic 'avg' (known: min, median, mean, p90, p99, p999, max)");
  }
}

}  // namespace
}  // namespace rigproof
