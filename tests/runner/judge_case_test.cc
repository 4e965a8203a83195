#include "framework/runner/judge_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rigproof {
namespace {

using testing::HasSubstr;

constexpr std::string_view kLimits = R"(
[[limit]]
id = "rate"
at_least = "50 % of half.rate"
basis = { kind = "policy", source = "test", quote = "half" }
remedy = "check the cable"
[[limit]]
id = "seen"
enforce = "informative"
at_least = "1 count"
basis = { kind = "policy", source = "test", quote = "one" }
[[limit]]
id = "late"
at_least = "1 count"
profiles = ["acceptance"]
basis = { kind = "policy", source = "test", quote = "one" }
remedy = "wait"
[[limit]]
id = "fec"
one_of = ["RS"]
basis = { kind = "policy", source = "test", quote = "RS" }
remedy = "set {netdev} to {wanted} # {node}, {port}"
)";

class JudgeCase : public testing::Test {
 protected:
  CaseEnded judge(std::vector<CaseReport> reports, double taken = 0) {
    CaseEnded ended{"suite", "A.B", 1, 0, 0, {}, {}};
    judge_case(ended, reports, {limits, "limits.toml", facts, taken});
    return ended;
  }
  static RawMeasurement raw(std::string id, double value, std::string node = "node-a", bool judged = true) {
    const Dimension dimension = id == "rate" ? Dimension::kDataRate : Dimension::kCount;
    return {std::move(id), std::move(node), "", {dimension, {value}}, judged};
  }
  static CaseReport report(std::vector<RawMeasurement> measurements) {
    return {std::move(measurements), {}, {}};
  }

  Facts facts{{"half.rate", {Dimension::kDataRate, 1e9}}, {"port.rate", {Dimension::kDataRate, 2e9}}};
  LimitTable limits = LimitTable::read(toml::Document::parse(kLimits, "limits.toml"), Profile::kStandard,
                                       {{"half.rate", Dimension::kDataRate}});
};

TEST_F(JudgeCase, JudgesEachRanksMeasurement) {
  const CaseEnded ended = judge({report({raw("rate", 0.6e9)}), report({raw("rate", 0.4e9, "node-b")})});
  ASSERT_EQ(ended.measurements.size(), 2u);
  EXPECT_EQ(ended.measurements[0].judgement.verdict, Verdict::kPass);
  EXPECT_EQ(ended.measurements[1].judgement.verdict, Verdict::kFail);
  EXPECT_TRUE(ended.failures.empty());
}

TEST_F(JudgeCase, AMissOnAMachineThatWasTakenIsVoid) {
  EXPECT_TRUE(is_void(judge({report({raw("rate", 0.4e9)})}, 0.25).failures));
  EXPECT_FALSE(is_void(judge({report({raw("rate", 0.4e9)})}, 0.05).failures));
  EXPECT_FALSE(is_void(judge({report({raw("rate", 0.6e9)})}, 0.25).failures));
  EXPECT_FALSE(is_void(judge({report({raw("rate", 0.4e9), raw("no limit", 1)})}, 0.25).failures));
}

TEST_F(JudgeCase, WhatBrokeIsNotVoidBesideAMiss) {
  CaseReport broken = report({raw("rate", 0.4e9)});
  broken.failures.push_back({.kind = Failure::Kind::kError,
                             .type = "deadline",
                             .message = "m",
                             .node = "node-b",
                             .rank = 1,
                             .phase = "measure",
                             .where = {}});
  EXPECT_FALSE(is_void(judge({broken}, 0.25).failures));
}

TEST_F(JudgeCase, AFactIsWhatItIsOnABusyMachine) {
  const RawMeasurement fact{"fec", "node-b", "", {Dimension::kCount, {}}, true, "Off", {}, true};
  const CaseEnded ended = judge({report({fact})}, 0.25);
  EXPECT_FALSE(is_void(ended.failures));
  EXPECT_EQ(ended.measurements.at(0).judgement.verdict, Verdict::kFail);
  EXPECT_EQ(ended.measurements.at(0).text, "Off");
}

TEST_F(JudgeCase, RecordedFactsAloneAreNoError) {
  const RawMeasurement fact{"other", "node-b", "", {Dimension::kCount, {}}, false, "Off", {}, true};
  EXPECT_TRUE(judge({report({fact})}).failures.empty());
}

TEST_F(JudgeCase, FillsTheRemedyOfEachFinding) {
  const RawMeasurement fact{"fec", "node-b", "", {Dimension::kCount, {}}, true, "Off", {{"netdev", "eth0"}},
                            true};
  CaseEnded ended{"suite", "A.B", 1, 0, 0, {}, {}};
  judge_case(ended, {report({fact})},
             {limits, "limits.toml", facts, 0, {{"node-b", {{"port", "port0"}, {"netdev", "eth1"}}}}});
  EXPECT_EQ(ended.measurements.at(0).remedy, "set eth0 to RS # node-b, port0");
}

