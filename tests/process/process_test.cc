#include "framework/process/process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <system_error>

#include "framework/process/descriptor_limit.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr milliseconds kSoon = seconds(20);

class ProcessTest : public testing::Test {
 protected:
  process::Process shell(const std::string& script) {
    return process::Process({.arguments = {"sh", "-c", script},
                             .output = process::ProcessSpec::Output::kLog,
                             .log = scratch.path("log"),
                             .owns_descendants = true});
  }
  // Blocks until the child has said so in its log.
  void wait_for_word(process::Process& child, const std::string& word) {
    while (scratch.read("log").find(word) == std::string::npos) ASSERT_FALSE(child.wait_for(milliseconds(2)));
  }
  Scratch scratch;
};

TEST_F(ProcessTest, ItsOutputAndErrorsAreInTheLog) {
  process::Process child = shell("echo out; echo err >&2");
  EXPECT_EQ(child.wait_for(kSoon), 0);
  EXPECT_EQ(scratch.read("log"), "out\nerr\n");
}
TEST_F(ProcessTest, ATemporaryFolderOfItsOwnGoesWithTheObjectAndNotWithTheProgram) {
  std::filesystem::path folder;
  {
    process::Process child({.arguments = {"sh", "-c", "echo left >$TMPDIR/file; printf %s $TMPDIR"},
                            .has_own_temporary_folder = true});
    EXPECT_EQ(child.wait_for(kSoon), 0);
    folder = child.output();
    const process::Process moved = std::move(child);
    EXPECT_TRUE(exists(folder / "file"));
    EXPECT_NE(folder, std::filesystem::temp_directory_path());
  }
  EXPECT_FALSE(exists(folder));
}
TEST_F(ProcessTest, WhereNoTemporaryFolderCanBeMadeItHasOurs) {
  ::setenv("TMPDIR", scratch.path("none").c_str(), 1);
  process::Process child({.arguments = {"sh", "-c", "printf %s $TMPDIR"}, .has_own_temporary_folder = true});
  ::unsetenv("TMPDIR");
  EXPECT_EQ(child.wait_for(kSoon), 0);
  EXPECT_EQ(child.output(), scratch.path("none"));
}
TEST_F(ProcessTest, ItReadsNothing) {
  process::Process child = shell("cat; echo end");
  EXPECT_EQ(child.wait_for(kSoon), 0);
  EXPECT_EQ(scratch.read("log"), "end\n");
}
TEST_F(ProcessTest, AProgramThatIsNotThereIsAnError) {
  EXPECT_THROW((void)process::Process({.arguments = {"no-such-program"}}), std::system_error);
}
TEST_F(ProcessTest, StopsOneThatIgnoresSigterm) {
  process::Process child = shell("trap '' TERM; echo ready; while :; do sleep 60; done");
  wait_for_word(child, "ready");
  const auto status = child.stop(milliseconds(20));
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL);
}
TEST_F(ProcessTest, StopsOneThatIsStopped) {
  process::Process child = shell("echo ready; exec sleep 60");
  wait_for_word(child, "ready");
  kill(child.pid(), SIGSTOP);
  EXPECT_TRUE(child.stop(kSoon));
}
TEST_F(ProcessTest, StopsItsOrphansToo) {
  process::Process child =
      shell("setsid sh -c 'trap \"\" TERM; echo ready; while :; do sleep 60; done' & wait");
  wait_for_word(child, "ready");
  kill(child.pid(), SIGKILL);
  EXPECT_TRUE(child.stop(milliseconds(0)));
  EXPECT_THAT(process::descendants_of(getpid()), IsEmpty());
}
// The live view's readers start while a launch runs, and the launch's end killed them.
TEST_F(ProcessTest, ProgramsOfOtherObjectsAreLeftAlone) {
  process::Process launch = shell("sleep 60 & echo started; wait");
  wait_for_word(launch, "started");
  process::Process reader({.arguments = {"sleep", "60"}});
  EXPECT_TRUE(launch.stop(milliseconds(0)));
  EXPECT_FALSE(reader.wait_for(milliseconds(20)));
}
TEST_F(ProcessTest, LeavesNothingBehindWhenItGoesOutOfScope) {
  { process::Process child = shell("sleep 60 & sleep 60"); }
  EXPECT_THAT(process::descendants_of(getpid()), IsEmpty());
}
TEST_F(ProcessTest, DiesWithItsParent) {
  const pid_t middle = fork();
  if (middle == 0) {
    process::Process child = shell("trap 'echo told; exit' TERM; echo ready; while :; do sleep 0.01; done");
    wait_for_word(child, "ready");
    kill(getpid(), SIGKILL);
  }
  waitpid(middle, nullptr, 0);
  while (scratch.read("log").find("told") == std::string::npos) usleep(1000);
}

