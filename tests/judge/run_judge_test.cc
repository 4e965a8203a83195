#include "framework/judge/run_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/story.h"

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const auto kError = record::Failure::Kind::kError;
const auto kFail = record::Failure::Kind::kFail;
const auto kSkip = record::Failure::Kind::kSkip;

judge::Status status_of(const Ending& ended, const std::string& thresholds = kNoLimits) {
  return run_of({ended}, thresholds).suites.at(0).cases.at(0).status();
}

std::vector<std::string> problems_of(const judge::JudgedRun& run) {
  std::vector<std::string> list;
  for (const record::Problem& problem : run.problems) list.push_back(problem.type + ": " + problem.message);
  return list;
}

TEST(AttemptStatus, IsTheWorstOfWhatHappened) {
  EXPECT_EQ(status_of(ending("A.B", {good()})), judge::Status::kPassed);
  EXPECT_EQ(status_of(ending("A.B", {judged("m", judge::Verdict::kMarginal, 1e9, 0.001)})),
            judge::Status::kPassed);
  EXPECT_EQ(status_of(ending("A.B", {recorded("m")})), judge::Status::kRecorded);
  EXPECT_EQ(status_of(ending("A.B", {recorded("m"), good()})), judge::Status::kPassed);
  EXPECT_EQ(status_of(ending("A.B", {good(), missed()})), judge::Status::kFailed);
  EXPECT_EQ(status_of(ending("A.B", {good()}, {failure(kFail, "assertion", "x")})), judge::Status::kFailed);
  EXPECT_EQ(status_of(ending("A.B", {}, {failure(kSkip, "not-proven", "x")})), judge::Status::kNotProven);
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {failure(kSkip, "not-proven", "x")})),
            judge::Status::kFailed);
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {failure(kError, "crash", "x")})), judge::Status::kError);
  EXPECT_EQ(status_of(ending("A.B", {judged("m", judge::Verdict::kError, 0, 0)})), judge::Status::kError);
}

TEST(AttemptStatus, OfAVoidMissIsNotProven) {
  const record::Failure disturbed = failure(kSkip, std::string(judge::kDisturbed), "busy");
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {disturbed})), judge::Status::kNotProven);
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {disturbed, failure(kError, "crash", "x")})),
            judge::Status::kError);
}

TEST(CaseStatus, LeavesOutVoidAttemptsWhenThereAreOthers) {
  const Ending lost = ending("A.B", {missed()}, {failure(kSkip, std::string(judge::kDisturbed), "busy")});
  const auto case_of = [](const std::vector<Ending>& attempts) {
    return run_of(attempts).suites.at(0).cases.at(0);
  };
  EXPECT_EQ(case_of({lost, ending("A.B", {good()})}).status(), judge::Status::kPassed);
  EXPECT_EQ(case_of({lost, ending("A.B", {missed()})}).status(), judge::Status::kFailed);
  EXPECT_EQ(case_of({lost, lost}).status(), judge::Status::kNotProven);
}

// A run that lost a node in its case A.B and goes on when the node is back. `heard`: the launch after it was.
judge::JudgedRun lost_node(bool heard) {
  Story story;
  story.launch().plan({"A.B"}).run(
      ending("A.B", {}, {failure(kError, "exited", "mpirun exited with code 9")}));
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
  EXPECT_EQ(run.suites.at(0).cases.at(0).status(), judge::Status::kPassed);
  EXPECT_EQ(run.exit_code(), 0);
}
// A rank that ends while its node lives is a fault of its own.
TEST(ALostNode, ExcusesNoErrorAfterWhichALaunchWasHeard) {
  EXPECT_EQ(lost_node(true).suites.at(0).cases.at(0).status(), judge::Status::kError);
}

std::string waiver(const std::string& what, const std::string& expires = "2026-11-20") {
  return R"([[limit]]
id = "tcp.rate.half"
enforce = "informative"
unit = "bit/s"
[[limit]]
id = "tcp.rtt"
enforce = "informative"
unit = "us"
[[waiver]]
)" + what +
         "\nreason = \"old cable\"\nowner = \"Ann\"\nexpires = \"" + expires + "\"\n";
}

