// What attempts and waivers make of a case, and cases of a run.
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

Status status_of(const Ending& ended, const std::string& thresholds = kNoLimits) {
  return run_of({ended}, thresholds).suites.at(0).cases.at(0).status();
}

TEST(AttemptStatus, IsTheWorstOfWhatHappened) {
  EXPECT_EQ(status_of(ending("A.B", {good()})), Status::kPassed);
  EXPECT_EQ(status_of(ending("A.B", {judged("m", judge::Verdict::kMarginal, 1e9, 0.001)})), Status::kPassed);
  EXPECT_EQ(status_of(ending("A.B", {recorded("m")})), Status::kRecorded);
  EXPECT_EQ(status_of(ending("A.B", {recorded("m"), good()})), Status::kPassed);
  EXPECT_EQ(status_of(ending("A.B", {good(), missed()})), Status::kFailed);
  EXPECT_EQ(status_of(ending("A.B", {good()}, {failure(kFail, "assertion", "x")})), Status::kFailed);
  EXPECT_EQ(status_of(ending("A.B", {}, {failure(kSkip, "not-proven", "x")})), Status::kNotProven);
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {failure(kSkip, "not-proven", "x")})), Status::kFailed);
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {failure(kError, "crash", "x")})), Status::kError);
  EXPECT_EQ(status_of(ending("A.B", {judged("m", judge::Verdict::kError, 0, 0)})), Status::kError);
}

TEST(AttemptStatus, OfAVoidMissIsNotProven) {
  const record::Failure disturbed = failure(kSkip, std::string(judge::kDisturbed), "busy");
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {disturbed})), Status::kNotProven);
  EXPECT_EQ(status_of(ending("A.B", {missed()}, {disturbed, failure(kError, "crash", "x")})), Status::kError);
}

TEST(CaseStatus, LeavesOutVoidAttemptsWhenThereAreOthers) {
  const Ending lost = ending("A.B", {missed()}, {failure(kSkip, std::string(judge::kDisturbed), "busy")});
  const auto case_of = [](const std::vector<Ending>& attempts) {
    return run_of(attempts).suites.at(0).cases.at(0);
  };
  EXPECT_EQ(case_of({lost, ending("A.B", {good()})}).status(), Status::kPassed);
  EXPECT_EQ(case_of({lost, ending("A.B", {missed()})}).status(), Status::kFailed);
  EXPECT_EQ(case_of({lost, lost}).status(), Status::kNotProven);
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
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"")), Status::kWaived);
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"", "2026-11-19")), Status::kFailed);
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rtt\"")), Status::kFailed);
  EXPECT_EQ(status_of(ended, waiver("case = \"tcp.A.B\"")), Status::kWaived);
}

TEST(Waivers, CoverACaseNotProvenByItsName) {
  const Ending ended = ending("A.B", {}, {failure(kSkip, "not-proven", "x")});
  EXPECT_EQ(status_of(ended, waiver("case = \"tcp.A.B\"")), Status::kWaived);
  EXPECT_EQ(status_of(ended, waiver("case = \"tcp.A.C\"")), Status::kNotProven);
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"")), Status::kNotProven);
}

TEST(Waivers, MustCoverEveryReason) {
  EXPECT_EQ(status_of(ending("A.B", {missed(), missed("tcp.rtt")}), waiver("limit = \"tcp.rtt\"")),
            Status::kFailed);
  EXPECT_EQ(
      status_of(ending("A.B", {missed()}, {failure(kFail, "assertion", "x")}), waiver("case = \"tcp.A.B\"")),
      Status::kFailed);
}

TEST(Waivers, NeverCoverAnError) {
  EXPECT_EQ(status_of(ending("A.B", {}, {failure(kError, "crash", "x")}), waiver("case = \"tcp.A.B\"")),
            Status::kError);
}

