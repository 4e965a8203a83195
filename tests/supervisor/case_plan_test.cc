// Every case of a rig is in one job and only one, and those that a description by example leaves out are derived.
#include "framework/supervisor/case_plan.h"

#include <gmock/gmock.h>

#include "framework/rig/examples.h"
#include "framework/rig/subjects.h"
#include "tests/rig/rig_text.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using supervisor::CasePlan;
using supervisor::Job;
using testing::ElementsAre;

// With a case for every subject of the rig, as a suite describes it.
record::SuiteDescription described(const Rig& rig) {
  record::SuiteDescription suite;
  for (const auto& [name, subject] : every_subject(rig))
    suite.plan.cases.push_back({"A.x/" + name, subject.text(), subject.place(rig)});
  return suite;
}
record::SuiteDescription described_by_example(Rig rig) {
  const bool by_example = keep_examples(rig);
  record::SuiteDescription suite = described(rig);
  suite.by_example = by_example;
  return suite;
}

CasePlan plan_of(const Rig& rig, const record::SuiteDescription& suite, const std::string& filter = "") {
  return {rig, std::make_shared<SubjectFinder>(rig), suite, filter};
}

std::vector<record::PlannedCase> all_cases(const CasePlan& plan) {
  std::vector<record::PlannedCase> all;
  for (const Job& job : plan.jobs()) {
    const record::SuitePlanned of_job = plan.plan_of(job);
    std::vector<std::string> names;
    for (const record::PlannedCase& test : of_job.cases) names.push_back(test.name);
    EXPECT_EQ(names, plan.names_of(job));
    all.insert(all.end(), of_job.cases.begin(), of_job.cases.end());
  }
  std::ranges::sort(all, {}, &record::PlannedCase::name);
  return all;
}

// A star in which the third node has other halves than the rest.
std::string uneven_star_text(int nodes) {
  std::string text = star_text(nodes);
  const auto third = text.find("[[node]]", text.find("[[node]]", text.find("[[node]]") + 1) + 1);
  const auto mtu = text.find("[[node.port]]", third);
  return text.insert(mtu, "gpus = 2\n");
}

// A case that is in no job would never run, one in two would run twice, one in the job of other nodes can't run.
TEST(CasePlanOfARig, HasEachCaseOnceOnNodesThatHaveIt) {
  for (const int nodes : {2, 3, 4, 8}) {
    const Rig rig = rig_of(star_text(nodes));
    const record::SuiteDescription suite = described(rig);
    const CasePlan plan = plan_of(rig, suite);
    std::multiset<std::string> planned, run;
    for (const record::PlannedCase& test : suite.plan.cases) planned.insert(test.name);
    for (const Job& job : plan.jobs()) {
      const auto there = every_subject(restricted(rig, job.nodes));
      for (const std::string& name : plan.names_of(job)) {
        EXPECT_TRUE(there.contains(name.substr(4))) << name;
        run.insert(name);
      }
    }
    EXPECT_EQ(run, planned) << nodes;
    EXPECT_EQ(plan.size(), planned.size());
    EXPECT_EQ(plan.jobs().size(), nodes == 2 ? 1U : 1U + static_cast<std::size_t>(nodes * (nodes - 1) / 2));
  }
}

