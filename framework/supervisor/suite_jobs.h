#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "framework/supervisor/job_plan.h"
#include "framework/supervisor/job_run.h"

namespace rigproof::supervisor {

// What a run has learnt of its nodes.
struct NodeStates {
  std::set<std::size_t> dead;  // no answer: on record as a problem, and nothing is launched there any more
};

// One suite with all its jobs. Those that share no node run at once, in the order that JobOrder says. Cases of a pair that were too slow beside other pairs, and nothing else, are measured again when all jobs are over, one
// pair at a time, of so many pairs as the rig has nodes: more are no matter of chance.
class SuiteJobs {
 public:
  enum class End {
    kOver,
    kInterrupted,  // by a signal, also one that came while nothing ran, with jobs left
    kDiskFull,
    kNoNodes,  // on record as a problem
  };

  // All of these outlive it.
  SuiteJobs(RunContext& context, const PlannedSuite& suite, NodeStates& nodes);

  // Blocks until all jobs are over, or the first thing that ends the run has ended them all.
  [[nodiscard]] End run();

 private:
  // Leaves out what an earlier part of the run has done.
  void take_up(const judge::JudgedSuite& done);
  void take_up(const judge::JudgedSuite& done, std::unique_ptr<JobRun>& job);
  void start_jobs();
  void start_alone();
  // Whether the run is to end: then these are left, to be taken up where a signal ends it.
  [[nodiscard]] bool leaves(std::vector<std::unique_ptr<JobRun>>& jobs);
  void publish();
  void look_after_running();
  // Jobs that this machine has no room to start wait for others; throws where there are none.
  void require_room() const;
  [[nodiscard]] bool has_room_for_another_alone() const;
  // Launches what can be launched of it, and puts the rest on record as lost. Whether there was anything to launch.
  [[nodiscard]] bool launch(JobRun& job);
  // Looks after one that runs; whether it is over.
  [[nodiscard]] bool step(JobRun& job);
  [[nodiscard]] bool is_over(JobRun& job, JobRun::End end);
  // After a launch of which nothing was heard: learns which of its nodes are dead. Whether the run can go on.
  [[nodiscard]] bool probe(const JobRun& job);
  void stop_all(End end, const std::string& why);
  void problem(const std::string& type, const std::string& message,
               const std::vector<std::size_t>& lost = {});

  RunContext& context_;
  const PlannedSuite& suite_;
  NodeStates& nodes_;
  int jobs_ = 0;
  std::vector<std::unique_ptr<JobRun>> waiting_, running_;  // waiting_: the next at the end
  std::vector<std::unique_ptr<JobRun>> again_;              // over, to be launched alone
  JobOrder order_;
  std::size_t alone_ = 0;  // jobs launched so
  End end_ = End::kOver;
};

}  // namespace rigproof::supervisor
