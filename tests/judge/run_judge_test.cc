// The events of a run in order, and in none.
#include "framework/judge/run_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/judging.h"
#include "tests/support/story.h"

namespace rigproof {
namespace {

using judge::Status;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A run that lost a node in its case A.B and goes on when the node is back. `heard`: the launch after it was.
judge::JudgedRun lost_node(bool heard, const char* type = "exited") {
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {}, {failure(kError, type, "mpirun exited with code 9")}));
  story.broken_off(1, "mpirun exited with code 9").launch(2);
  if (heard) story.plan({"A.B"});
  story.broken_off(2, "mpirun exited with code 255");
  story.add(record::Problem{"node-absent", "no answer from node-b"}).end();
  story.add(record::RunResumed{
      .user = "ann", .host = "head", .command_line = "rigproof run --resume", .programs = {}});
  story.launch(3).plan({"A.B"}).run(ending("A.B", {good()})).done(3).end();
  return story.record();
}
TEST(ALostNode, CostsNoCaseOnceTheRunHasGoneOn) {
  const judge::JudgedRun run = lost_node(false);
  EXPECT_EQ(run.suites.at(0).cases.at(0).status(), Status::kPassed);
  EXPECT_EQ(run.exit_code(), 0);
}
// A rank that ends while its node lives is a fault of its own.
TEST(ALostNode, ExcusesNoErrorAfterWhichALaunchWasHeard) {
  for (const char* type : {"exited", "lost-peer"})
    EXPECT_EQ(lost_node(true, type).suites.at(0).cases.at(0).status(), Status::kError) << type;
}
// The last case of a suite broke, and the next suite was heard from the same nodes before one of them went.
TEST(ALostNode, ExcusesNoErrorOfASuiteBefore) {
  Ending crashed = ending("A.A", {}, {failure(kError, "crash", "signal 11")});
  crashed.suite = "mtu";
  Story story;
  story.add(record::SuiteStarted{"mtu", 1, "mpirun"}).add(record::SuitePlanned{"mtu", {{"A.A", "", {}}}});
  story.add(record::CaseStarted{"mtu", "A.A", 1}).add(crashed);
  story.add(record::SuiteEnded{"mtu", 1, false, "signal 11"});
  story.launch().plan({"A.B"}).run(ending("A.B", {}, {failure(kError, "exited", "code 9")}));
  story.broken_off(1, "code 9").launch(2).broken_off(2, "code 255");
  story.add(record::Problem{"node-absent", "no answer from node-b"}).end();
  const judge::JudgedRun run = story.record();
  EXPECT_FALSE(run.suites.at(0).cases.at(0).attempts.at(0).lost);
  EXPECT_TRUE(run.suites.at(1).cases.at(0).attempts.at(0).lost);
}

// Catches: a count that is kept at the place that its problem had before the resumption took others back.
TEST(Run, CountsInconsistenciesBeyondThoseItListsAlsoOnceItHasGoneOn) {
  Story story;
  story.launch().add(record::Problem{"interrupted", "stopped by SIGTERM"});
  for (int i = 0; i < 1010; ++i) story.add(record::PhaseStarted{"tcp", "A.B", "measure", 5});
  story.end().add(record::RunResumed{"ann", "head", "rigproof run --resume", {}});
  for (int i = 0; i < 5; ++i) story.add(record::PhaseStarted{"tcp", "A.B", "measure", 5});
  const judge::JudgedRun run = story.record();
  ASSERT_EQ(run.problems.size(), 1001u);
  // Each of those behind the resumption is outside a launch, too.
  EXPECT_EQ(run.problems.back().message, "21 more inconsistencies in the journal");
  EXPECT_THAT(problems_of(run), testing::Each(testing::Not(HasSubstr("SIGTERM"))));
}
TEST(Run, LaunchesThatAreNotInOrderAreAProblem) {
  Story story;
  story.launch(2).plan({"A.B"}).run(ending("A.B", {good()})).done(2).end();
  EXPECT_THAT(problems_of(story.record()), ElementsAre("journal: suite tcp: launch 2 follows launch 0"));
}
TEST(Run, ACaseThatNeverStartedIsAnError) {
  Story story;
  story.launch().plan({"A.B", "A.C"}).run(ending("A.B", {good()})).done().end();
  const judge::JudgedCase test = story.record().suites.at(0).cases.at(1);
  EXPECT_EQ(test.status(), Status::kError);
  EXPECT_EQ(test.open_reason(), "planned, but the run ended before it began");
  EXPECT_EQ(story.record().exit_code(), 2);
}

