// Every case of a rig is in one job and only one, and a dead node costs its own cases.
#include "framework/supervisor/job_plan.h"

#include <gmock/gmock.h>

#include "framework/rig/subjects.h"
#include "tests/rig/rig_text.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using supervisor::Job;
using testing::ElementsAre;

record::PlannedCase about(const std::string& name, std::vector<std::string> nodes,
                          SubjectPlace::Kind kind = SubjectPlace::Kind::kNodes) {
  return {name, "", {kind, "", std::move(nodes)}};
}

class JobsTest : public testing::Test {
 protected:
  JobsTest() {
    suite.plan = {"tcp",
                  {about("A.x/ab", {"node-a", "node-b"}), about("A.x/ba", {"node-b", "node-a"}),
                   about("A.x/bc", {"node-b", "node-c"}), about("N.x/a", {"node-a"}), about("P.x", {}),
                   about("W.x/all", {"node-a", "node-b", "node-c"})}};
  }
  const Rig rig =
      rig_of({node("node-a", "10.0.0.1"), node("node-b", "10.0.0.2"), node("node-c", "10.0.0.3")});
  record::SuiteDescription suite;
};

// With a case for every subject that a suite can have.
record::SuiteDescription suite_of_all_subjects(const Rig& rig) {
  record::SuiteDescription suite;
  for (const auto& [name, subject] : every_subject(rig))
    suite.plan.cases.push_back({"A.x/" + name, "", subject.place(rig)});
  return suite;
}

// A case that is in no job would never run, one in two would run twice, one in the job of other nodes can't run.
TEST(JobsOfARig, HaveEachCaseOnceOnNodesThatHaveIt) {
  for (const int nodes : {2, 3, 4, 8}) {
    const Rig rig = rig_of(star_text(nodes));
    const record::SuiteDescription suite = suite_of_all_subjects(rig);
    std::multiset<std::string> planned, run;
    for (const record::PlannedCase& test : suite.plan.cases) planned.insert(test.name);
    for (const Job& job : supervisor::jobs_of(rig, suite)) {
      const auto there = every_subject(restricted(rig, job.nodes));
      for (const std::string& name : job.cases) {
        EXPECT_TRUE(there.contains(name.substr(4))) << name;
        run.insert(name);
      }
    }
    EXPECT_EQ(run, planned) << nodes;
    EXPECT_EQ(supervisor::jobs_of(rig, suite).size(),
              nodes == 2 ? 1U : 1U + static_cast<std::size_t>(nodes * (nodes - 1) / 2));
  }
}

TEST_F(JobsTest, OfPairsAreTheirsAndAllElseIsOneJobBefore) {
  const std::vector<Job> jobs = supervisor::jobs_of(rig, suite);
  ASSERT_EQ(jobs.size(), 3);
  EXPECT_THAT(jobs[0].nodes, ElementsAre(0, 1, 2));
  EXPECT_THAT(jobs[0].cases, ElementsAre("N.x/a", "P.x", "W.x/all"));
  EXPECT_EQ(jobs[0].round, 0);
  std::map<std::vector<std::size_t>, std::vector<std::string>> pairs;
  for (const Job& job : {jobs[1], jobs[2]}) pairs[job.nodes] = job.cases;
  EXPECT_THAT(pairs.at({0, 1}), ElementsAre("A.x/ab", "A.x/ba"));
  EXPECT_THAT(pairs.at({1, 2}), ElementsAre("A.x/bc"));
  EXPECT_NE(jobs[1].round, jobs[2].round);
}
// Its packets go by nodes that a job of the two does not have.
TEST_F(JobsTest, WhatOthersForwardIsInTheJobOfAllNodes) {
  suite.plan.cases = {about("A.x/ab", {"node-a", "node-b"}),
                      about("F.x/ac", {"node-a", "node-c"}, SubjectPlace::Kind::kForwarded)};
  const std::vector<Job> jobs = supervisor::jobs_of(rig, suite);
  ASSERT_EQ(jobs.size(), 2);
  EXPECT_THAT(jobs[0].cases, ElementsAre("F.x/ac"));
  EXPECT_EQ(jobs[0].nodes.size(), 3);
}
TEST_F(JobsTest, OfASuiteThatLoadsNoWireAreOne) {
  suite.traits.one_job = true;
  const std::vector<Job> jobs = supervisor::jobs_of(rig, suite);
  ASSERT_EQ(jobs.size(), 1);
  EXPECT_EQ(jobs[0].cases.size(), 6);
}
TEST_F(JobsTest, OfTwoNodesAreOne) {
  suite.plan.cases = {about("A.x/ab", {"node-a", "node-b"}), about("N.x/a", {"node-a"})};
  const Rig pair = rig_of({node("node-a", "10.0.0.1"), node("node-b", "10.0.0.2")});
  EXPECT_THAT(supervisor::jobs_of(pair, suite).at(0).cases, ElementsAre("A.x/ab", "N.x/a"));
  EXPECT_EQ(supervisor::jobs_of(pair, suite).size(), 1);
}
TEST_F(JobsTest, LoseWhatNeedsADeadNodeAndNothingElse) {
  Job job = supervisor::one_job(rig, suite);
  const Job lost = supervisor::take_lost(job, {2}, rig, suite.plan);
  EXPECT_THAT(lost.cases, ElementsAre("A.x/bc", "W.x/all"));
  EXPECT_THAT(job.cases, ElementsAre("A.x/ab", "A.x/ba", "N.x/a", "P.x"));
  EXPECT_THAT(job.nodes, ElementsAre(0, 1));
}
TEST_F(JobsTest, PartsOfAPlanKeepWhatTheirCasesOwe) {
  suite.plan.tests = {{"A.x", {"tcp.rate"}, {}}};
  suite.plan.cases[2].test = 0;
  const record::SuitePlanned part = supervisor::part_of(suite.plan, {"A.x/bc"});
  ASSERT_EQ(part.cases.size(), 1);
  EXPECT_EQ(part.tests.at(part.cases[0].test.value()).owes, suite.plan.tests[0].owes);
}

// A suite makes no other cases of two nodes. By ranks: a job of some nodes counts its own.
TEST_F(JobsTest, ThePairsOfAPlanAreThoseThatItsCasesAreAbout) {
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
    return supervisor::difference(described, {"A.x/ab", "N.x/a"}, plan, whole);
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
