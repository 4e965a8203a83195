#include "framework/judge/judgement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace rigproof {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Optional;

Bound absolute(std::string_view text) { return {parse_quantity(text), std::string(text)}; }
Bound part(double factor, std::string fact, std::string text) {
  return {RelativeBound{factor, std::move(fact)}, std::move(text)};
}

Limit rate_limit() { return {.id = "a", .dimension = Dimension::kDataRate, .unit = "Gbit/s"}; }
Limit at_least_96() {
  Limit limit = rate_limit();
  limit.at_least = absolute("96 Gbit/s");
  return limit;
}
Limit band() {
  Limit limit = at_least_96();
  limit.at_most = absolute("100 Gbit/s");
  limit.marginal = absolute("97 Gbit/s");
  return limit;
}
Limit relative() {
  Limit limit = rate_limit();
  limit.at_least = part(0.95, "half.rate", "95 % of half.rate");
  return limit;
}
Limit counts(std::optional<Bound> at_most, std::optional<Bound> equals = {}) {
  return {.id = "c",
          .dimension = Dimension::kCount,
          .unit = "count",
          .at_most = std::move(at_most),
          .equals = std::move(equals),
          .statistic = Statistic::kMax};
}

SampleSet gigabits(std::vector<double> values) {
  for (double& value : values) value *= 1e9;
  return {Dimension::kDataRate, std::move(values)};
}

judge::Verdict verdict(const Limit& limit, double gigabits_per_second) {
  return judge::judge(limit, gigabits({gigabits_per_second}), {}).verdict;
}

const Facts kHalf = {{"half.rate", to_quantity(DataRate::gigabits_per_second(1))}};

TEST(Judge, BoundsAreInclusive) {
  EXPECT_EQ(verdict(band(), 100), judge::Verdict::kPass);
  EXPECT_EQ(verdict(at_least_96(), 96), judge::Verdict::kPass);
  EXPECT_EQ(verdict(at_least_96(), 95.9999), judge::Verdict::kFail);
  EXPECT_EQ(verdict(band(), 100.0001), judge::Verdict::kFail);
}

TEST(Judge, NoiseOfDoublesIsNoDifference) {
  EXPECT_EQ(verdict(at_least_96(), 96 * (1 - 1e-13)), judge::Verdict::kPass);
  EXPECT_EQ(verdict(at_least_96(), 96 * (1 - 1e-11)), judge::Verdict::kFail);
  EXPECT_THAT(judge::judge(at_least_96(), gigabits({96 * (1 - 1e-13)}), {}).margin, Optional(0.0));
}

// A counter that was reset, or a clock that was set: less than any at_most, and no sound figure.
TEST(Judge, ANegativeRateSizeOrTimeIsNoMeasurement) {
  Limit quiet = rate_limit();
  quiet.at_most = absolute("1 Gbit/s");
  const judge::Judgement judgement = judge::judge(quiet, gigabits({0, 0, -2}), {});
  EXPECT_EQ(judgement.verdict, judge::Verdict::kError);
  EXPECT_THAT(judgement.reason, HasSubstr("sample 3 of 3 is -2000000000: a data rate is never negative"));
  const judge::Judgement share =
      judge::judge({.id = "loss", .dimension = Dimension::kRatio, .unit = "%", .at_most = absolute("1 %")},
                   {Dimension::kRatio, {-0.5}}, {});
  EXPECT_EQ(share.verdict, judge::Verdict::kError);
  EXPECT_THAT(share.reason, HasSubstr("sample 1 of 1 is -0.5: a ratio is never negative"));
  EXPECT_EQ(judge::judge(counts(absolute("1 count")), {Dimension::kCount, {-1}}, {}).verdict,
            judge::Verdict::kPass);
}

// Catches: an infinity that counts as equal to every bound, and so passes.
TEST(Judge, WhatOverflowsMeetsNoLimit) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  const Limit quick{.id = "t",
                    .dimension = Dimension::kTime,
                    .unit = "us",
                    .at_most = absolute("20 us"),
                    .statistic = Statistic::kMean};
  const judge::Judgement mean = judge::judge(quick, {Dimension::kTime, {kHuge, kHuge}}, {});
  EXPECT_EQ(mean.verdict, judge::Verdict::kError);
  EXPECT_EQ(mean.reason, "the mean of the samples is out of range");
  Limit limit = rate_limit();
  limit.at_least = part(1e306, "half.rate", "1e308 % of half.rate");
  const judge::Judgement bound = judge::judge(limit, gigabits({1}), kHalf);
  EXPECT_EQ(bound.verdict, judge::Verdict::kError);
  EXPECT_THAT(bound.reason, HasSubstr("the bound is out of range"));
}