TEST(Run, ACaseThatStoppedWithItsLaunchIsAnErrorWithTheReason) {
  Story story;
  story.launch().plan({"A.B"}).start("A.B").add(record::PhaseStarted{"tcp", "A.B", "measure", 30});
  story.broken_off(1, "node-b: signal 11").end();
  const judge::JudgedCase test = story.record().suites.at(0).cases.at(0);
  ASSERT_NE(test.deciding(), nullptr);
  EXPECT_EQ(test.deciding()->failures.at(0).message, "started but did not end: node-b: signal 11");
  EXPECT_EQ(test.deciding()->failures.at(0).phase, "measure");
  EXPECT_DOUBLE_EQ(test.deciding()->seconds, 2);
  EXPECT_THAT(story.record().problems, IsEmpty());
}

TEST(Run, ACaseThatRunsWhenTheRecordStopsIsAnError) {
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {good()})).start("A.B", 2);
  const judge::JudgedCase test = story.record().suites.at(0).cases.at(0);
  EXPECT_EQ(test.status(), Status::kError);
  EXPECT_EQ(test.deciding(), nullptr);
  EXPECT_THAT(test.open_reason(), HasSubstr("started but did not end"));
}

TEST(Run, ARelaunchFinishesTheOtherCases) {
  Story story;
  story.launch(1)
      .plan({"A.A", "A.B", "A.C"})
      .run(ending("A.A", {good()}))
      .start("A.B")
      .broken_off(1, "crash");
  story.launch(2).plan({"A.C"}).run(ending("A.C", {good()})).done(2).end();
  const judge::JudgedRun run = story.record();
  EXPECT_EQ(run.suites.at(0).cases.size(), 3u);
  EXPECT_EQ(run.suites.at(0).cases.at(1).status(), Status::kError);
  EXPECT_EQ(run.suites.at(0).cases.at(2).status(), Status::kPassed);
  EXPECT_EQ(run.suites.at(0).cases.at(2).attempts.at(0).launch, 2);
  EXPECT_THAT(run.problems, IsEmpty());
}

TEST(Run, TheWorstAttemptDecidesAndAllAreKept) {
  Ending again = ending("A.B", {good()});
  again.iteration = 2;
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {missed()})).run(again).done().end();
  const judge::JudgedCase test = story.record().suites.at(0).cases.at(0);
  EXPECT_EQ(test.attempts.size(), 2u);
  EXPECT_EQ(test.status(), Status::kFailed);
  EXPECT_EQ(test.deciding()->iteration, 1);
}

TEST(Run, ALaunchThatSentNoPlanIsAProblem) {
  Story story;
  story.launch().broken_off(1, "mpirun: no such program").end();
  EXPECT_THAT(problems_of(story.record()),
              ElementsAre("no-plan: suite tcp: launch 1 ended before it sent its list of cases: mpirun: "
                          "no such program"));
}

TEST(Run, ACrashThatNoCaseOwnsIsAProblemEvenIfTheRelaunchIsGreen) {
  Story story;
  story.launch(1).plan({"A.B", "A.C"}).run(ending("A.B", {good()})).broken_off(1, "signal 11");
  story.launch(2).plan({"A.C"}).run(ending("A.C", {good()})).done(2).end();
  EXPECT_THAT(problems_of(story.record()),
              ElementsAre("broken-off: suite tcp: launch 1 broke off outside its cases: signal 11"));
  EXPECT_EQ(story.record().exit_code(), 2);
}

