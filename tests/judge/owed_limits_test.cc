// Limits that nothing of a run has reported.
#include "tests/judge/checks.h"

namespace rigproof {
namespace {

using judge::Status;
using judge::Verdict;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class OwedLimits : public Checks {};

TEST_F(OwedLimits, AreMetWhenEveryOneWasReported) {
  add_suite("tcp", {"tcp.a"}, {}, {"tcp.a"});
  judge(at_most("tcp.a", "1 count"));
  EXPECT_THAT(run.problems, IsEmpty());
  EXPECT_THAT(run.not_applicable, IsEmpty());
  EXPECT_THAT(run_names(), IsEmpty());
}
TEST_F(OwedLimits, OfWhatMayBeReportedAndWasNotAreNotProven) {
  add_suite("tcp", {"tcp.a"}, {"tcp.b"}, {"tcp.a"});
  judge(at_most("tcp.a", "1 count") + at_most("tcp.b", "1 count"));
  EXPECT_EQ(only_case().plan.name, "Limits.Reported/tcp_b");
  EXPECT_EQ(only_case().status(), Status::kNotProven);
  EXPECT_THAT(only_case().attempts.at(0).failures.at(0).message,
              AllOf(HasSubstr("'tcp.b'"), HasSubstr("t.toml:")));
  EXPECT_THAT(run.problems, IsEmpty());
}
TEST_F(OwedLimits, OfAFamilyAreOwedEach) {
  declare("tcp", {{"tcp.*", "any", ""}});
  add_suite("tcp", {}, {"tcp.*"}, {"tcp.a"});
  judge(at_most("tcp.a", "1 count") + at_most("tcp.b", "1 count"));
  EXPECT_THAT(run_names(), ElementsAre("Limits.Reported/tcp_b"));
}
TEST_F(OwedLimits, ThatNoCaseOfThisRigCanReportDoNotApply) {
  declare("tcp", {{"tcp.a", "count", ""}, {"tcp.b", "count", "a second port"}});
  add_suite("tcp", {"tcp.a"}, {}, {"tcp.a"});
  judge(at_most("tcp.a", "1 count") + at_most("tcp.b", "1 count") + at_most("mtu.a", "1 count"));
  ASSERT_THAT(run.not_applicable, SizeIs(2));
  EXPECT_EQ(run.not_applicable[0].id, "tcp.b");
  EXPECT_THAT(run.not_applicable[0].where, HasSubstr("t.toml:"));
  EXPECT_EQ(run.not_applicable[0].why, "needs a second port");
  EXPECT_EQ(run.not_applicable[1].why, "suite mtu has no case for it on this rig");
  EXPECT_THAT(run_names(), IsEmpty());
  EXPECT_THAT(run.problems, IsEmpty());
}
// A bound at a place of a curve that nobody measures judges nothing.
TEST_F(OwedLimits, AtAPlaceThatWasNotMeasuredAreNotProvenInAcceptance) {
  const std::string limits =
      at_most("tcp.a", "9 count") +
      "also = [{ at = \"2 MiB\", at_most = \"5 count\" }, { at = \"32 MB\", at_most = \"5 count\" }]\n";
  judge::JudgedSuite& suite = add_suite("tcp", {"tcp.a"}, {}, {"tcp.a"});
  suite.cases.change(0, [&](judge::JudgedCase& test) {
    test.attempts[0].measurements[0].axis = record::at(parse_quantity("2 MiB"));
  });
  judge(limits);
  EXPECT_THAT(run_names(), IsEmpty());
  run.start.asked.profile = "acceptance";
  judge(limits);
  EXPECT_THAT(run_names(), ElementsAre("Limits.Measured/tcp_a_at_32000000_B"));
}
// Catches: 225 limits that "do not apply on this rig", because a launcher could not start their suites.
TEST_F(OwedLimits, OfASuiteThatWasToRunAndSentNoPlanAreExcused) {
  run.start.planned = {"tcp", "mtu"};
  run.suites.push_back({.name = "tcp", .cases = {}, .started = kTime, .launches = {}});
  judge(at_most("tcp.a", "1 count") + at_most("mtu.a", "1 count"));
  EXPECT_THAT(run.not_applicable, IsEmpty());
  EXPECT_THAT(run_names(), IsEmpty());
}
TEST_F(OwedLimits, ANumberThatIsOnlyRecordedMeetsNone) {
  const auto limits = at_most("tcp.b", "1 count");
  judge::JudgedSuite& suite = add_suite("tcp", {}, {"tcp.b"}, {"tcp.b"});
  const auto recorded_as = [&](record::Measured::Unread unread) {
    suite.cases.change(0, [&](judge::JudgedCase& test) {
      test.attempts[0].measurements[0].judgement.verdict = Verdict::kRecorded;
      test.attempts[0].measurements[0].unread = unread;
    });
  };
  recorded_as(record::Measured::Unread::kNothingThere);
  judge(limits);
  EXPECT_THAT(run_names(), IsEmpty());
  recorded_as(record::Measured::Unread::kNo);
  judge(limits);
  EXPECT_THAT(run_names(), ElementsAre("Limits.Reported/tcp_b"));
}
TEST_F(OwedLimits, InformativeOnesNeedNoReport) {
  add_suite("tcp", {}, {"tcp.b"}, {});
  judge(at_most("tcp.b", "1 count", "enforce = \"informative\""));
  EXPECT_THAT(run_names(), IsEmpty());
  EXPECT_THAT(run.not_applicable, IsEmpty());
}
TEST_F(OwedLimits, AnAdviceThatNobodyReportedIsShown) {
  add_suite("tcp", {}, {"tcp.b"}, {});
  judge(at_most("tcp.b", "1 count", "enforce = \"advice\"") +
        at_most("rdma.a", "1 count", "enforce = \"advice\""));
  EXPECT_EQ(only_case().plan.name, "Limits.Reported/tcp_b");
  EXPECT_EQ(only_case().status(), Status::kRecorded);
  EXPECT_EQ(only_case().attempts.at(0).measurements.at(0).judgement.verdict, Verdict::kAdvice);
}
TEST_F(OwedLimits, OfASuiteWithGapsAreExcused) {
  const auto limits = at_most("tcp.b", "1 count");
  add_suite("tcp", {}, {"tcp.b"}, {}, Status::kNotProven);
  judge(limits);
  EXPECT_THAT(run_names(), IsEmpty());
}
TEST_F(OwedLimits, AnotherSuitesGapsExcuseNothing) {
  add_suite("tcp", {}, {"tcp.b"}, {});
  add_suite("mtu", {}, {}, {}, Status::kNotProven);
  judge(at_most("tcp.b", "1 count"));
  EXPECT_THAT(run_names(), ElementsAre("Limits.Reported/tcp_b"));
}
TEST_F(OwedLimits, AWaivedMissExcusesNoOther) {
  add_suite("tcp", {}, {"tcp.b"}, {"tcp.a"}, Status::kWaived);
  judge(at_most("tcp.b", "1 count"));
  EXPECT_THAT(run_names(), ElementsAre("Limits.Reported/tcp_b"));
}
TEST_F(OwedLimits, AreNotAskedForInAFilteredRun) {
  run.start.asked.filter = "A.*";
  add_suite("tcp", {}, {"tcp.b"}, {});
  judge(at_most("tcp.b", "1 count") + at_most("tpc.a", "1 count") + at_most("rdma.a", "1 count"));
  EXPECT_THAT(run_names(), IsEmpty());
  EXPECT_THAT(run.problems, IsEmpty());
}
TEST_F(OwedLimits, OfSuitesLeftOutAreNotAskedFor) {
  run.start.asked.suites = {"tcp"};
  add_suite("tcp", {"tcp.a"}, {}, {"tcp.a"});
  judge(at_most("mtu.a", "1 count") + at_most("rdma.a", "1 count"));
  EXPECT_THAT(run.problems, IsEmpty());
  EXPECT_THAT(run.not_applicable, IsEmpty());
  EXPECT_THAT(run_names(), IsEmpty());
}
TEST_F(OwedLimits, ThatNoSuiteDeclaresAreAProblem) {
  add_suite("tcp", {"tcp.a"}, {}, {"tcp.a"});
  judge(at_most("tpc.a", "1 count"));
  ASSERT_THAT(run.problems, SizeIs(1));
  EXPECT_EQ(run.problems[0].type, "unknown-limit");
  EXPECT_THAT(run.problems[0].message, AllOf(HasSubstr("'tpc.a'"), HasSubstr("t.toml:")));
}
TEST_F(OwedLimits, ThatItsOwnSuiteDoesNotDeclareAreAProblem) {
  add_suite("tcp", {"tcp.a"}, {}, {"tcp.a"});
  judge(at_most("tcp.typo", "1 count"));
  ASSERT_THAT(run.problems, SizeIs(1));
  EXPECT_EQ(run.problems[0].type, "unknown-limit");
}
TEST_F(OwedLimits, OfASuiteThatIsNotBuiltAreNotProven) {
  judge(at_most("rdma.a", "1 count") + at_most("rdma.b", "1 count"));
  EXPECT_THAT(run.problems, IsEmpty());
  EXPECT_EQ(only_case().plan.name, "Suites.Built/rdma");
  EXPECT_EQ(only_case().status(), Status::kNotProven);
  EXPECT_THAT(only_case().attempts.at(0).failures.at(0).message, HasSubstr("rdma.a, rdma.b"));
}
TEST_F(OwedLimits, ASuiteThatWasAskedForHasCases) {
  run.start.asked.suites = {"tcp", "rdma"};
  add_suite("tcp", {"tcp.a"}, {}, {"tcp.a"});
  judge(at_most("mtu.a", "1 count"));
  EXPECT_THAT(run_names(), ElementsAre("Suites.Built/rdma"));
  EXPECT_THAT(only_case().attempts.at(0).failures.at(0).message, HasSubstr("'rdma', which --suite asks for"));
}
// Catches: a limit with a typing error in its suite, left out without a word because other suites were asked for.
TEST_F(OwedLimits, OfASuiteThatNobodyKnowsAreAProblemOfAPartToo) {
  run.start.asked.suites = {"tcp"};
  add_suite("tcp", {"tcp.a"}, {}, {"tcp.a"});
  judge(at_most("tpc.a", "1 count") + at_most("mtu.a", "1 count"));
  ASSERT_THAT(run.problems, SizeIs(1));
  EXPECT_THAT(run.problems[0].message, HasSubstr("'tpc.a'"));
}
TEST_F(OwedLimits, OfASwitchAreOwedWhereTheRigHasOne) {
  const std::string limits = at_most("switch.differences", "0 count");
  declare("switch", {{"switch.differences", "count", "a described switch"}});
  judge(limits);
  EXPECT_EQ(run.not_applicable.at(0).why, "needs a described switch");
  EXPECT_THAT(run_names(), IsEmpty());
  add_suite("switch", {}, {"switch.differences"}, {});
  judge(limits);
  EXPECT_THAT(run_names(), ElementsAre("Limits.Reported/switch_differences"));
}

// Every limit for two Sparks can be met by two that a straight cable joins, in the file as it is.
TEST_F(OwedLimits, OfTwoSparksThatAreMetLeaveOnlyTheSwitchs) {
  context.limits = std::make_shared<const LimitTable>(LimitTable::load(
      {RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-pair.toml"}, Profile::kAcceptance, rig_fact_dimensions()));
  run.start.declared.clear();
  std::map<std::string, std::vector<std::string>> by_suite;
  for (const Limit& limit : context.limits->limits()) {
    if (limit.id == judge::kStateLimit) continue;
    const std::string suite = limit.id.substr(0, limit.id.find('.'));
    run.start.declared[suite].push_back({limit.id, "any", suite == "switch" ? "a described switch" : ""});
    if (suite != "switch") by_suite[suite].push_back(limit.id);
  }
  for (const auto& [suite, ids] : by_suite) add_suite(suite, ids, {}, ids);
  checks.judge(run, context, kTime);
  EXPECT_THAT(run.problems, IsEmpty());
  EXPECT_THAT(run_names(), IsEmpty());
  EXPECT_THAT(run.not_applicable, Not(IsEmpty()));
  for (const judge::NotApplicable& limit : run.not_applicable)
    EXPECT_THAT(limit.id, testing::StartsWith("switch."));
}

}  // namespace
}  // namespace rigproof
