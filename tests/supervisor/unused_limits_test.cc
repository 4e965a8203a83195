#include "framework/supervisor/unused_limits.h"

#include <gmock/gmock.h>

#include <map>

#include "tests/supervisor/records.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const RunScope kEverything{.every_suite = true, .every_case = true, .suites = {"tcp", "mtu"}};

RunRecord run_with(std::vector<SuiteRecord> suites) {
  RunRecord run;
  run.suites = std::move(suites);
  return run;
}

TEST(UnusedLimits, AreNoneWhenEveryLimitWasReported) {
  const auto unused = unused_limits(run_with({suite_with("tcp", {measured("tcp.a")})}), {},
                                    limits_of(at_most("tcp.a", "1 count")), kEverything);
  EXPECT_THAT(unused.problems, IsEmpty());
  EXPECT_THAT(unused.not_built, IsEmpty());
}
TEST(UnusedLimits, ANumberThatIsOnlyRecordedMeetsNone) {
  Measurement recorded = measured("tcp.a");
  recorded.judgement.verdict = Verdict::kRecorded;
  const auto limits = limits_of(at_most("tcp.a", "1 count"));
  EXPECT_THAT(unused_limits(run_with({suite_with("tcp", {recorded})}), {}, limits, kEverything).problems,
              SizeIs(1));
  recorded.text = "nothing to judge: the module has no sensor";
  EXPECT_THAT(unused_limits(run_with({suite_with("tcp", {recorded})}), {}, limits, kEverything).problems,
              IsEmpty());
}
TEST(UnusedLimits, ASuiteThatWasAskedForHasCases) {
  RunScope scope{.every_suite = false, .every_case = true, .suites = {"tcp"}};
  scope.asked = {"tcp", "rdma"};
  const LimitTable others = limits_of(at_most("mtu.a", "1 count"));
  const auto unused = unused_limits(run_with({}), {}, others, scope);
  ASSERT_THAT(unused.not_built, SizeIs(1));
  EXPECT_THAT(unused.not_built[0].failures[0].message, HasSubstr("'rdma', which --suite asks for"));
  scope.every_case = false;
  EXPECT_THAT(unused_limits(run_with({}), {}, others, scope).not_built, IsEmpty());
}
TEST(UnusedLimits, AWaivedMissExcusesNoOther) {
  SuiteRecord suite = suite_with("tcp", {measured("tcp.a")});
  CaseRecord waived = suite.cases.at(0);
  waived.attempts.at(0).status = Status::kWaived;
  suite.cases = {};
  suite.cases.push_back(waived);
  const auto limits = limits_of(at_most("tcp.b", "1 count"));
  EXPECT_THAT(unused_limits(run_with({suite}), {}, limits, kEverything).problems, SizeIs(1));
}
TEST(UnusedLimits, NameTheLimitAndItsLine) {
  const auto unused =
      unused_limits(run_with({suite_with("tcp", {measured("tcp.a")})}), {},
                    limits_of(at_most("tcp.a", "1 count") + at_most("tcp.b", "1 count")), kEverything);
  ASSERT_THAT(unused.problems, SizeIs(1));
  EXPECT_EQ(unused.problems[0].type, "unused-limit");
  EXPECT_THAT(unused.problems[0].message, AllOf(HasSubstr("'tcp.b'"), HasSubstr("t.toml:")));
}
TEST(UnusedLimits, InformativeOnesMayBe) {
  EXPECT_THAT(unused_limits(run_with({}), {},
                            limits_of(at_most("tcp.b", "1 count", "enforce = \"informative\"")), kEverything)
                  .problems,
              IsEmpty());
}
TEST(UnusedLimits, OfASuiteWithGapsAreExcused) {
  const Failure skip{Failure::Kind::kSkip, "not-proven", "m", {}, -1, {}, {}};
  const auto limits = limits_of(at_most("tcp.b", "1 count"));
  EXPECT_THAT(unused_limits(run_with({suite_with("tcp", {}, {skip})}), {}, limits, kEverything).problems,
              IsEmpty());
  EXPECT_THAT(unused_limits(run_with({suite_with("mtu", {}, {skip})}), {}, limits, kEverything).problems,
              SizeIs(1));
}
TEST(UnusedLimits, AreNotAskedForInAFilteredRun) {
  const RunScope some{.every_suite = true, .every_case = false, .suites = {"tcp"}};
  EXPECT_THAT(unused_limits(run_with({}), {}, limits_of(at_most("tcp.b", "1 count")), some).problems,
              IsEmpty());
}
TEST(UnusedLimits, OfSuitesLeftOutAreNotAskedFor) {
  const RunScope tcp_only{.every_suite = false, .every_case = true, .suites = {"tcp"}};
  const auto unused = unused_limits(
      run_with({}), {}, limits_of(at_most("mtu.a", "1 count") + at_most("tpc.a", "1 count")), tcp_only);
  EXPECT_THAT(unused.problems, IsEmpty());
  EXPECT_THAT(unused.not_built, IsEmpty());
}
TEST(UnusedLimits, OfNoSuiteAtAllAreErrorsInAFullRun) {
  EXPECT_THAT(unused_limits(run_with({}), {}, limits_of(at_most("tpc.a", "1 count")), kEverything).problems,
              SizeIs(1));
}
TEST(UnusedLimits, OfASuiteThatIsNotBuiltAreNotProven) {
  const auto unused = unused_limits(
      run_with({}), {}, limits_of(at_most("rdma.a", "1 count") + at_most("rdma.b", "1 count")), kEverything);
  EXPECT_THAT(unused.problems, IsEmpty());
  ASSERT_THAT(unused.not_built, SizeIs(1));
  ASSERT_THAT(unused.not_built[0].failures, SizeIs(1));
  EXPECT_EQ(unused.not_built[0].failures[0].kind, Failure::Kind::kSkip);
  EXPECT_THAT(unused.not_built[0].failures[0].message, HasSubstr("rdma.a, rdma.b"));
}
TEST(UnusedLimits, OfASwitchAreOwedWhereTheRigHasOne) {
  const auto limits = limits_of(at_most("switch.differences", "0 count"));
  RunScope scope = kEverything;
  EXPECT_THAT(unused_limits(run_with({}), {}, limits, scope).not_built, SizeIs(1));
  scope.has_switch = false;
  EXPECT_THAT(unused_limits(run_with({}), {}, limits, scope).not_built, IsEmpty());
  EXPECT_THAT(unused_limits(run_with({}), {}, limits, scope).problems, IsEmpty());
}

