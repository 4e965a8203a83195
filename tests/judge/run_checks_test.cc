// What no single case can tell, judged when a run has ended.
#include "framework/judge/run_checks.h"

#include <gmock/gmock.h>

#include "tests/judge/judging.h"
#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kTime = "2026-11-20T18:20:00.000Z";

class Checks : public testing::Test {
 protected:
  // A run that has two suites installed, and reports of them.
  Checks() {
    declare("tcp", {{"tcp.a", "count", ""}, {"tcp.b", "count", ""}, {"tcp.down", "count", ""}});
    declare("mtu", {{"mtu.a", "count", ""}});
  }

  void declare(const std::string& suite, std::vector<record::Declared> declared) {
    run.start.declared[suite] = std::move(declared);
  }
  // A suite whose one case owes, or may report, these ids, and came to this.
  judge::JudgedSuite& add_suite(std::string name, std::vector<std::string> owes, std::vector<std::string> may,
                                const std::vector<std::string>& reported,
                                judge::Status status = judge::Status::kPassed) {
    judge::Attempt attempt{
        .launch = 1, .iteration = 1, .started = kTime, .measurements = {}, .failures = {}, .status = status};
    for (const std::string& id : reported) {
      attempt.measurements.emplace_back();
      attempt.measurements.back().id = id;
    }
    judge::JudgedCase test{.suite = name, .plan = {"A.b", "", {}, 0}, .attempts = {attempt}, .waiver = {}};
    run.suites.push_back({.name = std::move(name), .cases = {}, .started = kTime, .launches = {}});
    run.suites.back().cases.push_back(test);
    run.suites.back().tests = {{"A.b", std::move(owes), std::move(may)}};
    return run.suites.back();
  }

  // By these limits.
  void judge(const std::string& limits) {
    context.limits = limits_of(limits);
    context.limits_files = "t.toml";
    context.date = "2026-11-20";
    checks.judge(run, context, kTime);
  }
  // The one case of the suite "run".
  judge::JudgedCase only_case() const {
    const std::vector<judge::JudgedCase> cases = run_cases();
    return cases.size() == 1 ? cases[0] : judge::JudgedCase{};
  }
  std::vector<judge::JudgedCase> run_cases() const {
    std::vector<judge::JudgedCase> cases;
    for (const judge::JudgedSuite& suite : run.suites)
      if (suite.name == judge::kRunSuite) cases.insert(cases.end(), suite.cases.begin(), suite.cases.end());
    return cases;
  }
  std::vector<std::string> run_names() const {
    std::vector<std::string> names;
    for (const judge::JudgedCase& test : run_cases()) names.push_back(test.plan.name);
    return names;
  }

  judge::JudgedRun run;
  judge::JudgeContext context;
  judge::RunChecks checks;
};

// --- counters ---

class SteadyCounters : public Checks {
 protected:
  void observe(const std::string& node, const std::string& subject, double value) {
    checks.see(record::Observed{"tcp.down", node, subject, value});
  }
  const std::string limits = at_most("tcp.down", "0 count");
};

