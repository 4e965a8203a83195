// Whoever reads a record sees whether it measured or judges what another one measured.
#include "reports/text/verdict_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/story.h"

namespace rigproof {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(VerdictLine, ARunThatMeasuredSaysNothingOfJudgingAgain) {
  const judge::JudgedRun run = run_of({ending("A.B", {good()})});
  EXPECT_THAT(text::verdict_line(run), Not(HasSubstr("again")));
  EXPECT_EQ(text::judged_again_text(run), "");
}

TEST(VerdictLine, ARecordJudgedAgainSaysWhenByWhatAndOfWhichRun) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.start.again =
      record::Rejudged{run.start.id, "2026-11-21T09:00:00.000Z", "bob", "desk", "rigproof judge out"};
  run.start.id += "-again";
  run.start.limits = {record::text_file("new.toml", "")};
  EXPECT_THAT(text::verdict_line(run), HasSubstr("; judged again by new.toml"));
  EXPECT_EQ(text::judged_again_text(run),
            "Judged again at 2026-11-21T09:00:00.000Z by new.toml: the samples are those of run "
            "20261120T181500Z-model-rig-4f2a, taken from 2026-11-20T18:15:00.000Z on");
}

// A node that dies under load and comes back is no matter for the record alone.
TEST(VerdictLine, CountsHowOftenNodesWereLost) {
  const record::RunResumed resumed{
      .user = "ann", .host = "head", .command_line = "rigproof run --resume", .programs = {}};
  const auto lost = [](std::vector<std::string> nodes) {
    return record::Problem{"node-absent", "no answer", std::move(nodes)};
  };
  Story story;
  story.launch().plan({"A.B"}).broken_off(1, "gone").add(lost({"node-b", "node-c"})).end().add(resumed);
  story.launch(2).plan({"A.B"}).broken_off(2, "gone").add(lost({"node-c"})).end().add(resumed);
  story.launch(3).plan({"A.B"}).run(ending("A.B", {good()})).done(3).end();
  const judge::JudgedRun run = story.record();
  EXPECT_EQ(run.verdict(), "QUALIFIED");
  EXPECT_THAT(text::verdict_line(run),
              testing::ContainsRegex("; resumed 2 times, last at 2026[^;]*; node-b lost "
                                     "once, node-c lost 2 times$"));
}
TEST(VerdictLine, OfAStopWithoutALostNodeNamesNone) {
  Story story;
  story.launch().plan({"A.B"}).add(record::Problem{"interrupted", "stopped by SIGTERM"}).end();
  story.add(record::RunResumed{.user = "ann", .host = "head", .command_line = "c", .programs = {}});
  story.launch(2).plan({"A.B"}).run(ending("A.B", {good()})).done(2).end();
  EXPECT_THAT(text::verdict_line(story.record()), Not(HasSubstr("lost")));
}

TEST(VerdictLine, SaysWhatItIsAPartOf) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  EXPECT_THAT(text::verdict_line(run), testing::StartsWith("QUALIFIED: rig "));
  run.start.asked.filter = "A.*";
  EXPECT_THAT(text::verdict_line(run),
              testing::StartsWith(
                  "PARTIAL: rig model-rig (model), profile smoke, only cases that match A.*: 1 case"));
}

TEST(VerdictLine, CountsTheWaivedBesideAGreenVerdict) {
  const std::string limits =
      "[[limit]]\nid = \"tcp.old\"\nenforce = \"informative\"\nunit = \"bit/s\"\n[[waiver]]\nlimit = "
      "\"tcp.old\"\n"
      "reason = \"r\"\nowner = \"o\"\nexpires = \"2026-12-31\"\n";
  EXPECT_THAT(
      text::verdict_line(run_of({ending("A.B", {good()}), ending("A.C", {missed("tcp.old")})}, limits)),
      testing::StartsWith("QUALIFIED, 1 waived: rig "));
  EXPECT_THAT(
      text::verdict_line(run_of({ending("A.B", {missed()}), ending("A.C", {missed("tcp.old")})}, limits)),
      testing::StartsWith("NOT QUALIFIED: rig "));
}

// A waiver with a typing error, or of last year, is no waiver: who wrote it is told.
TEST(IdleWaivers, NameNoCaseOfTheRunOrHaveEnded) {
  const auto waived = [](const std::string& more) {
    return run_of({ending("A.B", {good()})},
                  std::string(kNoLimits) + "[[waiver]]\nreason = \"r\"\nowner = \"o\"\n" + more);
  };
  EXPECT_THAT(text::idle_waivers(waived("case = \"tcp.A.C\"\nexpires = \"2026-12-31\"\n")),
              testing::ElementsAre(testing::MatchesRegex(
                  "thresholds/model-rig.toml:[0-9]+: no case of this run is 'tcp.A.C': it waives nothing")));
  EXPECT_THAT(text::idle_waivers(waived("case = \"tcp.A.B\"\nexpires = \"2026-11-19\"\n")),
              testing::ElementsAre(HasSubstr("the waiver ended on 2026-11-19")));
  EXPECT_THAT(text::idle_waivers(waived("case = \"tcp.A.B\"\nexpires = \"2026-12-31\"\n")),
              testing::IsEmpty());
  judge::JudgedRun part = waived("case = \"tcp.A.C\"\nexpires = \"2026-12-31\"\n");
  part.start.asked.filter = "A.*";
  EXPECT_THAT(text::idle_waivers(part), testing::IsEmpty()) << "the other part may have it";
}

TEST(Programs, AreListedByTheirBuild) {
  record::RunStarted start;
  EXPECT_EQ(text::programs_text(start), "");
  start.programs = {{"rigproof", "0.1.0", "4e5f", "a"}, {"rigproof-suite-tcp", "0.1.0", "4e5f", "b"}};
  EXPECT_EQ(text::programs_text(start), "0.1.0 (commit 4e5f): rigproof, rigproof-suite-tcp");
  start.programs.push_back({"rigproof-suite-link", "0.1.0", "9999", "c"});
  start.programs.push_back({"rigproof-suite-mtu", "0.2.0", "", "d"});
  EXPECT_EQ(
      text::programs_text(start),
      "0.1.0 (commit 4e5f): rigproof, rigproof-suite-tcp; 0.1.0 (commit 9999): rigproof-suite-link; 0.2.0: "
      "rigproof-suite-mtu");
}

TEST(NotApplicable, IsCounted) {
  judge::JudgedRun run;
  EXPECT_EQ(text::not_applicable_text(run), "");
  run.not_applicable = {{"a", "t:1", "needs b"}};
  EXPECT_EQ(text::not_applicable_text(run), "1 limit does not apply on this rig");
  run.not_applicable.push_back({"c", "t:2", "needs d"});
  EXPECT_EQ(text::not_applicable_text(run), "2 limits do not apply on this rig");
}

}  // namespace
}  // namespace rigproof
