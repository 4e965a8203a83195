// Every way to misbehave costs the case that does it, on whichever rank, and no other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runner/launch.h"

namespace rigproof {
namespace {

using testing::HasSubstr;

// One launch of all cases that leave the next one whole.
class MischiefLaunch : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Launcher launcher;
    launched_ = new Launched(launcher.launch({.arguments = {"--gtest_filter=-*Deadly*"}}));
  }
  static void TearDownTestSuite() {
    delete launched_;
    launched_ = nullptr;
  }
  static const Launched& launched() { return *launched_; }

 private:
  static Launched* launched_;
};
Launched* MischiefLaunch::launched_ = nullptr;

TEST_F(MischiefLaunch, ReachesItsEnd) {
  EXPECT_EQ(launched().exit_code, 0) << launched().output;
  EXPECT_THAT(launched().record.problems, testing::IsEmpty()) << launched().record.problems.front().message;
}

TEST_F(MischiefLaunch, PutsBothNodesOnRecord) {
  EXPECT_EQ(launched().record.nodes.size(), 2u);
  EXPECT_TRUE(launched().record.nodes.at("node-b").at("").contains("kernel"));
}

TEST_F(MischiefLaunch, NamesTheSubjectOfACase) {
  const judge::JudgedCase test = launched().record.suites.front().cases.at(1);
  EXPECT_EQ(test.plan.name, "EachNode/Mischief.Healthy1/node_b");
  EXPECT_EQ(test.plan.subject, "node-b");
  EXPECT_EQ(test.plan.place, (SubjectPlace{SubjectPlace::Kind::kNode, "", {"node-b"}}));
}

TEST_F(MischiefLaunch, PlansWhatItsCasesOwe) {
  const judge::JudgedSuite& suite = launched().record.suites.front();
  const judge::JudgedCase healthy = suite.cases.at(0);
  ASSERT_TRUE(healthy.plan.test);
  EXPECT_EQ(suite.tests.at(*healthy.plan.test).name, "Mischief.Healthy1");
  EXPECT_EQ(suite.tests.at(*healthy.plan.test).owes, std::vector<std::string>{"mischief.rate"});
}

struct Expected {
  std::string test, status;
  std::vector<std::string> said;  // parts of what was said against it
};
void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.test; }

class MischiefCase : public MischiefLaunch, public testing::WithParamInterface<std::tuple<Expected, int>> {};

TEST_P(MischiefCase, CostsItselfOnly) {
  const auto& [expected, culprit] = GetParam();
  const std::string test = expected.test + (culprit == 0 ? "/node_a" : "/node_b");
  const std::string who = culprit == 0 ? "rank 0 node-a" : "rank 1 node-b";
  EXPECT_EQ(launched().status(test), expected.status) << launched().failures(test);
  for (std::string part : expected.said) {
    if (part == "WHO") part = who;
    EXPECT_THAT(launched().failures(test), HasSubstr(part));
  }
  if (expected.said.empty()) {
    EXPECT_EQ(launched().failures(test), "");
  }
}