TEST_F(SteadyCounters, JudgeTheChangeFromTheFirstToTheLast) {
  for (const double value : {5, 5, 7}) observe("node-a", "port0", value);
  judge(limits);
  const judge::Attempt attempt = only_case().attempts.at(0);
  ASSERT_THAT(attempt.measurements, SizeIs(1));
  EXPECT_EQ(attempt.status, judge::Status::kFailed);
  EXPECT_EQ(attempt.measurements[0].judgement.verdict, judge::Verdict::kFail);
  EXPECT_EQ(attempt.measurements[0].judgement.value, 2);
  EXPECT_EQ(attempt.measurements[0].node, "node-a");
}
// For the reports, which show a figure at its part of the rig.
TEST_F(SteadyCounters, StandAtTheHalfOrThePortThatTheyAreCalledByElseAtTheNode) {
  using Kind = SubjectPlace::Kind;
  context.subjects = SubjectFinder(rig_of(star_text(2)));
  for (const char* subject : {"enp1s0f0np0", "port1", "switch0 sfp28-1", ""})
    for (const double value : {5, 5}) observe("node-a", subject, value);
  judge(limits);
  std::vector<SubjectPlace> places;
  for (const judge::JudgedCase& test : run_cases()) places.push_back(test.plan.place);
  EXPECT_THAT(places, ElementsAre(SubjectPlace{Kind::kHalf, "enp1s0f0np0", {"node-a"}},
                                  SubjectPlace{Kind::kPort, "port1", {"node-a"}},
                                  SubjectPlace{Kind::kNode, "", {"node-a"}},
                                  SubjectPlace{Kind::kNode, "", {"node-a"}}));
}
// Catches: a cable that the run itself pulled taken for a link that flaps, and a link that flaps taken for that cable.
TEST_F(SteadyCounters, LeaveOutWhatAPulledCableLost) {
  record::CableMoved plugged;
  plugged.losses = {{"node-a", "port0", 1}};
  const auto grown = [&](const std::string& subject) {
    for (const double value : {5, 7})
      checks.see(record::Observed{judge::kLinkDownLimit, "node-a", subject, value});
  };
  grown("port0"), grown("port1");
  checks.see(plugged);
  judge(at_most(judge::kLinkDownLimit, "1 count"));
  ASSERT_THAT(run_cases(), SizeIs(2));
  EXPECT_EQ(run_cases()[0].attempts.at(0).measurements.at(0).judgement.value, 1);
  EXPECT_EQ(run_cases()[0].status(), judge::Status::kPassed);
  EXPECT_EQ(run_cases()[1].attempts.at(0).measurements.at(0).judgement.value, 2);
  EXPECT_EQ(run_cases()[1].status(), judge::Status::kFailed);
}
TEST_F(SteadyCounters, WhereTheLimitIsAdviceNothingIsRed) {
  const std::string advice = at_most("tcp.down", "0 count", "enforce = \"advice\"");
  const auto verdict_on = [&](std::vector<double> values) {
    checks = {}, run.suites.clear();
    for (const double value : values) observe("node-a", "port0", value);
    judge(advice);
    EXPECT_EQ(only_case().status(), judge::Status::kRecorded);
    return only_case().attempts.at(0).measurements.at(0).judgement.verdict;
  };
  EXPECT_EQ(verdict_on({5, 7}), judge::Verdict::kAdvice);     // moved
  EXPECT_EQ(verdict_on({5}), judge::Verdict::kAdvice);        // read once
  EXPECT_EQ(verdict_on({5, 0, 9}), judge::Verdict::kAdvice);  // reset
}
TEST_F(SteadyCounters, PassWhenNothingMoved) {
  for (const double value : {5, 5}) observe("node-a", "port0", value);
  judge(limits);
  EXPECT_EQ(only_case().status(), judge::Status::kPassed);
  EXPECT_TRUE(run.suites.back().complete());
}
TEST_F(SteadyCounters, AreACaseEach) {
  for (const char* node : {"node-a", "node-b"})
    observe(node, "enp1s0f0np0", 0), observe(node, "enp1s0f0np0", 0);
  judge(limits);
  EXPECT_THAT(run_names(),
              ElementsAre("Steady.tcp_down/node_a_enp1s0f0np0", "Steady.tcp_down/node_b_enp1s0f0np0"));
}
TEST_F(SteadyCounters, HaveUniqueNamesWhateverTheSubjectsAre) {
  observe("a", "b.c", 0), observe("a", "b-c", 0);
  judge(limits);
  ASSERT_THAT(run_names(), SizeIs(2));
  EXPECT_NE(run_names()[0], run_names()[1]);
}
TEST_F(SteadyCounters, GoingBackIsAnError) {
  for (const double value : {5, 0, 9}) observe("node-a", "port0", value);
  judge(limits);
  const judge::Attempt attempt = only_case().attempts.at(0);
  ASSERT_THAT(attempt.failures, SizeIs(1));
  EXPECT_EQ(attempt.status, judge::Status::kError);
  EXPECT_THAT(attempt.failures[0].message, HasSubstr("from 5 to 0"));
}
TEST_F(SteadyCounters, ReadOnlyOnceProveNothing) {
  observe("node-a", "port0", 5);
  judge(limits);
  EXPECT_EQ(only_case().status(), judge::Status::kNotProven);
}
TEST_F(SteadyCounters, ThatCouldNotBeReadProveNothingAndSayWhy) {
  observe("node-a", "port0", 5);
  checks.see(record::Observed{"tcp.down", "node-a", "port0", 0, "no way there"});
  checks.see(record::Observed{"tcp.down", "node-a", "port0", 0, "nor now"});
  observe("node-a", "port0", 5);
  judge(limits);
  const judge::Attempt attempt = only_case().attempts.at(0);
  EXPECT_EQ(attempt.status, judge::Status::kNotProven);
  EXPECT_EQ(attempt.failures.at(0).message, "tcp.down could not be read: no way there");
}
TEST_F(SteadyCounters, WithoutALimitAreNoCase) {
  checks.see(record::Observed{"other.counter", "node-a", "port0", 1});
  judge(at_most("tcp.down", "0 count"));
  EXPECT_THAT(run_names(), IsEmpty());
}
TEST_F(SteadyCounters, FillTheRemedyOfTheirLimit) {
  for (const double value : {0, 1})
    checks.see(record::Observed{"tcp.down", "node-a", "port0", value, {}, {{"port", "port0"}}});
  judge(replaced(limits, "remedy = \"r\"", "remedy = \"look at {port} of {node}\""));
  EXPECT_EQ(to_text(only_case().attempts.at(0).measurements.at(0).remedy), "look at port0 of node-a");
}
TEST_F(SteadyCounters, ThatStoodStillMeetTheirLimit) {
  add_suite("tcp", {}, {}, {}).observes = {"tcp.down"};
  for (const double value : {5, 5}) observe("node-a", "port0", value);
  judge(limits);
  EXPECT_THAT(run_names(), ElementsAre("Steady.tcp_down/node_a_port0"));
  EXPECT_THAT(run.not_applicable, IsEmpty());
}
TEST_F(SteadyCounters, ThatNobodyReadAreNotProven) {
  add_suite("tcp", {}, {}, {}).observes = {"tcp.down"};
  judge(limits);
  EXPECT_THAT(run_names(), ElementsAre("Limits.Reported/tcp_down"));
  EXPECT_EQ(only_case().status(), judge::Status::kNotProven);
}