TEST(Waivers, SayWhoTookTheResponsibility) {
  const judge::JudgedRun run = run_of({ending("A.B", {missed()})}, waiver("case = \"tcp.A.B\""));
  EXPECT_EQ(run.suites.at(0).cases.at(0).waiver, "waived until 2026-11-20 by Ann: old cable");
}

TEST(Waivers, OfHalfAYearAndMoreWaiveNothing) {
  const Ending ended = ending("A.B", {missed()});  // on 2026-11-20
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"", "2027-05-19")), Status::kWaived);
  EXPECT_EQ(status_of(ended, waiver("limit = \"tcp.rate.half\"", "2027-05-20")), Status::kFailed);
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
TEST_F(Parts, AFirstLook) {
  asked().first_look = true;
  EXPECT_EQ(run().verdict(), "PARTIAL");
  EXPECT_THAT(run().parts(), ElementsAre("only a first look"));
}
TEST_F(Parts, EverySuiteByNameIsAWhole) {
  asked().suites = {"mtu", "tcp"};
  story.begun().declared.erase("mtu");
  EXPECT_EQ(run().verdict(), "NOT PROVEN");  // it was asked for and has no case
  asked().suites = {"tcp"};
  EXPECT_EQ(Parts::run().parts(), std::vector<std::string>());
}
// "load.damaged" is every suite's: there is no suite "load" that --suite could name.
TEST_F(Parts, EverySuiteByNameIsAWholeThoughLimitsAreOfNoSuitesName) {
  story = Story(at_most("load.damaged", "1 count"));
  story.begun().declared["tcp"].push_back({"load.damaged", "count", ""});
  asked().suites = {"tcp"};
  EXPECT_THAT(run().parts(), IsEmpty());
}
TEST_F(Parts, ASuiteThatIsNotInstalledIsLeftOutWhereALimitIsOfIt) {
  Story other(
      "[[limit]]\nid = \"rdma.retries\"\nat_most = \"0 count\"\nremedy.check = \"r\"\n"
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
TEST(Suite, HasNoTestBeyondItsLast) {
  judge::JudgedSuite suite{.name = "tcp", .cases = {}, .started = {}, .launches = {}};
  suite.tests = {{"A.b", {}, {}}};
  EXPECT_EQ(suite.test_of({"A.b", "", {}, 0}), &suite.tests[0]);
  EXPECT_EQ(suite.test_of({"A.b", "", {}, 1}), nullptr);
}
TEST_F(Parts, RoundsOfPairs) {
  asked().pairs_left_out = 3;
  asked().seed = 5;
  asked().rounds = 1;
  EXPECT_THAT(run().parts(), ElementsAre("only 1 round of pairs (seed 5), 3 pairs left out"));
  asked().rounds = 2;
  EXPECT_THAT(run().parts(), ElementsAre("only 2 rounds of pairs (seed 5), 3 pairs left out"));
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
TEST_F(Parts, AnIterationThatIsVoidIsNone) {
  asked().repeat = 2;
  Ending disturbed = ending("A.B", {missed()}, {failure(kSkip, std::string(judge::kDisturbed), "busy")});
  disturbed.iteration = 2;
  story.launch().plan({"A.B"}).run(ending("A.B", {good()})).run(disturbed).done().end();
  EXPECT_EQ(story.record().verdict(), "PARTIAL");
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
// Every run has cases of the judge's own: that no node changed meanwhile proves nothing of what was waived.
TEST(ExitCode, IsNotZeroByTheJudgesOwnCasesAlone) {
  Story story(waiver("case = \"tcp.A.B\"") + at_most(judge::kStateLimit, "0 count"));
  const auto read_node = [&] {
    story.add(record::NodeSeen{"tcp", "node-a", 0, {{"", {{"kernel", "6.1"}}}}});
  };
  story.launch().plan({"A.B"});
  read_node();
  story.run(ending("A.B", {missed()}));
  read_node();
  EXPECT_EQ(story.done().end().record().exit_code(), 3);
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

}  // namespace
}  // namespace rigproof
