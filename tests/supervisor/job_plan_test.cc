// A dead node costs its own cases, and a launch plans what was described.
#include "framework/supervisor/job_plan.h"

#include <gmock/gmock.h>

#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using supervisor::Job;
using testing::ElementsAre;

class PartsOfAJobTest : public testing::Test {
 protected:
  const Rig rig = three_nodes();
  record::SuiteDescription suite = suite_of_three_nodes();
};

TEST_F(PartsOfAJobTest, LoseWhatNeedsADeadNodeAndNothingElse) {
  Job job{.nodes = {0, 1, 2}, .cases = {}};
  for (const record::PlannedCase& test : suite.plan.cases) job.cases.push_back(test.name);
  const Job lost = supervisor::take_lost(job, {2}, rig, suite.plan);
  EXPECT_THAT(lost.cases, ElementsAre("A.x/bc", "W.x/all"));
  EXPECT_THAT(job.cases, ElementsAre("A.x/ab", "A.x/ba", "N.x/a", "P.x"));
  EXPECT_THAT(job.nodes, ElementsAre(0, 1));
}
TEST_F(PartsOfAJobTest, PartsOfAPlanKeepWhatTheirCasesOwe) {
  suite.plan.tests = {{"A.x", {"tcp.rate"}, {}}};
  suite.plan.cases[2].test = 0;
  const record::SuitePlanned part = supervisor::part_of(suite.plan, {"A.x/bc"});
  ASSERT_EQ(part.cases.size(), 1);
  EXPECT_EQ(part.tests.at(part.cases[0].test.value()).owes, suite.plan.tests[0].owes);
}

// A suite makes no other cases of two nodes. By ranks: a job of some nodes counts its own.
TEST_F(PartsOfAJobTest, ThePairsOfAPlanAreThoseThatItsCasesAreAbout) {
  using channel::RankPair;
  EXPECT_THAT(supervisor::pairs_of(suite.plan, {"node-a", "node-b", "node-c"}),
              ElementsAre(RankPair{0, 1}, RankPair{1, 2}));
  EXPECT_THAT(supervisor::pairs_of(suite.plan, {"node-c", "node-b"}), ElementsAre(RankPair{0, 1}));
  EXPECT_THAT(supervisor::pairs_of(supervisor::part_of(suite.plan, {"A.x/ba", "W.x/all"}),
                                   {"node-a", "node-b", "node-c"}),
              ElementsAre(RankPair{0, 1}));
}

// --- what a launch plans, beside what was described ---

class PlanDifferenceTest : public testing::Test {
 protected:
  PlanDifferenceTest() {
    described.declared = {{"tcp.rate", "bit/s", ""}, {"tcp.share", "1", "several rails between two nodes"}};
    described.plan = {"tcp",
                      {about("A.x/ab", {"node-a", "node-b"}), about("A.x/bc", {"node-b", "node-c"}),
                       about("N.x/a", {"node-a"})},
                      {{"A.x", {"tcp.rate", "tcp.share"}, {"load.damaged"}}, {"N.x", {"tcp.rate"}, {}}},
                      {"link.down_events"}};
    described.plan.cases[0].test = described.plan.cases[1].test = 0;
    described.plan.cases[2].test = 1;
    plan = supervisor::part_of(described.plan, {"N.x/a", "A.x/ab"});
  }
  [[nodiscard]] std::string difference(bool whole = true) const {
    return supervisor::difference(described.plan, described.declared, {"A.x/ab", "N.x/a"}, plan, whole);
  }
  record::SuiteDescription described;
  record::SuitePlanned plan;
};

TEST_F(PlanDifferenceTest, IsNoneInAnotherOrderAndWithOtherIndices) {
  EXPECT_EQ(difference(), "");
  std::ranges::reverse(plan.cases);
  std::ranges::reverse(plan.tests);
  for (record::PlannedCase& test : plan.cases) test.test = 1 - *test.test;
  plan.tests.push_back({"Z.x", {"tcp.rate"}, {"any"}});
  EXPECT_EQ(difference(), "");
}
TEST_F(PlanDifferenceTest, IsACaseMoreOrLessOrTwice) {
  const auto all = plan.cases;
  plan.cases.pop_back();
  EXPECT_EQ(difference(), "case N.x/a was requested, but is not in the plan");
  plan.cases = all;
  plan.cases.push_back(about("A.x/bc", {"node-b", "node-c"}));
  EXPECT_EQ(difference(), "case A.x/bc was not requested, or is planned twice");
  plan.cases.back() = all[0];
  EXPECT_EQ(difference(), "case A.x/ab was not requested, or is planned twice");
}
TEST_F(PlanDifferenceTest, IsWhatACaseOwesOrIsAbout) {
  const record::SuitePlanned sound = plan;
  plan.tests[1].owes.clear();
  EXPECT_EQ(difference(), "case N.x/a: only one of plan and description requires tcp.rate");
  plan = sound, plan.tests[1].owes.emplace_back("tcp.share");
  EXPECT_EQ(difference(), "case N.x/a: only one of plan and description requires tcp.share");
  plan = sound, plan.tests[1].may.emplace_back("tcp.share");
  EXPECT_EQ(difference(), "case N.x/a: only one of plan and description may report tcp.share");
  plan = sound, plan.tests[0].may.clear();
  EXPECT_EQ(difference(), "case A.x/ab: only one of plan and description may report load.damaged");
  plan = sound, plan.cases[1].test = 7;
  EXPECT_EQ(difference(), "case N.x/a: only one of plan and description requires tcp.rate");
  plan = sound, plan.cases[1].place.nodes = {"node-b"};
  EXPECT_EQ(difference(), "case N.x/a is about another part of the rig");
  plan = sound, plan.cases[1].subject = "another";
  EXPECT_EQ(difference(), "case N.x/a is about another part of the rig");
  plan = sound, plan.observes.clear();
  EXPECT_EQ(difference(), "only one of plan and description reads the counter link.down_events");
}
// Two nodes of a rig may have one rail between them where others have several.
TEST_F(PlanDifferenceTest, APartOfTheRigMayLackWhatOnlyOthersHave) {
  plan.tests[0].owes = {"tcp.rate"};
  EXPECT_EQ(difference(false), "");
  EXPECT_NE(difference(true), "");
  plan.tests[0].owes = {"tcp.share"};
  EXPECT_NE(difference(false), "");
}

}  // namespace
}  // namespace rigproof
