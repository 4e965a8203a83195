// The verdict on one measurement, and how often it is wrong.
#include "framework/compare/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rigproof {
namespace {

using testing::HasSubstr;

constexpr std::string_view kReasons =
    "basis = { kind = 'policy', source = 'us', quote = 'we say so' }\nremedy.check = 'look'\n";

struct Rules {
  LimitTable limits;
  void decide(compare::ComparedMeasurement& m, compare::Levels levels, std::size_t base_runs,
              std::size_t candidate_runs) const {
    const Limit* limit = limits.find("a");
    compare::decide(m, {limit, limit->tolerance, true, levels, base_runs, candidate_runs});
  }
};

Rules rules_of(const std::string& bounds) {
  const auto document =
      toml::Document::parse("[[limit]]\nid = 'a'\n" + bounds + "\n" + std::string(kReasons), "t.toml");
  return {LimitTable::read({document}, Profile::kStandard, {})};
}

compare::ComparedMeasurement decided(const std::string& bounds, std::vector<double> base,
                                     std::vector<double> candidate, double level = 0.05) {
  const Rules rules = rules_of(bounds);
  compare::ComparedMeasurement m;
  m.id = "a";
  m.dimension = rules.limits.find("a")->dimension;
  m.base.values = std::move(base);
  m.candidate.values = std::move(candidate);
  const std::size_t base_runs = m.base.values.size(), candidate_runs = m.candidate.values.size();
  rules.decide(m, {level, level}, base_runs, candidate_runs);
  return m;
}

constexpr const char* kRate = "at_least = '0.9 Gbit/s'\ntolerance = '2 %'";

std::vector<double> about(double value, double step = 1e-4, int n = 7) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(value * (1 + step * (i - n / 2)));
  return values;
}