// Every limit for two Sparks can be met by two that a straight cable joins, in the file as it is.
TEST(UnusedLimits, OfTwoSparksAreOnlyTheSwitchsWithoutASwitch) {
  const LimitTable limits = LimitTable::load(RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-pair.toml",
                                             Profile::kAcceptance, rig_fact_dimensions());
  std::map<std::string, std::vector<Measurement>> by_suite;
  for (const Limit& limit : limits.limits())
    if (!limit.id.starts_with("switch."))
      by_suite[limit.id.substr(0, limit.id.find('.'))].push_back(measured(limit.id));
  std::vector<SuiteRecord> suites;
  RunScope scope{.every_suite = true, .every_case = true, .suites = {}, .has_switch = false};
  for (const auto& [suite, measurements] : by_suite) {
    suites.push_back(suite_with(suite, measurements));
    scope.suites.push_back(suite);
  }
  const auto straight = unused_limits(run_with(suites), {}, limits, scope);
  EXPECT_THAT(straight.problems, IsEmpty());
  EXPECT_THAT(straight.not_built, IsEmpty());
  scope.has_switch = true;
  EXPECT_THAT(unused_limits(run_with(suites), {}, limits, scope).not_built, SizeIs(1));
}
TEST(UnusedLimits, TheSupervisorsOwnCasesCount) {
  RunCase steady;
  steady.limit = "tcp.down";
  EXPECT_THAT(
      unused_limits(run_with({}), {steady}, limits_of(at_most("tcp.down", "0 count")), kEverything).problems,
      IsEmpty());
}

}  // namespace
}  // namespace rigproof