TEST(Judge, MarginalIsInsideTheLimitButShortOfTheBand) {
  EXPECT_EQ(verdict(band(), 96), judge::Verdict::kMarginal);
  EXPECT_EQ(verdict(band(), 96.9), judge::Verdict::kMarginal);
  EXPECT_EQ(verdict(band(), 97), judge::Verdict::kPass);
}

TEST(Judge, MarginalOfAnUpperBoundLiesBelowIt) {
  Limit limit = rate_limit();
  limit.at_most = absolute("100 Gbit/s");
  limit.marginal = absolute("90 Gbit/s");
  EXPECT_EQ(verdict(limit, 90), judge::Verdict::kPass);
  EXPECT_EQ(verdict(limit, 95), judge::Verdict::kMarginal);
  EXPECT_EQ(verdict(limit, 101), judge::Verdict::kFail);
}

TEST(Judge, MarginIsToTheNearestBoundAndNegativeWhenMissed) {
  EXPECT_THAT(judge::judge(band(), gigabits({99}), {}).margin, Optional(DoubleNear(0.01, 1e-9)));
  EXPECT_THAT(judge::judge(band(), gigabits({81.2}), {}).margin, Optional(DoubleNear(-0.154, 1e-3)));
  EXPECT_THAT(judge::judge(band(), gigabits({110}), {}).margin, Optional(DoubleNear(-0.1, 1e-9)));
}

TEST(Judge, AMissSaysWhatWasMeasuredWantedAndBetween) {
  const judge::Judgement judgement = judge::judge(at_least_96(), gigabits({81.2, 70, 90}), {});
  EXPECT_EQ(judgement.reason, "median 81.2 Gbit/s misses >= 96 Gbit/s by 15.4 %");
  EXPECT_EQ(judgement.limit, ">= 96 Gbit/s");
  EXPECT_EQ(judgement.value, 81.2e9);
}

TEST(Judge, ANarrowMissIsNeverByZero) {
  EXPECT_EQ(judge::judge(at_least_96(), gigabits({95.9999}), {}).reason,
            "median 96 Gbit/s misses >= 96 Gbit/s by 0.0001 %");
}

TEST(Judge, ATwoSidedLimitShowsBothAndTheMissedOne) {
  const judge::Judgement judgement = judge::judge(band(), gigabits({110}), {});
  EXPECT_EQ(judgement.limit, ">= 96 Gbit/s and <= 100 Gbit/s");
  EXPECT_EQ(judgement.reason, "median 110 Gbit/s misses <= 100 Gbit/s by 10.0 %");
}

TEST(Judge, ARelativeBoundIsResolvedAndShownInTheAuthorsWords) {
  const judge::Judgement judgement = judge::judge(relative(), gigabits({0.94}), kHalf);
  EXPECT_EQ(judgement.limit, ">= 0.95 Gbit/s (95 % of half.rate)");
  EXPECT_EQ(judgement.verdict, judge::Verdict::kFail);
  EXPECT_EQ(judge::judge(relative(), gigabits({0.95}), kHalf).verdict, judge::Verdict::kPass);
}

TEST(Judge, AZeroBoundHasNoMargin) {
  const Limit limit = counts(absolute("0 count"));
  EXPECT_EQ(judge::judge(limit, {Dimension::kCount, {0}}, {}).verdict, judge::Verdict::kPass);
  const judge::Judgement missed = judge::judge(limit, {Dimension::kCount, {0, 3}}, {});
  EXPECT_EQ(missed.reason, "expected <= 0, got 3 (max)");
  EXPECT_EQ(missed.margin, std::nullopt);
}

