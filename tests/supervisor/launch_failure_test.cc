#include "framework/supervisor/launch_watch.h"

#include <gmock/gmock.h>

#include "framework/record/events.h"

namespace rigproof {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

constexpr int exited(int code) { return code << 8; }
constexpr int killed(int signal) { return signal; }

TEST(LaunchFailure, NamesTheRankThatMpirunSawCrash) {
  const supervisor::LaunchFailure found =
      supervisor::examine("mpirun", exited(139),
                          "noise\nmpirun noticed that process rank 1 with PID 10341 on node node-b exited on "
                          "signal 11 (Segmentation fault).\n----\n");
  EXPECT_EQ(found.type, "crash");
  EXPECT_EQ(found.rank, 1);
  EXPECT_EQ(found.host, "node-b");
  EXPECT_THAT(found.reason, HasSubstr("signal 11 (SIGSEGV"));
}
TEST(LaunchFailure, NamesTheRankThatLeftWithoutFinalize) {
  const supervisor::LaunchFailure found = supervisor::examine(
      "mpirun", exited(1),
      "mpirun has exited due to process rank 0 with PID 0 on\nnode node-a exiting improperly. "
      "There are three reasons this could occur:");
  EXPECT_EQ(found.type, "exited");
  EXPECT_EQ(found.rank, 0);
  EXPECT_EQ(found.host, "node-a");
}
TEST(LaunchFailure, NamesTheRankWithAnExitCode) {
  const supervisor::LaunchFailure found = supervisor::examine(
      "mpirun", exited(3),
      "The first process to do so was:\n\n  Process name: [[13,1],1]\n  Exit code:    3\n");
  EXPECT_EQ(found.rank, 1);
  EXPECT_THAT(found.reason, HasSubstr("exited with code 3"));
}
TEST(LaunchFailure, NamesTheRankThatAborted) {
  const supervisor::LaunchFailure found = supervisor::examine(
      "mpirun", exited(5),
      "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\nwith errorcode 5.\n");
  EXPECT_EQ(found.rank, 1);
  EXPECT_THAT(found.reason, HasSubstr("MPI_Abort(5)"));
}
TEST(LaunchFailure, NamesTheNodeWhoseDaemonIsLost) {
  const supervisor::LaunchFailure found =
      supervisor::examine("mpirun", exited(205),
                          "  HNP daemon   : [[29884,0],0] on node head\n"
                          "  Remote daemon: [[29884,0],1] on node node-b\n");
  EXPECT_EQ(found.type, "lost-peer");
  EXPECT_EQ(found.host, "node-b");
}
// Catches: a log that exhausts the supervisor's stack. Seen to end it by SIGSEGV from 64 KiB on.
TEST(LaunchFailure, OfALogThatANodeMadeUpIsOfTheLauncherAlone) {
  for (const char* begin : {"MPI_ABORT was invoked on rank 1", "[[1,1],1]",
                            "srun: error: node-a: task 1: ", "Remote daemon: [[1,1],1] on node ",
                            "process rank 1 with PID 1 on node ", "process rank 1 with PID 1"})
    for (const char filler : {'x', ' ', '\n', '1'}) {
      const supervisor::LaunchFailure found =
          supervisor::examine("mpirun", exited(3), begin + std::string(std::size_t{1} << 20, filler));
      EXPECT_FALSE(found.type.empty()) << begin << filler;
    }
}
TEST(LaunchFailure, ARanksOwnLastWordsBeatMpirunsAccount) {
  const supervisor::LaunchFailure found = supervisor::examine(
      "mpirun", exited(5),
      record::last_words({.kind = record::Failure::Kind::kError,
                          .type = "lost-peer",
                          .message = "rank 1 (node-b) did not arrive at the end of phase measure",
                          .node = "node-b",
                          .rank = 1}) +
          "MPI_ABORT was invoked on rank 0 in communicator X\nwith errorcode 2.\n");
  EXPECT_EQ(found.type, "lost-peer");
  EXPECT_EQ(found.rank, 1);
  EXPECT_EQ(found.host, "node-b");
  EXPECT_EQ(found.reason, "rank 1 (node-b) did not arrive at the end of phase measure");
}
// Two ranks that write at once: what is torn is no news, and the whole line before it counts.
TEST(LaunchFailure, PassesOverLastWordsThatAreTorn) {
  const std::string whole =
      record::last_words({.kind = record::Failure::Kind::kError,
                          .type = "deadline",
                          .message = "rank 0 (node-a) has been in phase measure for more than 5 s",
                          .node = "node-a",
                          .rank = 0});
  const supervisor::LaunchFailure found =
      supervisor::examine("mpirun", exited(70), whole + whole.substr(0, whole.size() / 2));
  EXPECT_EQ(found.type, "deadline");
  EXPECT_EQ(found.host, "node-a");
}
TEST(LaunchFailure, AKilledLauncherSaysNothingOfTheRanks) {
  const supervisor::LaunchFailure found =
      supervisor::examine("mpirun", killed(9), "process rank 1 with PID 1 on node b exited on signal 11");
  EXPECT_EQ(found.rank, -1);
  EXPECT_THAT(found.reason, HasSubstr("mpirun was killed by signal 9"));
}
TEST(LaunchFailure, ReadsASignalFromTheExitCodeAlone) {
  const supervisor::LaunchFailure found = supervisor::examine("mpirun", exited(134), "");
  EXPECT_EQ(found.type, "crash");
  EXPECT_THAT(found.reason, HasSubstr("SIGABRT"));
}
TEST(LaunchFailure, ExitZeroBeforeTheEndIsNoSuccess) {
  const supervisor::LaunchFailure found = supervisor::examine("srun", exited(0), "");
  EXPECT_EQ(found.type, "exited");
  EXPECT_THAT(found.reason, HasSubstr("srun exited with code 0 before the suite was done"));
}
TEST(LaunchFailure, QuotesTheLaunchersOwnError) {
  const auto reason = [](const std::string& log) {
    return supervisor::examine("mpirun", exited(1), log).reason;
  };
  EXPECT_THAT(reason("srun: Job step\nsrun: error: Unable to allocate resources: Invalid account\033[2J\n"),
              EndsWith("done: srun: error: Unable to allocate resources: Invalid account\\x1B[2J"));
  EXPECT_THAT(
      reason("noise\n--------------------\nNone of the TCP networks specified\n\nmore\n-----------------\n"),
      EndsWith("done: None of the TCP networks specified"));
  EXPECT_THAT(reason("noise\n"), EndsWith("before the suite was done"));
  EXPECT_LT(reason("error: " + std::string(5000, 'x')).size(), 400U);
}
TEST(LaunchFailure, SaysWhenALauncherCouldNotBeKilled) {
  EXPECT_THAT(supervisor::examine("mpirun", {}, "").reason, HasSubstr("could not be killed"));
}
TEST(LaunchFailure, ASurvivorThatEndsTheJobFirstIsNotTheCulprit) {
  const supervisor::LaunchFailure found =
      supervisor::examine("mpirun", exited(255),
                          "[node-a][[30443,1],0][opal/mca/btl/tcp/btl_tcp_frag.c:135:mca_btl_tcp_frag_send] "
                          "mca_btl_tcp_frag_send: "
                          "writev failed: Connection reset by peer (104)\n[node-a:00122] "
                          "ompi/mca/pml/ob1/pml_ob1_sendreq.c:317 FATAL\n");
  EXPECT_EQ(found.type, "lost-peer");
  EXPECT_EQ(found.rank, -1);
  EXPECT_EQ(found.survivors, std::set<int>{0});
  EXPECT_THAT(found.reason, HasSubstr("Connection reset by peer"));
}
TEST(LaunchFailure, SurvivesAbsurdNumbers) {
  EXPECT_EQ(supervisor::examine("mpirun", exited(1),
                                "process rank 99999999999999 with PID 1 on node b exited on signal 11")
                .rank,
            -1);
}

}  // namespace
}  // namespace rigproof