TEST(Waivers, CoverAMissedLimitUntilTheirDay) {
  const Ending ended = ending("A.B", {missed()});
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"")), judge::Status::kWaived);
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"", "2026-11-19")), judge::Status::kFailed);
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rtt\"")), judge::Status::kFailed);
  EXPECT_EQ(status_of(ended, waiver("case = \"tcp.A.B\"")), judge::Status::kWaived);
}

TEST(Waivers, CoverACaseNotProvenByItsName) {
  const Ending ended = ending("A.B", {}, {failure(kSkip, "not-proven", "x")});
  EXPECT_EQ(status_of(ended, waiver("case = \"tcp.A.B\"")), judge::Status::kWaived);
  EXPECT_EQ(status_of(ended, waiver("case = \"tcp.A.C\"")), judge::Status::kNotProven);
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"")), judge::Status::kNotProven);
}

TEST(Waivers, MustCoverEveryReason) {
  EXPECT_EQ(status_of(ending("A.B", {missed(), missed("tcp.rtt")}), waiver("limit = \"tcp.rtt\"")),
            judge::Status::kFailed);
  EXPECT_EQ(
      status_of(ending("A.B", {missed()}, {failure(kFail, "assertion", "x")}), waiver("case = \"tcp.A.B\"")),
      judge::Status::kFailed);
}

TEST(Waivers, NeverCoverAnError) {
  EXPECT_EQ(status_of(ending("A.B", {}, {failure(kError, "crash", "x")}), waiver("case = \"tcp.A.B\"")),
            judge::Status::kError);
}

TEST(Waivers, SayWhoTookTheResponsibility) {
  const judge::JudgedRun run = run_of({ending("A.B", {missed()})}, waiver("case = \"tcp.A.B\""));
  EXPECT_EQ(run.suites.at(0).cases.at(0).waiver, "waived until 2026-11-20 by Ann: old cable");
}

TEST(Waivers, OfHalfAYearAndMoreWaiveNothing) {
  const Ending ended = ending("A.B", {missed()});  // on 2026-11-20
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"", "2027-05-19")), judge::Status::kWaived);
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"", "2027-05-20")), judge::Status::kFailed);
}

// A part is no whole: whatever passed of it, it qualifies no rig.
class Parts : public testing::Test {
 protected:
  Parts() {
    story.begun().declared["mtu"] = {{"mtu.path", "B", ""}};
    story.begun().planned = {"tcp"};
  }
  judge::JudgedRun run(int iterations = 1) {
    Story told = story;
    told.launch().plan({"A.B"});
    for (int iteration = 1; iteration <= iterations; ++iteration) {
      Ending ended = ending("A.B", {good()});
      ended.iteration = iteration;
      told.run(ended);
    }
    return told.done().end().record();
  }
  record::Asked& asked() { return story.begun().asked; }
  Story story;
};

TEST_F(Parts, NoneOfARunThatLeavesNothingOut) {
  EXPECT_EQ(run().verdict(), "QUALIFIED");
  EXPECT_THAT(run().parts(), IsEmpty());
}
TEST_F(Parts, OneSuiteOfTwoInstalled) {
  asked().suites = {"tcp"};
  EXPECT_EQ(run().verdict(), "PARTIAL");
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_THAT(run().parts(), ElementsAre("only suite tcp"));
}
TEST_F(Parts, EverySuiteByNameIsAWhole) {
  asked().suites = {"mtu", "tcp"};
  story.begun().declared.erase("mtu");
  EXPECT_EQ(run().verdict(), "NOT PROVEN");  // it was asked for and has no case
  asked().suites = {"tcp"};
  EXPECT_EQ(Parts::run().parts(), std::vector<std::string>());
}
TEST_F(Parts, ASuiteThatIsNotInstalledIsLeftOutWhereALimitIsOfIt) {
  Story other(
      "[[limit]]\nid = \"rdma.retries\"\nat_most = \"0 count\"\nremedy = \"r\"\n"
      "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\n");
  other.begun().asked.suites = {"tcp"};
  story = other;
  EXPECT_THAT(run().parts(), ElementsAre("only suite tcp"));
}
TEST_F(Parts, AFilter) {
  asked().filter = "A.*";
  EXPECT_EQ(run().verdict(), "PARTIAL");
  EXPECT_THAT(run().parts(), ElementsAre("only cases that match A.*"));
}
TEST_F(Parts, ASnapshot) {
  asked().snapshot = "facts";
  EXPECT_EQ(run().verdict(), "PARTIAL");
}
TEST_F(Parts, APlannedSuiteThatNeverSentItsCases) {
  story.begun().planned = {"mtu", "tcp"};
  EXPECT_EQ(run().verdict(), "PARTIAL");
  EXPECT_THAT(run().parts(), ElementsAre("without suite mtu, which was planned"));
}
TEST_F(Parts, FewerIterationsThanAskedFor) {
  asked().repeat = 3;
  EXPECT_EQ(run(2).verdict(), "PARTIAL");
}
TEST_F(Parts, AsManyIterationsAsAskedForAreAWhole) {
  asked().repeat = 3;
  EXPECT_EQ(run(3).verdict(), "QUALIFIED");
}
TEST_F(Parts, WhatFailedStaysAFailure) {
  asked().suites = {"tcp"};
  story.launch().plan({"A.B"}).run(ending("A.B", {missed()}));
  EXPECT_EQ(story.done().end().record().verdict(), "NOT QUALIFIED");
}