TEST_F(ProcessTest, KeepsItsOutputUpToALimitAndLetsItGoOn) {
  process::Process process(
      {.arguments = {"sh", "-c", "head -c 3000000 /dev/zero; exit 3"}, .most_output = 1000});
  EXPECT_EQ(process.wait_for(kSoon), 3 << 8);
  EXPECT_EQ(process.output(), std::string(1000, '\0'));
}
// Who reads for days never reaches the limit.
TEST_F(ProcessTest, TakenOutputMakesRoomForMore) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  process::Process process({.arguments = {"sh", "-c", "echo 123; read go <&3; echo 456"},
                            .most_output = 4,
                            .descriptor = ends[0]});
  std::string first;
  while (first.empty()) {
    (void)process.wait_for(milliseconds(5));
    first = process.take_output();
  }
  EXPECT_EQ(first, "123\n");
  ASSERT_EQ(write(ends[1], "go\n", 3), 3);
  EXPECT_EQ(process.wait_for(kSoon), 0);
  EXPECT_EQ(process.take_output(), "456\n");
  close(ends[0]);
  close(ends[1]);
}
TEST_F(ProcessTest, WaitsForItsEndAndNotForThoseWhoHoldItsOutput) {
  process::Process process({.arguments = {"sh", "-c", "echo said; sleep 60 &"}, .owns_descendants = true});
  EXPECT_EQ(process.wait_for(kSoon), 0);
  EXPECT_EQ(process.output(), "said\n");
}
TEST_F(ProcessTest, WaitsNoLongerThanAskedFor) {
  process::Process process({.arguments = {"sh", "-c", "exec >&- 2>&-; exec sleep 60"}});
  EXPECT_FALSE(process.wait_for(milliseconds(20)));
  EXPECT_FALSE(process.wait_until(std::chrono::steady_clock::now() + milliseconds(20)));
}
TEST_F(ProcessTest, HasAFolderVariablesAndADescriptorOfOurs) {
  setenv("RIGPROOF_KEPT", "ours", 1);
  setenv("RIGPROOF_GIVEN", "ours", 1);
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  process::Process process(
      {.arguments = {"sh", "-c", "pwd; echo $RIGPROOF_KEPT $RIGPROOF_GIVEN; echo through >&3"},
       .folder = "/",
       .variables = {{"RIGPROOF_GIVEN", "its"}},
       .descriptor = ends[1]});
  close(ends[1]);
  EXPECT_EQ(process.wait_for(kSoon), 0);
  EXPECT_EQ(process.output(), "/\nours its\n");
  char text[16] = {};
  EXPECT_EQ(read(ends[0], text, sizeof text), 8);
  EXPECT_STREQ(text, "through\n");
  close(ends[0]);
}
TEST_F(ProcessTest, InheritsNoDescriptorOfOurs) {
  const int leaked = open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  process::Process process({.arguments = {"sh", "-c", "ls /proc/$$/fd"}});
  EXPECT_EQ(process.wait_for(kSoon), 0);
  EXPECT_THAT(process.output(), Not(HasSubstr(std::to_string(leaked) + "\n")));
  close(leaked);
}
TEST_F(ProcessTest, HasNoBlockedSignalsAndASessionOfItsOwn) {
  sigset_t terminate, before;
  sigemptyset(&terminate);
  sigaddset(&terminate, SIGTERM);
  sigprocmask(SIG_BLOCK, &terminate, &before);
  process::Process process({.arguments = {"sleep", "60"}});
  EXPECT_EQ(getsid(process.pid()), process.pid());
  kill(process.pid(), SIGTERM);
  EXPECT_EQ(process.wait_for(kSoon), SIGTERM);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}