const std::vector<Expected> kExpected{
    {"Healthy1", "passed", {}},
    {"AssertsInAPhase",
     "failed",
     {"fail assertion", "WHO", "[measure]", "asserted @ tests/runner/mischief.cc:"}},
    {"ThrowsInAPhase",
     "error",
     {"error exception", "WHO", "[measure] ibv_post_send: EIO @ tests/runner/mischief.cc:"}},
    {"ThrowsAnInt", "error", {"error exception", "WHO", "not a std::exception"}},
    {"SkipsInAPhase", "not proven", {"skip not-proven", "WHO", "[measure] no NIC mlx5_1"}},
    {"NotProven", "not proven", {"skip not-proven", "WHO", "[measure] the driver has no such counter"}},
    {"Healthy2", "passed", {}},
    {"AssertsBetweenPhases", "failed", {"fail assertion", "WHO", "[] Value of"}},
    {"ThrowsBetweenPhases", "error", {"error exception", "WHO", "getaddrinfo: EAGAIN"}},
    {"SkipsBetweenPhases", "not proven", {"skip not-proven", "WHO", "no NIC mlx5_1"}},
    {"ReturnsEarly", "error", {"error phase-mismatch", "left the case before phase 'measure'"}},
    {"Healthy3", "passed", {}},
    {"ExpectsInAPhase", "failed", {"fail assertion", "WHO", "expected"}},
    {"ExpectsLate", "failed", {"fail assertion", "WHO", "expected"}},
    {"IsSilent", "error", {"error deadline", "WHO", "the deadline of 1 s passed in phase 'measure'"}},
    {"OverrunsItsDeadline", "error", {"error deadline", "WHO", "ended after its deadline"}},
    {"SwapsPhases", "error", {"error phase-mismatch", "'send'", "'receive'"}},
    {"SharesAlone", "error", {"error phase-mismatch", "share()"}},
    {"NestsPhases", "error", {"error exception", "phase 'inner' was begun within phase 'outer'"}},
    {"Healthy4", "passed", {}},
    {"MissesALimit",
     "failed",
     {"fail mischief.rate", "slow: median 0.4 Gbit/s misses", "node-a: somebody is slow"}},
    {"ReportsWithoutALimit", "error", {"no limit with id 'mischief.unheard_of' in ", "mischief-limits.toml"}},
    {"ReportsNaN", "error", {"sample 1 of 1 is nan"}},
    {"ReportsNoSamples", "error", {"no samples"}},
    {"ReportsAnotherDimension", "error", {"wrong dimension: expected a data rate, got a count"}},
    {"ReportsTwice", "error", {"error duplicate-measurement", "mischief.rate"}},
    {"MeasuresNothing", "error", {"error nothing-measured"}},
    {"OwesMore", "not proven", {"skip not-proven", "'mischief.owed' was not reported"}},
    {"MeetsStrangersTwice", "passed", {}},
    {"Healthy5", "passed", {}},
    {"RecordsForAnotherProfile", "passed", {}},
    {"BadConstructor.Runs", "error", {"error exception", "WHO", "no such device"}},
    {"BadSetUp.Runs", "failed", {"fail assertion", "WHO", "set up @ tests/runner/mischief.cc:"}},
    {"BadPhaseInSetUp.Runs", "failed", {"fail assertion", "WHO", "[set up] Value of"}},
    {"BadTearDown.Runs", "failed", {"fail assertion", "WHO", "torn down"}},
    {"BadSuiteSetUp.Runs", "failed", {"fail assertion rank 1 node-b", "set up for all"}},
    {"Healthy6", "passed", {}},
};
INSTANTIATE_TEST_SUITE_P(All, MischiefCase,
                         testing::Combine(testing::ValuesIn(kExpected), testing::Values(0, 1)),
                         [](const auto& info) {
                           const std::string test = std::get<0>(info.param).test;
                           return test.substr(0, test.find('.')) + "OfRank" +
                                  std::to_string(std::get<1>(info.param));
                         });

// GoogleTest's own words agree with the record: the reader of the log sees the same.
TEST_F(MischiefLaunch, PrintsWhatIsOnRecord) {
  for (const std::string line : {"[  FAILED  ] EachNode/Mischief.AssertsInAPhase/node_b",
                                 "[rank 1 (node-b)] phase 'measure': ibv_post_send: EIO",
                                 "[       OK ] EachNode/Mischief.Healthy5/node_b"})
    EXPECT_NE(launched().output.find(line), std::string::npos) << line;
}

// --- what ends the job: the case is named where a rank could still say so ---

class Deadly : public testing::Test {
 protected:
  const Launched& launch(const std::string& test) {
    launched_ = launcher_.launch({.arguments = {"--gtest_filter=*Deadly." + test + ":*Deadly.Healthy1/*"}});
    EXPECT_NE(launched_->exit_code, 0) << launched_->output;
    return *launched_;
  }

 private:
  Launcher launcher_;
  std::optional<Launched> launched_;
};

TEST_F(Deadly, AStoppedRankIsNamedAsMissing) {
  const Launched& launched = launch("StopsItself/node_b");
  EXPECT_THAT(
      launched.failures("StopsItself/node_b"),
      HasSubstr("error lost-peer rank 1 node-b [measure] rank 1 (node-b) did not reach the end of phase"));
  EXPECT_EQ(launched.status("Healthy1/node_b"), "passed");
}

TEST_F(Deadly, AHangingRankIsNamedAsMissing) {
  EXPECT_THAT(launch("HangsInAPhase/node_b").failures("HangsInAPhase/node_b"),
              HasSubstr("error lost-peer rank 1 node-b [measure]"));
}

TEST_F(Deadly, AHangOfRank0IsFoundByItsWatchdog) {
  EXPECT_THAT(launch("HangsInAPhase/node_a").failures("HangsInAPhase/node_a"),
              HasSubstr("error deadline rank 0 node-a [measure] rank 0 (node-a) has been in phase 'measure' "
                        "for more than"));
}

TEST_F(Deadly, AHangOutsideAPhaseIsNamedAsMissing) {
  EXPECT_THAT(launch("HangsBetweenPhases/node_b").failures("HangsBetweenPhases/node_b"),
              HasSubstr("error lost-peer rank 1 node-b"));
}

TEST_F(Deadly, ACrashLeavesTheFinishedCasesAndTheRunningOneOnRecord) {
  const Launched& launched = launch("Segfaults/node_b");
  EXPECT_EQ(launched.status("Healthy1/node_a"), "passed");
  EXPECT_EQ(launched.status("Segfaults/node_b"), "error");
}

TEST_F(Deadly, AnExitOf0IsNoEnd) {
  const Launched& launched = launch("ExitsZero/node_a");
  EXPECT_EQ(launched.status("ExitsZero/node_a"), "error");
}

}  // namespace
}  // namespace rigproof
