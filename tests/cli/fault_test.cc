// What a run survives: each fault costs its own case, is named, and leaves a well-formed report of all that was finished.
#include <gmock/gmock.h>
#include <signal.h>

#include <thread>

#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class FaultTest : public ProgramTest {
 protected:
  // A run in the background, once its journal (or any other file) holds `words`.
  process::Process run_until(const std::string& words, const Words& more = {}) {
    process::Process child({.arguments = run_words(more),
                            .output = process::ProcessSpec::Output::kLog,
                            .log = path("console"),
                            .owns_descendants = true});
    wait_for("out/journal.jsonl", words);
    return child;
  }
  void wait_for(const char* file, const std::string& words) const {
    while (scratch.read(file).find(words) == std::string::npos)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  // A, C and the suite after it are whole; B is the culprit.
  void expect_only_b_lost(const Answer& answer, const testing::Matcher<std::string>& message,
                          const std::string& b) {
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_EQ(verdict("tcp.A.pass"), "pass");
    EXPECT_THAT(verdict("tcp." + b), AllOf(StartsWith("error"), HasSubstr("phase 'measure'"), message));
    EXPECT_EQ(verdict("tcp.C.pass"), "pass");
    EXPECT_EQ(verdict("phy.D.pass"), "pass");
    EXPECT_TRUE(std::filesystem::exists(path("out/logs/tcp.2.log")));
    EXPECT_FALSE(std::filesystem::exists(path("out/logs/tcp.3.log")));
  }
  void script(const std::string& b) {
    suite("tcp", "A.pass " + b + " C.pass");
    suite("phy", "D.pass");
  }
};

TEST_F(FaultTest, ACrash) {
  script("B.segv");
  expect_only_b_lost(run(), HasSubstr("signal 11"), "B.segv");
}
TEST_F(FaultTest, AnExitWithZero) {
  script("B.exit");
  expect_only_b_lost(run(), HasSubstr("exited with code 0 before the suite was done"), "B.exit");
}
TEST_F(FaultTest, AKill) {
  script("B.kill");
  expect_only_b_lost(run(), HasSubstr("signal 9"), "B.kill");
}
TEST_F(FaultTest, AHang) {
  script("B.hang");
  expect_only_b_lost(run_with_short_timeouts(), HasSubstr("did not end within"), "B.hang");
}
TEST_F(FaultTest, AStop) {
  script("B.stop");
  expect_only_b_lost(run_with_short_timeouts(), HasSubstr("did not end within"), "B.stop");
}
TEST_F(FaultTest, AKillInMidWrite) {
  script("B.torn");
  expect_only_b_lost(run(), HasSubstr("signal 9"), "B.torn");
}
TEST_F(FaultTest, ARankThatKnowsWhoIsLost) {
  script("B.fatal");
  expect_only_b_lost(run(), HasSubstr("rank 1 (node-b) did not arrive in time"), "B.fatal");
}
TEST_F(FaultTest, AKilledLauncherWhoseRanksLiveOn) {
  script("B.orphan");
  const std::string launcher = scratch.script("launcher", "\"$@\" & wait");
  expect_only_b_lost(run({"--launcher", launcher}), HasSubstr("signal 9"), "B.orphan");
}
// Its suite has said its last word: the next suite begins, and the run ends when both launchers have.
TEST_F(FaultTest, ALauncherThatIsSlowToEnd) {
  suite("tcp", "A.pass");
  suite("phy", "D.pass");
  const std::string launcher = scratch.script(
      "launcher", fmt::format("echo begins >>{0}; \"$@\"; sleep 2; echo ends >>{0}", path("launches")));
  EXPECT_EQ(run({"--launcher", launcher}).code, 0);
  EXPECT_EQ(scratch.read("launches"), "begins\nbegins\nends\nends\n");
}
TEST_F(FaultTest, ALauncherThatNeverEnds) {
  suite("tcp", "A.pass");
  suite("phy", "D.pass");
  const std::string launcher = scratch.script("launcher", "\"$@\"; sleep 1000");
  EXPECT_EQ(run_with_short_timeouts({"--launcher", launcher}).code, 0);
  EXPECT_EQ(verdict("phy.D.pass"), "pass");
}
TEST_F(FaultTest, ManyCulpritsCostOneLaunchEach) {
  suite("tcp", "A.segv B.pass C.exit D.pass E.segv");
  EXPECT_EQ(run().code, 2);
  for (const char* name : {"A.segv", "C.exit", "E.segv"})
    EXPECT_THAT(verdict(std::string("tcp.") + name), StartsWith("error"));
  for (const char* name : {"B.pass", "D.pass"}) EXPECT_EQ(verdict(std::string("tcp.") + name), "pass");
  EXPECT_FALSE(std::filesystem::exists(path("out/logs/tcp.4.log")));
}
TEST_F(FaultTest, ASuiteThatNeverStarts) {
  suite("tcp", "A.pass", "case \"$*\" in *--describe*) ;; *) export DUMB=1;; esac;");
  suite("phy", "D.pass");
  const Answer answer = run();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("exited with code 3"));
  EXPECT_TRUE(std::filesystem::exists(path("out/logs/tcp.2.log")));
  EXPECT_FALSE(std::filesystem::exists(path("out/logs/tcp.3.log")));
  EXPECT_EQ(verdict("phy.D.pass"), "pass");
}

