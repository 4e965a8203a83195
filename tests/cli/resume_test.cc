// A run that was stopped goes on in its record: nothing that had ended is lost or run twice, all else is run.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "framework/judge/run_judge.h"
#include "framework/record/files.h"
#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class ResumeTest : public ProgramTest {
 protected:
  ResumeTest() {
    suite("tcp", "A.pass B.pass C.pass D.pass E.pass F.pass G.pass H.pass");
    suite("phy", "P.pass Q.pass R.pass",
          fmt::format("case \"$*\" in *--report-to*) while [ -e {} ]; do sleep 0.01; done;; esac;",
                      path("held")));
  }
  Answer resume(const Words& more = {}) const {
    Words words{RIGPROOF_PROGRAM, "run",        "--resume", path("out"), "--suite-dir",
                path("bin"),      "--launcher", "env",      "--no-pdf"};
    words.insert(words.end(), more.begin(), more.end());
    return answer_of(words);
  }
  // Starts the command, kills it once the journal has so many lines (or when it ends).
  void kill_at(const Words& command, std::size_t lines) const {
    process::Process child({.arguments = command,
                            .output = process::ProcessSpec::Output::kLog,
                            .log = path("console"),
                            .owns_descendants = true});
    const auto written = [&] {
      const std::string text = scratch.read("out/journal.jsonl");
      return static_cast<std::size_t>(std::ranges::count(text, '\n'));
    };
    while (!child.wait_for(std::chrono::milliseconds(1)))
      if (written() >= lines) kill(child.pid(), SIGKILL);
  }
  // A run that is killed before its second suite runs, so never at its end.
  void stop() {
    scratch.write("held", "");
    kill_at(run_words(), 12);
    std::filesystem::remove(path("held"));
  }
  judge::JudgedRun record() const { return judge::read_run(path("out")); }
};

std::map<std::string, int> attempts_of(const judge::JudgedRun& run) {
  std::map<std::string, int> counts;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases)
      for (const judge::Attempt& attempt : test.attempts)
        counts[test.full_name()] += attempt.status == judge::Status::kPassed ? 1 : 0;
  return counts;
}