TEST(Limits, ThatCannotBeReadAreAProblem) {
  const judge::JudgedRun run = run_of({ending("A.B", {good()})}, "[[waiver]]\n");
  EXPECT_THAT(problems_of(run), ElementsAre(HasSubstr("thresholds: thresholds/model-rig.toml:1")));
  EXPECT_EQ(run.exit_code(), 2);
}

TEST(ExitCode, IsZeroOnlyWhenAllWasProven) {
  EXPECT_EQ(run_of({ending("A.B", {good()})}).exit_code(), 0);
  EXPECT_EQ(run_of({ending("A.B", {good()}), ending("A.C", {missed()})}).exit_code(), 1);
  EXPECT_EQ(
      run_of({ending("A.B", {good()}), ending("A.C", {}, {failure(kSkip, "not-proven", "x")})}).exit_code(),
      3);
}

TEST(ExitCode, PutsErrorBeforeFailureBeforeNotProven) {
  const Ending passed = ending("A.A", {good()}), failed = ending("A.B", {missed()});
  const Ending skipped = ending("A.C", {}, {failure(kSkip, "not-proven", "x")});
  const Ending error = ending("A.D", {}, {failure(kError, "crash", "x")});
  EXPECT_EQ(run_of({passed, failed, skipped}).exit_code(), 1);
  EXPECT_EQ(run_of({passed, failed, skipped, error}).exit_code(), 2);
}

TEST(ExitCode, IsNeverZeroWhenNothingPassed) {
  EXPECT_EQ(run_of({}).exit_code(), 3);
  EXPECT_EQ(run_of({ending("A.B", {recorded("m")})}).exit_code(), 3);
  EXPECT_EQ(run_of({ending("A.B", {recorded("m")}), ending("A.C", {good()})}).exit_code(), 0);
  EXPECT_EQ(run_of({ending("A.B", {missed()})}, waiver("case = \"tcp.A.B\"")).exit_code(), 3);
  EXPECT_EQ(Story().end().record().exit_code(), 3);
}

TEST(ExitCode, IsAnErrorForARunThatHasNotEnded) {
  Story story;
  EXPECT_EQ(story.record().exit_code(), 2);
  story.launch().plan({"A.B"}).run(ending("A.B", {good()})).done();
  EXPECT_EQ(story.record().exit_code(), 2);
  EXPECT_EQ(story.end().record().exit_code(), 0);
}

TEST(ExitCode, IsAnErrorWithAProblem) {
  Story story;
  story.launch()
      .plan({"A.B"})
      .run(ending("A.B", {good()}))
      .done()
      .add(record::Problem{"given-up", "x"})
      .end();
  EXPECT_EQ(story.record().exit_code(), 2);
  EXPECT_EQ(story.record().verdict(), "ERROR");
}