// What was over before the stop is not mended by it; what the stop itself broke off is.
TEST(Run, ACrashThatNoCaseOwnsStaysAProblemWhenTheRunGoesOn) {
  const record::RunResumed resumed{.user = "ann", .host = "head", .command_line = "rigproof", .programs = {}};
  Story story;
  story.add(record::SuiteStarted{"mtu", 1, "mpirun"}).add(record::SuitePlanned{"mtu", {}});
  story.add(record::SuiteEnded{"mtu", 1, false, "signal 11"});
  story.launch(1).plan({"A.B", "A.C"}).run(ending("A.B", {good()})).broken_off(1, "signal 9");
  story.launch(2).plan({"A.C"}).broken_off(2, "the run was stopped");
  story.add(record::Problem{"interrupted", "stopped by SIGINT"}).end().add(resumed);
  story.launch(3).plan({"A.C"}).run(ending("A.C", {good()})).done(3).end();
  EXPECT_THAT(problems_of(story.record()),
              ElementsAre("broken-off: suite mtu: launch 1 broke off outside its cases: signal 11",
                          "broken-off: suite tcp: launch 1 broke off outside its cases: signal 9"));
}

// Catches: another verdict than without the stop, of a case that nobody could measure undisturbed.
TEST(Run, ACaseWhoseAttemptsAreAllVoidIsNotProvenThoughAStopCutOneShort) {
  const Ending disturbed = ending(
      "A.B", {missed()}, {failure(record::Failure::Kind::kSkip, std::string(judge::kDisturbed), "busy")});
  for (const bool stopped : {false, true}) {
    Story story;
    story.launch(1).plan({"A.B"}).run(disturbed).done(1);
    if (stopped)
      story.launch(2).plan({"A.B"}).start("A.B").add(record::RunResumed{
          .user = "ann", .host = "head", .command_line = "rigproof run --resume", .programs = {}});
    const int last = stopped ? 3 : 2;
    story.launch(last).plan({"A.B"}).run(disturbed).done(last).end();
    const judge::JudgedRun run = story.record();
    EXPECT_EQ(run.suites.at(0).cases.at(0).status(), Status::kNotProven) << stopped;
    EXPECT_EQ(run.exit_code(), 3) << stopped;
  }
}

TEST(Run, ASuiteThatDidNotFinishIsAnError) {
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {good()}));
  story.run(ending("A.C", {}, {failure(kError, "crash", "x")})).broken_off(1, "x").end();
  EXPECT_EQ(story.record().exit_code(), 2);
}

TEST(Run, CompleteWithoutTheSuitesEndIsAProblem) {
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {good()})).add(record::SuiteEnded{"tcp", 1, true, ""}).end();
  EXPECT_THAT(problems_of(story.record()), ElementsAre(HasSubstr("suite_done is missing")));
}

TEST(Run, TheEndOfAnotherLaunchIsAProblem) {
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {good()})).done(2).end();
  EXPECT_THAT(problems_of(story.record()),
              ElementsAre("journal: suite tcp: launch 2 ended, but launch 1 was running"));
}

// Catches: a case that owes nothing any more, because the plan has lost its list of tests.
TEST(Run, ACaseOfATestThatThePlanDoesNotHaveIsAProblem) {
  Story story;
  story.launch()
      .add(record::SuitePlanned{"tcp", {{.name = "A.B", .subject = "", .test = 0}}})
      .run(ending("A.B", {good()}))
      .done()
      .end();
  EXPECT_THAT(problems_of(story.record()),
              ElementsAre("journal: suite tcp: case A.B names test 0, which is not in its plan"));
  EXPECT_EQ(story.record().exit_code(), 2);
}

TEST(Run, WhatDoesNotAddUpIsAProblemAndNotLost) {
  Story story;
  story.launch().plan({"A.B"}).add(ending("A.X", {missed()})).run(ending("A.B", {good()})).done().end();
  const judge::JudgedRun run = story.record();
  EXPECT_THAT(problems_of(run), ElementsAre(HasSubstr("A.X ended, but it was not planned"),
                                            HasSubstr("A.X ended, but it was not running")));
  EXPECT_EQ(run.suites.at(0).cases.at(1).status(), Status::kFailed);
}

