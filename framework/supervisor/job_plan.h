#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "framework/channel/channel.h"
#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof::supervisor {

// A suite that is run.
struct PlannedSuite {
  Suite suite;
  record::SuiteDescription description;  // for the whole rig
};

// A suite on some of the nodes: what is launched as one.
struct Job {
  std::vector<std::size_t> nodes;  // in the rig's order, by rank
  std::vector<std::string> cases;  // by name, in the plan's order
  int round = 0;                   // 0: before the pairs' first, 1, 2, ...
};

// The jobs of a suite, by its plan for the whole rig. Every case is in one job: what is about two nodes in the job of
// that pair (but for two that others forward for), all else in one job of all nodes, which comes first. A rig of two nodes is one job, and so is a suite whose
// description says so.
[[nodiscard]] std::vector<Job> jobs_of(const Rig& rig, const record::SuiteDescription& suite);

// All cases in one job.
[[nodiscard]] Job one_job(const Rig& rig, const record::SuiteDescription& suite);

// Takes from the job, which stays on its living nodes, what needs dead ones: returns that.
[[nodiscard]] Job take_lost(Job& job, const std::set<std::size_t>& dead, const Rig& rig,
                            const record::SuitePlanned& plan);

// The part of a plan that is these cases.
[[nodiscard]] record::SuitePlanned part_of(const record::SuitePlanned& plan,
                                           const std::vector<std::string>& cases);

// How the plan of a launch of these cases differs from what the suite had described, in words; empty where it does not.
// `whole`: the launch is on all nodes of the rig. Else it may lack ids that need what a part of the rig may not have, as
// the description declares.
[[nodiscard]] std::string difference(const record::SuiteDescription& described,
                                     const std::unordered_set<std::string>& cases,
                                     const record::SuitePlanned& plan, bool whole);

// Which two of these nodes have cases with each other in this plan, by their places in `nodes`, where both are.
[[nodiscard]] std::vector<channel::RankPair> pairs_of(const record::SuitePlanned& plan,
                                                      const std::vector<std::string>& nodes);

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
