#include "fixtures/host/cpu_use.h"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace rigproof {
namespace {

host::CpuTimes parse(const std::string& text) {
  std::istringstream stream(text);
  return host::parse_cpu_times(stream);
}

TEST(CpuUse, SharesOfAllAndOfTheBusiest) {
  const auto before =
      parse("cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\nintr 5\n");
  const auto after = parse("cpu0 10 0 10 60 20 0 0 0 0 0\ncpu1 20 5 35 20 0 5 15 0 0 0\n");
  const host::CpuUse use = cpu_use(before, after);
  EXPECT_DOUBLE_EQ(use.busy, 0.5);
  EXPECT_DOUBLE_EQ(use.busiest, 0.8);
  EXPECT_EQ(use.busiest_cpu, 1);
  EXPECT_DOUBLE_EQ(use.softirq, 0.075);
}

TEST(CpuUse, GuestTimeIsNotCountedTwice) {
  const host::CpuUse use =
      cpu_use(parse("cpu0 0 0 0 0 0 0 0 0 0 0\n"), parse("cpu0 50 0 0 50 0 0 0 0 50 0\n"));
  EXPECT_DOUBLE_EQ(use.busy, 0.5);
}

TEST(CpuUse, IsZeroWithoutATickAndSurvivesIdleGoingBackwards) {
  const auto times = parse("cpu0 10 0 0 10 5 0 0 0 0 0\n");
  EXPECT_DOUBLE_EQ(cpu_use(times, times).busy, 0);
  EXPECT_DOUBLE_EQ(cpu_use(times, parse("cpu0 20 0 0 10 4 0 0 0 0 0\n")).busy, 1);
}

TEST(CpuUse, IgnoresACpuThatCameOrWent) {
  const host::CpuUse use =
      cpu_use(parse("cpu0 0 0 0 0 0 0 0 0\n"), parse("cpu0 0 0 0 9 0 0 0 0\ncpu1 9 0 0 0 0 0 0 0\n"));
  EXPECT_EQ(use.busiest_cpu, 0);
  EXPECT_DOUBLE_EQ(use.busy, 0);
}

TEST(CpuUse, RefusesAnotherText) {
  EXPECT_THROW(parse(""), std::runtime_error);
  EXPECT_THROW(parse("cpu0 1 2 three\n"), std::runtime_error);
}

TEST(CpuUse, ReadsThisMachine) {
  const host::CpuTimes times = host::read_cpu_times();
  ASSERT_FALSE(times.cpus.empty());
  EXPECT_GT(times.cpus[0].total, 0u);
}

}  // namespace
}  // namespace rigproof