// Catches: the links of a node of which no counter was read, taken for steady because another node's were.
TEST_F(SteadyCounters, OfANodeThatHasNoneAreNotProven) {
  declare("tcp", {{judge::kLinkDownLimit, "count", ""}});
  judge::JudgedSuite& suite = add_suite("tcp", {}, {}, {});
  suite.observes = {judge::kLinkDownLimit};
  suite.cases.change(0, [](judge::JudgedCase& test) { test.plan.place.nodes = {"node-a", "node-b"}; });
  for (const double value : {5, 5})
    checks.see(record::Observed{judge::kLinkDownLimit, "node-a", "port0", value});
  judge(at_most(judge::kLinkDownLimit, "0 count"));
  ASSERT_THAT(run_names(),
              ElementsAre("Steady.link_down_events/node_a_port0", "Steady.link_down_events/node_b"));
  EXPECT_EQ(run_cases()[0].status(), judge::Status::kPassed);
  EXPECT_EQ(run_cases()[1].status(), judge::Status::kNotProven);
}

// --- what nodes are ---

class SteadyState : public Checks {
 protected:
  static record::NodeSeen seen(const std::map<std::string, std::string>& facts) {
    return {"tcp", "node-a", 0, {{"", facts}}};
  }
  judge::Attempt attempt_after(const std::vector<record::NodeSeen>& readings) {
    for (const record::NodeSeen& reading : readings) checks.see(reading);
    judge(at_most(judge::kStateLimit, "0 count"));
    return only_case().attempts.at(0);
  }
};

