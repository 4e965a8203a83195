#pragma once

#include <set>
#include <string>
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

// Which two of these nodes have cases with each other in this plan, by their places in `nodes`, where both are.
[[nodiscard]] std::vector<channel::RankPair> pairs_of(const record::SuitePlanned& plan,
                                                      const std::vector<std::string>& nodes);

}  // namespace rigproof::supervisor
