#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "tests/support/story.h"

namespace rigproof {
namespace {

TEST(Clean, KeepsWhatIsHarmless) {
  EXPECT_EQ(text::clean("a\tb\nc \u00e4 \u4e2d \U0001F600"), "a\tb\nc \u00e4 \u4e2d \U0001F600");
}

TEST(Clean, ReplacesControlsAndReorderingAndNoncharacters) {
  for (const char* bad : {"\x01", "\x1b", "\x7f", "\r", "\xC2\x80", "\xE2\x80\xAE", "\xE2\x81\xA6",
                          "\xE2\x80\xA8", "\xEF\xBF\xBE", "\xEF\xBF\xBF", "\xEF\xB7\x90", "\xF4\x8F\xBF\xBF"})
    EXPECT_EQ(text::clean(bad), "\uFFFD") << testing::PrintToString(std::string(bad));
}

TEST(Clean, ReplacesEachByteThatIsNoUtf8) {
  EXPECT_EQ(text::clean("a\x80z"), "a\uFFFDz");
  EXPECT_EQ(text::clean("\xC0\x80"), "\uFFFD\uFFFD");
  EXPECT_EQ(text::clean("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(text::clean("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(text::clean("\xE2\x82"), "\uFFFD\uFFFD");
}

TEST(OneLine, HasNoBreaks) { EXPECT_EQ(text::one_line("a\nb\tc"), "a b c"); }

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(text::shortened("abc", 3), "abc");
  EXPECT_EQ(text::shortened("ab\u00e4", 3), "ab...");
}

TEST(TextTable, AlignsColumnsByCharacters) {
  EXPECT_EQ(text::text_table({{"name", "n"}, {"\u00e4", "1"}, {"abcdef", "22"}}),
            "name    n\n\u00e4       1\nabcdef  22\n");
}

TEST(TextTable, LeavesOutEmptyColumns) {
  EXPECT_EQ(text::text_table({{"a", "b", "c"}, {"1", "", "3"}}), "a  c\n1  3\n");
}

TEST(ShortLimit, IsTheBoundsAlone) {
  judge::JudgedMeasurement rate = good();
  rate.judgement.bounds = {.at_least = 0.95e9, .at_most = 1.05e9};
  rate.judgement.limit = ">= 0.95 Gbit/s (95 % of half.rate) and <= 1.05 Gbit/s (105 % of half.rate)";
  EXPECT_EQ(text::short_limit(rate), ">= 0.95 Gbit/s and <= 1.05 Gbit/s");
  rate.judgement.bounds = {.equals = 1e9};
  EXPECT_EQ(text::short_limit(rate), "= 1 Gbit/s");
  EXPECT_EQ(text::short_limit(recorded("tcp.rate")), "") << "no limit";
}

TEST(ShortLimit, IsThatOfTheStatisticThatDecided) {
  const judge::JudgedMeasurement rate = missed_mean();
  EXPECT_EQ(text::short_limit(rate), ">= 0.85 Gbit/s");
  EXPECT_EQ(text::further_text(rate), "mean 0.671 Gbit/s");
  EXPECT_THAT(text::result_text(rate), testing::StartsWith("0.967 Gbit/s, mean 0.671 Gbit/s (limit >= 0.95"));
  EXPECT_EQ(text::further_text(good()), "");
}

// A reader that takes these labels as keys loses no value.
TEST(MeasurementLines, OfOneCaseHaveLabelsOfTheirOwn) {
  judge::Attempt attempt{.launch = 1,
                         .iteration = 1,
                         .started = {},
                         .measurements = {},
                         .failures = {},
                         .status = judge::Status::kPassed};
  for (const double value : {0.0, 0.0, 3.0, 3.0, 5.0, 5.0}) {
    attempt.measurements.push_back(recorded("load.gaps"));
    attempt.measurements.back().detail = fmt::format("half{}", attempt.measurements.size());
    attempt.measurements.back().samples = {Dimension::kCount, {value}};
    attempt.measurements.back().judgement.value = value;
  }
  std::set<std::string> labels;
  for (const text::MeasurementLine& line : text::measurement_lines(attempt)) labels.insert(line.label());
  EXPECT_THAT(labels, testing::ElementsAre("load.gaps on node-a (half1) and at 1 more place: each",
                                           "load.gaps on node-a (half3) and at 1 more place: each",
                                           "load.gaps on node-a (half5) and at 1 more place: each"));
}

// Words can have parentheses of their own: nothing is cut out of them.
TEST(ShortLimit, OfAFactInWordsIsTheWholeLimit) {
  judge::JudgedMeasurement cable = good();
  cable.text = "NJAAKK-N911";
  cable.judgement = {.verdict = judge::Verdict::kPass, .value = 1, .limit = "one of MCP (1 m), NJAAKK-N911"};
  EXPECT_EQ(text::short_limit(cable), "one of MCP (1 m), NJAAKK-N911");
}

TEST(FileAndLine, LeavesTheFoldersOut) {
  EXPECT_EQ(text::file_and_line({"a/b/rig.toml", 7}), "rig.toml:7");
  EXPECT_EQ(text::file_and_line({}), "");
}

judge::JudgedMeasurement placed(const std::string& detail, const record::Axis& axis) {
  judge::JudgedMeasurement measurement = recorded("m");
  measurement.detail = detail;
  return with_axis(measurement, axis);
}

TEST(Axis, IsInTheLabelBehindTheDetail) {
  EXPECT_EQ(text::label(placed("", record::at(Quantity{Dimension::kDataSize, 65536}))),
            "m on node-a (at 64 KiB)");
  EXPECT_EQ(text::label(placed("rail0", record::at(Quantity{Dimension::kDataSize, 1 << 20}))),
            "m on node-a (rail0 at 1 MiB)");
  EXPECT_EQ(text::label(placed("", record::at(8, "queue pairs"))), "m on node-a (at 8 queue pairs)");
  EXPECT_EQ(text::label(placed("rail0", record::at(Quantity{Dimension::kTime, 0.5}))),
            "m on node-a (rail0 at 500 ms)");
  EXPECT_EQ(text::label(placed("node-a:port0 tx", record::every(std::chrono::milliseconds(100)))),
            "m on node-a (node-a:port0 tx every 100 ms)");
}

TEST(Axis, LeavesTheLineAsItIs) {
  const judge::JudgedMeasurement measurement =
      placed("look at rail0", record::at(Quantity{Dimension::kDataSize, 1024}));
  EXPECT_EQ(measurement.line, "look at rail0");
  EXPECT_EQ(measurement.axis->of, "data size");
}

TEST(Result, OfAUnitThatDoesNotFitIsStillTold) {
  judge::JudgedMeasurement measurement = good();
  measurement.unit = "us";
  EXPECT_THAT(text::result_text(measurement), testing::StartsWith("978 Mbit/s"));
}

TEST(Result, OfARecordedMeasurementComesFromItsSamples) {
  judge::JudgedMeasurement measurement = recorded("tcp.rtt");
  measurement.judgement.value = 0;
  EXPECT_EQ(text::result_text(measurement), "0.97 Gbit/s (informative)");
  measurement.samples.values.clear();
  EXPECT_EQ(text::result_text(measurement), "no value (informative)");
}

TEST(Result, OfWhatCouldNotBeJudgedIsNeverZero) {
  EXPECT_THAT(text::result_text(not_judged("tcp.rtt", {Dimension::kTime, {81e-6, 85e-6, 140e-6}})),
              testing::AllOf(testing::StartsWith("85 us (limit"), testing::HasSubstr("not judged")));
  EXPECT_EQ(text::value_text(not_judged("tcp.rtt", {Dimension::kTime, {85e-6, NAN}})), "nan s");
  EXPECT_EQ(text::value_text(not_judged("tcp.rtt", {Dimension::kTime, {}})), "no value");
}

TEST(Result, OfATextThatCouldNotBeJudgedHasNoNumber) {
  judge::JudgedMeasurement fact = not_judged("fec", {Dimension::kCount, {0}});
  fact.text = "RS";
  EXPECT_EQ(text::measured_value(fact), std::nullopt);
  EXPECT_EQ(text::statistic_text(fact, Statistic::kMin), "");
  EXPECT_EQ(text::value_text(fact), "RS");
}

TEST(BasisText, HasTheQuoteAndWhatFollowsFromIt) {
  judge::JudgedMeasurement measurement = good();
  EXPECT_EQ(text::basis_text(measurement), "measured: this rig, 20 runs: \"median 0.978 Gbit/s\"");
  measurement.basis.reasoning = "less 3 %";
  EXPECT_EQ(text::basis_text(measurement), "measured: this rig, 20 runs: \"median 0.978 Gbit/s\"; less 3 %");
  measurement.basis.quote = "";
  EXPECT_EQ(text::basis_text(measurement), "measured: this rig, 20 runs: less 3 %");
  measurement.basis = {};
  EXPECT_EQ(text::basis_text(measurement), "");
}

TEST(Margin, OfANarrowMissIsNotZero) {
  EXPECT_EQ(text::margin_text(judged("m", judge::Verdict::kFail, 0.9499e9, -0.0001)), "-0.01 %");
  EXPECT_EQ(text::margin_text(judged("m", judge::Verdict::kPass, 0.95e9, 0)), "+0.0 %");
  EXPECT_EQ(text::margin_text(recorded("m")), "");
}

TEST(Headline, PutsTheWorstFirst) {
  const judge::JudgedRun run =
      run_of({ending("A.B", {good(), missed(), judged("worse", judge::Verdict::kFail, 1e8, -0.9)})});
  EXPECT_THAT(text::headline(run.suites.at(0).cases.at(0)),
              testing::StartsWith("worse on node-a: 0.1 Gbit/s"));
}

TEST(FaultType, IsThatOfTheWorst) {
  const auto type_of = [](const Ending& ended) {
    return text::fault_type(run_of({ended}).suites.at(0).cases.at(0));
  };
  EXPECT_EQ(type_of(ending("A.B", {missed()}, {failure(record::Failure::Kind::kFail, "assertion", "x")})),
            "limit");
  EXPECT_EQ(type_of(ending("A.B", {}, {failure(record::Failure::Kind::kFail, "assertion", "x")})),
            "assertion");
  EXPECT_EQ(type_of(ending("A.B", {missed()}, {failure(record::Failure::Kind::kError, "crash", "x")})),
            "crash");
  EXPECT_EQ(type_of(ending("A.B", {judged("m", judge::Verdict::kError, 0, 0)})), "not-judged");
}

}  // namespace
}  // namespace rigproof
