#include "reports/terminal/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/golden.h"
#include "tests/support/story.h"

namespace rigproof {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string line_of(const Ending& ended, terminal::Colour colour = terminal::Colour::kOff) {
  return case_line(run_of({ended}).suites.at(0).cases.at(0), colour);
}

TEST(Terminal, LooksAsApproved) {
  const judge::JudgedRun run = judge::read_run(golden_folder());
  std::string text;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases) text += terminal::case_line(test) + "\n";
  expect_approved("terminal.txt", text + "\n" + terminal::verdict_table(run));
}

TEST(CaseLine, TellsValueLimitAndMargin) {
  EXPECT_EQ(line_of(ending("A.B", {recorded("tcp.rtt"), good()})),
            "PASS         tcp.A.B  tcp.rate.half on node-a: 0.978 Gbit/s (limit >= 0.95 Gbit/s (95 % of "
            "half.rate), "
            "margin +2.9 %)");
}

TEST(CaseLine, ShowsTheSmallestMarginOfAPass) {
  EXPECT_THAT(line_of(ending("A.B", {good(), judged("tcp.narrow", judge::Verdict::kPass, 0.96e9, 0.01)})),
              HasSubstr("tcp.narrow"));
}

TEST(CaseLine, TellsWhatWentWrongWhere) {
  EXPECT_EQ(line_of(ending("A.B", {good()},
                           {failure(record::Failure::Kind::kError, "deadline", "no answer within 30 s")})),
            "ERROR        tcp.A.B  [node-b, rank 1, phase measure] deadline: no answer within 30 s");
  EXPECT_THAT(line_of(ending("A.B", {missed(), missed("tcp.rtt")})),
              EndsWith("margin -46.3 %) (and 1 more)"));
}

TEST(CaseLine, IsAboutTheLatestAttempt) {
  Ending again = ending("A.B", {good()});
  again.iteration = 2;
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {missed()})).run(again);
  EXPECT_THAT(terminal::case_line(story.record().suites.at(0).cases.at(0)),
              StartsWith("PASS         tcp.A.B [launch 1, iteration 2]"));
}

TEST(CaseLine, IsPlainTextWhateverTheRecordHolds) {
  const std::string line = line_of(ending("A.B", {},
                                          {failure(record::Failure::Kind::kFail, "x",
                                                   "\x1b[2J\n\xC2\x9B"
                                                   "1m\r")}));
  EXPECT_EQ(line.find_first_of("\x1b\r\n"), std::string::npos);
  EXPECT_THAT(line, Not(HasSubstr("\xC2\x9B")));
}

TEST(CaseLine, IsColouredOnlyWhenAsked) {
  EXPECT_THAT(line_of(ending("A.B", {good()}), terminal::Colour::kOn),
              StartsWith("\x1b[32mPASS       \x1b[0m  tcp.A.B"));
}

TEST(VerdictTable, EndsWithTheVerdict) {
  EXPECT_THAT(terminal::verdict_table(run_of({ending("A.B", {good()})})),
              EndsWith("\nQUALIFIED: rig model-rig (model), profile smoke: 1 case: 1 passed\n"));
}

// Two cases that follow from a fault of node-a, and one that does not.
TEST(VerdictTable, CountsWhatFollowsFromAKnownFault) {
  judge::JudgedRun run =
      run_of({ending("A.B", {missed()}), ending("A.C", {missed()}), ending("A.D", {missed("mtu.path")})});
  judge::JudgedMeasurement sign = missed();
  run.faults.push_back({.name = "a slow NIC",
                        .certainty = "likely",
                        .node = "node-a",
                        .signs = {sign},
                        .explains = {"tcp.*"},
                        .remedy = {.fix = {"sudo reboot"}},
                        .cases = 2});
  const std::string table = terminal::verdict_table(run);
  EXPECT_THAT(table, HasSubstr("KNOWN FAULT  a slow NIC on node-a (likely): tcp.rate.half 0.51 Gbit/s\n"
                               "    2 cases failed or are not proven because of it\n"));
  EXPECT_THAT(table, Not(HasSubstr("tcp.A.B")));
  EXPECT_THAT(table, Not(HasSubstr("tcp.A.C")));
  EXPECT_THAT(table, HasSubstr("tcp.A.D"));
}
TEST(VerdictTable, CountsCasesThatDidNotBegin) {
  Story story;
  story.launch().plan({"A.B", "A.C"}).add(record::Problem{"interrupted", "stopped by SIGINT"}).end();
  const std::string table = terminal::verdict_table(story.record());
  EXPECT_THAT(table, HasSubstr("2 cases did not begin: the run ended before"));
  EXPECT_THAT(table, Not(HasSubstr("tcp.A.B")));
}
TEST(VerdictTable, SaysFirstWhatStoppedTheRun) {
  Story story;
  story.launch().broken_off(1, "mpirun exited with code 1");
  story.add(record::Problem{"node-absent", "no answer from node-b: ssh: no route"}).end();
  const std::string table = terminal::verdict_table(story.record());
  EXPECT_THAT(table, HasSubstr("node-absent: no answer from node-b: ssh: no route\n"));
  EXPECT_LT(table.find("node-absent"), table.find("no-plan"));
  EXPECT_THAT(table, Not(HasSubstr("suite-incomplete")));
  EXPECT_THAT(table, Not(HasSubstr("nothing-passed")));
}
TEST(VerdictTable, ListsTheAdviceWithItsRemedy) {
  const std::string table = terminal::verdict_table(run_of({ending("A.B", {good(), advised()})}));
  EXPECT_THAT(table, HasSubstr("\nAdvice (no verdict depends on it):\n  preflight.memlock on node-a: "));
  EXPECT_THAT(table,
              HasSubstr("\n    sudo systemctl edit ssh   # node-a: fix\n    # node-a: LimitMEMLOCK\n"));
  EXPECT_THAT(table, HasSubstr("\nQUALIFIED: "));
}

TEST(VerdictTable, CountsTheLimitsThatDoNotApply) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  EXPECT_THAT(terminal::verdict_table(run), Not(HasSubstr("apply")));
  run.not_applicable = {{"rdma.rate", "t.toml:4", "needs b"}, {"rdma.time", "t.toml:9", "needs b"}};
  EXPECT_THAT(terminal::verdict_table(run),
              HasSubstr("\n2 limits do not apply on this rig: see summary.md\n"));
}

TEST(VerdictTable, TellsWhereTheTimeWent) {
  EXPECT_THAT(terminal::verdict_table(run_of({ending("A.B", {good()})})),
              HasSubstr("7.0 s: 2.0 s measuring, 5.0 s overhead"));
}

}  // namespace
}  // namespace rigproof