TEST(Run, ACaseThatNeverStartedIsAnError) {
  Story story;
  story.launch().plan({"A.B", "A.C"}).run(ending("A.B", {good()})).done().end();
  const judge::JudgedCase test = story.record().suites.at(0).cases.at(1);
  EXPECT_EQ(test.status(), judge::Status::kError);
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
  EXPECT_EQ(test.status(), judge::Status::kError);
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
  EXPECT_EQ(run.suites.at(0).cases.at(1).status(), judge::Status::kError);
  EXPECT_EQ(run.suites.at(0).cases.at(2).status(), judge::Status::kPassed);
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
  EXPECT_EQ(test.status(), judge::Status::kFailed);
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

TEST(Run, WhatDoesNotAddUpIsAProblemAndNotLost) {
  Story story;
  story.launch().plan({"A.B"}).add(ending("A.X", {missed()})).run(ending("A.B", {good()})).done().end();
  const judge::JudgedRun run = story.record();
  EXPECT_THAT(problems_of(run), ElementsAre(HasSubstr("A.X ended, but it was not planned"),
                                            HasSubstr("A.X ended, but it was not running")));
  EXPECT_EQ(run.suites.at(0).cases.at(1).status(), judge::Status::kFailed);
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
    EXPECT_EQ(judge.last_attempt()->status, ended++ == 0 ? judge::Status::kPassed : judge::Status::kFailed);
    EXPECT_EQ(judge.last_attempt()->launch, 1);
  }
  EXPECT_EQ(ended, 2u);
  EXPECT_EQ(judge.run().exit_code(), story.record().exit_code());
}

// --- with the judge's own verdicts, from the raw events ---

constexpr const char* kPorts = "EachPort/Rate.Fills/";

std::string at_least(const std::string& id, const std::string& bound) {
  return "[[limit]]\nid = \"" + id + "\"\nat_least = \"" + bound +
         "\"\nbasis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy = \"r\"\n";
}

// A run of one case that owes tcp.rate, by its events alone.
class FromRaw : public testing::Test {
 protected:
  judge::JudgedRun judged(std::vector<record::Measured> measured, const std::string& limits,
                          double disturbed = 0, const std::string& rig_kind = "model") {
    Story story(limits);
    const std::string name = kPorts + std::string("node_a_port0");
    record::SuitePlanned plan{"tcp",
                              {{name, "node-a:port0", {SubjectPlace::Kind::kPort, "port0", {"node-a"}}, 0}},
                              {{"Rate.Fills", {"tcp.rate"}, {}}}};
    story.launch().add(plan).start(name);
    story.add(record::EventBody(record::CaseEnded{.suite = "tcp",
                                                  .name = name,
                                                  .iteration = 1,
                                                  .seconds = 1,
                                                  .measuring_s = 1,
                                                  .measured = std::move(measured),
                                                  .failures = {},
                                                  .disturbed = disturbed}));
    story.done().end();
    judge::RunJudge judge;
    for (record::Event event : story.events()) {
      if (auto* start = std::get_if<record::RunStarted>(&event.body)) start->rig_kind = rig_kind;
      judge.add(event);
    }
    return std::move(judge).take();
  }
  static record::Measured rate(double value, std::string id = "tcp.rate") {
    return {.id = std::move(id), .node = "node-a", .detail = {}, .samples = {Dimension::kDataRate, {value}}};
  }
  static judge::Status status(const judge::JudgedRun& run) { return run.suites.at(0).cases.at(0).status(); }

  const std::string limits = at_least("tcp.rate", "0.9 Gbit/s");
};

TEST_F(FromRaw, AMetLimitQualifies) {
  EXPECT_EQ(judged({rate(1e9)}, limits).exit_code(), 0);
  EXPECT_EQ(judged({rate(0.5e9)}, limits).exit_code(), 1);
}

TEST_F(FromRaw, AnOwedMeasurementThatNeverCameIsNotProven) {
  const judge::JudgedRun run = judged({rate(1e9, "tcp.other")}, limits + at_least("tcp.other", "1 Mbit/s"));
  EXPECT_EQ(status(run), judge::Status::kNotProven);
  EXPECT_EQ(run.exit_code(), 3);
}

TEST_F(FromRaw, OnlyAnEmulatedRigIsVoidForADisturbedMachine) {
  EXPECT_EQ(status(judged({rate(0.5e9)}, limits, 0.5)), judge::Status::kNotProven);
  EXPECT_EQ(judged({rate(0.5e9)}, limits, 0.5, "hardware").exit_code(), 1);
}

