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

// A suite on some of the nodes, launched as one.
struct Job {
  std::vector<std::size_t> nodes;  // by rank, in the rig's order
  std::vector<std::string> cases;  // by name, in the plan's order; CasePlan leaves them to the job's launch
  int round = 0;                   // 0: before the rounds of pairs, which are 1, 2, ...
  bool has_pairs = false;          // has cases about two nodes
};

// Removes the cases that need dead nodes, and these nodes, from the job. Returns the removed cases as a job.
[[nodiscard]] Job take_lost(Job& job, const std::set<std::size_t>& dead, const Rig& rig,
                            const record::SuitePlanned& plan);

// The part of a plan with these cases.
[[nodiscard]] record::SuitePlanned part_of(const record::SuitePlanned& plan,
                                           const std::vector<std::string>& cases);

// How a launch's plan of these cases differs from what the suite described for its job, in words; empty if it does
// not. `whole`: the launch is on all nodes of the rig. Otherwise the plan may lack ids whose hardware only some nodes
// have (Declared::needs).
[[nodiscard]] std::string difference(const record::SuitePlanned& described,
                                     const std::vector<record::Declared>& declared,
                                     const std::unordered_set<std::string>& cases,
                                     const record::SuitePlanned& plan, bool whole);

// Pairs of `nodes`, by index, that have cases with each other in this plan.
[[nodiscard]] std::vector<channel::RankPair> pairs_of(const record::SuitePlanned& plan,
                                                      const std::vector<std::string>& nodes);

// Decides when the jobs of a suite begin, by the times given. Rates of pairs are comparable if all pairs of a
// round are measured at once. So a job begins when its nodes are free and no job from before the previous
// round is left. Late jobs, and jobs that wait for their nodes, do not count: a hanging job delays only its
// own nodes. A job is late after twice the time of the longest pair job that ended and was not late.
class JobOrder {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Call when a job starts to run, or when a running job changes its nodes or cases.
  void begin(record::JobNumber number, const Job& job, Time now);
  void end(record::JobNumber number, Time now);

  // Indices of the waiting jobs that begin now, out of `count` jobs in the order of their rounds.
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
  std::optional<Time::duration> longest_;  // of jobs that were not late
};

}  // namespace rigproof::supervisor
