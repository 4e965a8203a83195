// Counters and the state of nodes, which stay as they are while a run goes on.
#include "framework/judge/run_checks.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/judge/checks.h"

namespace rigproof {
namespace {

using judge::Status;
using judge::Verdict;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class SteadyCounters : public Checks {
 protected:
  void observe(const std::string& node, const std::string& subject, double value) {
    see(record::Observed{"tcp.down", node, subject, value});
  }
  const std::string limits = at_most("tcp.down", "0 count");
};

TEST_F(SteadyCounters, JudgeTheChangeFromTheFirstToTheLast) {
  for (const double value : {5, 5, 7}) observe("node-a", "port0", value);
  judge(limits);
  const judge::Attempt attempt = only_case().attempts.at(0);
  ASSERT_THAT(attempt.measurements, SizeIs(1));
  EXPECT_EQ(attempt.status, Status::kFailed);
  EXPECT_EQ(attempt.measurements[0].judgement.verdict, Verdict::kFail);
  EXPECT_EQ(attempt.measurements[0].judgement.value, 2);
  EXPECT_EQ(attempt.measurements[0].node, "node-a");
}
// JUnit and the waivers know a case by its name: two nodes must not share one.
TEST_F(SteadyCounters, OfNodesWhoseNamesDifferInOneCharacterAreCasesOfTheirOwn) {
  for (const char* node : {"node-a", "node_a", "node.a"})
    for (const double value : {5, 5}) observe(node, "port0", value);
  judge(limits);
  const std::vector<std::string> names = run_names();
  EXPECT_THAT(names, SizeIs(3));
  EXPECT_THAT(std::set<std::string>(names.begin(), names.end()), SizeIs(3));
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
  const auto read = [&](double value) {
    for (const char* subject : {"port0", "port1"})
      see(record::Observed{kLinkDowns, "node-a", subject, value});
  };
  read(5), checks.see(plugged), read(7);
  judge(at_most(kLinkDowns, "1 count"));
  ASSERT_THAT(run_cases(), SizeIs(2));
  EXPECT_EQ(run_cases()[0].attempts.at(0).measurements.at(0).judgement.value, 1);
  EXPECT_EQ(run_cases()[0].status(), Status::kPassed);
  EXPECT_EQ(run_cases()[1].attempts.at(0).measurements.at(0).judgement.value, 2);
  EXPECT_EQ(run_cases()[1].status(), Status::kFailed);
}
// Catches: an operator who is late taken for a link that flaps. What a cable lost is told when it is in again.
TEST_F(SteadyCounters, OfACableThatAnOperatorPulledAndNobodySawBackProveNothing) {
  using Step = record::CableMoved::Step;
  record::CableMoved moved;
  moved.cable = "node-a:port0";
  declare("link", {{kLinkDowns, "count", ""}});
  const auto read = [&](double value) { see(record::Observed{kLinkDowns, "node-a", "port0", value}); };
  read(5);
  for (const Step step : {Step::kPull, Step::kPulled, Step::kPlug}) moved.step = step, checks.see(moved);
  read(6);
  run.start.asked.with_operator = true;
  judge(at_most(kLinkDowns, "0 count"));
  EXPECT_EQ(only_case().status(), Status::kNotProven);
  EXPECT_THAT(only_case().attempts.at(0).failures.at(0).message, HasSubstr("node-a:port0"));
  run.suites.pop_back();
  run.start.asked.with_operator = false;
  judge(at_most(kLinkDowns, "0 count"));
  EXPECT_EQ(only_case().status(), Status::kFailed);
}
// Catches: a link that flaps taken for a cable whose loss no reading holds, because the run was stopped before the next one.
TEST_F(SteadyCounters, LeaveOutNoPullOfWhichNothingWasRead) {
  record::CableMoved plugged;
  plugged.losses = {{"node-a", "port0", 1}};
  const auto read = [&](double value) { see(record::Observed{kLinkDowns, "node-a", "port0", value}); };
  read(5), read(5), checks.see(plugged);
  checks.resume(false);
  read(6), checks.see(plugged), read(8);
  judge(at_most(kLinkDowns, "0 count"));
  EXPECT_EQ(only_case().status(), Status::kFailed);
  EXPECT_EQ(only_case().attempts.at(0).measurements.at(0).judgement.value, 1);
}
// Catches: what a switch's port counts while the run pulls the cable out of it and the link trains anew, taken for a fault of the
// rig; a fault at another time, or at another cable, taken for that.
TEST_F(SteadyCounters, OfASwitchLeaveOutWhatItCountedAtAPulledCable) {
  const auto read = [&](double at_cable, double at_other) {
    for (const auto& [node, value] : {std::pair("node-a", at_cable), std::pair("node-b", at_other)})
      see(record::Observed{"tcp.down",
                           node,
                           std::string("switch ") + node,
                           value,
                           {},
                           {{record::kCable, std::string(node) + ":port0"}}});
  };
  record::CableMoved moved;
  moved.cable = "node-a:port0";
  read(3, 3), read(3, 3);
  for (const auto step : {record::CableMoved::Step::kPull, record::CableMoved::Step::kPulled,
                          record::CableMoved::Step::kPlug, record::CableMoved::Step::kPlugged})
    moved.step = step, checks.see(moved);
  read(20, 3), read(20, 3);
  judge(limits);
  ASSERT_THAT(run_cases(), SizeIs(2));
  for (const judge::JudgedCase& test : run_cases()) EXPECT_EQ(test.status(), Status::kPassed);
  run.suites.clear();
  read(21, 4);
  judge(limits);
  for (const judge::JudgedCase& test : run_cases()) {
    EXPECT_EQ(test.status(), Status::kFailed);
    EXPECT_EQ(test.attempts.at(0).measurements.at(0).judgement.value, 1);
  }
}
TEST_F(SteadyCounters, OfASwitchCountWhereNobodyPulledTheCable) {
  record::CableMoved asked;
  asked.cable = "node-a:port0";  // kPull: nobody did it
  const auto read = [&](double value) {
    see(record::Observed{"tcp.down", "node-a", "switch port", value, {}, {{record::kCable, asked.cable}}});
  };
  read(3), checks.see(asked), read(4);
  judge(limits);
  EXPECT_EQ(only_case().status(), Status::kFailed);
}
TEST_F(SteadyCounters, WhereTheLimitIsAdviceNothingIsRed) {
  const std::string advice = at_most("tcp.down", "0 count", "enforce = \"advice\"");
  const auto verdict_on = [&](std::vector<double> values) {
    checks = {}, run.suites.clear();
    for (const double value : values) observe("node-a", "port0", value);
    judge(advice);
    EXPECT_EQ(only_case().status(), Status::kRecorded);
    return only_case().attempts.at(0).measurements.at(0).judgement.verdict;
  };
  EXPECT_EQ(verdict_on({5, 7}), Verdict::kAdvice);     // moved
  EXPECT_EQ(verdict_on({5}), Verdict::kAdvice);        // read once
  EXPECT_EQ(verdict_on({5, 0, 9}), Verdict::kAdvice);  // reset
}
TEST_F(SteadyCounters, PassWhenNothingMoved) {
  for (const double value : {5, 5}) observe("node-a", "port0", value);
  judge(limits);
  EXPECT_EQ(only_case().status(), Status::kPassed);
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
  EXPECT_EQ(attempt.status, Status::kError);
  EXPECT_THAT(attempt.failures[0].message, HasSubstr("from 5 to 0"));
}
// Catches: a reset before a stop, forgotten by the run that goes on.
TEST_F(SteadyCounters, ThatWentBackBeforeAStopAreAnErrorAfterIt) {
  for (const double value : {5, 0, 9}) observe("node-a", "port0", value);
  checks.resume(false);
  for (const double value : {9, 9}) observe("node-a", "port0", value);
  judge(limits);
  EXPECT_EQ(only_case().status(), Status::kError);
  EXPECT_EQ(only_case().attempts.at(0).failures.at(0).message, "tcp.down port0 went back");
}
TEST_F(SteadyCounters, ReadOnlyOnceProveNothing) {
  observe("node-a", "port0", 5);
  judge(limits);
  EXPECT_EQ(only_case().status(), Status::kNotProven);
}
// Each reading: a number, or nothing where it could not be read.
class SilentCounters : public SteadyCounters {
 protected:
  judge::Attempt attempt_after(const std::vector<std::optional<double>>& readings) {
    checks = {}, run.suites.clear();
    for (const std::optional<double>& value : readings) {
      if (value)
        observe("node-a", "port0", *value);
      else
        see(record::Observed{"tcp.down", "node-a", "port0", 0, "no way there"});
    }
    judge(limits);
    return only_case().attempts.at(0);
  }
};
TEST_F(SilentCounters, ThatWereNotReadAtFirstOrAtLastProveNothingAndSayWhy) {
  for (const auto& readings : {std::vector<std::optional<double>>{5, 5, {}}, {{}, 5, 5}, {{}, {}}}) {
    const judge::Attempt attempt = attempt_after(readings);
    EXPECT_EQ(attempt.status, Status::kNotProven);
    EXPECT_EQ(attempt.failures.at(0).message, "tcp.down could not be read: no way there");
  }
}
// A switch that does not answer at the end of one suite of ten counts on meanwhile.
TEST_F(SilentCounters, AreReadByTheLooksBeforeAndAfter) {
  EXPECT_EQ(attempt_after({5, {}, 5}).status, Status::kPassed);
  EXPECT_EQ(attempt_after({5, {}, {}, 7}).status, Status::kFailed);
  EXPECT_EQ(attempt_after({5, {}, 0}).status, Status::kError);
}
// A switch that can't be asked at all is one counter by its own name.
TEST_F(SteadyCounters, OfASwitchAreReadByTheLooksBeforeAndAfterItsSilence) {
  const auto status_after = [&](const std::string& looks) {
    checks = {}, run.suites.clear();
    for (const char look : looks) {
      const bool silent = look == '-';
      for (const char* port : {" port1", " port2"})
        if (!silent)
          see(record::Observed{"tcp.down",
                               "node-b",
                               std::string("switch0") + port,
                               static_cast<double>(look - '0'),
                               {},
                               {{"switch", "switch0"}}});
      if (silent)
        see(record::Observed{"tcp.down", "node-a", "switch0", 0, "no answer", {{"switch", "switch0"}}});
    }
    judge(limits);
    Status worst = Status::kPassed;
    for (const judge::JudgedCase& test : run_cases()) worst = std::max(worst, test.status());
    return worst;
  };
  EXPECT_EQ(status_after("3-3"), Status::kPassed);
  EXPECT_EQ(status_after("3--3"), Status::kPassed);
  EXPECT_EQ(status_after("3-4"), Status::kFailed);
  EXPECT_EQ(status_after("3-0"), Status::kError);
  EXPECT_EQ(status_after("33-"), Status::kNotProven);
  EXPECT_EQ(status_after("-33"), Status::kNotProven);
  EXPECT_EQ(status_after("-3-3"), Status::kNotProven);
  EXPECT_EQ(status_after("-"), Status::kNotProven);
}
TEST_F(SteadyCounters, WithoutALimitAreNoCase) {
  see(record::Observed{"other.counter", "node-a", "port0", 1});
  judge(at_most("tcp.down", "0 count"));
  EXPECT_THAT(run_names(), IsEmpty());
}
TEST_F(SteadyCounters, FillTheRemedyOfTheirLimit) {
  for (const double value : {0, 1})
    see(record::Observed{"tcp.down", "node-a", "port0", value, {}, {{"port", "port0"}}});
  judge(replaced(limits, "remedy.check = \"r\"", "remedy.check = \"look at {port} of {node}\""));
  EXPECT_EQ(to_text(only_case().attempts.at(0).measurements.at(0).remedy), "check: look at port0 of node-a");
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
  EXPECT_EQ(only_case().status(), Status::kNotProven);
}

// Catches: the links of a node of which no counter was read, taken for steady because another node's were.
TEST_F(SteadyCounters, OfANodeThatHasNoneAreNotProven) {
  declare("tcp", {{kLinkDowns, "count", ""}});
  judge::JudgedSuite& suite = add_suite("tcp", {}, {}, {});
  suite.observes = {kLinkDowns};
  suite.cases.change(0, [](judge::JudgedCase& test) { test.plan.place.nodes = {"node-a", "node-b"}; });
  for (const double value : {5, 5}) see(record::Observed{kLinkDowns, "node-a", "port0", value});
  judge(at_most(kLinkDowns, "0 count"));
  ASSERT_THAT(run_names(),
              ElementsAre("Steady.link_down_events/node_a_port0", "Steady.link_down_events/node_b"));
  EXPECT_EQ(run_cases()[0].status(), Status::kPassed);
  EXPECT_EQ(run_cases()[1].status(), Status::kNotProven);
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
  EXPECT_EQ(attempt.status, Status::kPassed);
  EXPECT_EQ(only_case().plan.name, "Steady.state/node_a");
}
TEST_F(SteadyState, FailsARunInWhichAnythingChanged) {
  const judge::Attempt attempt = attempt_after(
      {seen({{"mtu", "9000"}}), seen({{"mtu", "1500"}}), seen({{"mtu", "9000"}, {"speed", "1"}})});
  const judge::Judgement& judgement = attempt.measurements.at(0).judgement;
  EXPECT_EQ(judgement.verdict, Verdict::kFail);
  EXPECT_EQ(judgement.value, 2);
  EXPECT_THAT(judgement.reason, HasSubstr("mtu: 9000, then 1500"));
  EXPECT_THAT(judgement.reason, HasSubstr("speed: not readable, then 1"));
}
// Catches: one half of a run at an MTU of 9000, the other at 1500.
TEST_F(SteadyState, IsThatOfBeforeWhenARunGoesOn) {
  const auto stop_and_go_on = [&](const char* mtu) {
    for (int reading = 0; reading < 2; ++reading) checks.see(seen({{"mtu", "9000"}, {"boot", "1"}}));
    checks.resume(false);
    return attempt_after({seen({{"mtu", mtu}, {"boot", "2"}}), seen({{"mtu", mtu}, {"boot", "2"}})});
  };
  EXPECT_EQ(stop_and_go_on("9000").status, Status::kPassed);
  run = {}, checks = {};
  const judge::Attempt attempt = stop_and_go_on("1500");
  EXPECT_EQ(attempt.status, Status::kFailed);
  EXPECT_THAT(attempt.measurements.at(0).judgement.reason, HasSubstr("mtu: 9000, then 1500"));
  EXPECT_EQ(attempt.measurements.at(0).judgement.value, 1);
}
// Catches: another machine in the place of a node, put there between a stop and the run that goes on.
TEST_F(SteadyState, IsThatOfTheSameMachineWhenARunGoesOn) {
  const auto status_with = [&](bool emulated, const char* mac) {
    run = {}, checks = {};
    context.emulated = emulated;
    for (int reading = 0; reading < 2; ++reading) checks.see(seen({{"mac", "02:00"}, {"boot", "1"}}));
    checks.resume(emulated);
    return attempt_after({seen({{"mac", mac}, {"boot", "2"}}), seen({{"mac", mac}, {"boot", "2"}})}).status;
  };
  EXPECT_EQ(status_with(false, "02:00"), Status::kPassed);
  EXPECT_EQ(status_with(false, "02:01"), Status::kFailed);
  EXPECT_EQ(status_with(true, "02:01"), Status::kPassed) << "an emulated rig is made anew";
}
class Inventories : public SteadyState {
 protected:
  static record::NodeSeen inventory(const std::map<std::string, std::string>& facts,
                                    const char* node = "node-a") {
    return {"preflight", node, -1, {{"mlx5_0", facts}}};
  }
  // The run has stopped after the first inventory.
  std::vector<judge::JudgedCase> cases_after(const record::NodeSeen& before, const record::NodeSeen& after) {
    run = {}, checks = {};
    for (int reading = 0; reading < 2; ++reading) checks.see(seen({{"mtu", "9000"}}));
    checks.see(before);
    checks.resume(context.emulated);
    for (int reading = 0; reading < 2; ++reading) checks.see(seen({{"mtu", "9000"}}));
    checks.see(after);
    judge(at_most(judge::kStateLimit, "0 count"));
    return run_cases();
  }
};
TEST_F(Inventories, OfOneRunAreOfOneMachine) {
  for (const char* fact : {"serial", "board_serial", "uuid", "permanent_mac", "node_guid"}) {
    const auto cases = cases_after(inventory({{fact, "1"}}), inventory({{fact, "2"}}));
    ASSERT_THAT(cases, SizeIs(1));
    EXPECT_EQ(cases[0].status(), Status::kFailed) << fact;
    EXPECT_THAT(cases[0].attempts.at(0).measurements.at(0).judgement.reason,
                HasSubstr(std::string("mlx5_0 ") + fact + ": 1, then 2"));
  }
  EXPECT_EQ(cases_after(inventory({{"serial", "1"}}), inventory({{"serial", "1"}})).at(0).status(),
            Status::kPassed);
}
TEST_F(Inventories, MayDifferInWhatOneOfThemLacksAndInWhatIsNoIdentity) {
  EXPECT_EQ(cases_after(inventory({{"serial", "1"}}), inventory({})).at(0).status(), Status::kPassed);
  EXPECT_EQ(
      cases_after(inventory({{"temperature", "40 C"}}), inventory({{"temperature", "41 C"}})).at(0).status(),
      Status::kPassed);
  context.emulated = true;
  EXPECT_EQ(cases_after(inventory({{"node_guid", "1"}}), inventory({{"node_guid", "2"}})).at(0).status(),
            Status::kPassed);
}
TEST_F(Inventories, OfASwitchAreACaseWhereItWasExchanged) {
  EXPECT_THAT(cases_after(inventory({{"serial", "1"}}, "switch0"), inventory({{"serial", "1"}}, "switch0")),
              SizeIs(1));
  const auto cases =
      cases_after(inventory({{"serial", "1"}}, "switch0"), inventory({{"serial", "2"}}, "switch0"));
  ASSERT_THAT(cases, SizeIs(2));
  EXPECT_EQ(cases[1].plan.name, "Steady.state/switch0");
  EXPECT_EQ(cases[1].status(), Status::kFailed);
}
TEST_F(SteadyState, LeavesOutWhatNoRankOfTheNodeReported) {
  record::NodeSeen besides = seen({{"memory", "120 GiB"}});
  besides.rank = -1;
  EXPECT_EQ(attempt_after({seen({{"mtu", "9000"}}), besides, seen({{"mtu", "9000"}})}).status,
            Status::kPassed);
}
TEST_F(SteadyState, IsNotProvenByOneReading) {
  const judge::Attempt attempt = attempt_after({seen({})});
  EXPECT_EQ(attempt.failures.at(0).type, "not-proven");
  EXPECT_EQ(attempt.status, Status::kNotProven);
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
  EXPECT_EQ(run_cases()[0].status(), Status::kPassed);
  EXPECT_EQ(run_cases()[1].status(), Status::kNotProven);
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

// What the cards counted around each load. Every load of a run is short: what a broken cable does once in each of them is
// chance in none.
class CardsOverARun : public Checks {
 protected:
  // Another load, in which a card of this node counted so much; nothing: it could not be read.
  void load(const std::string& id, const std::string& node, std::optional<double> value) {
    judge::JudgedSuite& suite = add_suite("tcp", {}, {}, {id});
    suite.cases.change(0, [&](judge::JudgedCase& test) {
      judge::JudgedMeasurement& found = test.attempts[0].measurements[0];
      found.node = node;
      found.detail = "enp1s0f0np0";
      if (value) found.samples = {Dimension::kCount, {*value}};
      found.unread = value ? record::Measured::Unread::kNo : record::Measured::Unread::kNotReadable;
    });
  }
};

TEST_F(CardsOverARun, MayDamageNoMoreThanInOneLoad) {
  for (const double value : {1, 0, 1}) load("load.damaged", "node-b", value);
  for (const double value : {1, 0}) load("load.damaged", "node-a", value);
  judge(at_most("load.damaged", "1 count"));
  ASSERT_THAT(run_names(), ElementsAre("Steady.load_damaged/node_a", "Steady.load_damaged/node_b"));
  EXPECT_EQ(run_cases()[0].status(), Status::kPassed);
  EXPECT_EQ(run_cases()[1].status(), Status::kFailed);
  EXPECT_EQ(run_cases()[1].attempts.at(0).measurements.at(0).judgement.value, 2);
  EXPECT_THAT(run_cases()[1].attempts.at(0).measurements.at(0).judgement.reason,
              HasSubstr("enp1s0f0np0: in 3 loads together"));
}
// Else a run without any such count lacks a figure that an earlier one has.
TEST_F(CardsOverARun, AreACaseThoughTheyCountedNothing) {
  for (const double value : {0, 0}) load("load.damaged", "node-b", value);
  for (const double value : {5, 5}) load("load.pauses", "node-b", value);  // sound rigs count them in each
  judge(at_most("load.damaged", "1 count") + at_most("load.pauses", "5 count"));
  EXPECT_EQ(only_case().plan.name, "Steady.load_damaged/node_b");
  EXPECT_EQ(only_case().status(), Status::kPassed);
}
TEST_F(CardsOverARun, ThatMissedTheirLimitAreRedByThat) {
  for (int i = 0; i < 2; ++i) {
    load("load.damaged", "node-b", 7);
    run.suites.back().cases.change(0, [](judge::JudgedCase& test) {
      test.attempts[0].measurements[0].judgement.verdict = Verdict::kFail;
    });
  }
  judge(at_most("load.damaged", "1 count"));
  EXPECT_THAT(run_names(), IsEmpty());
}
// Errors come to light where they arrive: the other node's cards would pass for this one's.
TEST_F(CardsOverARun, ShowOnEachNodeWhatTheyShowOnAnother) {
  for (const char* node : {"node-a", "node-b"}) load("load.damaged", node, 0);
  load("load.ber", "node-a", 0);
  judge(at_most("load.damaged", "1 count") + at_most("load.ber", "1 count"));
  EXPECT_THAT(run_names(), ElementsAre("Steady.load_ber/node_b"));
  EXPECT_EQ(only_case().status(), Status::kNotProven);
  EXPECT_THAT(only_case().attempts.at(0).failures.at(0).message,
              AllOf(HasSubstr("node-b"), HasSubstr("load.ber"), HasSubstr("node-a")));
}
TEST_F(CardsOverARun, ShowOnEachNodeWithRdmaWhatRdmaShowsOnAnother) {
  for (const char* node : {"node-a", "node-b"}) load("load.damaged", node, 0);
  load("load.retries", "node-a", 0);
  const std::string limits = at_most("load.damaged", "1 count") + at_most("load.retries", "1 count");
  context.subjects = SubjectFinder(rig_of(star_text(2)));
  judge(limits);
  EXPECT_THAT(run_names(), ElementsAre("Steady.load_retries/node_b"));
  EXPECT_EQ(only_case().status(), Status::kNotProven);
  run.suites.pop_back();
  run.start.asked.filter = "A.*";  // none that loads node-b's, perhaps
  judge(limits);
  EXPECT_THAT(run_names(), IsEmpty());
  run.start.asked.filter = "";
  Rig without = rig_of(star_text(2));
  for (Port& port : without.nodes[1].ports)
    for (Half& half : port.halves) half.rdma.reset();
  context.subjects = SubjectFinder(without);
  judge(limits);
  EXPECT_THAT(run_names(), IsEmpty());
}
// A node whose hardware counts nothing is another machine than one that counts; alike they are sound.
TEST_F(CardsOverARun, NeedNotCountWhatNoNodeCounts) {
  const auto nothing_there = [&](const char* node) {
    load("load.ber", node, std::nullopt);
    run.suites.back().cases.change(0, [](judge::JudgedCase& test) {
      test.attempts[0].measurements[0].unread = record::Measured::Unread::kNothingThere;
    });
  };
  for (const char* node : {"node-a", "node-b"}) load("load.damaged", node, 0);
  nothing_there("node-b");
  const std::string limits = at_most("load.damaged", "1 count") + at_most("load.ber", "1 count");
  judge(limits);
  EXPECT_THAT(run_names(), IsEmpty());
  load("load.ber", "node-a", 0);
  judge(limits);
  EXPECT_THAT(run_names(), ElementsAre("Steady.load_ber/node_b"));
  EXPECT_EQ(only_case().status(), Status::kNotProven);
}
TEST_F(CardsOverARun, ThatCouldNotBeReadHaveSaidSoAlready) {
  for (const char* node : {"node-a", "node-b"}) load("load.damaged", node, 0);
  load("load.ber", "node-a", 0);
  load("load.ber", "node-b", std::nullopt);
  judge(at_most("load.damaged", "1 count") + at_most("load.ber", "1 count"));
  EXPECT_THAT(run_names(), IsEmpty());
}

}  // namespace
}  // namespace rigproof