// Of a relaunch, whose plan has the other cases only, and its own list of tests.
TEST_F(FromRaw, ARelaunchedCaseOwesWhatItsOwnTestDoes) {
  Story story(limits);
  const auto run_case = [&](const char* name, const char* id) {
    story.start(name).add(record::EventBody(record::CaseEnded{.suite = "tcp",
                                                              .name = name,
                                                              .iteration = 1,
                                                              .seconds = 1,
                                                              .measuring_s = 1,
                                                              .measured = {rate(1e9, id)},
                                                              .failures = {}}));
  };
  story.launch(1).add(record::SuitePlanned{
      "tcp", {{"A.a", "", {}, 0}, {"B.b", "", {}, 1}}, {{"A.a", {}, {}}, {"B.b", {"tcp.rate"}, {}}}});
  story.start("A.a").broken_off(1, "signal 11");
  story.launch(2).add(record::SuitePlanned{"tcp", {{"B.b", "", {}, 0}}, {{"B.b", {"tcp.rate"}, {}}}});
  run_case("B.b", "tcp.rate");
  story.done(2).end();
  judge::RunJudge judge;
  for (const record::Event& event : story.events()) judge.add(event);
  EXPECT_EQ(judge.run().suites.at(0).cases.at(1).status(), judge::Status::kPassed);
  EXPECT_EQ(judge.run().suites.at(0).tests.size(), 2u);
  EXPECT_THAT(judge.run().problems, IsEmpty());
}

// The nodes of one case have what those of the other lack.
TEST_F(FromRaw, CasesOfOneTestOweWhatEachIsPlannedTo) {
  Story story(limits + at_least("tcp.other", "1 Mbit/s"));
  story.launch().add(
      record::SuitePlanned{"tcp",
                           {{"A.a/x", "", {}, 0}, {"A.a/y", "", {}, 1}},
                           {{"A.a", {"tcp.rate", "tcp.other"}, {}}, {"A.a", {"tcp.rate"}, {}}}});
  for (const char* name : {"A.a/x", "A.a/y"})
    story.start(name).add(record::EventBody(record::CaseEnded{.suite = "tcp",
                                                              .name = name,
                                                              .iteration = 1,
                                                              .seconds = 1,
                                                              .measuring_s = 1,
                                                              .measured = {rate(1e9)},
                                                              .failures = {}}));
  story.done().end();
  judge::RunJudge judge;
  for (const record::Event& event : story.events()) judge.add(event);
  EXPECT_EQ(judge.run().suites.at(0).cases.at(0).status(), judge::Status::kNotProven);
  EXPECT_EQ(judge.run().suites.at(0).cases.at(1).status(), judge::Status::kPassed);
}

// Broken off runs are not judged as a whole: what is missing is no fault of a limit.
TEST_F(FromRaw, ARunThatBrokeOffOwesNothingMore) {
  Story story(limits + at_least("rdma.rate", "1 Gbit/s"));
  story.add(record::Problem{"interrupted", "stopped by SIGINT"}).end();
  judge::RunJudge judge;
  for (const record::Event& event : story.events()) judge.add(event);
  EXPECT_THAT(problems_of(judge.run()), ElementsAre("interrupted: stopped by SIGINT"));
  EXPECT_THAT(judge.run().suites, IsEmpty());
}

