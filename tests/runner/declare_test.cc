// What a suite says of its measurements, without MPI and without a rig's hardware.
#include "framework/runner/declare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "framework/runner/case_report.h"
#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A fixture over a subject, as RIGPROOF_CASES makes them.
class Declaring : public testing::TestWithParam<NodeSubject> {};

const Rig& declared_rig() {
  static const Rig rig = rig_of(star_text(2));
  return rig;
}

bool never(const Rig&) { return false; }

RIGPROOF_METRICS({"declaring.rate", "A rate", "It is fast.", "It is slow."},
                 {"declaring.all.*", "Any other", "It is there.", "It is not."});

RIGPROOF_TEST(Declaring, Reports, Reports::rate("declaring.rate"), Reports::any("declaring.all.*"),
              Reports::ratio("declaring.maybe").where_there(),
              Reports::count("declaring.second").on_nodes_with("a second port", has_second_port),
              Reports::time("declaring.never").on_rigs_with("a moon", never)) {
  EXPECT_EQ(GetParam().node, 0U);
}
RIGPROOF_TEST(Declaring, Nothing) { EXPECT_EQ(GetParam().node, 0U); }
INSTANTIATE_TEST_SUITE_P(Each, Declaring, testing::Values(NodeSubject(declared_rig(), 0)),
                         [](const auto& info) { return declare_case("Each", "Declaring", info.param); });

const DeclaredTest& declared_here(const std::string& name) {
  return *std::ranges::find(declared_tests(), name, &DeclaredTest::name);
}

TEST(Declare, KeepsWhatATestReports) {
  const std::vector<Reports>& reports = declared_here("Declaring.Reports").reports;
  ASSERT_EQ(reports.size(), 5u);
  EXPECT_EQ(reports[0].declared().id, "declaring.rate");
  EXPECT_EQ(reports[0].declared().kind, "bit/s");
  EXPECT_TRUE(reports[0].owed());
  EXPECT_EQ(reports[1].declared().kind, "any");
  EXPECT_FALSE(reports[2].owed());
  EXPECT_EQ(reports[3].declared().needs, "a second port");
  EXPECT_THAT(declared_here("Declaring.Nothing").reports, IsEmpty());
}

RIGPROOF_TEST(Declaring, Sustained, Reports::sustained("declaring.one"),
              Reports::sustained("declaring.two").where_there()) {
  EXPECT_EQ(GetParam().node, 0U);
}
RIGPROOF_TEST(Declaring, Sum, Reports::sum_of_paths("declaring.sum")) { EXPECT_EQ(GetParam().node, 0U); }

std::vector<std::string> ids_of(const std::string& test) {
  std::vector<std::string> ids;
  for (const Reports& one : declared_here(test).reports)
    ids.push_back(one.declared().id + " " + one.declared().kind + (one.owed() ? "" : " perhaps"));
  return ids;
}

// No suite can forget how a rate came to be: what owes the rate owes that.
TEST(Declare, ASustainedRateOwesItsWorstIntervalAndItsLongestGap) {
  EXPECT_THAT(ids_of("Declaring.Sustained"),
              ElementsAre("declaring.one bit/s", "declaring.worst_interval ratio", "declaring.longest_gap s",
                          "declaring.two bit/s perhaps"));
  EXPECT_THAT(ids_of("Declaring.Sum"),
              ElementsAre("declaring.sum bit/s", "declaring.worst_interval ratio", "declaring.longest_gap s",
                          "declaring.share ratio perhaps"));
}

TEST(Declare, ATextIsNoNumber) {
  EXPECT_EQ(Reports::text("t").declared().kind, "text");
  EXPECT_EQ(Reports::size("t").declared().kind, "B");
  EXPECT_EQ(Reports::count("t").declared().kind, "count");
}

TEST(Declare, KnowsWhatARigHas) {
  const Rig star = rig_of(star_text(2)), ring = rig_of(ring_text());
  EXPECT_TRUE(has_second_port(star.nodes[0]));
  EXPECT_TRUE(has_parallel_rails(star));
  Rig one_rail = star;
  one_rail.rails.resize(1);
  EXPECT_FALSE(has_parallel_rails(one_rail));
  EXPECT_TRUE(has_switch(star));
  EXPECT_FALSE(has_switch(ring));
  EXPECT_TRUE(has_management(star));
  Rig none = star;
  for (Node& node : none.nodes) node.management.reset();
  EXPECT_FALSE(has_management(none));
  EXPECT_FALSE(has_described_switch(star));
}

TEST(TestPlan, NamesWhatEachCaseOwesOnThisRig) {
  const Rig rig = rig_of(star_text(2));
  const record::SuitePlanned plan = plan_of(
      "declaring", rig,
      {Reports::count("declaring.down"), Reports::count("declaring.far").on_rigs_with("a moon", never)});
  EXPECT_EQ(plan.suite, "declaring");
  const auto planned =
      std::ranges::find(plan.cases, "Each/Declaring.Reports/node_a", &record::PlannedCase::name);
  ASSERT_NE(planned, plan.cases.end());
  EXPECT_EQ(planned->subject, "node-a");
  EXPECT_EQ(planned->place, (SubjectPlace{SubjectPlace::Kind::kNode, "", {"node-a"}}));
  const record::PlannedTest& test = plan.tests.at(planned->test.value());
  EXPECT_EQ(test.name, "Declaring.Reports");
  EXPECT_THAT(test.owes, ElementsAre("declaring.rate", "declaring.all.*", "declaring.second"));
  EXPECT_THAT(test.may, ElementsAre("declaring.maybe"));
  EXPECT_THAT(plan.observes, ElementsAre("declaring.down"));
}