TEST(Run, AThousandThingsThatDoNotAddUpDoNotDrownTheReport) {
  Story story;
  for (int line = 0; line < 1500; ++line) story.add(record::SuiteDone{"tcp"});
  const judge::JudgedRun run = story.end().record();
  EXPECT_EQ(run.problems.size(), 1001u);
  EXPECT_EQ(run.problems.back().message, "500 more inconsistencies in the journal");
  EXPECT_EQ(run.exit_code(), 2);
}

TEST(Run, EventsInAnyOrderNeverThrow) {
  const std::vector<record::Event> events =
      Story().launch().plan({"A.B"}).run(ending("A.B", {good()})).done().end().events();
  judge::RunJudge judge;
  for (auto event = events.rbegin(); event != events.rend(); ++event) judge.add(*event);
  EXPECT_EQ(judge.run().exit_code(), 2);
}

TEST(Run, TimeIsCountedFromLaunchToEnd) {
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {good()})).done().end();
  EXPECT_DOUBLE_EQ(story.record().suites.at(0).seconds, 5);
  EXPECT_EQ(story.record().suites.at(0).started, "2026-11-20T18:15:01.000Z");
}

// Catches: a killed run that measured for longer than it took.
TEST(Run, TimeOfASuiteThatDidNotEndIsCountedToTheLastEvent) {
  Story story;
  story.launch().plan({"A.B", "A.C"}).run(ending("A.B", {good()}));
  EXPECT_DOUBLE_EQ(story.record().suites.at(0).seconds, 3);
  story.add(record::RunResumed{}).launch(2).plan({"A.C"});
  EXPECT_DOUBLE_EQ(story.record().suites.at(0).seconds, 4);
}

TEST(Run, FactsOfNodesAreKept) {
  Story story;
  story.add(record::NodeSeen{"tcp", "node-a", 0, {{"", {{"kernel", "6.1"}}}}})
      .add(record::NodeSeen{"phy", "node-a", 0, {{"", {{"os", "Debian"}}}}});
  EXPECT_EQ(story.record().nodes.at("node-a").at("").size(), 2u);
}

TEST(Run, IsJudgedWhileItGoesOnAsAfterwards) {
  Story story;
  story.launch()
      .plan({"A.B", "A.C"})
      .run(ending("A.B", {good()}))
      .run(ending("A.C", {missed()}))
      .done()
      .end();
  judge::RunJudge judge(story.case_judge());
  EXPECT_EQ(judge.last_attempt(), nullptr);
  std::size_t ended = 0;
  for (const record::Event& event : story.events()) {
    judge.add(event);
    if (!std::holds_alternative<record::CaseEnded>(event.body)) continue;
    ASSERT_NE(judge.last_attempt(), nullptr);
    EXPECT_EQ(judge.last_attempt()->status, ended++ == 0 ? Status::kPassed : Status::kFailed);
    EXPECT_EQ(judge.last_attempt()->launch, 1);
  }
  EXPECT_EQ(ended, 2u);
  EXPECT_EQ(judge.run().exit_code(), story.record().exit_code());
}

// --- with the judge's own verdicts, from the raw events ---

constexpr const char* kPorts = "EachPort/Rate.Fills/";

std::string at_least(const std::string& id, const std::string& bound) {
  return "[[limit]]\nid = \"" + id + "\"\nat_least = \"" + bound +
         "\"\nbasis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";
}

record::EventBody raw_end(std::string name, std::vector<record::Measured> measured, record::JobNumber job = 0,
                          double disturbed = 0) {
  return record::CaseEnded{.suite = "tcp",
                           .name = std::move(name),
                           .iteration = 1,
                           .seconds = 1,
                           .measuring_s = 1,
                           .measured = std::move(measured),
                           .failures = {},
                           .disturbed = disturbed,
                           .job = job};
}

