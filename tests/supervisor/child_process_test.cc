#include "framework/supervisor/child_process.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <system_error>

#include "framework/supervisor/capture.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr milliseconds kSoon = seconds(20);

class ChildProcessTest : public testing::Test {
 protected:
  ChildProcess shell(const std::string& script) {
    return ChildProcess::start({"sh", "-c", script}, scratch.path("log"));
  }
  // Blocks until the child has said so in its log.
  void wait_for_word(ChildProcess& child, const std::string& word) {
    while (scratch.read("log").find(word) == std::string::npos) ASSERT_FALSE(child.wait_for(milliseconds(2)));
  }
  Scratch scratch;
};

TEST_F(ChildProcessTest, ItsOutputAndErrorsAreInTheLog) {
  ChildProcess child = shell("echo out; echo err >&2");
  EXPECT_EQ(child.wait_for(kSoon), 0);
  EXPECT_EQ(scratch.read("log"), "out\nerr\n");
}
TEST_F(ChildProcessTest, ItReadsNothing) {
  ChildProcess child = shell("cat; echo end");
  EXPECT_EQ(child.wait_for(kSoon), 0);
  EXPECT_EQ(scratch.read("log"), "end\n");
}
TEST_F(ChildProcessTest, AProgramThatIsNotThereIsAnError) {
  EXPECT_THROW((void)ChildProcess::start({"no-such-program"}, scratch.path("log")), std::system_error);
}
TEST_F(ChildProcessTest, StopsOneThatIgnoresSigterm) {
  ChildProcess child = shell("trap '' TERM; echo ready; while :; do sleep 60; done");
  wait_for_word(child, "ready");
  const auto status = child.stop(milliseconds(20));
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL);
}
TEST_F(ChildProcessTest, StopsOneThatIsStopped) {
  ChildProcess child = shell("echo ready; exec sleep 60");
  wait_for_word(child, "ready");
  kill(child.pid(), SIGSTOP);
  EXPECT_TRUE(child.stop(kSoon));
}
TEST_F(ChildProcessTest, StopsItsOrphansToo) {
  ChildProcess child = shell("setsid sh -c 'trap \"\" TERM; echo ready; while :; do sleep 60; done' & wait");
  wait_for_word(child, "ready");
  kill(child.pid(), SIGKILL);
  EXPECT_TRUE(child.stop(milliseconds(0)));
  EXPECT_THAT(descendants_of(getpid()), IsEmpty());
}
TEST_F(ChildProcessTest, LeavesNothingBehindWhenItGoesOutOfScope) {
  { ChildProcess child = shell("sleep 60 & sleep 60"); }
  EXPECT_THAT(descendants_of(getpid()), IsEmpty());
}
TEST_F(ChildProcessTest, DiesWithItsParent) {
  const pid_t middle = fork();
  if (middle == 0) {
    ChildProcess child = shell("trap 'echo told; exit' TERM; echo ready; while :; do sleep 0.01; done");
    wait_for_word(child, "ready");
    kill(getpid(), SIGKILL);
  }
  waitpid(middle, nullptr, 0);
  while (scratch.read("log").find("told") == std::string::npos) usleep(1000);
}

TEST(DescribeStatus, TellsAnExitFromASignal) {
  EXPECT_EQ(describe_status(3 << 8), "exited with code 3");
  EXPECT_EQ(describe_status(9), "was killed by signal 9 (Killed)");
}
TEST(FindProgram, SearchesThePath) {
  EXPECT_TRUE(find_program("sh"));
  EXPECT_FALSE(find_program("no-such-program"));
}
TEST(FindProgram, TakesAPathAsItIs) {
  const Scratch scratch;
  EXPECT_TRUE(find_program(scratch.script("tool", "")));
  EXPECT_FALSE(find_program(scratch.write("text", "")));
  EXPECT_FALSE(find_program(scratch.path()));
}

TEST(Capture, KillsWhatIsLate) {
  const Captured late = capture({"sleep", "60"}, milliseconds(1));
  EXPECT_FALSE(late.succeeded());
  EXPECT_THAT(late.how_it_ended(), HasSubstr("did not end in time"));
}
TEST(Capture, AProgramThatIsNotThereIsAResult) {
  const Captured result = capture({"no-such-program"}, kSoon);
  EXPECT_FALSE(result.succeeded());
  EXPECT_THAT(result.output, HasSubstr("no-such-program"));
}

}  // namespace
}  // namespace rigproof