// What is watched around each load may be what a rig has nothing for: its limit does not apply there.
TEST(TestPlan, WatchesOnlyWhatTheRigHas) {
  Rig rig = rig_of(star_text(2));
  const auto may = [&] {
    return plan_of("declaring", rig, {},
                   {Reports::count("load.damaged"),
                    Reports::ratio("load.retries").on_rigs_with("RDMA", has_rdma)})
        .tests.at(0)
        .may;
  };
  EXPECT_THAT(may(), testing::Contains("load.retries"));
  for (Node& node : rig.nodes)
    for (Port& port : node.ports)
      for (Half& half : port.halves) half.rdma.reset();
  EXPECT_THAT(may(), testing::Contains("load.damaged"));
  EXPECT_THAT(may(), testing::Not(testing::Contains("load.retries")));
}

// A rig may have nodes with two ports and nodes with one.
TEST(TestPlan, ACaseOwesWhatItsOwnNodesHave) {
  Rig rig = rig_of(star_text(2));
  rig.nodes[0].ports.pop_back();
  const auto owed = [](const record::SuitePlanned& plan) {
    const auto planned =
        std::ranges::find(plan.cases, "Each/Declaring.Reports/node_a", &record::PlannedCase::name);
    return plan.tests.at(planned->test.value()).owes;
  };
  EXPECT_THAT(owed(plan_of("declaring", rig, {})), ElementsAre("declaring.rate", "declaring.all.*"));
  std::swap(rig.nodes[0].ports, rig.nodes[1].ports);
  EXPECT_THAT(owed(plan_of("declaring", rig, {})),
              ElementsAre("declaring.rate", "declaring.all.*", "declaring.second"));
}

TEST(TestPlan, ACaseThatDeclaresNothingOwesNothing) {
  const Rig rig = rig_of(star_text(2));
  const record::SuitePlanned plan = plan_of("declaring", rig, {});
  const auto planned = std::ranges::find(plan.cases, "Declare.ATextIsNoNumber", &record::PlannedCase::name);
  ASSERT_NE(planned, plan.cases.end());
  EXPECT_EQ(planned->test, std::nullopt);
}

TEST(Declare, AllOfAProgramIsDeclaredOnceWhateverTheRig) {
  std::vector<std::string> ids;
  for (const record::Declared& declared :
       declared_of_all({Reports::count("declaring.rate"), Reports::count("declaring.down")}))
    ids.push_back(declared.id);
  EXPECT_THAT(ids, ElementsAre("declaring.rate", "declaring.all.*", "declaring.maybe", "declaring.second",
                               "declaring.never", "declaring.one", "declaring.worst_interval",
                               "declaring.longest_gap", "declaring.two", "declaring.sum", "declaring.share",
                               "declaring.down"));
}

TEST(Declare, AMetricSaysWhatItsIdsAre) {
  std::map<std::string, std::string> titles;
  for (const record::Declared& declared : declared_of_all({})) titles[declared.id] = declared.title;
  EXPECT_EQ(titles["declaring.rate"], "A rate");
  EXPECT_EQ(titles["declaring.all.*"], "Any other");
  EXPECT_EQ(titles["declaring.maybe"], "");
  EXPECT_EQ(titles["declaring.share"], "Paths share a load");
}
// Catches: a text that nobody reads, after a metric was renamed.
TEST(DeclareDeathTest, AMetricThatNothingReportsIsRefused) {
  constexpr int kRefused = 7;
  const auto declare_one_more = [] {
    declare_metrics({{"elsewhere.gone", "Gone", "It is gone.", "It went."}});
    try {
      (void)declared_of_all({});
    } catch (const std::logic_error& error) {
      std::fputs(error.what(), stderr);
      std::_Exit(kRefused);
    }
  };
  EXPECT_EXIT(declare_one_more(), testing::ExitedWithCode(kRefused), "elsewhere.gone is declared");
}

TEST(AddReport, ABrokenAgreementIsRecordedOnce) {
  CaseReport rank;
  rank.failures.push_back(
      {record::Failure::Kind::kError, "phase-mismatch", "rank 1 was elsewhere", "node-a", 0, "", ""});
  rank.notes = {"a note"};
  rank.measured.push_back({.id = "id", .node = "node-a", .detail = {}, .samples = {Dimension::kCount, {1}}});
  record::CaseEnded ended{.suite = {},
                          .name = {},
                          .iteration = 1,
                          .seconds = 0,
                          .measuring_s = 0,
                          .measured = {},
                          .failures = {}};
  add_report(ended, rank);
  add_report(ended, rank);
  EXPECT_EQ(ended.failures.size(), 1u);
  EXPECT_EQ(ended.measured.size(), 2u);  // a duplicate is for the judge
  EXPECT_EQ(ended.notes.size(), 2u);
}

}  // namespace
}  // namespace rigproof