judge::JudgedRun judged_raw(const Story& story) {
  judge::RunJudge judge;
  for (const record::Event& event : story.events()) judge.add(event);
  return std::move(judge).take();
}

// A run of one case that owes tcp.rate, by its events alone.
class FromRaw : public testing::Test {
 protected:
  judge::JudgedRun judged(std::vector<record::Measured> measured, const std::string& limits,
                          double disturbed = 0, const std::string& rig_kind = "model") {
    Story story(limits);
    story.begun().rig_kind = rig_kind;
    const std::string name = kPorts + std::string("node_a_port0");
    record::SuitePlanned plan{"tcp",
                              {{name, "node-a:port0", {SubjectPlace::Kind::kPort, "port0", {"node-a"}}, 0}},
                              {{"Rate.Fills", {"tcp.rate"}, {}}}};
    story.launch().add(plan).start(name);
    story.add(raw_end(name, std::move(measured), 0, disturbed));
    story.done().end();
    return judged_raw(story);
  }
  static record::Measured rate(double value, std::string id = "tcp.rate") {
    return {.id = std::move(id), .node = "node-a", .detail = {}, .samples = {Dimension::kDataRate, {value}}};
  }
  static Status status(const judge::JudgedRun& run) { return run.suites.at(0).cases.at(0).status(); }

  const std::string limits = at_least("tcp.rate", "0.9 Gbit/s");
};

TEST_F(FromRaw, AMetLimitQualifies) {
  EXPECT_EQ(judged({rate(1e9)}, limits).exit_code(), 0);
  EXPECT_EQ(judged({rate(0.5e9)}, limits).exit_code(), 1);
}

TEST_F(FromRaw, AnOwedMeasurementThatNeverCameIsNotProven) {
  const judge::JudgedRun run = judged({rate(1e9, "tcp.other")}, limits + at_least("tcp.other", "1 Mbit/s"));
  EXPECT_EQ(status(run), Status::kNotProven);
  EXPECT_EQ(run.exit_code(), 3);
}

TEST_F(FromRaw, OnlyAnEmulatedRigIsVoidForADisturbedMachine) {
  EXPECT_EQ(status(judged({rate(0.5e9)}, limits, 0.5)), Status::kNotProven);
  EXPECT_EQ(judged({rate(0.5e9)}, limits, 0.5, "hardware").exit_code(), 1);
}

// Catches: what a case of one pair owes, taken from the plan of another pair's job, whose tests are other ones.
TEST_F(FromRaw, ACaseOfEachJobOwesWhatTheTestInItsOwnPlanDoes) {
  Story story(limits);
  for (const auto& [job, name, owed] : {std::tuple(1, "A.a", "tcp.rate"), std::tuple(2, "B.b", "tcp.other")})
    story.add(record::SuiteStarted{"tcp", 1, "mpirun", job, 2, {"node-a", "node-b"}})
        .add(record::SuitePlanned{"tcp", {{name, "", {}, 0}}, {{name, {owed}, {}}}, {}, job});
  story.end();
  const judge::JudgedRun run = judged_raw(story);
  const judge::JudgedSuite& suite = run.suites.at(0);
  const judge::JudgedCase of_second = suite.cases.at(1);
  ASSERT_NE(suite.test_of(of_second.plan), nullptr);
  EXPECT_THAT(suite.test_of(of_second.plan)->owes, ElementsAre("tcp.other"));
}

