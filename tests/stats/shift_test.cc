#include "framework/stats/shift.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace rigproof {
namespace {

using testing::DoubleNear;
using testing::Ge;
using testing::Le;

using Values = std::vector<double>;

TEST(Shift, IsTheMiddleOfAllPairwiseDifferences) {
  EXPECT_EQ(middle_difference(Values{1, 2, 3}, Values{11, 12, 13}), 10);
  EXPECT_EQ(middle_difference(Values{1, 2}, Values{5, 100}), (3 + 4 + 98 + 99 - 3 - 99) / 2.0);
}

// Known from tables of Mann and Whitney's U: two-sided 5 % at 5 and 5 is U <= 2, so the third smallest difference.
TEST(Shift, ItsIntervalFollowsTheTables) {
  const Values from{1, 2, 3, 4, 5}, to{100.1, 102.2, 103.4, 104.8, 107.6};
  Values differences;
  for (const double a : from)
    for (const double b : to) differences.push_back(b - a);
  std::ranges::sort(differences);
  const auto shift = shift_between(from, to, 0.05);
  ASSERT_TRUE(shift);
  EXPECT_EQ(shift->low, differences[2]);
  EXPECT_EQ(shift->high, differences[22]);
}

TEST(Shift, TooFewValuesHaveNoInterval) {
  EXPECT_FALSE(has_interval(1, 1, 0.05));
  EXPECT_FALSE(has_interval(3, 3, 0.05));  // 2 of 20
  EXPECT_TRUE(has_interval(4, 4, 0.05));   // 2 of 70
  EXPECT_FALSE(has_interval(6, 6, 0.05 / 30));
  EXPECT_TRUE(has_interval(7, 7, 0.05 / 30));
  EXPECT_FALSE(has_interval(0, 9, 0.05));
}

TEST(Shift, LargeGroupsAreApproximatedWithoutAStep) {
  Values from, to;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 50; ++i) from.push_back(normal(random)), to.push_back(normal(random));
  const auto exact = shift_between(from, to, 0.05);
  from.push_back(normal(random));
  const auto approximate = shift_between(from, to, 0.05);
  ASSERT_TRUE(exact && approximate);
  EXPECT_THAT(approximate->high - approximate->low, DoubleNear(exact->high - exact->low, 0.05));
}

// A textbook's rank for groups of 51: 51 * 51 / 2 - 1.96 * sqrt(51 * 51 * 103 / 12) = 1007.6.
TEST(Shift, LargeGroupsHaveTheRankOfTheNormalApproximation) {
  Values from, to, differences;
  for (int i = 0; i <= 50; ++i) from.push_back(100.0 * i), to.push_back(i);
  for (const double a : from)
    for (const double b : to) differences.push_back(b - a);
  std::ranges::sort(differences);
  EXPECT_EQ(shift_between(from, to, 0.05).value().low, differences[1007 - 1]);
  EXPECT_EQ(shift_between(from, to, 0.05).value().high, differences[differences.size() - 1007]);
}
// The exact rank of groups of 50 is 966, the approximate one 965.
TEST(Shift, GroupsOfFiftyHaveTheExactRank) {
  Values from, to, differences;
  for (int i = 0; i < 50; ++i) from.push_back(100.0 * i), to.push_back(i);
  for (const double a : from)
    for (const double b : to) differences.push_back(b - a);
  std::ranges::sort(differences);
  EXPECT_EQ(shift_between(from, to, 0.05).value().low, differences[966 - 1]);
}

// The share of intervals that miss the true shift of 0.
template <class Draw>
double miss_rate(std::size_t from_size, std::size_t to_size, double alpha, Draw draw) {
  constexpr int kTrials = 4000;
  std::mt19937 random(20261121);
  int missed = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Values from, to;
    for (std::size_t i = 0; i < from_size; ++i) from.push_back(draw(random));
    for (std::size_t i = 0; i < to_size; ++i) to.push_back(draw(random));
    const auto shift = shift_between(from, to, alpha);
    if (shift && (shift->low > 0 || shift->high < 0)) ++missed;
  }
  return missed / static_cast<double>(kTrials);
}

TEST(Shift, MissesNoMoreOftenThanItSaysWhateverTheShape) {
  const double noise = 3 * std::sqrt(0.05 * 0.95 / 4000);
  const auto skewed = [](auto& random) { return std::lognormal_distribution<double>(0, 1.5)(random); };
  const auto bimodal = [](auto& random) {
    return (std::bernoulli_distribution(0.4)(random) ? 10 : 0) + std::normal_distribution<double>()(random);
  };
  const auto heavy = [](auto& random) { return std::cauchy_distribution<double>()(random); };
  for (const auto& [from, to] : {std::pair<std::size_t, std::size_t>{7, 7}, {5, 12}, {20, 4}}) {
    EXPECT_LE(miss_rate(from, to, 0.05, skewed), 0.05 + noise);
    EXPECT_LE(miss_rate(from, to, 0.05, bimodal), 0.05 + noise);
    EXPECT_LE(miss_rate(from, to, 0.05, heavy), 0.05 + noise);
  }
}

TEST(Shift, TiesOnlyMakeItWider) {
  const auto rounded = [](auto& random) {
    return std::floor(std::exponential_distribution<double>(0.5)(random));
  };
  EXPECT_LE(miss_rate(8, 8, 0.05, rounded), 0.05);
}

TEST(Shift, ItsWidthIsForeseen) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, 2);
  double width = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Values from, to;
    for (int i = 0; i < 20; ++i) from.push_back(normal(random)), to.push_back(normal(random));
    const auto shift = shift_between(from, to, 0.05);
    width += (shift->high - shift->low) / 2 / 200;
  }
  EXPECT_THAT(expected_half_width(20, 20, 0.05, 2), DoubleNear(width, 0.15 * width));
  EXPECT_TRUE(std::isinf(expected_half_width(2, 2, 0.05, 2)));
}

TEST(Shift, ItsSpreadIsThatWithinTheGroups) {
  EXPECT_THAT(spread_within(Values{1, 3}, Values{101, 103}).value(), DoubleNear(std::sqrt(2.0), 1e-12));
  EXPECT_FALSE(spread_within(Values{1}, Values{2}));
}

}  // namespace
}  // namespace rigproof
