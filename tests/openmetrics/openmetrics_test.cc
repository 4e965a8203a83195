#include "reports/openmetrics/openmetrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/support/chart_run.h"
#include "tests/support/golden.h"
#include "tests/support/golden_run.h"
#include "tests/support/hostile.h"
#include "tests/support/tool.h"

namespace rigproof {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::string metrics(const judge::JudgedRun& run) {
  std::ostringstream out;
  openmetrics::write_metrics(run, out);
  return out.str();
}

TEST(Metrics, LookAsApproved) { expect_approved("metrics.txt", metrics(judge::read_run(golden_folder()))); }

TEST(Metrics, ARealParserTakesThem) {
  for (const judge::JudgedRun& run :
       {golden_run().record(), chart_run().record(), hostile_run(), judge::JudgedRun{}, run_of({}),
        run_of({ending("A.B", {good()})}), hostile_run(std::string(1 << 20, 'x'))}) {
    const ToolAnswer answer =
        tool_on(std::string(RIGPROOF_SOURCE_DIR) + "/tests/openmetrics/parse", metrics(run), "metrics.txt");
    if (answer.missing) GTEST_SKIP() << answer.says;
    EXPECT_EQ(answer.says, "");
  }
}

std::string prometheus(const judge::JudgedRun& run) {
  std::ostringstream out;
  openmetrics::write_prometheus(run, out);
  return out.str();
}

// Its textfile collector refuses a whole file for one type that it does not know.
TEST(Prometheus, ARealNodeExporterTakesThem) {
  for (const judge::JudgedRun& run : {golden_run().record(), hostile_run(), judge::JudgedRun{}}) {
    const ToolAnswer answer = tool_on(std::string(RIGPROOF_SOURCE_DIR) + "/tests/openmetrics/collect",
                                      prometheus(run), "metrics.prom");
    if (answer.missing) GTEST_SKIP() << answer.says;
    EXPECT_EQ(answer.says, "");
  }
}

// Of a rig that is judged again from a record: no rig file may have such a name.
TEST(Prometheus, LabelsHoldAnyText) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.start.rig = "a \"b\" c\\d";
  run.start.stand_in = "one\ntwo, Prüfstand \xe6\x9c\xba\xff";
  const std::string text = prometheus(run);
  EXPECT_THAT(text, HasSubstr(R"(rigproof_run_ended{rig="a \"b\" c\\d",profile="smoke"} 1)"));
  EXPECT_THAT(text, HasSubstr("stand_in=\"one two, Prüfstand \xe6\x9c\xba"));
  EXPECT_THAT(text, Not(HasSubstr("\xff")));
  const ToolAnswer answer =
      tool_on(std::string(RIGPROOF_SOURCE_DIR) + "/tests/openmetrics/collect", text, "metrics.prom");
  if (answer.missing) GTEST_SKIP() << answer.says;
  EXPECT_EQ(answer.says, "");
}

TEST(Prometheus, APartSaysSo) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  EXPECT_THAT(prometheus(run), HasSubstr("rigproof_run_part{rig=\"model-rig\",profile=\"smoke\"} 0\n"));
  run.start.asked.filter = "A.*";
  EXPECT_THAT(prometheus(run), HasSubstr("rigproof_run_part{rig=\"model-rig\",profile=\"smoke\"} 1\n"));
}

TEST(Prometheus, AStatusIsCalledAsInTheMetrics) {
  const judge::JudgedRun run = golden_run().record();
  for (const char* label : {"status=\"not proven\"", "status=\"recorded\""}) {
    EXPECT_THAT(prometheus(run), HasSubstr(label));
    EXPECT_THAT(metrics(run), HasSubstr(label));
  }
}

TEST(Prometheus, AMissedHeadlineShows) {
  const std::string text = prometheus(run_of({ending("A.B", {missed()})}));
  EXPECT_THAT(text, HasSubstr("rigproof_run_exit_code{rig=\"model-rig\",profile=\"smoke\"} 1\n"));
  EXPECT_THAT(text,
              HasSubstr("rigproof_headline_value{rig=\"model-rig\",profile=\"smoke\",id=\"tcp.rate.half\","
                        "unit=\"bit/s\",statistic=\"median\"} 510000000\n"));
  EXPECT_THAT(
      text,
      HasSubstr("rigproof_headline_missed{rig=\"model-rig\",profile=\"smoke\",id=\"tcp.rate.half\"} 1\n"));
}

TEST(Prometheus, AHeadlineShowsTheFurtherStatisticThatMissed) {
  const std::string text = prometheus(run_of({ending("A.B", {missed_mean()})}));
  EXPECT_THAT(text, HasSubstr("unit=\"bit/s\",statistic=\"median\"} 967000000\n"));
  EXPECT_THAT(text, HasSubstr("unit=\"bit/s\",statistic=\"mean\"} 671000000\n"));
}

// Catches: an alert on missed headlines that a crashed case does not raise.
TEST(Prometheus, ACaseWithoutItsHeadlineCountsAsAMiss) {
  EXPECT_THAT(prometheus(run_with_a_figure_lacking()), HasSubstr("id=\"tcp.rate.half\"} 1\n"));
}

TEST(Metrics, ValuesAreInBaseUnits) {
  const std::string text = metrics(run_of({ending("A.B", {good()})}));
  EXPECT_THAT(text,
              HasSubstr("rigproof_measured_bits_per_second{suite=\"tcp\",case=\"A.B\",id=\"tcp.rate.half\","
                        "node=\"node-a\",detail=\"\",statistic=\"median\",verdict=\"pass\"} 978000000"));
  EXPECT_THAT(text, HasSubstr("rigproof_verdict{rigproof_verdict=\"QUALIFIED\"} 1"));
  EXPECT_THAT(text, EndsWith("# EOF\n"));
}

TEST(Metrics, WhatCouldNotBeJudgedIsNeverZero) {
  const std::string text =
      metrics(run_of({ending("A.B", {not_judged("tcp.rtt", {Dimension::kTime, {81e-6, 85e-6, 140e-6}}),
                                     not_judged("tcp.rate", {Dimension::kDataRate, {1e9, NAN}})})}));
  const auto value_of = [&](const std::string& id) {
    const auto end = text.find("} ", text.find("id=\"" + id + "\"")) + 2;
    return text.substr(end, text.find('\n', end) - end);
  };
  EXPECT_EQ(value_of("tcp.rtt"), "8.5e-05");
  EXPECT_EQ(value_of("tcp.rate"), "NaN");
}

TEST(Metrics, TellOfAStandIn) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.start.stand_in = "the switch";
  EXPECT_THAT(metrics(run), HasSubstr("stand_in=\"the switch\""));
}

TEST(Metrics, AFamilyLargerThanItsBufferStaysTogether) {
  std::vector<Ending> many;
  for (int number = 0; number < 20'000; ++number)
    many.push_back(ending(fmt::format("A.B/{}", number), {good(), round_trips("node-a")}));
  const std::string text = metrics(run_of(many));
  const auto first = text.find("# TYPE rigproof_measured_seconds");
  EXPECT_GT(first, text.rfind("\nrigproof_measured_bits_per_second{"));
  EXPECT_EQ(text.find("# TYPE rigproof_measured_seconds", first + 1), text.npos);
}

}  // namespace
}  // namespace rigproof