// Two pairs at once by their events alone: the first measures what is given, and again, alone, a rate that is met.
class PairsFromRaw : public FromRaw {
 protected:
  judge::Status status_after(const record::Measured& beside) {
    Story story(limits +
                "[[limit]]\nid = \"tcp.differs\"\nat_most = \"0 count\"\nbasis = { kind = \"policy\", "
                "source = \"s\", quote = \"q\" }\nremedy = \"r\"\n");
    const auto end = [&](int job, const char* name, const record::Measured& measured) {
      story.add(record::EventBody(record::CaseEnded{.suite = "tcp",
                                                    .name = name,
                                                    .iteration = 1,
                                                    .seconds = 1,
                                                    .measuring_s = 1,
                                                    .measured = {measured},
                                                    .failures = {},
                                                    .job = job}));
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
    judge::RunJudge judge;
    for (const record::Event& event : story.events()) judge.add(event);
    return judge.run().suites.at(0).cases.at(0).status();
  }
};
TEST_F(PairsFromRaw, OnlySlownessIsExcusedByASoundAttemptAlone) {
  EXPECT_EQ(status_after(rate(0.5e9)), judge::Status::kPassed);
  EXPECT_EQ(status_after(rate(0)), judge::Status::kFailed);
  EXPECT_EQ(status_after(
                {.id = "tcp.differs", .node = "node-a", .detail = {}, .samples = {Dimension::kCount, {1}}}),
            judge::Status::kFailed);
}

// Jobs of a suite at once: each has its own launch, running case and end.
class JobsAtOnce : public testing::Test {
 protected:
  void launch(int job, const char* nodes, int number = 1) {
    story.add(record::SuiteStarted{"tcp", number, "mpirun", job, 3, {"node-a", nodes}});
  }
  void plan(int job, const char* name) {
    story.add(record::SuitePlanned{"tcp", {{name, "", {}}}, {}, {}, job});
  }
  void begin(int job, const char* name) { story.add(record::CaseStarted{"tcp", name, 1, job}); }
  void end(int job, Ending ended) {
    ended.job = job;
    story.add(ended);
  }
  void over(int job, bool complete = true, int number = 1) {
    if (complete) story.add(record::SuiteDone{"tcp", job});
    story.add(record::SuiteEnded{"tcp", number, complete, complete ? "" : "rank 1 died", job});
  }
  void two_jobs_at_once() {
    launch(1, "node-b"), launch(2, "node-c");
    plan(2, "A.ac"), plan(1, "A.ab");
    begin(1, "A.ab"), begin(2, "A.ac");
  }
  Story story;
};

TEST_F(JobsAtOnce, KeepTheirCasesApart) {
  two_jobs_at_once();
  end(2, ending("A.ac", {good()})), end(1, ending("A.ab", {good()}));
  over(1), over(2);
  launch(3, "node-d"), plan(3, "A.ad"), begin(3, "A.ad"), end(3, ending("A.ad", {good()})), over(3);
  const judge::JudgedRun run = story.end().record();
  EXPECT_THAT(problems_of(run), IsEmpty());
  EXPECT_EQ(run.exit_code(), 0);
  EXPECT_TRUE(run.suites.at(0).complete());
  EXPECT_EQ(run.suites.at(0).cases.size(), 3U);
}
TEST_F(JobsAtOnce, OneThatBreaksOffCostsItsOwnCase) {
  two_jobs_at_once();
  over(1, false);
  end(2, ending("A.ac", {good()})), over(2);
  launch(3, "node-d"), plan(3, "A.ad"), begin(3, "A.ad"), end(3, ending("A.ad", {good()})), over(3);
  const judge::JudgedRun run = story.end().record();
  EXPECT_EQ(run.suites.at(0).cases.at(0).plan.name, "A.ac");
  EXPECT_EQ(run.suites.at(0).cases.at(0).status(), judge::Status::kPassed);
  EXPECT_EQ(run.suites.at(0).cases.at(1).status(), judge::Status::kError);
  EXPECT_FALSE(run.suites.at(0).complete());
}
// A supervisor that forgot one would otherwise qualify a rig with fewer pairs than it has.
TEST_F(JobsAtOnce, OneThatNeverRanLeavesTheSuiteIncomplete) {
  two_jobs_at_once();
  end(2, ending("A.ac", {good()})), end(1, ending("A.ab", {good()}));
  over(1), over(2);
  const judge::JudgedRun run = story.end().record();
  EXPECT_FALSE(run.suites.at(0).complete());
  EXPECT_EQ(run.exit_code(), 2);
}
TEST_F(JobsAtOnce, MayNotHaveTheSameCase) {
  launch(1, "node-b"), launch(2, "node-c");
  plan(1, "A.ab"), plan(2, "A.ab");
  EXPECT_THAT(problems_of(story.record()), ElementsAre(HasSubstr("case A.ab planned twice")));
}
// Two pairs at once miss what a pair alone has: the pair is sound, what they share is not.
TEST_F(JobsAtOnce, AMissIsReplacedByASoundAttemptAlone) {
  two_jobs_at_once();
  end(1, ending("A.ab", {missed()})), end(2, ending("A.ac", {good()}));
  over(1), over(2);
  launch(1, "node-b", 2), plan(1, "A.ab"), begin(1, "A.ab"), end(1, ending("A.ab", {good()})),
      over(1, true, 2);
  const judge::JudgedRun run = story.record();
  const judge::JudgedCase test = run.suites.at(0).cases.at(1);
  EXPECT_EQ(test.status(), judge::Status::kPassed);
  ASSERT_EQ(test.attempts.size(), 2U);
  EXPECT_EQ(test.attempts[0].status, judge::Status::kFailed);
  EXPECT_EQ(test.attempts[0].beside, "(node-a, node-c)");
  const judge::JudgedMeasurement& finding = test.attempts[1].measurements.back();
  EXPECT_EQ(finding.judgement.verdict, judge::Verdict::kAdvice);
  EXPECT_THAT(finding.text, HasSubstr("slow beside (node-a, node-c), good alone"));
  EXPECT_THAT(problems_of(run), IsEmpty());
}
TEST_F(JobsAtOnce, AMissThatStaysAloneIsRed) {
  two_jobs_at_once();
  end(1, ending("A.ab", {missed()})), over(1), end(2, ending("A.ac", {good()})), over(2);
  launch(1, "node-b", 2), plan(1, "A.ab"), begin(1, "A.ab"), end(1, ending("A.ab", {missed()})),
      over(1, true, 2);
  const judge::JudgedCase test = story.record().suites.at(0).cases.at(1);
  EXPECT_EQ(test.status(), judge::Status::kFailed);
  EXPECT_EQ(test.deciding(), &test.attempts[1]);
}
TEST_F(JobsAtOnce, AMissThatWasNotMeasuredAloneIsRed) {
  two_jobs_at_once();
  end(1, ending("A.ab", {missed()})), over(1), end(2, ending("A.ac", {good()})), over(2);
  EXPECT_EQ(story.record().suites.at(0).cases.at(1).status(), judge::Status::kFailed);
}
// Wrong data, damage, a path that cuts packets off: a second try that is sound is no proof that the first was not broken.
TEST_F(JobsAtOnce, AMissThatIsNoSlownessDecidesAtOnce) {
  judge::JudgedMeasurement differs = missed("rdma.data_differs");
  differs.samples = {Dimension::kCount, {1}};
  two_jobs_at_once();
  end(1, ending("A.ab", {missed(), differs})), over(1), end(2, ending("A.ac", {good()})), over(2);
  launch(1, "node-b", 2), plan(1, "A.ab"), begin(1, "A.ab"), end(1, ending("A.ab", {good()})),
      over(1, true, 2);
  const judge::JudgedCase test = story.record().suites.at(0).cases.at(1);
  EXPECT_EQ(test.status(), judge::Status::kFailed);
  EXPECT_EQ(test.deciding(), &test.attempts[0]);
  EXPECT_EQ(test.attempts[0].beside, "");
}
TEST_F(JobsAtOnce, AFailureBesideOthersDecidesAtOnce) {
  two_jobs_at_once();
  end(1, ending("A.ab", {missed()}, {failure(kFail, "assertion", "x")})), over(1);
  end(2, ending("A.ac", {good()})), over(2);
  launch(1, "node-b", 2), plan(1, "A.ab"), begin(1, "A.ab"), end(1, ending("A.ab", {good()})),
      over(1, true, 2);
  EXPECT_EQ(story.record().suites.at(0).cases.at(1).status(), judge::Status::kFailed);
}
// A run that was stopped may measure a case beside others once more: that is no measurement alone.
TEST_F(JobsAtOnce, ASoundAttemptBesideOthersReplacesNoMiss) {
  two_jobs_at_once();
  end(1, ending("A.ab", {missed()})), begin(1, "A.ab"), end(1, ending("A.ab", {good()}));
  end(2, ending("A.ac", {good()})), over(1), over(2);
  EXPECT_EQ(story.record().suites.at(0).cases.at(1).status(), judge::Status::kFailed);
}
// A job that ran alone is not excused by a second try: nothing but limits and another pair replace a miss.
TEST_F(JobsAtOnce, AMissAloneIsNotReplaced) {
  launch(1, "node-b"), plan(1, "A.ab"), begin(1, "A.ab"), end(1, ending("A.ab", {missed()})), over(1);
  launch(1, "node-b", 2), plan(1, "A.ab"), begin(1, "A.ab"), end(1, ending("A.ab", {good()})),
      over(1, true, 2);
  EXPECT_EQ(story.record().suites.at(0).cases.at(0).status(), judge::Status::kFailed);
}
TEST_F(JobsAtOnce, CountTheTimeOnce) {
  two_jobs_at_once();  // begins with event 1
  end(2, ending("A.ac", {good()})), end(1, ending("A.ab", {good()}));
  over(1), over(2);  // ends with event 12
  EXPECT_EQ(story.record().suites.at(0).seconds, 11);
}

}  // namespace
}  // namespace rigproof
