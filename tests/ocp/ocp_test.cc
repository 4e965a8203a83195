#include "reports/ocp/ocp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/ocp/artifacts.h"
#include "tests/support/chart_run.h"
#include "tests/support/golden.h"
#include "tests/support/golden_run.h"
#include "tests/support/hostile.h"
#include "tests/support/tool.h"

namespace rigproof {
namespace {

using Json = nlohmann::json;

std::string ocp(const judge::JudgedRun& run) {
  std::ostringstream out;
  ocp::write_ocp(run, out);
  return out.str();
}

// The contents of every line of this kind ("measurement"), whichever artifact it is in.
std::vector<Json> all(const judge::JudgedRun& run, const std::string& kind) {
  std::vector<Json> found;
  std::istringstream lines(ocp(run));
  for (std::string line; std::getline(lines, line);)
    for (const char* artifact : {"testRunArtifact", "testStepArtifact"})
      if (const Json json = Json::parse(line); json.contains(artifact) && json[artifact].contains(kind))
        found.push_back(json[artifact][kind]);
  return found;
}

std::string end_of(const judge::JudgedRun& run) {
  const Json end = all(run, "testRunEnd").at(0);
  return end["status"].get<std::string>() + " " + end["result"].get<std::string>();
}

TEST(Ocp, LooksAsApproved) { expect_approved("ocp.jsonl", ocp(judge::read_run(golden_folder()))); }

TEST(Ocp, EveryLineIsValidAgainstThePublishedSchemas) {
  for (const judge::JudgedRun& run :
       {golden_run().record(), chart_run().record(), hostile_run(), judge::JudgedRun{}, run_of({}),
        run_of({ending("A.B", {good()})}), hostile_run(std::string(1 << 20, 'x'))}) {
    const ToolAnswer answer =
        tool_on(std::string(RIGPROOF_SOURCE_DIR) + "/tests/ocp/validate", ocp(run), "ocp.jsonl");
    if (answer.missing) GTEST_SKIP() << answer.says;
    EXPECT_EQ(answer.says, "");
  }
}

TEST(Ocp, TheRunEndsWithItsVerdict) {
  const record::Failure skip = failure(record::Failure::Kind::kSkip, "not-proven", "no GPU");
  EXPECT_EQ(end_of(run_of({ending("A.B", {good()})})), "COMPLETE PASS");
  EXPECT_EQ(end_of(run_of({ending("A.B", {missed()})})), "COMPLETE FAIL");
  EXPECT_EQ(end_of(run_of({ending("A.B", {}, {skip})})), "SKIP NOT_APPLICABLE");
  EXPECT_EQ(end_of(golden_run().record()), "ERROR NOT_APPLICABLE");
}

// Catches: a failed diagnosis in a run that passed, of an attempt that was measured again alone.
TEST(Ocp, AnAttemptThatWasReplacedHasNotFailed) {
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {missed()})).run(ending("A.B", {good()})).done().end();
  judge::JudgedRun run = story.record();
  run.suites.at(0).cases.change(0, [](judge::JudgedCase& test) { test.attempts.at(0).replaced = true; });
  EXPECT_EQ(end_of(run), "COMPLETE PASS");
  const std::vector<Json> diagnoses = all(run, "diagnosis");
  EXPECT_EQ(diagnoses.at(0)["type"], "UNKNOWN");
  EXPECT_EQ(diagnoses.at(0)["verdict"], "replaced");
  EXPECT_EQ(diagnoses.at(1)["type"], "PASS");
}

// OCP has no word for it: all of it passed, and the log says that it is a part.
TEST(Ocp, APartOfARunThatPassedSaysSo) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.start.asked.filter = "A.*";
  EXPECT_EQ(end_of(run), "COMPLETE PASS");
  const Json last = all(run, "log").back();
  EXPECT_THAT(last["message"].get<std::string>(), testing::StartsWith("PARTIAL: rig "));
  EXPECT_THAT(last["message"].get<std::string>(), testing::HasSubstr(", only cases that match A.*:"));
}