TEST_F(ProcessTest, TellsWhyItCouldNotBeStarted) {
  const auto folder = scratch.path("not-there");
  EXPECT_THROW(process::Process({.arguments = {"true"}, .folder = folder}), std::system_error);
  EXPECT_THROW(process::Process({.arguments = {scratch.write("text", "no program").string()}}),
               std::system_error);
}

TEST(DescribeStatus, TellsAnExitFromASignal) {
  EXPECT_EQ(process::describe_status(3 << 8), "exited with code 3");
  EXPECT_EQ(process::describe_status(9), "was killed by signal 9 (Killed)");
}
TEST(FindProgram, SearchesThePath) {
  EXPECT_TRUE(process::find_program("sh"));
  EXPECT_FALSE(process::find_program("no-such-program"));
}
TEST(FindProgram, SearchesMoreFoldersAfterThePath) {
  const Scratch scratch;
  scratch.script("tool-of-this-test", "");
  EXPECT_FALSE(process::find_program("tool-of-this-test"));
  EXPECT_EQ(process::find_program("tool-of-this-test", "/nonexistent:" + scratch.path().string()),
            scratch.path("tool-of-this-test"));
}
TEST(FindProgram, TakesAPathAsItIs) {
  const Scratch scratch;
  EXPECT_TRUE(process::find_program(scratch.script("tool", "")));
  EXPECT_FALSE(process::find_program(scratch.write("text", "")));
  EXPECT_FALSE(process::find_program(scratch.path()));
}

TEST(Capture, KillsWhatIsLate) {
  const process::Captured late = process::capture({"sleep", "60"}, milliseconds(1));
  EXPECT_FALSE(late.succeeded());
  EXPECT_THAT(late.how_it_ended(), HasSubstr("did not end in time"));
}
TEST(Capture, AProgramThatIsNotThereIsAResult) {
  const process::Captured result = process::capture({"no-such-program"}, kSoon);
  EXPECT_FALSE(result.succeeded());
  EXPECT_THAT(result.output, HasSubstr("no-such-program"));
}

// Some programs close every descriptor that they may have, one by one.
TEST_F(ProcessTest, ARaisedLimitOfDescriptorsIsOursAlone) {
  const pid_t pid = fork();  // the limit stays
  if (pid == 0) {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const rlimit before{64, limit.rlim_max};
    setrlimit(RLIMIT_NOFILE, &before);
    process::raise_descriptor_limit();
    getrlimit(RLIMIT_NOFILE, &limit);
    const std::string of_child = process::capture({"sh", "-c", "ulimit -n"}, kSoon).output;
    _exit(limit.rlim_cur == before.rlim_max && of_child == "64\n" ? 0 : 1);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
}
// A node that floods its reader's output must not hold up who looks at it.
TEST_F(ProcessTest, AProgramThatWritesAllTheTimeHoldsNobodyUp) {
  process::Process child({.arguments = {"cat", "/dev/zero"}, .most_output = 1 << 20});
  const auto begin = std::chrono::steady_clock::now();
  for (int looks = 0; looks < 20; ++looks) {
    EXPECT_FALSE(child.wait_for(milliseconds(0)));
    EXPECT_LE(child.take_output().size(), 1U << 20);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(5));
}

}  // namespace
}  // namespace rigproof