TEST_F(FaultTest, AnInterruptEndsInGoodOrder) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::filesystem::remove_all(path("out"));
    suite("tcp", "A.pass B.wait C.pass");
    process::Process child = run_until(R"("wait")");
    kill(child.pid(), signal);
    const auto status = child.wait_for(std::chrono::seconds(60));
    ASSERT_TRUE(status);
    EXPECT_TRUE(WIFEXITED(*status) && WEXITSTATUS(*status) == 2) << process::describe_status(*status);
    EXPECT_EQ(verdict("tcp.A.pass"), "pass");
    EXPECT_THAT(verdict("tcp.B.wait"), AllOf(StartsWith("error"), HasSubstr("stopped by SIG")));
    EXPECT_THAT(verdict("tcp.C.pass"), StartsWith("error"));
  }
}
TEST_F(FaultTest, AKilledSupervisorLeavesAReportAndNoSuite) {
  suite("tcp", "A.pass B.wait C.pass");
  {
    process::Process child = run_until(R"("wait")");
    wait_for("out/junit.xml", "A.pass");  // planned, or ended already
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (verdict("tcp.A.pass") != "pass" && std::chrono::steady_clock::now() < until) usleep(10'000);
    kill(child.pid(), SIGKILL);
    ASSERT_TRUE(child.wait_for(std::chrono::seconds(60)));
    while (!process::descendants_of(getpid()).empty())
      child.wait_for(std::chrono::milliseconds(1)), waitpid(-1, nullptr, WNOHANG);
  }
  EXPECT_EQ(verdict("tcp.A.pass"), "pass");
  EXPECT_THAT(verdict("tcp.B.wait"), StartsWith("error"));
  EXPECT_THAT(verdict("tcp.C.pass"), StartsWith("error"));
  EXPECT_EQ(rigproof_does({"report", path("out")}).code, 2);
  EXPECT_EQ(verdict("tcp.A.pass"), "pass");
}
// Runs on a disk of this size; `kept` is a copy of it.
class FullDiskTest : public FaultTest {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(path("disk"));
    if (answer_of({"unshare", "-Urm", "true"}).code != 0) GTEST_SKIP() << "no private mounts here";
  }
  Answer run_on_disk(const char* size) const {
    const std::string inside =
        fmt::format("mount -t tmpfs -o size={3} none {0} && {1}; code=$?; cp -r {0} {2}; exit $code",
                    path("disk"), join_words(run_words({"--out", path("disk/out")})), path("kept"), size);
    return answer_of({"unshare", "-Urm", "sh", "-c", inside});
  }
};

TEST_F(FullDiskTest, StopsTheRun) {
  suite("tcp", "A.pass B.fill C.wait", "BALLAST=" + path("disk/ballast"));
  const Answer answer = run_on_disk("1m");
  EXPECT_EQ(answer.code, 2) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("No space left on device"));
  const auto cases = junit("kept/out/junit.xml");
  EXPECT_EQ(cases.at("tcp.A.pass"), "pass");
  EXPECT_THAT(cases.at("tcp.C.wait"), StartsWith("error"));
  EXPECT_FALSE(std::filesystem::exists(path("kept/out/.reserve")));
}
// Catches: a folder that no command takes, because its journal is empty.
TEST_F(FullDiskTest, ThatIsFullAtOnceHasNoRun) {
  suite("tcp", "A.pass");
  thresholds(at_most("scripted.count", "1 count") + "# " + std::string(60'000, 'x'));
  const Answer answer = run_on_disk("48k");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("cannot write to the journal: No space left on device"));
  EXPECT_FALSE(std::filesystem::exists(path("kept/out")));
}
// Catches: "its record is complete" of a run that the disk stopped.
TEST_F(FullDiskTest, OfARunWithoutReportsIsNotACompleteRecord) {
  suite("tcp", "A.pass B.fill C.wait", "BALLAST=" + path("disk/ballast"));
  std::string output;
  for (const char* size : {"160k", "200k", "240k", "280k"}) output += run_on_disk(size).output;
  EXPECT_THAT(output, AllOf(HasSubstr("The run stopped early, and its reports are missing: "),
                            testing::Not(HasSubstr("is complete"))));
}
// Catches: events behind the run's end, for which every later reader calls the record faulty.
TEST_F(FaultTest, AManifestThatCannotBeWrittenAtTheEndCostsNoVerdict) {
  suite("tcp", "A.pass", "mkfifo " + path("out/manifest.sha256") + " 2>/dev/null;");
  const Answer answer = run();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("manifest.sha256: cannot write"), HasSubstr("rigproof report ")));
  const std::string journal = scratch.read("out/journal.jsonl");
  EXPECT_THAT(journal.substr(journal.rfind('\n', journal.size() - 2)), HasSubstr("\"run_ended\""));
  EXPECT_EQ(journal.find("\"run_ended\""), journal.rfind("\"run_ended\""));
  std::filesystem::remove(path("out/manifest.sha256"));
  EXPECT_EQ(rigproof_does({"report", "--no-pdf", path("out")}).code, 0);
  EXPECT_EQ(rigproof_does({"verify", path("out")}).code, 0);
}
TEST_F(FaultTest, ASecondRunLeavesTheFirstAlone) {
  suite("tcp", "A.wait");
  process::Process first = run_until(R"("wait")");
  const Answer second = run({"--out", path("out-2")});
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.output, HasSubstr(fmt::format("process {}", first.pid())));
  EXPECT_FALSE(std::filesystem::exists(path("out-2")));
  EXPECT_FALSE(first.wait_for(std::chrono::milliseconds(0)));
}
TEST_F(FaultTest, AClosedTerminalEndsNothing) {
  suite("tcp", "A.pass B.pass");
  const std::string piped = join_words(run_words()) + " | true";
  EXPECT_EQ(answer_of({"bash", "-c", piped + "; exit ${PIPESTATUS[0]}"}).code, 0);
}

}  // namespace
}  // namespace rigproof