TEST(Ocp, ABoundIsAValidatorInBaseUnits) {
  const std::vector<Json> measurements = all(chart_run().record(), "measurement");
  const Json& sweep = measurements.at(0);
  EXPECT_EQ(sweep["unit"], "bit/s");
  EXPECT_EQ(sweep["validators"][0]["type"], "GREATER_THAN_OR_EQUAL");
  EXPECT_EQ(sweep["validators"][0]["value"], 0.9e9);
  EXPECT_EQ(sweep["validators"][1]["type"], "LESS_THAN_OR_EQUAL");
  EXPECT_EQ(sweep["metadata"]["n"], 3);
}

// A reader that holds values against validators must come to the run's own verdict: a missed limit that is advice or
// informative has none.
TEST(Ocp, OnlyALimitThatDecidesIsAValidator) {
  judge::JudgedMeasurement informative = missed("host.steady");
  informative.judgement.verdict = judge::Verdict::kRecorded;
  const std::vector<Json> measurements =
      all(run_of({ending("A.B", {missed(), advised(), informative})}), "measurement");
  ASSERT_EQ(measurements.size(), 3u);
  EXPECT_TRUE(measurements[0].contains("validators"));
  for (const Json& measurement : {measurements[1], measurements[2]}) {
    EXPECT_FALSE(measurement.contains("validators")) << measurement;
    EXPECT_EQ(measurement["metadata"]["limit"], measurements[0]["metadata"]["limit"]);
  }
}

// Catches: a measurement whose validators all hold, and whose verdict is fail.
TEST(Ocp, AFurtherStatisticIsAMeasurementOfItsOwn) {
  const std::vector<Json> measurements = all(run_of({ending("A.B", {missed_mean()})}), "measurement");
  ASSERT_EQ(measurements.size(), 2u);
  EXPECT_EQ(measurements[0]["metadata"]["verdict"], "pass");
  EXPECT_EQ(measurements[0]["metadata"]["statistic"], "median");
  EXPECT_EQ(measurements[0]["validators"].size(), 2u);
  EXPECT_FALSE(measurements[0]["metadata"].contains("margin"));
  EXPECT_EQ(measurements[1]["name"], measurements[0]["name"]);
  EXPECT_EQ(measurements[1]["value"], 0.671e9);
  EXPECT_EQ(measurements[1]["metadata"]["statistic"], "mean");
  EXPECT_EQ(measurements[1]["metadata"]["verdict"], "fail");
  EXPECT_EQ(measurements[1]["validators"][0]["value"], 0.85e9);
}

TEST(Ocp, ALimitOnATextIsAValidator) {
  const auto validators_of = [](const std::string& rule) {
    judge::JudgedMeasurement fact = good();
    fact.id = "phy.cable";
    fact.text = "NJAAKK-N911";
    fact.samples = {Dimension::kCount, {1}};
    const std::string limit =
        "[[limit]]\nid = \"phy.cable\"\n" + rule +
        "\nremedy.check = \"look\"\nbasis = { kind = \"policy\", source = \"t\", quote = \"q\" }\n";
    return all(run_of({ending("A.B", {fact})}, limit), "measurement").at(0)["validators"];
  };
  const Json word = validators_of("one_of = [\"NJAAKK-N911\"]");
  EXPECT_EQ(word[0]["type"], "EQUAL");
  EXPECT_EQ(word[0]["value"], "NJAAKK-N911");
  const Json words = validators_of("one_of = [\"MCP 1.5 (m)\", \"NJ*\", \"N?\"]");
  EXPECT_EQ(words[0]["type"], "REGEX_MATCH");
  EXPECT_EQ(words[0]["value"], R"(^\s*(MCP\s+1\.5\s+\(m\)|NJ.*|N.)\s*$)");
  EXPECT_TRUE(validators_of("at_least_version = \"1.2\"").is_null()) << "no validator compares versions";
}

TEST(Ocp, WhatCouldNotBeJudgedIsNeverZero) {
  const judge::JudgedRun run =
      run_of({ending("A.B", {not_judged("tcp.rate.sweep", {Dimension::kTime, {81e-6, 85e-6, 140e-6}}),
                             not_judged("tcp.round_trip", {Dimension::kTime, {85e-6, NAN}})})},
             kChartLimits);
  const std::vector<Json> measurements = all(run, "measurement");
  EXPECT_EQ(measurements.at(0)["value"], 85e-6);
  EXPECT_EQ(measurements.at(1)["value"], "nan");
  EXPECT_FALSE(measurements.at(1).contains("validators"));
}

