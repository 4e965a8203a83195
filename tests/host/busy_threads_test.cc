#include "fixtures/host/cpu_use.h"

#include <gmock/gmock.h>
#include <unistd.h>

namespace rigproof {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

const std::chrono::steady_clock::time_point kThen{100s};

TEST(BusyThreads, AreParsedWhateverTheirNames) {
  const auto thread = host::parse_thread("9 (a ) (b) R 1 7 7 0 -1 4194560 1 2 3 4 150 50 3 4 20 0", 7, 100);
  EXPECT_EQ(thread.name, "a ) (b");
  EXPECT_EQ(thread.process, 7);
  EXPECT_EQ(thread.used, 2s);
  EXPECT_EQ(host::parse_thread("nothing of the kind", 7, 100).used, 0s);
}

TEST(BusyThreads, AreNamedTheBusiestFirst) {
  const host::ThreadTimes before{
      .threads = {{1, {"init", 1, 50s}}, {9, {"rank", 7, 1s}}, {8, {"poller", 8, 0s}}}, .time = kThen};
  const host::ThreadTimes after{
      .threads = {{1, {"init", 1, 51s}}, {9, {"rank", 7, 9s}}, {8, {"poller", 8, 10s}}}, .time = kThen + 10s};
  EXPECT_THAT(busy_threads(before, after, 0.8),
              ElementsAre("poller (pid 8, thread 8) 100 %", "rank (pid 7, thread 9) 80 %"));
  EXPECT_THAT(busy_threads(after, after, 0.1), IsEmpty());  // no time passed
}

// What NCCL's proxy spins on its own is told from what else is busy.
TEST(CpusUsed, AreSummedByTheBeginningOfTheNames) {
  const host::ThreadTimes before{.threads = {{8, {"NCCL Progress 0", 7, 1s}}, {9, {"rank", 7, 1s}}},
                                 .time = kThen};
  const host::ThreadTimes after{
      .threads = {{8, {"NCCL Progress 0", 7, 10s}}, {9, {"rank", 7, 9s}}, {10, {"NCCL Progress 1", 7, 5s}}},
      .time = kThen + 10s};
  EXPECT_DOUBLE_EQ(cpus_used(before, after, "NCCL Progress"), 1.4);
  EXPECT_DOUBLE_EQ(cpus_used(before, after, "no such"), 0);
  EXPECT_DOUBLE_EQ(cpus_used(after, after, "NCCL"), 0);  // no time passed
}
TEST(CpusUsed, AreReadOfThisProcessAlone) {
  EXPECT_TRUE(host::read_own_thread_times().threads.contains(getpid()));
  for (const auto& [id, thread] : host::read_own_thread_times().threads) EXPECT_EQ(thread.process, getpid());
}

TEST(BusyThreads, OfThisNodeHoldThisOne) {
  const host::ThreadTimes times = host::read_thread_times();
  ASSERT_TRUE(times.threads.contains(getpid()));
  EXPECT_EQ(times.threads.at(getpid()).process, getpid());
}

}  // namespace
}  // namespace rigproof