TEST(Judge, EqualsHasNoMargin) {
  const Limit limit = counts({}, absolute("2 count"));
  EXPECT_EQ(judge::judge(limit, {Dimension::kCount, {2}}, {}).verdict, judge::Verdict::kPass);
  const judge::Judgement missed = judge::judge(limit, {Dimension::kCount, {1}}, {});
  EXPECT_EQ(missed.reason, "expected = 2, got 1 (max)");
  EXPECT_EQ(missed.margin, std::nullopt);
}

TEST(Judge, AnInformativeLimitIsShownAndNeverDecides) {
  Limit limit = at_least_96();
  limit.enforce = Enforce::kInformative;
  const judge::Judgement judgement = judge::judge(limit, gigabits({1}), {});
  EXPECT_EQ(judgement.verdict, judge::Verdict::kRecorded);
  EXPECT_EQ(judgement.limit, ">= 96 Gbit/s");
  EXPECT_EQ(judgement.reason, "");
}

TEST(Judge, AMissOfAdviceIsAdviceWithItsReason) {
  Limit limit = at_least_96();
  limit.enforce = Enforce::kAdvice;
  EXPECT_EQ(judge::judge(limit, gigabits({97}), {}).verdict, judge::Verdict::kPass);
  const judge::Judgement judgement = judge::judge(limit, gigabits({48}), {});
  EXPECT_EQ(judgement.verdict, judge::Verdict::kAdvice);
  EXPECT_EQ(judgement.limit, ">= 96 Gbit/s");
  EXPECT_EQ(judgement.reason, "median 48 Gbit/s misses >= 96 Gbit/s by 50.0 %");
  Limit text;
  text.dimension = Dimension::kCount;
  text.rule = TextRule{{"RS"}, ""};
  text.enforce = Enforce::kAdvice;
  EXPECT_EQ(judge::judge(text, "RS").verdict, judge::Verdict::kPass);
  EXPECT_EQ(judge::judge(text, "off").verdict, judge::Verdict::kAdvice);
}

TEST(Judge, WithoutBoundsAnInformativeLimitRecords) {
  Limit limit = rate_limit();
  limit.enforce = Enforce::kInformative;
  const judge::Judgement judgement = judge::judge(limit, gigabits({1}), {});
  EXPECT_EQ(judgement.verdict, judge::Verdict::kRecorded);
  EXPECT_EQ(judgement.limit, "");
  EXPECT_EQ(judgement.value, 1e9);
}

std::string error(const Limit& limit, const SampleSet& samples, const Facts& facts = {}) {
  const judge::Judgement judgement = judge::judge(limit, samples, facts);
  return judgement.verdict == judge::Verdict::kError ? judgement.reason : "no error";
}

TEST(Judge, WhatCannotBeJudgedIsAnErrorWithItsReason) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error(at_least_96(), gigabits({})), "no samples");
  EXPECT_EQ(error(at_least_96(), gigabits({99, kNan})), "sample 2 of 2 is nan");
  EXPECT_EQ(error(at_least_96(), gigabits({kInf, 99})), "sample 1 of 2 is inf");
  EXPECT_EQ(error(at_least_96(), {Dimension::kTime, {1}}),
            "wrong dimension: expected a data rate, got a time");
}

TEST(Judge, AnUnresolvedFactIsAnError) {
  EXPECT_EQ(error(relative(), gigabits({1})), "this case has no fact 'half.rate' (it has: none)");
  EXPECT_THAT(error(relative(), gigabits({1}), {{"half.rate", count(1)}}), HasSubstr("is a count"));
  EXPECT_THAT(error(relative(), gigabits({1}), {{"half.rate", {Dimension::kDataRate, 0}}}),
              HasSubstr("is 0"));
}

TEST(Judge, BoundsThatContradictEachOtherOnThisRigAreAnError) {
  Limit limit = relative();
  limit.at_most = absolute("0.5 Gbit/s");
  EXPECT_EQ(error(limit, gigabits({1}), kHalf),
            "contradictory limit on this rig: >= 0.95 Gbit/s (95 % of half.rate) and <= 0.5 Gbit/s");
}

TEST(Judge, AnErrorStillShowsTheLimit) {
  EXPECT_EQ(judge::judge(at_least_96(), gigabits({}), {}).limit, ">= 96 Gbit/s");
}

