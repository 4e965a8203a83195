#include "framework/record/run_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/story.h"

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const auto kError = Failure::Kind::kError;
const auto kFail = Failure::Kind::kFail;
const auto kSkip = Failure::Kind::kSkip;

Status status_of(const CaseEnded& ended, const std::string& thresholds = "") {
  return run_of({ended}, thresholds).suites.at(0).cases.at(0).status();
}

std::vector<std::string> problems_of(const RunRecord& run) {
  std::vector<std::string> list;
  for (const Problem& problem : run.problems) list.push_back(problem.type + ": " + problem.message);
  return list;
}

TEST(AttemptStatus, IsTheWorstOfWhatHappened) {
  EXPECT_EQ(status_of(ending("A.B", {good()})), Status::kPassed);
  EXPECT_EQ(status_of(ending("A.B", {judged("m", Verdict::kMarginal, 1e9, 0.001)})), Status::kPassed);
  EXPECT_EQ(status_of(ending("A.B", {recorded("m")})), Status::kRecorded);
  EXPECT_EQ(status_of(ending("A.B", {recorded("m"), good()})), Status::kPassed);
  EXPECT_EQ(status_of(ending("A.B", {good(), missed()})), Status::kFailed);
  EXPECT_EQ(status_of(ending("A.B", {good()}, {failure(kFail, "assertion", "x")})), Status::kFailed);
  EXPECT_EQ(status_of(ending("A.B", {}, {failure(kSkip, "not-proven", "x")})), Status::kNotProven);
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {failure(kSkip, "not-proven", "x")})), Status::kFailed);
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {failure(kError, "crash", "x")})), Status::kError);
  EXPECT_EQ(status_of(ending("A.B", {judged("m", Verdict::kError, 0, 0)})), Status::kError);
}

TEST(AttemptStatus, OfAVoidMissIsNotProven) {
  const Failure disturbed = failure(kSkip, std::string(kDisturbed), "busy");
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {disturbed})), Status::kNotProven);
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {disturbed, failure(kError, "crash", "x")})), Status::kError);
}

TEST(CaseStatus, LeavesOutVoidAttemptsWhenThereAreOthers) {
  const CaseEnded lost = ending("A.B", {missed()}, {failure(kSkip, std::string(kDisturbed), "busy")});
  const auto case_of = [](const std::vector<CaseEnded>& attempts) {
    return run_of(attempts).suites.at(0).cases.at(0);
  };
  EXPECT_EQ(case_of({lost, ending("A.B", {good()})}).status(), Status::kPassed);
  EXPECT_EQ(case_of({lost, ending("A.B", {missed()})}).status(), Status::kFailed);
  EXPECT_EQ(case_of({lost, lost}).status(), Status::kNotProven);
}

std::string waiver(const std::string& what, const std::string& expires = "2026-11-20") {
  return "[[limit]]\nid = \"tcp.rate.half\"\n[[limit]]\nid = \"tcp.rtt\"\n[[waiver]]\n" + what +
         "\nreason = \"old cable\"\nowner = \"Ann\"\nexpires = \"" + expires + "\"\n";
}

TEST(Waivers, CoverAMissedLimitUntilTheirDay) {
  const CaseEnded ended = ending("A.B", {missed()});
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"")), Status::kWaived);
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"", "2026-11-19")), Status::kFailed);
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rtt\"")), Status::kFailed);
  EXPECT_EQ(status_of(ended, waiver("case = \"tcp.A.*\"")), Status::kWaived);
}

TEST(Waivers, CoverACaseNotProvenByItsName) {
  const CaseEnded ended = ending("A.B", {}, {failure(kSkip, "not-proven", "x")});
  EXPECT_EQ(status_of(ended, waiver("case = \"tcp.A.B\"")), Status::kWaived);
  EXPECT_EQ(status_of(ended, waiver("case = \"tcp.A.C\"")), Status::kNotProven);
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"")), Status::kNotProven);
}

TEST(Waivers, MustCoverEveryReason) {
  EXPECT_EQ(status_of(ending("A.B", {missed(), missed("tcp.rtt")}), waiver("limit = \"tcp.rtt\"")),
            Status::kFailed);
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {failure(kFail, "assertion", "x")}), waiver("case = \"*\"")),
            Status::kFailed);
}

TEST(Waivers, NeverCoverAnError) {
  EXPECT_EQ(status_of(ending("A.B", {}, {failure(kError, "crash", "x")}), waiver("case = \"*\"")),
            Status::kError);
}

TEST(Waivers, SayWhoTookTheResponsibility) {
  const RunRecord run = run_of({ending("A.B", {missed()})}, waiver("case = \"*\""));
  EXPECT_EQ(run.suites.at(0).cases.at(0).waiver, "waived until 2026-11-20 by Ann: old cable");
}

TEST(Waivers, ThatCannotBeReadAreAProblem) {
  const RunRecord run = run_of({ending("A.B", {good()})}, "[[waiver]]\n");
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
  const CaseEnded passed = ending("A.A", {good()}), failed = ending("A.B", {missed()});
  const CaseEnded skipped = ending("A.C", {}, {failure(kSkip, "not-proven", "x")});
  const CaseEnded error = ending("A.D", {}, {failure(kError, "crash", "x")});
  EXPECT_EQ(run_of({passed, failed, skipped}).exit_code(), 1);
  EXPECT_EQ(run_of({passed, failed, skipped, error}).exit_code(), 2);
}