// Of a relaunch, whose plan has the other cases only, and its own list of tests.
TEST_F(FromRaw, ARelaunchedCaseOwesWhatItsOwnTestDoes) {
  Story story(limits);
  const auto run_case = [&](const char* name, const char* id) {
    story.start(name).add(raw_end(name, {rate(1e9, id)}));
  };
  story.launch(1).add(record::SuitePlanned{
      "tcp", {{"A.a", "", {}, 0}, {"B.b", "", {}, 1}}, {{"A.a", {}, {}}, {"B.b", {"tcp.rate"}, {}}}});
  story.start("A.a").broken_off(1, "signal 11");
  story.launch(2).add(record::SuitePlanned{"tcp", {{"B.b", "", {}, 0}}, {{"B.b", {"tcp.rate"}, {}}}});
  run_case("B.b", "tcp.rate");
  story.done(2).end();
  const judge::JudgedRun run = judged_raw(story);
  EXPECT_EQ(run.suites.at(0).cases.at(1).status(), Status::kPassed);
  EXPECT_EQ(run.suites.at(0).tests.size(), 2u);
  EXPECT_THAT(run.problems, IsEmpty());
}

// The nodes of one case have what those of the other lack.
TEST_F(FromRaw, CasesOfOneTestOweWhatEachIsPlannedTo) {
  Story story(limits + at_least("tcp.other", "1 Mbit/s"));
  story.launch().add(
      record::SuitePlanned{"tcp",
                           {{"A.a/x", "", {}, 0}, {"A.a/y", "", {}, 1}},
                           {{"A.a", {"tcp.rate", "tcp.other"}, {}}, {"A.a", {"tcp.rate"}, {}}}});
  for (const char* name : {"A.a/x", "A.a/y"}) story.start(name).add(raw_end(name, {rate(1e9)}));
  story.done().end();
  const judge::JudgedRun run = judged_raw(story);
  EXPECT_EQ(run.suites.at(0).cases.at(0).status(), Status::kNotProven);
  EXPECT_EQ(run.suites.at(0).cases.at(1).status(), Status::kPassed);
}

// Broken off runs are not judged as a whole: what is missing is no fault of a limit.
TEST_F(FromRaw, ARunThatBrokeOffOwesNothingMore) {
  Story story(limits + at_least("rdma.rate", "1 Gbit/s"));
  story.add(record::Problem{"interrupted", "stopped by SIGINT"}).end();
  const judge::JudgedRun run = judged_raw(story);
  EXPECT_THAT(problems_of(run), ElementsAre("interrupted: stopped by SIGINT"));
  EXPECT_THAT(run.suites, IsEmpty());
}

// Two pairs at once by their events alone: the first measures what is given, and again, alone, a rate that is met.
class PairsFromRaw : public FromRaw {
 protected:
  Status status_after(const record::Measured& beside) {
    Story story(limits +
                "[[limit]]\nid = \"tcp.differs\"\nat_most = \"0 count\"\nbasis = { kind = \"policy\", "
                "source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n");
    const auto end = [&](int job, const char* name, const record::Measured& measured) {
      story.add(raw_end(name, {measured}, job));
    };
    const auto launch = [&](int job, const char* name, int number) {
      story.add(record::SuiteStarted{"tcp", number, "mpirun", job, 2, {name}});
      story.add(record::SuitePlanned{"tcp", {{name, "", {}}}, {}, {}, job});
      story.add(record::CaseStarted{"tcp", name, 1, job});
    };
    const auto over = [&](int job, int number) {
      story.add(record::SuiteDone{"tcp", job}).add(record::SuiteEnded{"tcp", number, true, "", job});
    };
    launch(1, "A.ab", 1), launch(2, "A.cd", 1);
    end(1, "A.ab", beside), over(1, 1), end(2, "A.cd", rate(1e9)), over(2, 1);
    launch(1, "A.ab", 2), end(1, "A.ab", rate(1e9)), over(1, 2);
    return judged_raw(story).suites.at(0).cases.at(0).status();
  }
};
TEST_F(PairsFromRaw, OnlySlownessIsExcusedByASoundAttemptAlone) {
  EXPECT_EQ(status_after(rate(0.5e9)), Status::kPassed);
  EXPECT_EQ(status_after(rate(0)), Status::kFailed);
  EXPECT_EQ(status_after(
                {.id = "tcp.differs", .node = "node-a", .detail = {}, .samples = {Dimension::kCount, {1}}}),
            Status::kFailed);
}

}  // namespace
}  // namespace rigproof
