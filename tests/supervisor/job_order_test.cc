// When the pairs of a rig begin, by jobs whose durations are given. Catches: one that hangs holds up pairs it has no node
// in common with; pairs of a round no longer run at once.
#include "framework/supervisor/job_plan.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof {
namespace {

using std::chrono::seconds;
using supervisor::Job;
using Time = supervisor::JobOrder::Time;

// All pairs of so many nodes, in rounds.
std::vector<Job> every_pair(std::uint32_t nodes) {
  std::vector<Job> jobs;
  std::vector<NodePair> pairs;
  for (std::uint32_t one = 0; one < nodes; ++one)
    for (std::uint32_t other = one + 1; other < nodes; ++other) pairs.push_back({one, other});
  const auto rounds = rounds_of(nodes, pairs);
  for (std::size_t round = 0; round < rounds.size(); ++round)
    for (const NodePair pair : rounds[round])
      jobs.push_back({.nodes = {pair.first, pair.second}, .cases = {}, .round = static_cast<int>(round) + 1});
  return jobs;
}

// Jobs that last 10 s each, or as long as is said here.
class Simulation {
 public:
  Simulation(std::vector<Job> jobs, std::map<int, seconds> durations)
      : jobs_(std::move(jobs)), durations_(std::move(durations)) {
    for (int number = 0; number < static_cast<int>(jobs_.size()); ++number) waiting_.push_back(number);
  }
  void run() {
    for (Time now{}; !waiting_.empty() || !running_.empty(); now += seconds(1)) step(now);
  }
  // By number, in seconds from the start.
  std::map<int, seconds> began, ended;
  int widest = 0;  // rounds between jobs that ran at once

 private:
  void step(Time now) {
    std::erase_if(running_, [&](int number) {
      const bool over = now >= Time{} + began[number] + duration(number);
      if (over) order_.end(number, now), ended[number] = since_start(now);
      return over;
    });
    const auto chosen = order_.ready(
        waiting_.size(), [&](std::size_t i) -> const Job& { return job(waiting_[i]); }, now);
    for (auto i = chosen.rbegin(); i != chosen.rend(); ++i) {
      const int number = waiting_[*i];
      order_.begin(number, job(number), now);
      began[number] = since_start(now);
      for (const int other : running_) widest = std::max(widest, job(number).round - job(other).round);
      running_.insert(number);
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(*i));
    }
  }
  static seconds since_start(Time now) { return std::chrono::duration_cast<seconds>(now - Time{}); }
  [[nodiscard]] const Job& job(int number) const { return jobs_.at(static_cast<std::size_t>(number)); }
  [[nodiscard]] seconds duration(int number) const {
    const auto found = durations_.find(number);
    return found == durations_.end() ? seconds(10) : found->second;
  }

  std::vector<Job> jobs_;
  std::map<int, seconds> durations_;
  supervisor::JobOrder order_;
  std::vector<int> waiting_;
  std::set<int> running_;
};

TEST(JobOrder, PairsOfARoundBeginAtOnce) {
  const std::vector<Job> jobs = every_pair(8);
  Simulation simulation(jobs, {});
  simulation.run();
  for (int number = 0; number < static_cast<int>(jobs.size()); ++number)
    EXPECT_EQ(simulation.began[number], (jobs[static_cast<std::size_t>(number)].round - 1) * seconds(10));
}
TEST(JobOrder, PairsThatTakeUpToTwiceAsLongKeepTheRoundsTogether) {
  Simulation simulation(every_pair(8), {{0, seconds(19)}, {9, seconds(17)}, {17, seconds(13)}});
  simulation.run();
  EXPECT_LE(simulation.widest, 1);
}
// The first pair of eight nodes hangs for ten minutes: the 15 pairs of the six others are through after a bit more than two.
TEST(JobOrder, AJobThatHangsHoldsUpItsOwnNodesOnly) {
  const std::vector<Job> jobs = every_pair(8);
  Simulation simulation(jobs, {{0, seconds(600)}});
  simulation.run();
  const std::vector<std::size_t>& hung = jobs[0].nodes;
  for (int number = 1; number < static_cast<int>(jobs.size()); ++number) {
    const std::vector<std::size_t>& nodes = jobs[static_cast<std::size_t>(number)].nodes;
    const bool waits = std::ranges::find_first_of(nodes, hung) != nodes.end();
    EXPECT_EQ(simulation.began[number] >= seconds(600), waits) << number;
    if (waits) continue;
    EXPECT_LE(simulation.ended[number], seconds(120)) << number;
  }
}
TEST(JobOrder, ASecondJobThatHangsHoldsUpItsOwnNodesOnlyToo) {
  const std::vector<Job> jobs = every_pair(8);
  Simulation simulation(jobs, {{0, seconds(100)}, {27, seconds(5000)}, {20, seconds(5000)}});
  simulation.run();
  for (int number = 0; number < static_cast<int>(jobs.size()); ++number) {
    const auto has_node_of = [&](int other) {
      const std::vector<std::size_t>& nodes = jobs[static_cast<std::size_t>(other)].nodes;
      return std::ranges::find_first_of(nodes, jobs[static_cast<std::size_t>(number)].nodes) != nodes.end();
    };
    if (has_node_of(20) || has_node_of(27)) continue;
    EXPECT_LE(simulation.ended[number], seconds(500)) << number;
  }
}

}  // namespace
}  // namespace rigproof