TEST(ExitCode, IsNeverZeroWhenNothingPassed) {
  EXPECT_EQ(run_of({}).exit_code(), 3);
  EXPECT_EQ(run_of({ending("A.B", {recorded("m")})}).exit_code(), 3);
  EXPECT_EQ(run_of({ending("A.B", {recorded("m")}), ending("A.C", {good()})}).exit_code(), 0);
  EXPECT_EQ(run_of({ending("A.B", {missed()})}, waiver("case = \"*\"")).exit_code(), 3);
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
  story.launch().plan({"A.B"}).run(ending("A.B", {good()})).done().add(Problem{"unused-limit", "x"}).end();
  EXPECT_EQ(story.record().exit_code(), 2);
  EXPECT_EQ(story.record().verdict(), "ERROR");
}

TEST(Run, ACaseThatNeverStartedIsAnError) {
  Story story;
  story.launch().plan({"A.B", "A.C"}).run(ending("A.B", {good()})).done().end();
  const CaseRecord test = story.record().suites.at(0).cases.at(1);
  EXPECT_EQ(test.status(), Status::kError);
  EXPECT_EQ(test.open_reason(), "planned, but the run ended before it");
  EXPECT_EQ(story.record().exit_code(), 2);
}

TEST(Run, ACaseThatStoppedWithItsLaunchIsAnErrorWithTheReason) {
  Story story;
  story.launch().plan({"A.B"}).start("A.B").add(PhaseStarted{"tcp", "A.B", "measure", 30});
  story.broken_off(1, "node-b: signal 11").end();
  const CaseRecord test = story.record().suites.at(0).cases.at(0);
  ASSERT_NE(test.deciding(), nullptr);
  EXPECT_EQ(test.deciding()->failures.at(0).message, "started but did not end: node-b: signal 11");
  EXPECT_EQ(test.deciding()->failures.at(0).phase, "measure");
  EXPECT_DOUBLE_EQ(test.deciding()->seconds, 2);
  EXPECT_THAT(story.record().problems, IsEmpty());
}

TEST(Run, ACaseThatRunsWhenTheRecordStopsIsAnError) {
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {good()})).start("A.B", 2);
  const CaseRecord test = story.record().suites.at(0).cases.at(0);
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
  const RunRecord run = story.record();
  EXPECT_EQ(run.suites.at(0).cases.size(), 3u);
  EXPECT_EQ(run.suites.at(0).cases.at(1).status(), Status::kError);
  EXPECT_EQ(run.suites.at(0).cases.at(2).status(), Status::kPassed);
  EXPECT_EQ(run.suites.at(0).cases.at(2).attempts.at(0).launch, 2);
  EXPECT_THAT(run.problems, IsEmpty());
}

TEST(Run, TheWorstAttemptDecidesAndAllAreKept) {
  CaseEnded again = ending("A.B", {good()});
  again.iteration = 2;
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {missed()})).run(again).done().end();
  const CaseRecord test = story.record().suites.at(0).cases.at(0);
  EXPECT_EQ(test.attempts.size(), 2u);
  EXPECT_EQ(test.status(), Status::kFailed);
  EXPECT_EQ(test.deciding()->iteration, 1);
}

TEST(Run, ALaunchThatToldNoPlanIsAProblem) {
  Story story;
  story.launch().broken_off(1, "mpirun: no such program").end();
  EXPECT_THAT(problems_of(story.record()),
              ElementsAre("no-plan: suite tcp: launch 1 ended before it told what it was "
                          "going to run: mpirun: no such program"));
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

TEST(Run, CompleteWithoutTheSuitesLastWordIsAProblem) {
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {good()})).add(SuiteEnded{"tcp", 1, true, ""}).end();
  EXPECT_THAT(problems_of(story.record()), ElementsAre(HasSubstr("without its last word")));
}

TEST(Run, WhatDoesNotAddUpIsAProblemAndNotLost) {
  Story story;
  story.launch().plan({"A.B"}).add(ending("A.X", {missed()})).run(ending("A.B", {good()})).done().end();
  const RunRecord run = story.record();
  EXPECT_THAT(problems_of(run), ElementsAre(HasSubstr("A.X ended, but nobody planned it"),
                                            HasSubstr("A.X ended, but it was not running")));
  EXPECT_EQ(run.suites.at(0).cases.at(1).status(), Status::kFailed);
}

TEST(Run, AThousandThingsThatDoNotAddUpDoNotDrownTheReport) {
  Story story;
  for (int line = 0; line < 1500; ++line) story.add(SuiteDone{"tcp"});
  const RunRecord run = story.end().record();
  EXPECT_EQ(run.problems.size(), 1001u);
  EXPECT_EQ(run.problems.back().message, "500 more that does not add up in the journal");
  EXPECT_EQ(run.exit_code(), 2);
}

TEST(Run, EventsInAnyOrderNeverThrow) {
  const std::vector<Event> events =
      Story().launch().plan({"A.B"}).run(ending("A.B", {good()})).done().end().events();
  RunAssembler assembler;
  for (auto event = events.rbegin(); event != events.rend(); ++event) assembler.add(*event);
  EXPECT_EQ(assembler.record().exit_code(), 2);
}

TEST(Run, TimeIsCountedFromLaunchToEnd) {
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {good()})).done().end();
  EXPECT_DOUBLE_EQ(story.record().suites.at(0).seconds, 5);
  EXPECT_EQ(story.record().suites.at(0).started, "2026-11-20T18:15:01.000Z");
}

TEST(Run, FactsOfNodesAreKept) {
  Story story;
  story.add(NodeSeen{"tcp", "node-a", 0, {{"kernel", "6.1"}}})
      .add(NodeSeen{"phy", "node-a", 0, {{"os", "Debian"}}});
  EXPECT_EQ(story.record().nodes.at("node-a").size(), 2u);
}

}  // namespace
}  // namespace rigproof