TEST(Verdicts, HaveNames) {
  EXPECT_EQ(name(judge::Verdict::kPass), "pass");
  EXPECT_EQ(name(judge::Verdict::kMarginal), "marginal");
  EXPECT_EQ(name(judge::Verdict::kAdvice), "advice");
  EXPECT_EQ(name(judge::Verdict::kFail), "fail");
  EXPECT_EQ(name(judge::Verdict::kError), "error");
  EXPECT_EQ(name(judge::Verdict::kRecorded), "recorded");
}

TEST(Judge, KeepsTheBoundsAsNumbers) {
  const judge::Judgement judgement = judge::judge(relative(), gigabits({0.94}), kHalf);
  EXPECT_THAT(judgement.bounds.at_least, Optional(DoubleNear(0.95e9, 1)));
  EXPECT_EQ(judgement.bounds.at_most, std::nullopt);
  EXPECT_EQ(judge::bounds_of(relative(), {}).at_least, std::nullopt);
}

Limit with_mean(Limit limit, std::optional<Bound> at_least, std::optional<Bound> at_most = {}) {
  limit.also = {{Statistic::kMean, std::move(at_least), std::move(at_most)}};
  return limit;
}

// A half that is held at 55 % for a third of the time has a sound median.
TEST(Judge, HoldsEachStatisticThatALimitNames) {
  const SampleSet dips = gigabits({99, 99, 99, 99, 54, 54, 54, 99, 99, 99});
  EXPECT_EQ(judge::judge(at_least_96(), dips, {}).verdict, judge::Verdict::kPass);
  const judge::Judgement missed = judge::judge(with_mean(at_least_96(), absolute("90 Gbit/s")), dips, {});
  EXPECT_EQ(missed.verdict, judge::Verdict::kFail);
  EXPECT_EQ(missed.value, 99e9);
  EXPECT_THAT(missed.margin, Optional(DoubleNear(-0.05, 1e-9)));
  EXPECT_EQ(missed.limit, ">= 96 Gbit/s and mean >= 90 Gbit/s");
  EXPECT_EQ(missed.reason, "mean 85.5 Gbit/s misses >= 90 Gbit/s by 5.0 %");
  EXPECT_EQ(judge::judge(with_mean(at_least_96(), absolute("85 Gbit/s")), dips, {}).verdict,
            judge::Verdict::kPass);
}
TEST(Judge, HoldsAFurtherStatisticAgainstBothOfItsBounds) {
  Limit most = rate_limit();
  most.at_most = absolute("100 Gbit/s");
  EXPECT_EQ(
      judge::judge(with_mean(most, absolute("10 Gbit/s"), absolute("50 Gbit/s")), gigabits({20, 20, 95}), {})
          .verdict,
      judge::Verdict::kPass);
  EXPECT_EQ(judge::judge(with_mean(most, {}, absolute("50 Gbit/s")), gigabits({40, 40, 95}), {}).verdict,
            judge::Verdict::kFail);
  EXPECT_EQ(error(with_mean(most, part(0.95, "half.rate", "95 % of half.rate"), absolute("0.1 Gbit/s")),
                  gigabits({1}), kHalf),
            "contradictory limit on this rig: >= 0.95 Gbit/s (95 % of half.rate) and <= 0.1 Gbit/s");
}

// The statistic with the missed bound is the one to show; without a miss the one nearest to its bound.
TEST(Judge, NamesTheStatisticThatDecided) {
  const Limit limit = with_mean(at_least_96(), absolute("90 Gbit/s"));
  const judge::Judgement missed = judge::judge(limit, gigabits({99, 99, 99, 54}), {});
  ASSERT_NE(missed.further(), nullptr);
  EXPECT_EQ(missed.further()->statistic, Statistic::kMean);
  EXPECT_EQ(missed.further()->value, 87.75e9);
  EXPECT_EQ(missed.further()->bounds.at_least, 90e9);
  ASSERT_EQ(missed.statistics.size(), 2U);
  EXPECT_FALSE(missed.statistics[0].is_missed);
  EXPECT_TRUE(missed.statistics[1].is_missed);
  EXPECT_EQ(judge::judge(limit, gigabits({97, 97, 97}), {}).further(), nullptr) << "1 % and 8 % off";
  const judge::Judgement both = judge::judge(limit, gigabits({95, 95, 10}), {});
  EXPECT_EQ(both.further()->statistic, Statistic::kMean);
  EXPECT_THAT(both.reason, HasSubstr("mean 66.67 Gbit/s misses >= 90 Gbit/s by 25.9 %"));
  EXPECT_THAT(judge::judge(limit, gigabits({NAN}), {}).statistics, testing::IsEmpty());
}