// Catches: a case that the derivation forgets would be owed by nobody, and its absence pass.
TEST(CasePlanByExample, HasTheCasesOfTheWholeRig) {
  std::vector<Rig> rigs;
  for (const int nodes : {3, 4, 9}) rigs.push_back(rig_of(star_text(nodes)));
  for (const int nodes : {4, 7}) rigs.push_back(rig_of(uneven_star_text(nodes)));
  rigs.push_back(rig_of(ring_text()));
  rigs.push_back(rig_of(ring_of_four("forwarding = true\n")));
  for (Rig& rig : rigs)
    for (const int rounds : {0, 1, 2}) {
      keep_rounds(rig, {rounds, 5});
      const record::SuiteDescription whole = described(rig), examples = described_by_example(rig);
      const auto expected = all_cases(plan_of(rig, whole)), derived = all_cases(plan_of(rig, examples));
      ASSERT_EQ(derived.size(), expected.size());
      for (std::size_t i = 0; i < derived.size(); ++i) {
        EXPECT_EQ(derived[i].name, expected[i].name);
        EXPECT_EQ(derived[i].subject, expected[i].subject);
        EXPECT_EQ(derived[i].place, expected[i].place);
      }
      EXPECT_EQ(plan_of(rig, examples).size(), expected.size());
      rig.only_pairs.reset();
    }
}
TEST(CasePlanByExample, DoesNotGrowWithTheNodes) {
  const std::size_t few = described_by_example(rig_of(star_text(9))).plan.cases.size();
  EXPECT_EQ(described_by_example(rig_of(star_text(40))).plan.cases.size(), few);
}
TEST(CasePlanByExample, IsFilteredByTheNamesOfAllNodes) {
  const Rig rig = rig_of(star_text(9));
  const record::SuiteDescription examples = described_by_example(rig);
  const auto chosen = [&](const std::string& filter) {
    std::vector<std::string> names;
    for (const record::PlannedCase& test : all_cases(plan_of(rig, examples, filter)))
      names.push_back(test.name);
    EXPECT_EQ(plan_of(rig, examples, filter).size(), names.size());
    return names;
  };
  EXPECT_THAT(chosen("A.x/node_d:*rail0_node_c_to_node_e"),
              ElementsAre("A.x/node_d", "A.x/rail0_node_c_to_node_e"));
  EXPECT_THAT(chosen("A.x/node_?-*_d:*_e"), testing::Not(testing::Contains("A.x/node_e")));
  EXPECT_THAT(chosen("A.x/node_?-*_d:*_e"), testing::Contains("A.x/node_f"));
  EXPECT_THAT(chosen("-*"), testing::IsEmpty());
}
// A suite may choose its subjects by other properties than those that make a kind.
TEST(CasePlanByExample, IsRefusedWhereTheExamplesDiffer) {
  const Rig rig = rig_of(star_text(9));
  record::SuiteDescription examples = described_by_example(rig);
  std::erase_if(examples.plan.cases, [](const auto& test) { return test.name == "A.x/node_a"; });
  EXPECT_THROW((void)plan_of(rig, examples), supervisor::NotByExample);
  examples = described_by_example(rig);
  for (record::PlannedCase& test : examples.plan.cases) test.name = "A.x";
  EXPECT_THROW((void)plan_of(rig, examples), supervisor::NotByExample);
}

class JobsTest : public testing::Test {
 protected:
  const Rig rig = three_nodes();
  record::SuiteDescription suite = suite_of_three_nodes();
};

TEST_F(JobsTest, OfPairsAreTheirsAndAllElseIsOneJobBefore) {
  const CasePlan plan = plan_of(rig, suite);
  const std::vector<Job> jobs = plan.jobs();
  ASSERT_EQ(jobs.size(), 3);
  EXPECT_THAT(jobs[0].nodes, ElementsAre(0, 1, 2));
  EXPECT_THAT(plan.names_of(jobs[0]), ElementsAre("N.x/a", "P.x", "W.x/all"));
  EXPECT_EQ(jobs[0].round, 0);
  std::map<std::vector<std::size_t>, std::vector<std::string>> pairs;
  for (const Job& job : {jobs[1], jobs[2]}) pairs[job.nodes] = plan.names_of(job);
  EXPECT_THAT(pairs.at({0, 1}), ElementsAre("A.x/ab", "A.x/ba"));
  EXPECT_THAT(pairs.at({1, 2}), ElementsAre("A.x/bc"));
  EXPECT_NE(jobs[1].round, jobs[2].round);
}
// Its packets go by nodes that a job of the two does not have.
TEST_F(JobsTest, WhatOthersForwardIsInTheJobOfAllNodes) {
  suite.plan.cases = {about("A.x/ab", {"node-a", "node-b"}),
                      about("F.x/ac", {"node-a", "node-c"}, SubjectPlace::Kind::kForwarded)};
  const CasePlan plan = plan_of(rig, suite);
  ASSERT_EQ(plan.jobs().size(), 2);
  EXPECT_THAT(plan.names_of(plan.jobs()[0]), ElementsAre("F.x/ac"));
  EXPECT_EQ(plan.jobs()[0].nodes.size(), 3);
}
TEST_F(JobsTest, OfASuiteThatLoadsNoWireAreOne) {
  suite.traits.one_job = true;
  const CasePlan plan = plan_of(rig, suite);
  ASSERT_EQ(plan.jobs().size(), 1);
  EXPECT_EQ(plan.names_of(plan.jobs()[0]).size(), 6);
}
TEST_F(JobsTest, OfTwoNodesAreOne) {
  suite.plan.cases = {about("A.x/ab", {"node-a", "node-b"}), about("N.x/a", {"node-a"})};
  const Rig pair = rig_of({node("node-a", "10.0.0.1"), node("node-b", "10.0.0.2")});
  const CasePlan plan = plan_of(pair, suite);
  ASSERT_EQ(plan.jobs().size(), 1);
  EXPECT_THAT(plan.names_of(plan.jobs()[0]), ElementsAre("A.x/ab", "N.x/a"));
}

}  // namespace
}  // namespace rigproof