TEST(Decide, AChangeBeyondTheToleranceIsOneOrTheOther) {
  EXPECT_EQ(decided(kRate, about(1e9), about(0.95e9)).verdict, compare::Change::kRegressed);
  EXPECT_EQ(decided(kRate, about(1e9), about(1.05e9)).verdict, compare::Change::kImproved);
  EXPECT_EQ(decided(kRate, about(1e9), about(0.99e9)).verdict, compare::Change::kUnchanged);
}
TEST(Decide, WhatIsDecidedAsksForNoMoreRuns) {
  const compare::ComparedMeasurement m = decided(kRate, about(1e9), about(0.99e9));
  EXPECT_EQ(m.reason, "");
  EXPECT_FALSE(m.more_runs);
}
TEST(Decide, LowerIsBetterUnderAnUpperLimit) {
  const char* latency = "at_most = '2 us'\ntolerance = '2 %'";
  EXPECT_EQ(decided(latency, about(1e-6), about(1.05e-6)).verdict, compare::Change::kRegressed);
  EXPECT_EQ(decided(latency, about(1e-6), about(0.95e-6)).verdict, compare::Change::kImproved);
}
TEST(Decide, NeitherWayIsBetterWhereTheLimitSaysSo) {
  const char* ratio = "at_least = '99 %'\nat_most = '101 %'\ntolerance = '0.2 %'";
  EXPECT_EQ(decided(ratio, about(1), about(1.005)).verdict, compare::Change::kRegressed);
  EXPECT_EQ(decided(ratio, about(1), about(0.995)).verdict, compare::Change::kRegressed);
  EXPECT_EQ(decided(ratio, about(1, 1e-5), about(1.001, 1e-5)).verdict, compare::Change::kUnchanged);
}
TEST(Decide, AnIntervalThatStraddlesTheToleranceIsNoPass) {
  const compare::ComparedMeasurement m = decided(kRate, about(1e9, 0.01), about(0.98e9, 0.01));
  EXPECT_EQ(m.verdict, compare::Change::kInconclusive);
  EXPECT_THAT(m.reason, HasSubstr("straddles"));
}
TEST(Decide, OneRunASideIsNoSample) {
  const compare::ComparedMeasurement m = decided(kRate, {1e9}, {0.5e9});
  EXPECT_EQ(m.verdict, compare::Change::kInconclusive);
  EXPECT_FALSE(m.interval);
  EXPECT_NEAR(*m.change, -0.5, 1e-12);
  EXPECT_EQ(m.more_runs, 2);  // 3 and 3 are the fewest at 5 % a side
}
TEST(Decide, ManyComparisonsNeedMoreRuns) { EXPECT_EQ(decided(kRate, {1e9}, {1e9}, 0.05 / 30).more_runs, 5); }
TEST(Decide, MoreRunsAreFewerTheNearerTheAnswer) {
  const auto near = decided(kRate, about(1e9, 0.006), about(1e9, 0.006), 0.05 / 30);
  const auto far = decided(kRate, about(1e9, 0.012), about(1e9, 0.012), 0.05 / 30);
  ASSERT_EQ(near.verdict, compare::Change::kInconclusive);
  ASSERT_TRUE(near.more_runs && far.more_runs);
  EXPECT_LT(*near.more_runs, *far.more_runs);
}
TEST(Decide, OnTheToleranceItselfNoNumberOfRunsTells) {
  const auto m = decided("at_least = '1 B'\ntolerance = '10 B'", about(110, 0.01), about(100, 0.01));
  EXPECT_EQ(m.verdict, compare::Change::kInconclusive);
}
TEST(Decide, AStateIsComparedByItsLimit) {
  const Rules rules = rules_of("equals = '1 count'");
  compare::ComparedMeasurement m;
  m.id = "a";
  m.base.values = {1};
  m.candidate.values = {0};
  m.candidate.missed = 1;
  rules.decide(m, {}, 1, 1);
  EXPECT_EQ(m.verdict, compare::Change::kRegressed);
  std::swap(m.base, m.candidate);
  rules.decide(m, {}, 1, 1);
  EXPECT_EQ(m.verdict, compare::Change::kImproved);
  EXPECT_EQ(decided("equals = '1 count'", {1}, {1}).verdict, compare::Change::kUnchanged);
  m.base = m.candidate = {.values = {0, 0}, .missed = 2};
  rules.decide(m, {}, 2, 2);
  EXPECT_EQ(m.verdict, compare::Change::kUnchanged) << "always missed";
  m.base.missed = 1;
  rules.decide(m, {}, 2, 2);
  EXPECT_EQ(m.verdict, compare::Change::kInconclusive) << "missed now and then";
  EXPECT_EQ(m.reason, "missed in 1 of 2 base runs and 2 of 2 candidate runs");
  EXPECT_EQ(decided("at_most = '0 count'", {0}, {0}).verdict, compare::Change::kUnchanged);
  EXPECT_EQ(decided("one_of = ['RS']", {1}, {1}).verdict, compare::Change::kUnchanged);
  EXPECT_EQ(decided("at_least_version = '28.45'", {1}, {1}).verdict, compare::Change::kUnchanged);
}
TEST(Decide, ZerosHaveNoRatio) {
  const auto m =
      decided("at_most = '5 count'\ntolerance = '10 %'", {0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(m.verdict, compare::Change::kUnchanged);
  EXPECT_FALSE(m.relative);
}
TEST(Decide, AnAbsoluteToleranceIsADifference) {
  const char* latency = "at_most = '5 ms'\ntolerance = '100 us'";
  EXPECT_EQ(decided(latency, about(50e-6), about(90e-6)).verdict, compare::Change::kUnchanged);
  EXPECT_EQ(decided(latency, about(50e-6), about(190e-6)).verdict, compare::Change::kRegressed);
}
TEST(Decide, BeyondTheToleranceMayStillBeChance) {
  const auto m = decided(kRate, {1e9, 1e9, 0.9e9, 1e9}, {0.9e9, 0.9e9, 1e9, 0.9e9});
  EXPECT_LT(*m.change, -0.02);
  EXPECT_EQ(m.verdict, compare::Change::kInconclusive);
}
TEST(Decide, NoChanceWithinTheToleranceMattersToNobody) {
  const auto m = decided(kRate, about(1e9), about(0.985e9));
  ASSERT_TRUE(m.interval);
  EXPECT_LT(m.interval->high, 0);
  EXPECT_EQ(m.verdict, compare::Change::kUnchanged);
}
TEST(Decide, GettingBetterNeedsNoRoom) {
  EXPECT_EQ(decided(kRate, about(1e9, 0.01), about(1.015e9, 0.01)).verdict, compare::Change::kUnchanged);
}
TEST(Decide, WhatIsNearZeroHasAToleranceOfItsLimit) {
  const auto cpu = [](double base, double candidate) {
    const Rules rules = rules_of("at_most = '5 %'");
    compare::ComparedMeasurement m;
    m.id = "a";
    m.dimension = Dimension::kRatio;
    m.at_most = 0.05;
    m.base.values = about(base), m.candidate.values = about(candidate);
    rules.decide(m, {}, 7, 7);
    EXPECT_FALSE(m.relative);
    return m.verdict;
  };
  EXPECT_EQ(cpu(0.003, 0.005), compare::Change::kUnchanged);  // +67 %, and a fifth of a point
  EXPECT_EQ(cpu(0.003, 0.006), compare::Change::kRegressed);
}
TEST(Decide, WhatCarriesNoDecisionIsShown) {
  const Rules rules = rules_of(kRate);
  compare::ComparedMeasurement m;
  m.id = "a";
  m.dimension = Dimension::kDataRate;
  m.base.values = about(1e9), m.candidate.values = about(0.5e9);
  const Limit* limit = rules.limits.find("a");
  compare::decide(m, {limit, limit->tolerance, false, {}, 7, 7});
  EXPECT_EQ(m.verdict, compare::Change::kRecorded);
  EXPECT_NEAR(*m.change, -0.5, 1e-3);
}
TEST(Decide, WhatOneCandidateRunLacksIsNotProven) {
  const Rules rules = rules_of(kRate);
  compare::ComparedMeasurement m;
  m.id = "a";
  m.dimension = Dimension::kDataRate;
  m.base.values = m.candidate.values = about(1e9);
  rules.decide(m, {}, 7, 8);
  EXPECT_EQ(m.verdict, compare::Change::kInconclusive);
  EXPECT_THAT(m.reason, HasSubstr("7 of 8 candidate runs"));
}
TEST(Decide, WhatOnlyOneSideHasIsNamed) {
  const auto m = decided(kRate, about(1e9), {});
  EXPECT_EQ(m.verdict, compare::Change::kMissing);
}

// A run's value: the median of 50 samples that share the run's own offset.
enum class Shape { kSkewed, kBimodal, kAutocorrelated };
double value_of_run(std::mt19937& random, Shape shape, double scale) {
  std::normal_distribution<double> normal;
  std::vector<double> samples;
  double state = normal(random);
  const double offset = shape == Shape::kBimodal ? (std::bernoulli_distribution(0.3)(random) ? 3 : 0) : 0;
  const double of_run =
      shape == Shape::kSkewed ? std::lognormal_distribution<double>(0, 1)(random) : normal(random);
  for (int i = 0; i < 50; ++i) {
    state = 0.98 * state + std::sqrt(1 - 0.98 * 0.98) * normal(random);
    const double sample = shape == Shape::kSkewed ? std::lognormal_distribution<double>(0, 1)(random) : state;
    samples.push_back(sample + offset + of_run);
  }
  return 1e9 * (1 + scale * evaluate(Statistic::kMedian, samples));
}

std::vector<double> side(std::mt19937& random, Shape shape, double scale, double factor, int runs) {
  std::vector<double> values;
  for (int i = 0; i < runs; ++i) values.push_back(factor * value_of_run(random, shape, scale));
  return values;
}

constexpr int kRuns = 7, kMeasurements = 30, kTrials = 200;
constexpr compare::Levels kLevels{compare::kFalseAlarms / kMeasurements, compare::kFalseAlarms};

// The share of comparisons of an unchanged rig, 30 figures each, that call anything regressed when no change at all is
// tolerated: the worst case.
double false_alarms(Shape shape) {
  const Rules rules = rules_of("at_least = '0.1 Gbit/s'\ntolerance = '0 %'");
  std::mt19937 random(42);
  int alarms = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    bool alarm = false;
    for (int i = 0; i < kMeasurements; ++i) {
      compare::ComparedMeasurement m;
      m.id = "a";
      m.dimension = Dimension::kDataRate;
      m.base.values = side(random, shape, 0.01, 1, kRuns);
      m.candidate.values = side(random, shape, 0.01, 1, kRuns);
      rules.decide(m, kLevels, kRuns, kRuns);
      alarm = alarm || m.verdict == compare::Change::kRegressed;
    }
    alarms += alarm ? 1 : 0;
  }
  return alarms / static_cast<double>(kTrials);
}

TEST(DecideBySimulation, FalseAlarmsStayUnderTheStatedLevel) {
  for (const Shape shape : {Shape::kSkewed, Shape::kBimodal, Shape::kAutocorrelated}) {
    const double rate = false_alarms(shape);
    RecordProperty("false_alarms_" + std::to_string(static_cast<int>(shape)), std::to_string(rate));
    EXPECT_LE(rate, compare::kFalseAlarms) << static_cast<int>(shape);
  }
}

// Of pairs of unchanged sides: is_alarm(random) makes one and says whether it is called regressed.
template <class IsAlarm>
void expect_few_false_alarms(unsigned seed, IsAlarm is_alarm) {
  constexpr int kPairs = 2'000;
  std::mt19937 random(seed);
  int alarms = 0;
  for (int trial = 0; trial < kPairs; ++trial) alarms += is_alarm(random) ? 1 : 0;
  testing::Test::RecordProperty("false_alarms", std::to_string(alarms / static_cast<double>(kPairs)));
  EXPECT_LE(alarms, compare::kFalseAlarms * kPairs);
}

// A gate looks twice, the second time at more candidate runs; both looks share the level.
TEST(DecideBySimulation, FalseAlarmsOfTwoLooksStayUnderItToo) {
  const Rules rules = rules_of("at_least = '0.1 Gbit/s'\ntolerance = '0 %'");
  expect_few_false_alarms(44, [&](std::mt19937& random) {
    compare::ComparedMeasurement m;
    m.id = "a";
    m.dimension = Dimension::kDataRate;
    m.base.values = side(random, Shape::kSkewed, 0.01, 1, kRuns);
    bool alarm = false;
    for (int look = 1; look <= 2; ++look) {
      for (const double value : side(random, Shape::kSkewed, 0.01, 1, kRuns))
        m.candidate.values.push_back(value);
      const double spent = compare::kFalseAlarms * compare::Look{look, 2}.share();
      rules.decide(m, {spent, spent}, kRuns, static_cast<std::size_t>(look) * kRuns);
      alarm = alarm || m.verdict == compare::Change::kRegressed;
    }
    return alarm;
  });
}

// What may get worse either way has two ways to be called worse by chance.
TEST(DecideBySimulation, FalseAlarmsOfWhatHasARightValueStayUnderItToo) {
  const Rules rules = rules_of("at_least = '1 %'\nat_most = '1000 %'\ntolerance = '0 %'");
  ASSERT_EQ(rules.limits.find("a")->tolerance.better, Better::kNeither);
  std::normal_distribution<double> scatter(1, 0.01);
  expect_few_false_alarms(46, [&](std::mt19937& random) {
    compare::ComparedMeasurement m;
    m.id = "a";
    m.dimension = Dimension::kRatio;
    for (int run = 0; run < kRuns; ++run) {
      m.base.values.push_back(scatter(random));
      m.candidate.values.push_back(scatter(random));
    }
    rules.decide(m, {}, kRuns, kRuns);
    return m.verdict == compare::Change::kRegressed;
  });
}

TEST(Looks, ShareTheirLevel) {
  EXPECT_EQ(compare::Look{}.share(), 1);
  EXPECT_EQ((compare::Look{1, 2}.share() + compare::Look{2, 2}.share()), 1);
  EXPECT_DOUBLE_EQ((compare::Look{1, 3}.share() + compare::Look{2, 3}.share() + compare::Look{3, 3}.share()),
                   1);
}

// The stated power: 5 % slower, tolerance 2 %, runs that scatter by 0.7 %, 7 a side, 30 measurements.
TEST(DecideBySimulation, ALossOfFivePercentIsSeen) {
  const Rules rules = rules_of(kRate);
  std::mt19937 random(43);
  int seen = 0, passed = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    compare::ComparedMeasurement m;
    m.id = "a";
    m.dimension = Dimension::kDataRate;
    m.base.values = side(random, Shape::kAutocorrelated, 0.005, 1, kRuns);
    m.candidate.values = side(random, Shape::kAutocorrelated, 0.005, 0.95, kRuns);
    rules.decide(m, kLevels, kRuns, kRuns);
    seen += m.verdict == compare::Change::kRegressed ? 1 : 0;
    passed += m.verdict == compare::Change::kUnchanged || m.verdict == compare::Change::kImproved ? 1 : 0;
  }
  RecordProperty("seen", std::to_string(seen));
  EXPECT_GE(seen, 0.9 * kTrials);
  EXPECT_EQ(passed, 0);
}

}  // namespace
}  // namespace rigproof
