#include "fixtures/emulated_rigs/machine/stolen_cpu.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace rigproof::machine {
namespace {

CpuTime time_of(const std::string& proc_stat, std::uint64_t own) {
  std::istringstream stream(proc_stat);
  return parse_cpu_time(stream, own);
}

TEST(CpuTime, IsStolenByWhatIsNeitherOursNorInterrupts) {
  const std::string text = "cpu  100 20 50 700 30 5 45 50 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n";
  const CpuTime time = time_of(text, 120);
  EXPECT_EQ(time.all, 1000u);
  EXPECT_EQ(time.stolen, 100u);  // 100 user + 20 nice + 50 system + 50 steal - 120 ours
}

TEST(CpuTime, IsNeverNegative) { EXPECT_EQ(time_of("cpu 10 0 5 85 0 0 0 0 0 0\n", 99).stolen, 0u); }

TEST(CpuTime, RefusesWhatIsNoProcStat) {
  EXPECT_THROW((void)time_of("", 0), std::runtime_error);
  EXPECT_THROW((void)time_of("cpu0 1 2 3 4 5 6 7 8\n", 0), std::runtime_error);
  EXPECT_THROW((void)time_of("cpu 1 2 3\n", 0), std::runtime_error);
}

TEST(ProcessTicks, AreItsOwnAndItsChildrens) {
  const std::string head = "7 (a ) name (x) S 1 7 7 0 -1 4194560 1 2 3 4 ";
  EXPECT_EQ(process_ticks(head + "10 20 300 400 20 0 1 0 55"), 730u);
  EXPECT_EQ(process_ticks(head + "10 20 300"), 0u);
  EXPECT_EQ(process_ticks("nothing of the kind"), 0u);
}

TEST(ProcessTicks, OfAProcessThatIsGoneAreNone) { EXPECT_EQ(process_ticks_of(0), 0u); }

TEST(CpuTime, OfThisMachineGoesOn) {
  StoodStill never;
  OtherProcesses none("/nonexistent", [](pid_t) { return false; });
  EXPECT_GT(read_cpu_time(never, 0, none).all, 0u);
}

// A pause of the hypervisor's that nothing counts: the sampler wakes up late.
TEST(StoodStill, CountsWhatALateSampleMisses) {
  using namespace std::chrono_literals;
  const auto ticks = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  StoodStill stood_still;
  auto now = std::chrono::steady_clock::now();
  (void)stood_still.until(now, 2);
  EXPECT_EQ(stood_still.until(now += kSamplePeriod, 2), 0u);
  EXPECT_EQ(stood_still.until(now += kSamplePeriod + 90ms, 2), 0u);  // the rig's own load may do that
  EXPECT_EQ(stood_still.until(now += kSamplePeriod + 800ms, 2), 16 * ticks / 10);
  EXPECT_EQ(stood_still.until(now += kSamplePeriod, 2), 16 * ticks / 10);
}

TEST(LargestStolenShare, IsThatOfTheWorstStretch) {
  const std::vector<CpuTime> samples{{100, 5}, {150, 5}, {200, 5}, {250, 5}, {300, 25}, {350, 25}, {400, 35}};
  EXPECT_DOUBLE_EQ(largest_stolen_share(samples), 0.15);
}

TEST(LargestStolenShare, OfAShortMeasurementIsThatOfTheWhole) {
  const std::vector<CpuTime> samples{{100, 0}, {125, 25}, {140, 25}};
  EXPECT_DOUBLE_EQ(largest_stolen_share(samples), 0.625);
}

TEST(LargestStolenShare, OfTooFewTicksIsNone) {
  EXPECT_EQ(largest_stolen_share({}), 0);
  const std::vector<CpuTime> samples{{100, 0}, {110, 10}, {119, 19}};
  EXPECT_EQ(largest_stolen_share(samples), 0);
}

// Two processes work for a while, and one of them is the rig's.
TEST(OtherProcesses, AreAllButTheRigs) {
  const auto work = [] {
    const pid_t child = fork();
    if (child == 0)
      for (;;) (void)getppid();
    return child;
  };
  const pid_t ours = work(), theirs = work();
  const auto is_one_of = [](std::vector<pid_t> these) {
    return [these](pid_t process) { return std::ranges::find(these, process) == these.end(); };
  };
  OtherProcesses others("/proc", is_one_of({theirs})), rigs("/proc", is_one_of({ours})),
      none("/proc", is_one_of({}));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while ((others.ticks() < 3 || rigs.ticks() < 3) && std::chrono::steady_clock::now() < deadline)
    usleep(1000);
  EXPECT_GE(others.ticks(), 3u);
  EXPECT_GE(rigs.ticks(), 3u);
  EXPECT_EQ(none.ticks(), 0u);
  for (const pid_t child : {ours, theirs}) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
}

TEST(LargestStolenShare, TakesTheLargerOfBothFigures) {
  const std::vector<CpuTime> samples{{100, 5, 0}, {200, 10, 30}};
  EXPECT_DOUBLE_EQ(largest_stolen_share(samples), 0.3);
}

// A process that used 80 s ended between the readings of its parent and of itself: its time is back in the next sample.
TEST(LargestStolenShare, LeavesOutMoreThanTheTimeThatPassed) {
  const std::vector<CpuTime> others{{100, 0, 8000}, {150, 0, 20}, {200, 10, 8020}};
  EXPECT_DOUBLE_EQ(largest_stolen_share(others), 0.2);
  const std::vector<CpuTime> own{{100, 0}, {200, 7980}};
  EXPECT_EQ(largest_stolen_share(own), 0);
}

TEST(LargestStolenShare, TakesNothingForNegative) {
  const std::vector<CpuTime> samples{{100, 90}, {150, 50}, {200, 40}, {250, 30}, {300, 20}};
  EXPECT_EQ(largest_stolen_share(samples), 0);
}

}  // namespace
}  // namespace rigproof::machine
