#include "reports/junit/junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "tests/junit/xmllint.h"
#include "tests/support/golden.h"
#include "tests/support/golden_run.h"
#include "tests/support/story.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string junit(const judge::JudgedRun& run, junit::JunitProfile profile = junit::JunitProfile::kDefault) {
  std::ostringstream out;
  write_junit(run, out, profile);
  return out.str();
}

class Junit : public testing::Test {
 protected:
  void write(const judge::JudgedRun& run, junit::JunitProfile profile = junit::JunitProfile::kDefault) {
    text = junit(run, profile);
    ASSERT_TRUE(xml.load_string(text.c_str(), pugi::parse_default | pugi::parse_ws_pcdata_single));
  }
  pugi::xml_node testcase(const std::string& name) const {
    return xml.select_node(("//testcase[@name='" + name + "']").c_str()).node();
  }
  std::string attribute(const std::string& path) const {
    return xml.select_node(path.c_str()).attribute().value();
  }
  std::size_t count(const std::string& path) const { return xml.select_nodes(path.c_str()).size(); }

  std::string text;
  pugi::xml_document xml;
};

TEST_F(Junit, LooksAsApproved) {
  const judge::JudgedRun run = judge::read_run(golden_folder());
  expect_approved("junit.xml", junit(run));
  expect_approved("junit-strict.xml", junit(run, junit::JunitProfile::kStrict));
}

TEST_F(Junit, TheStrictProfileValidates) {
  if (!has_xmllint()) GTEST_SKIP() << "xmllint is not installed: ci/setup installs it";
  const std::string schema = "--schema " RIGPROOF_SOURCE_DIR "/tests/junit/junit-10.xsd";
  EXPECT_EQ(xmllint(junit(golden_run().record(), junit::JunitProfile::kStrict), schema), "");
  EXPECT_EQ(xmllint(junit(judge::JudgedRun{}, junit::JunitProfile::kStrict), schema), "");
}

TEST_F(Junit, EveryCaseHasExactlyOneVerdict) {
  write(golden_run().record());
  for (const auto& test : xml.select_nodes("//testcase"))
    EXPECT_LE(
        std::distance(test.node().children("failure").begin(), test.node().children("failure").end()) +
            std::distance(test.node().children("error").begin(), test.node().children("error").end()) +
            std::distance(test.node().children("skipped").begin(), test.node().children("skipped").end()),
        1);
}

// A part that passed is not a rig that is qualified.
// CI systems drop all but one of equal names in a pipeline.
TEST_F(Junit, AStepBeginsTheNamesOfItsSuites) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.start.labels = {{"step", "smoke"}, {"site", "Hall 3"}};
  write(run);
  EXPECT_EQ(attribute("//testsuite/@name"), "smoke.tcp");
  EXPECT_EQ(attribute("//testcase/@classname"), "smoke.tcp.A");
  EXPECT_EQ(attribute("//property[@name='label.site']/@value"), "Hall 3");
}
TEST_F(Junit, APartOfARunSaysSoInEverySuite) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  write(run);
  EXPECT_EQ(attribute("//property[@name='verdict']/@value"), "QUALIFIED");
  EXPECT_EQ(count("//property[@name='part']"), 0u);
  run.start.asked.filter = "A.*";
  for (const auto profile : {junit::JunitProfile::kDefault, junit::JunitProfile::kStrict}) {
    write(run, profile);
    EXPECT_EQ(count("//testsuite"),
              count("//testsuite[properties/property[@name='verdict' and @value='PARTIAL']]"));
    EXPECT_EQ(attribute("//property[@name='part']/@value"), "only cases that match A.*");
  }
}

TEST_F(Junit, CountsAreThoseOfItsElements) {
  write(golden_run().record());
  EXPECT_EQ(attribute("/testsuites/@tests"), std::to_string(count("//testcase")));
  EXPECT_EQ(attribute("/testsuites/@failures"), std::to_string(count("//failure")));
  EXPECT_EQ(attribute("/testsuites/@errors"), std::to_string(count("//error")));
  EXPECT_EQ(attribute("//testsuite[@name='link']/@skipped"), "1");
  EXPECT_EQ(attribute("//testsuite[@name='tcp']/@tests"), "8");
}