TEST(IsSlowness, MayShowInAFurtherStatisticAlone) {
  const Limit limit = with_mean(at_least_96(), absolute("90 Gbit/s"));
  const std::vector<double> dips{99e9, 54e9, 99e9};
  EXPECT_TRUE(judge::is_slowness(limit, 99e9, dips, {}));
  EXPECT_FALSE(judge::is_slowness(at_least_96(), 99e9, dips, {}));
}

TEST(IsSlowness, IsARateTooLowOrATimeTooLong) {
  EXPECT_TRUE(judge::is_slowness(band(), 95e9, {}, {}));
  EXPECT_FALSE(judge::is_slowness(band(), 101e9, {}, {}));
  EXPECT_FALSE(judge::is_slowness(band(), 0, {}, {}));
  EXPECT_TRUE(judge::is_slowness(relative(), 0.9e9, {}, kHalf));
  EXPECT_FALSE(judge::is_slowness(counts(absolute("0 count")), 1, {}, {}));
  const Limit round_trip{.id = "t", .dimension = Dimension::kTime, .unit = "us", .at_most = absolute("2 us")};
  EXPECT_TRUE(judge::is_slowness(round_trip, 3e-6, {}, {}));
  EXPECT_FALSE(judge::is_slowness(round_trip, 1e-6, {}, {}));
}

// A machine that stood still for an interval explains one in which nothing came; a dead path it does not.
TEST(IsSlowness, OfAWorstIntervalIsNotNothingAtAll) {
  Limit worst{
      .id = "t.worst_interval", .dimension = Dimension::kRatio, .unit = "%", .at_least = absolute("25 %")};
  worst.statistic = Statistic::kMin;
  EXPECT_TRUE(judge::is_slowness(worst, 0, std::vector<double>{1, 1, 0, 1}, {}));
  EXPECT_FALSE(judge::is_slowness(worst, 0, std::vector<double>{0, 0, 0, 1}, {}));
  EXPECT_FALSE(judge::is_slowness(worst, 0, std::vector<double>{0}, {}));
  worst.statistic = Statistic::kMedian;
  EXPECT_FALSE(judge::is_slowness(worst, 0, std::vector<double>{1, 1, 0, 1}, {}));
}

// What a pause brings about is no slowness; its limit says so.
TEST(IsDisturbance, IsAlsoACountWhoseLimitSaysThatAPauseMissesIt) {
  Limit retries = counts(absolute("0 count"));
  EXPECT_FALSE(judge::is_disturbance(retries, 1, {}, {}));
  retries.by_pause = true;
  EXPECT_TRUE(judge::is_disturbance(retries, 1, {}, {}));
  EXPECT_FALSE(judge::is_slowness(retries, 1, {}, {}));
}

Limit one_of(std::vector<std::string> words) {
  return {.id = "t",
          .dimension = Dimension::kCount,
          .unit = "",
          .rule = TextRule{.one_of = std::move(words), .at_least_version = {}}};
}

TEST(JudgeText, SaysWhatItMissed) {
  const judge::Judgement missed = judge::judge(one_of({"A", "B"}), "C\n\x01");
  EXPECT_EQ(missed.verdict, judge::Verdict::kFail);
  EXPECT_EQ(missed.value, 0);
  EXPECT_EQ(missed.limit, "one of A, B");
  EXPECT_THAT(missed.reason, HasSubstr("expected one of A, B, got"));
  EXPECT_EQ(judge::judge(one_of({"A"}), "A").verdict, judge::Verdict::kPass);
  EXPECT_EQ(judge::judge(one_of({"A"}), "A").value, 1);
}

TEST(JudgeText, ARuleJudgesNoNumberAndABoundNoText) {
  EXPECT_EQ(judge::judge(one_of({"1"}), {Dimension::kCount, {1}}, {}).verdict, judge::Verdict::kError);
  EXPECT_EQ(judge::judge(counts({}, absolute("1 count")), "1").verdict, judge::Verdict::kError);
}

}  // namespace
}  // namespace rigproof