TEST(Ocp, ATimeSeriesIsASeries) {
  const judge::JudgedRun run = chart_run().record();
  EXPECT_EQ(all(run, "measurementSeriesStart").size(), 4u);
  EXPECT_EQ(all(run, "measurementSeriesElement").size(), 240u);
  EXPECT_EQ(all(run, "measurementSeriesEnd").at(0)["totalCount"], 60);
}

TEST(Ocp, ASwitchIsHardwareWithItsSerial) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.nodes = {
      {"crs804",
       {{"", {{"model", "CRS804-4DDQ"}, {"os", "RouterOS 7.22"}, {"serial", "HX1"}, {"vendor", "MikroTik"}}},
        {"fan tray 2", {{"serial", "F2"}, {"board_serial", "B"}}}}}};
  const Json unit = all(run, "testRunStart").at(0)["dutInfo"];
  EXPECT_EQ(unit["hardwareInfos"][0]["serialNumber"], "HX1");
  EXPECT_EQ(unit["hardwareInfos"][0]["manufacturer"], "MikroTik");
  EXPECT_EQ(unit["softwareInfos"][0]["version"], "RouterOS 7.22");
  EXPECT_EQ(unit["hardwareInfos"][1]["name"], "fan tray 2") << "a part's name may have spaces";
  EXPECT_EQ(unit["hardwareInfos"][1]["serialNumber"], "F2") << "no other property that ends alike";
  EXPECT_EQ(unit["metadata"]["crs804"]["fan tray 2 serial"], "F2");
}

TEST(Ocp, AStandInIsAParameterAndAWarning) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.start.stand_in = "the switch is a stand-in";
  EXPECT_EQ(all(run, "testRunStart").at(0)["parameters"]["standIn"], "the switch is a stand-in");
  EXPECT_EQ(all(run, "log").at(0)["severity"], "WARNING");
}

TEST(Ocp, ALimitThatDoesNotApplyIsInTheRunsMetadata) {
  const Json metadata = all(golden_run().record(), "testRunStart").at(0)["metadata"];
  EXPECT_EQ(metadata["user"], "ann");
  EXPECT_EQ(metadata["notApplicable"][0]["limit"], "rdma.write.rate");
  EXPECT_EQ(metadata["notApplicable"][0]["why"], "needs an RDMA device of each half");
}

TEST(Ocp, WhatNeverRanIsAnError) {
  bool found = false;
  for (const Json& error : all(golden_run().record(), "error"))
    found = found || error["symptom"] == "not-run";
  EXPECT_TRUE(found);
}

// Catches: an end that is before what was measured, as the seconds of a resumed run don't count the time between.
TEST(Ocp, AResumedRunEndsWhenItEnded) {
  Story story;
  story.launch().plan({"A.B"}).add(record::Problem{"interrupted", "stopped by SIGINT"}).end();
  story.add(record::RunResumed{.user = "ann", .host = "head", .command_line = "rigproof", .programs = {}});
  Ending ended = ending("A.B", {good()});
  ended.seconds = 1;
  story.launch(2).plan({"A.B"}).run(std::move(ended)).done().end();
  const std::string run = ocp(story.record());
  std::string before;
  std::istringstream lines(run);
  for (std::string line; std::getline(lines, line);) {
    const std::string time = Json::parse(line).at("timestamp");
    EXPECT_LE(before, time) << line;
    before = time;
  }
  EXPECT_GE(before, story.record().last_event);
}

TEST(Ocp, TimesAddUp) {
  EXPECT_EQ(ocp::utc_after("2026-11-20T23:59:59.500Z", 0.75), "2026-11-21T00:00:00.250Z");
  EXPECT_EQ(ocp::utc_after("none", 1), "none");
  EXPECT_EQ(ocp::utc_after("2026-11-20T23:59:59.500Z", NAN), "2026-11-20T23:59:59.500Z");
}

}  // namespace
}  // namespace rigproof
