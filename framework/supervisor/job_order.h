#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "framework/record/events.h"
#include "framework/supervisor/job_plan.h"

namespace rigproof::supervisor {

// When the jobs of a suite begin. Rates of pairs are comparable where the pairs of a round are measured at once: a job begins
// when its nodes are free and no job of the round before the last one is left. Late jobs do not count for that, and neither
// do those that wait for their nodes: a job that hangs holds up its own nodes only. Late: it lasts more than twice as long
// as the longest of the pairs that ended and were not late. Pure, but for what it is told.
class JobOrder {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // A job runs from here on. Of one that runs: that it has other nodes or cases now.
  void begin(record::JobNumber number, const Job& job, Time now);
  void end(record::JobNumber number, Time now);

  // Which of so many jobs that wait, in the order of their rounds, begin now.
  [[nodiscard]] std::vector<std::size_t> ready(std::size_t count,
                                               const std::function<const Job&(std::size_t)>& waiting,
                                               Time now) const;

 private:
  struct Running {
    Job job;  // without its cases
    Time began;
  };
  [[nodiscard]] bool is_late(const Running& running, Time now) const;

  std::map<record::JobNumber, Running> running_;
  std::optional<Time::duration> longest_;  // of those that were not late
};

}  // namespace rigproof::supervisor
