// Threads that spin go to the fastest CPUs. Catches: a latency taken on a little core of a big.LITTLE node, a thread that
// stays pinned after its measurement, spinning threads that take a small node from what they measure.
#include "fixtures/host/fast_cpus.h"

#include <gmock/gmock.h>
#include <sched.h>

#include <fstream>

#include "tests/support/temp_folder.h"

namespace rigproof::host {
namespace {

// CPUs that this thread may use, of these capacities in turns.
class Sysfs {
 public:
  explicit Sysfs(const std::vector<unsigned>& capacities) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof(allowed), &allowed);
    std::size_t next = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (!CPU_ISSET(cpu, &allowed)) continue;
      numbers.push_back(cpu);
      const auto folder = folder_.path() / ("cpu" + std::to_string(cpu));
      std::filesystem::create_directories(folder);
      std::ofstream(folder / "cpu_capacity") << capacities[next++ % capacities.size()] << "\n";
    }
  }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  std::vector<int> numbers;

 private:
  TempFolder folder_;
};

TEST(FastCpus, AreThoseOfTheLargestCapacityTheLastFirst) {
  const Sysfs sysfs({718, 1024});
  if (sysfs.numbers.size() < 2) GTEST_SKIP() << "one CPU: none is faster than another";
  const auto cpus = fast_cpus(1, sysfs.path());
  ASSERT_EQ(cpus.size(), sysfs.numbers.size() / 2);
  for (const FastCpu& cpu : cpus) EXPECT_EQ(cpu.capacity, 1024U);
  EXPECT_EQ(cpus.back().number, sysfs.numbers[1]);
}
// A GB10: ten cores of one kind, of which some clock a little higher; two spinning threads must not share one.
TEST(FastCpus, AreAllOfTheFastKind) {
  const Sysfs sysfs({997, 1024});
  if (sysfs.numbers.size() < 2) GTEST_SKIP() << "one CPU: none is faster than another";
  const auto cpus = fast_cpus(1, sysfs.path());
  ASSERT_EQ(cpus.size(), sysfs.numbers.size());
  EXPECT_EQ(cpus.front().capacity, 1024U);
  EXPECT_EQ(cpus.back().capacity, 997U);
}
TEST(FastCpus, AreAsManyAsAreWantedWhereThatKindHasFewer) {
  const Sysfs sysfs({600, 1024});
  if (sysfs.numbers.size() < 2) GTEST_SKIP() << "one CPU: none is faster than another";
  EXPECT_EQ(fast_cpus(sysfs.numbers.size(), sysfs.path()).size(), sysfs.numbers.size());
}
TEST(FastCpus, AreNoneWhereAllAreAlikeOrNobodyTells) {
  EXPECT_TRUE(fast_cpus(1, Sysfs({1024}).path()).empty());
  EXPECT_TRUE(fast_cpus(1, "/nowhere").empty());
  EXPECT_EQ(describe({}, 0), "any CPU");
}
TEST(FastCpus, AreTakenInTurns) {
  const std::vector<FastCpu> cpus{{19, 1024}, {18, 1024}};
  EXPECT_EQ(describe(cpus, 1), "CPU 18 (capacity 1024)");
  EXPECT_EQ(describe(cpus, 2), "CPU 19 (capacity 1024)");
}
TEST(FastCpus, LeaveTheNodeItsOwn) {
  EXPECT_EQ(most_spinning(1), 1U);
  EXPECT_EQ(most_spinning(2), 1U);
  EXPECT_EQ(most_spinning(20), 5U);
}
TEST(PinnedThread, RunsThereAndLeavesTheThreadAsItWas) {
  const Sysfs sysfs({1024});
  cpu_set_t before, during, after;
  for (cpu_set_t* set : {&before, &during, &after}) CPU_ZERO(set);
  sched_getaffinity(0, sizeof(before), &before);
  {
    const PinnedThread pinned({{sysfs.numbers.back(), 1024}}, 0);
    EXPECT_EQ(sched_getcpu(), sysfs.numbers.back());
    sched_getaffinity(0, sizeof(during), &during);
  }
  sched_getaffinity(0, sizeof(after), &after);
  EXPECT_EQ(CPU_COUNT(&during), 1);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

}  // namespace
}  // namespace rigproof::host