TEST_F(Junit, TimesAreUtcSecondsAndPlainDecimals) {
  write(run_of({ending("A.B", {good()})}));
  EXPECT_EQ(attribute("//testsuite/@timestamp"), "2026-11-20T18:15:01");
  EXPECT_EQ(attribute("//testsuite/@hostname"), "head");
  EXPECT_EQ(attribute("//testcase/@time"), "2.500");
}

TEST_F(Junit, AMissedLimitTellsAllInItsBody) {
  write(golden_run().record());
  const pugi::xml_node failure = testcase("tcp.Rail/BothHalves.Fill/rail1_node_a_node_b").child("failure");
  const std::string message = failure.attribute("message").value(), body = failure.text().get();
  EXPECT_STREQ(failure.attribute("type").value(), "limit");
  EXPECT_THAT(body, StartsWith(message + "\n"));
  EXPECT_THAT(
      body,
      HasSubstr("\ntcp.rate.half on node-a, rail0: node-a -> node-b: 0.51 Gbit/s (limit >= 0.95 Gbit/s (95 % "
                "of half.rate), margin "
                "-46.3 %); median 0.51 Gbit/s misses >= 0.95 Gbit/s by 46.3 %; a note; basis: measured: this "
                "rig, 20 runs: \"median 0.978 Gbit/s\"; remedy: check"));
  EXPECT_THAT(body, HasSubstr("\ntcp.rate.both on node-b (enp1s0f0np0 tx), rail0: "));
  EXPECT_THAT(body,
              HasSubstr("\n[node-b, rank 1, phase check] assertion: Expected equality: 4 and 5 (suites/"));
}

TEST_F(Junit, AnErrorNamesItsKindAndPlace) {
  write(golden_run().record());
  const pugi::xml_node error =
      testcase("tcp.Rail/ManyStreams.FillTheHalf/rail0_node_a_node_b").child("error");
  EXPECT_STREQ(error.attribute("type").value(), "unfinished");
  EXPECT_THAT(error.text().get(),
              AllOf(HasSubstr("phase measure"), HasSubstr("node-b: killed by signal 11")));
}

TEST_F(Junit, APlannedCaseThatNeverRanIsAnError) {
  write(golden_run().record());
  const pugi::xml_node error = testcase("tcp.Rail/Duplex.Fills/rail0_node_a_node_b").child("error");
  EXPECT_STREQ(error.attribute("type").value(), "not-run");
  EXPECT_STREQ(error.attribute("message").value(), "planned, but the run ended before it began");
}

TEST_F(Junit, ASkipHasItsReasonInAttributeAndBody) {
  write(golden_run().record());
  const pugi::xml_node skipped = testcase("link.EachPort/LinkUp.IsUp/node_a_port0").child("skipped");
  EXPECT_THAT(skipped.attribute("message").value(), HasSubstr("the carrier attribute cannot be read"));
  EXPECT_THAT(skipped.text().get(), HasSubstr("the carrier attribute cannot be read"));
}

TEST_F(Junit, AWaivedCasePassesAndSaysSo) {
  for (const junit::JunitProfile profile : {junit::JunitProfile::kDefault, junit::JunitProfile::kStrict}) {
    write(golden_run().record(), profile);
    const pugi::xml_node test = testcase("tcp.Rail/Reverse.FillsTheHalf/rail0_node_a_node_b");
    EXPECT_FALSE(test.child("failure"));
    EXPECT_THAT(test.child_value("system-out"),
                AllOf(HasSubstr("WAIVED: waived until 2026-12-31 by Ann: one old cable"),
                      HasSubstr("tcp.rate.reverse on node-a: 0.51 Gbit/s")));
  }
  write(golden_run().record());
  EXPECT_EQ(count("//testcase/properties/property[@name='waiver']"), 1u);
}

TEST_F(Junit, EachMeasurementIsAProperty) {
  write(run_of({ending("A.B", {good(), recorded("tcp.rtt")})}));
  EXPECT_EQ(attribute("//property[@name='tcp.rate.half on node-a']/@value"),
            "0.978 Gbit/s (limit >= 0.95 Gbit/s (95 % of half.rate), margin +2.9 %)");
  EXPECT_EQ(attribute("//property[@name='tcp.rtt on node-a']/@value"), "0.97 Gbit/s (informative)");
}