TEST_F(SteadyState, PassesWhatStays) {
  const judge::Attempt attempt =
      attempt_after({seen({{"mtu", "9000"}, {"pid", "1"}}), seen({{"mtu", "9000"}, {"pid", "2"}})});
  EXPECT_EQ(attempt.status, judge::Status::kPassed);
  EXPECT_EQ(only_case().plan.name, "Steady.state/node_a");
}
TEST_F(SteadyState, FailsARunInWhichAnythingChanged) {
  const judge::Attempt attempt = attempt_after(
      {seen({{"mtu", "9000"}}), seen({{"mtu", "1500"}}), seen({{"mtu", "9000"}, {"speed", "1"}})});
  const judge::Judgement& judgement = attempt.measurements.at(0).judgement;
  EXPECT_EQ(judgement.verdict, judge::Verdict::kFail);
  EXPECT_EQ(judgement.value, 2);
  EXPECT_THAT(judgement.reason, HasSubstr("mtu: 9000, then 1500"));
  EXPECT_THAT(judgement.reason, HasSubstr("speed: not readable, then 1"));
}
TEST_F(SteadyState, LeavesOutWhatNoRankOfTheNodeReported) {
  record::NodeSeen besides = seen({{"serial", "1234"}});
  besides.rank = -1;
  EXPECT_EQ(attempt_after({seen({{"mtu", "9000"}}), besides, seen({{"mtu", "9000"}})}).status,
            judge::Status::kPassed);
}
TEST_F(SteadyState, IsNotProvenByOneReading) {
  const judge::Attempt attempt = attempt_after({seen({})});
  EXPECT_EQ(attempt.failures.at(0).type, "not-proven");
  EXPECT_EQ(attempt.status, judge::Status::kNotProven);
}
TEST_F(SteadyState, IsNoCaseWithoutItsLimit) {
  checks.see(seen({})), checks.see(seen({}));
  judge(at_most("tcp.a", "0 count"));
  EXPECT_THAT(run_names(), IsEmpty());
}
// Catches: a node of which the record holds no state at all, and a green run.
TEST_F(SteadyState, OfANodeThatWasNeverReadIsNotProven) {
  add_suite("tcp", {}, {}, {}).cases.change(0, [](judge::JudgedCase& test) {
    test.plan.place.nodes = {"node-a", "node-b"};
  });
  for (int reading = 0; reading < 2; ++reading) checks.see(seen({{"mtu", "9000"}}));
  judge(at_most(judge::kStateLimit, "0 count"));
  ASSERT_THAT(run_names(), ElementsAre("Steady.state/node_a", "Steady.state/node_b"));
  EXPECT_EQ(run_cases()[0].status(), judge::Status::kPassed);
  EXPECT_EQ(run_cases()[1].status(), judge::Status::kNotProven);
  EXPECT_EQ(run_cases()[1].attempts.at(0).failures.at(0).message, "the node's state was not read");
}
TEST_F(SteadyState, IsNotAskedOfASnapshot) {
  run.start.asked.snapshot = "facts";
  add_suite("tcp", {}, {}, {}).cases.change(0, [](judge::JudgedCase& test) {
    test.plan.place.nodes = {"node-a"};
  });
  judge(at_most(judge::kStateLimit, "0 count"));
  EXPECT_THAT(run_names(), IsEmpty());
}
TEST_F(SteadyState, OfNoNodeAtAllIsNoProblem) {
  judge(at_most(judge::kStateLimit, "0 count"));
  EXPECT_THAT(run.problems, IsEmpty());
  EXPECT_THAT(run.suites, IsEmpty());
}

// --- limits that nothing reported ---

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
  EXPECT_EQ(only_case().status(), judge::Status::kNotProven);
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
TEST_F(OwedLimits, ANumberThatIsOnlyRecordedMeetsNone) {
  const auto limits = at_most("tcp.b", "1 count");
  judge::JudgedSuite& suite = add_suite("tcp", {}, {"tcp.b"}, {"tcp.b"});
  const auto recorded_as = [&](record::Measured::Unread unread) {
    suite.cases.change(0, [&](judge::JudgedCase& test) {
      test.attempts[0].measurements[0].judgement.verdict = judge::Verdict::kRecorded;
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
  EXPECT_EQ(only_case().status(), judge::Status::kRecorded);
  EXPECT_EQ(only_case().attempts.at(0).measurements.at(0).judgement.verdict, judge::Verdict::kAdvice);
}
TEST_F(OwedLimits, OfASuiteWithGapsAreExcused) {
  const auto limits = at_most("tcp.b", "1 count");
  add_suite("tcp", {}, {"tcp.b"}, {}, judge::Status::kNotProven);
  judge(limits);
  EXPECT_THAT(run_names(), IsEmpty());
}
TEST_F(OwedLimits, AnotherSuitesGapsExcuseNothing) {
  add_suite("tcp", {}, {"tcp.b"}, {});
  add_suite("mtu", {}, {}, {}, judge::Status::kNotProven);
  judge(at_most("tcp.b", "1 count"));
  EXPECT_THAT(run_names(), ElementsAre("Limits.Reported/tcp_b"));
}
TEST_F(OwedLimits, AWaivedMissExcusesNoOther) {
  add_suite("tcp", {}, {"tcp.b"}, {"tcp.a"}, judge::Status::kWaived);
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
  EXPECT_EQ(only_case().status(), judge::Status::kNotProven);
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