TEST_F(JudgeCase, NamesTheDevicesOfTheNodeThatTellsAndNoOthers) {
  const auto told_by = [](const char* node) {
    return RawMeasurement{"fec", node, "", {Dimension::kCount, {}}, true, "Off", {}, true};
  };
  CaseEnded ended{"suite", "A.B", 1, 0, 0, {}, {}};
  judge_case(ended, {report({told_by("node-a")}), report({told_by("node-b")}), report({told_by("node-c")})},
             {limits,
              "limits.toml",
              facts,
              0,
              {{"node-a", {{"port", "port0"}, {"netdev", "eth0"}}}, {"node-b", {{"netdev", "eth1"}}}}});
  EXPECT_EQ(ended.measurements.at(0).remedy, "set eth0 to RS # node-a, port0");
  EXPECT_EQ(ended.measurements.at(1).remedy, "set eth1 to RS # node-b, PORT");
  EXPECT_EQ(ended.measurements.at(2).remedy, "set NETDEV to RS # node-c, PORT");
}

TEST_F(JudgeCase, KeepsWhatTheVerdictStoodOn) {
  const Measurement measurement = judge({report({raw("rate", 0.6e9)})}).measurements.at(0);
  EXPECT_EQ(measurement.basis.quote, "half");
  EXPECT_EQ(measurement.remedy, "check the cable");
  EXPECT_EQ(measurement.limit_where, "limits.toml:2");
  EXPECT_EQ(measurement.facts.size(), 1u);
  EXPECT_TRUE(measurement.facts.contains("half.rate"));
}

TEST_F(JudgeCase, AnIdWithoutALimitIsAnError) {
  const Judgement judgement = judge({report({raw("other", 1)})}).measurements.at(0).judgement;
  EXPECT_EQ(judgement.verdict, Verdict::kError);
  EXPECT_EQ(judgement.reason, "no limit with id 'other' in limits.toml");
}

TEST_F(JudgeCase, ALimitOfAnotherProfileIsOnlyRecorded) {
  const CaseEnded ended = judge({report({raw("late", 0)})});
  EXPECT_EQ(ended.measurements.at(0).judgement.verdict, Verdict::kRecorded);
  EXPECT_TRUE(ended.failures.empty());
}

TEST_F(JudgeCase, RecordingAloneProvesNothing) {
  const CaseEnded ended = judge({report({raw("aside", 1, "node-a", false)})});
  EXPECT_EQ(ended.measurements.at(0).judgement.verdict, Verdict::kRecorded);
  EXPECT_EQ(ended.failures.at(0).type, "nothing-measured");
}

TEST_F(JudgeCase, AnInformativeLimitIsEnough) {
  EXPECT_TRUE(judge({report({raw("seen", 0)})}).failures.empty());
}

TEST_F(JudgeCase, ACaseThatFailedNeedNotMeasure) {
  CaseReport failed;
  failed.failures.push_back({Failure::Kind::kSkip, "not-proven", "no NIC", "node-b", 1, "", ""});
  const CaseEnded ended = judge({{}, failed});
  ASSERT_EQ(ended.failures.size(), 1u);
  EXPECT_EQ(ended.failures[0].message, "no NIC");
}

TEST_F(JudgeCase, ADuplicateIsAnErrorAndIsNotKept) {
  const CaseEnded ended = judge({report({raw("rate", 1e9), raw("rate", 2e9)})});
  EXPECT_EQ(ended.measurements.size(), 1u);
  EXPECT_EQ(ended.failures.at(0).type, "duplicate-measurement");
}

TEST_F(JudgeCase, AnotherDimensionLeavesTheUnitOpen) {
  CaseReport wrong = report({{"rate", "node-a", "", {Dimension::kCount, {1}}, true}});
  const Measurement measurement = judge({wrong}).measurements.at(0);
  EXPECT_EQ(measurement.judgement.verdict, Verdict::kError);
  EXPECT_EQ(measurement.unit, "");
}

TEST_F(JudgeCase, NotesGoToTheFirstThingThatIsRed) {
  CaseReport slow = report({raw("rate", 0.6e9), raw("rate", 0.4e9, "node-b")});
  slow.notes = {"node-b: 3 of 8 probes lost"};
  EXPECT_THAT(judge({slow}).measurements.at(1).judgement.reason, HasSubstr("; node-b: 3 of 8 probes lost"));
}

TEST_F(JudgeCase, ABrokenAgreementIsSaidOnce) {
  CaseReport rank;
  rank.failures.push_back(
      {Failure::Kind::kError, "phase-mismatch", "rank 1 was elsewhere", "node-a", 0, "", ""});
  EXPECT_EQ(judge({rank, rank}).failures.size(), 1u);
}

}  // namespace
}  // namespace rigproof