TEST_F(Junit, ALimitThatDoesNotApplyIsAPropertyOfTheRun) {
  write(golden_run().record());
  EXPECT_EQ(
      attribute(
          "//testsuite[@name='tcp']/properties/property[@name='not-applicable.rdma.write.rate']/@value"),
      "needs an RDMA device of each half (thresholds/model-rig.toml:23)");
}

TEST_F(Junit, SystemOutBeginsWithTheMeasurements) {
  write(run_of({ending("A.B", {good()})}));
  EXPECT_THAT(testcase("tcp.A.B").child_value("system-out"), StartsWith("measurement"));
}

TEST_F(Junit, NamesAreUniqueAcrossTheFile) {
  Story story;
  story.add(record::SuiteStarted{"a", 1, ""})
      .add(record::SuitePlanned{"a", {{"b.C", "", {}}, {"x\x01", "", {}}, {"x\x02", "", {}}}});
  story.add(record::SuiteStarted{"a.b", 1, ""}).add(record::SuitePlanned{"a.b", {{"C", "", {}}}});
  write(story.record());
  std::set<std::string> names;
  for (const auto& test : xml.select_nodes("//testcase")) names.insert(test.node().attribute("name").value());
  EXPECT_EQ(names.size(), count("//testcase"));
}

TEST_F(Junit, ProblemsOfTheRunAreErrors) {
  write(golden_run().record());
  EXPECT_THAT(testcase("rigproof.run.unused-limit").child("error").text().get(),
              HasSubstr("tcp.rate.unused"));
}

TEST_F(Junit, ARunThatIsNotQualifiedNeverLooksGreen) {
  Story unended, incomplete;
  unended.launch().plan({"A.B"}).run(ending("A.B", {good()})).done();
  incomplete.launch().plan({"A.B"}).run(ending("A.B", {good()})).end();
  for (const judge::JudgedRun& run :
       {unended.record(), incomplete.record(), run_of({}), judge::JudgedRun{}}) {
    write(run);
    EXPECT_NE(attribute("/testsuites/@errors"), "0");
  }
}

TEST_F(Junit, AQualifiedRunHasItsCasesAndNothingElse) {
  write(run_of({ending("A.B", {good()}), ending("A.C", {good()})}));
  EXPECT_EQ(count("//testcase"), 2u);
  EXPECT_EQ(count("//failure | //error | //skipped"), 0u);
}

TEST_F(Junit, HostileTextComesOutWellFormed) {
  if (!has_xmllint()) GTEST_SKIP() << "xmllint is not installed: ci/setup installs it";
  std::string hostile = "]]><x a='\"&amp;";
  for (int byte = 0; byte < 256; ++byte) hostile += static_cast<char>(byte);
  hostile += "\xEF\xBF\xBE\xEF\xBF\xBF\xED\xA0\x80\xC0\x80\xF4\x90\x80\x80\xF0\x9F\xBF\xBE";
  Ending ended =
      ending(hostile, {missed(hostile)}, {failure(record::Failure::Kind::kError, hostile, hostile)});
  ended.judged[0].unit = ended.judged[0].detail = hostile;
  ended.judged[0].remedy = {.check = {hostile}, .fix = {hostile}, .hint = {hostile}};
  for (const junit::JunitProfile profile : {junit::JunitProfile::kDefault, junit::JunitProfile::kStrict})
    EXPECT_EQ(xmllint(junit(run_of({ended}), profile)), "");
}

TEST_F(Junit, NumbersThatAreNoneDoNotHarmIt) {
  Ending ended = ending("A.B", {judged("m", judge::Verdict::kError, NAN, 0)});
  ended.seconds = NAN;
  write(run_of({ended}));
  EXPECT_EQ(attribute("//testcase/@time"), "0.000");
  EXPECT_THAT(text, Not(HasSubstr("time=\"nan")));
}

}  // namespace
}  // namespace rigproof