// Ten kills, each somewhere in what is left, until the run has come to its end.
TEST_F(ResumeTest, AfterTenKillsNothingIsLostAndNothingRunTwice) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  kill_at(run_words(), 2 + random() % 10);
  int resumptions = 0;
  for (; resumptions < 9 && !record().end; ++resumptions) {
    const std::string text = scratch.read("out/journal.jsonl");
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    kill_at({RIGPROOF_PROGRAM, "run", "--resume", path("out"), "--suite-dir", path("bin"), "--launcher",
             "env", "--no-pdf"},
            lines + 1 + random() % 8);
  }
  if (!record().end) {
    const Answer answer = resume();
    EXPECT_EQ(answer.code, 0) << answer.output;
  }
  const judge::JudgedRun run = record();
  EXPECT_EQ(run.exit_code(), 0);
  EXPECT_THAT(run.problems, IsEmpty());
  EXPECT_EQ(run.verdict(), "QUALIFIED");
  const auto attempts = attempts_of(run);
  EXPECT_EQ(attempts.size(), 11U);
  for (const auto& [name, count] : attempts) EXPECT_EQ(count, 1) << name;
  // The last kill may have come between the record's end and the reports'.
  EXPECT_EQ(rigproof_does({"report", path("out")}).code, 0);
  EXPECT_EQ(rigproof_does({"verify", path("out")}).code, 0);
}
TEST_F(ResumeTest, ATornLastLineIsCutOff) {
  stop();
  std::ofstream(path("out/journal.jsonl"), std::ios::app) << R"({"seq":)";
  const Answer answer = resume();
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(record().problems, IsEmpty());
  EXPECT_EQ(record().resumed.size(), 1U);
}
TEST_F(ResumeTest, AFinishedRunIsRefused) {
  EXPECT_EQ(run().code, 0);
  const Answer answer = resume();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("the run is complete: QUALIFIED"));
  EXPECT_EQ(rigproof_does({"verify", path("out")}).code, 0);
}
// It would be sealed again, and look as if it had been so from the start.
TEST_F(ResumeTest, AJournalThatWasChangedSinceItWasSealedIsRefusedAndLeftAlone) {
  EXPECT_EQ(run().code, 0);
  for (const std::string change : {"cut", "torn", "more"}) {
    const std::string before = scratch.read("out/journal.jsonl");
    std::string text = before;
    if (change == "cut") text.erase(text.rfind('\n', text.size() - 2) + 1);
    if (change == "torn") text += "{";
    if (change == "more") text += "{}\n";
    scratch.write("out/journal.jsonl", text);
    const Answer answer = resume();
    EXPECT_EQ(answer.code, 2) << change;
    EXPECT_THAT(answer.output, HasSubstr("journal.jsonl: changed since it was hashed")) << change;
    EXPECT_EQ(scratch.read("out/journal.jsonl"), text) << change;
    scratch.write("out/journal.jsonl", before);
  }
}
// A second kill must not leave the first stop's manifest beside a longer journal.
TEST_F(ResumeTest, ARunThatGoesOnHasNoManifestUntilItsEnd) {
  stop();
  scratch.write("out/manifest.sha256",
                record::sha256_of_file(path("out/journal.jsonl")) + "  journal.jsonl\n");
  const std::string before = scratch.read("out/journal.jsonl");
  kill_at({RIGPROOF_PROGRAM, "run", "--resume", path("out"), "--suite-dir", path("bin"), "--launcher", "env",
           "--no-pdf"},
          static_cast<std::size_t>(std::ranges::count(before, 0x0a)) + 3);
  EXPECT_FALSE(std::filesystem::exists(path("out/manifest.sha256")) && !record().end);
  // Killed behind the run's last line, it is sealed by `report`.
  const Answer whole = record().end ? rigproof_does({"report", "--no-pdf", path("out")}) : resume();
  EXPECT_EQ(whole.code, 0) << whole.output;
  EXPECT_EQ(rigproof_does({"verify", path("out")}).code, 0);
}
// The reserve for its last words and the report that it writes just now are not touched.
TEST_F(ResumeTest, ARunThatStillGoesOnIsRefusedAndLeftAlone) {
  suite("tcp", "A.wait");
  process::Process live({.arguments = run_words(),
                         .output = process::ProcessSpec::Output::kLog,
                         .log = path("console"),
                         .owns_descendants = true});
  while (scratch.read("out/journal.jsonl").find("\"wait\"") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  scratch.write("out/.draft.tmp", "half a report");
  const auto reserve = std::filesystem::path(path("out/.reserve"));
  const auto written = std::filesystem::last_write_time(reserve);
  const auto size = std::filesystem::file_size(reserve);
  const Answer answer = resume();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr(fmt::format("is in use by another run (process {}", live.pid())));
  ASSERT_TRUE(std::filesystem::exists(reserve));
  EXPECT_EQ(std::filesystem::last_write_time(reserve), written);
  EXPECT_EQ(std::filesystem::file_size(reserve), size);
  EXPECT_EQ(scratch.read("out/.draft.tmp"), "half a report");
  EXPECT_FALSE(live.wait_for(std::chrono::milliseconds(0)));
}
TEST_F(ResumeTest, ARunThatMissedALimitHasReachedItsEndToo) {
  suite("tcp", "A.fail");
  EXPECT_EQ(run().code, 1);
  EXPECT_THAT(resume().output, HasSubstr("the run is complete: NOT QUALIFIED"));
}
// What a case came to before the stop stands: a second try must not excuse it.
TEST_F(ResumeTest, ACrashBeforeTheStopStaysAnError) {
  suite("tcp", "A.segv B.pass C.pass D.pass E.pass F.pass");
  stop();
  const Answer answer = resume();
  EXPECT_EQ(answer.code, 2) << answer.output;
  EXPECT_THAT(verdict("tcp.A.segv"), testing::StartsWith("error"));
  EXPECT_EQ(verdict("tcp.F.pass"), "pass");
  EXPECT_EQ(verdict("phy.R.pass"), "pass");
}
// Catches: another machine in the place of a node that preflight had seen before the stop. A second look excuses no first one.
TEST_F(ResumeTest, PreflightIsRunAgain) {
  suite("preflight", "A.pass B.fail");
  stop();
  EXPECT_EQ(resume().code, 1);
  EXPECT_THAT(problems_of(record()), IsEmpty());
  EXPECT_EQ(verdict("preflight.A.pass"), "pass");
  for (const auto& [name, passed] : attempts_of(record()))
    EXPECT_EQ(passed, name == "preflight.A.pass" ? 2 : name == "preflight.B.fail" ? 0 : 1) << name;
}
TEST_F(ResumeTest, WhatTheRecordSaysIsNotSaidAgain) {
  stop();
  for (const Words& more : {Words{"--rig", path("rig.toml")}, Words{"--profile", "smoke"},
                            Words{"--suite", "tcp"}, Words{"--gtest_filter", "A.*"}, Words{"--first-look"}}) {
    const Answer answer = resume(more);
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.output, HasSubstr("the record of the run sets this: leave out " + more[0]));
  }
}
TEST_F(ResumeTest, OtherSuitesThanPlannedAreRefused) {
  stop();
  std::filesystem::remove(path("bin/rigproof-suite-phy"));
  const Answer answer = resume();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, AllOf(HasSubstr("the suites that the run had planned (tcp, phy)"),
                                   HasSubstr("installed here are tcp")));
}
// Catches: a file that the refused resumption leaves, for which the sealed folder is no longer intact.
TEST_F(ResumeTest, WhatIsRefusedLeavesTheSealWhole) {
  stop();
  EXPECT_EQ(rigproof_does({"report", "--no-pdf", path("out")}).code, 2);
  constexpr int kLogsNotChecked = 5;  // the kill came before their hashes were on record
  EXPECT_EQ(rigproof_does({"verify", path("out")}).code, kLogsNotChecked);
  EXPECT_EQ(resume({"--launcher", "/nowhere/mpirun"}).code, 2);
  std::filesystem::remove(path("bin/rigproof-suite-phy"));
  EXPECT_EQ(resume().code, 2);
  const Answer answer = rigproof_does({"verify", path("out")});
  EXPECT_EQ(answer.code, kLogsNotChecked) << answer.output;
}
TEST_F(ResumeTest, AFolderWithoutARunIsRefused) {
  const Answer answer = resume();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("no run in it"));
}

}  // namespace
}  // namespace rigproof
