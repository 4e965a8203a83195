#include "suites/host/microbenchmarks.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <set>
#include <thread>
#include <vector>

namespace rigproof::host {
namespace {

using namespace std::chrono_literals;

constexpr auto kRound = 2ms;  // longer than a repetition lasts: each is one round

SampleSet run(std::chrono::milliseconds warm_up, int threads, const std::vector<FastCpu>& cpus,
              const std::function<double()>& round) {
  const auto slow_round = [&] {
    std::this_thread::sleep_for(kRound);
    return round();
  };
  return run_microbenchmark({"round", Dimension::kCount, threads, slow_round}, warm_up, 0.003, 3, cpus);
}

// A core that idles at a twentieth of its clock does its first rounds at that.
TEST(Microbenchmark, LeavesItsFirstRoundsOut) {
  for (const bool warm : {false, true}) {
    int rounds = 0;
    const SampleSet samples = run(warm ? 1ms : 0ms, 1, {}, [&] { return ++rounds == 1 ? 1e12 : 1.0; });
    ASSERT_EQ(samples.values.size(), 3U);
    EXPECT_EQ(std::ranges::max(samples.values) < 1e9, warm);
  }
}

int allowed_cpus() {
  cpu_set_t cpus;
  return sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 0;
}

TEST(Microbenchmark, OfOneThreadKeepsToOneCpu) {
  const int before = allowed_cpus(), here = sched_getcpu();
  std::set<int> allowed, ran_on;
  (void)run(1ms, 1, {{here, 1024}}, [&] {
    allowed.insert(allowed_cpus());
    ran_on.insert(sched_getcpu());
    return 1.0;
  });
  EXPECT_EQ(allowed, std::set{1});
  EXPECT_EQ(ran_on, std::set{here});
  EXPECT_EQ(allowed_cpus(), before) << "as before";
}

TEST(Microbenchmark, OfAllCoresIsSpreadOverThem) {
  const int before = allowed_cpus();
  std::atomic<int> least = before;
  (void)run(1ms, 2, {{sched_getcpu(), 1024}}, [&] {
    least = std::min(least.load(), allowed_cpus());
    return 1.0;
  });
  EXPECT_EQ(least, before);
}

}  // namespace
}  // namespace rigproof::host
