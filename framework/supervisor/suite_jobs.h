#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "framework/supervisor/job_plan.h"
#include "framework/supervisor/job_run.h"

namespace rigproof::supervisor {

// A run's knowledge of its nodes.
struct NodeStates {
  std::set<std::size_t> dead;  // do not answer: recorded as a problem; nothing is launched there
};

// One suite with all its jobs. Jobs without a common node run at once, in JobOrder's order. Cases of a pair
// that were only too slow, beside other pairs, are measured again alone after all jobs. At most as many pairs
// as the rig has nodes are repeated: more are not chance. In a run by sampling a slow node is then told apart from its
// partner by further pairs (judge/meetings.h).
class SuiteJobs {
 public:
  enum class End {
    kOver,
    kInterrupted,  // a signal came, also between launches, with jobs left
    kDiskFull,
    kNoNodes,  // recorded as a problem
  };

  // All arguments must outlive this object.
  SuiteJobs(RunContext& context, const PlannedSuite& suite, NodeStates& nodes);

  // Blocks until all jobs have ended, by themselves or because the run ends.
  [[nodiscard]] End run();

 private:
  // A job that is not yet launched. Its cases are made for the launch: all of a large rig fill the memory.
  struct Waiting {
    Job job;
    record::JobNumber number;
  };
  // The work that earlier parts of the run have done.
  struct Earlier {
    std::set<std::string> ended;   // cases: every iteration has an attempt that counts
    std::set<std::string> missed;  // cases: too slow beside other pairs, and not measured alone since
    std::set<std::string> alone;   // cases: measured again, alone
    std::map<record::JobNumber, int> launches;
    std::set<record::JobNumber> complete;
  };

  [[nodiscard]] static Earlier earlier(const judge::JudgedSuite& done, int iterations);
  [[nodiscard]] std::unique_ptr<JobRun> make(Waiting waiting) const;
  [[nodiscard]] std::set<NodePair> further_pairs(const judge::JudgedSuite& done) const;
  // Skips what earlier parts of the run have done.
  void take_up(const std::set<NodePair>& further);
  void start_jobs();
  void start_alone();
  // In a run by sampling: lets nodes in doubt meet known-good nodes, in a few further rounds. Returns false if there are
  // none, or no round is left.
  [[nodiscard]] bool add_round();
  // Adds a job for a pair, behind all others.
  void add_pair(NodePair pair, int round);
  // Returns true if the run is to end: its jobs are then left for a resume.
  [[nodiscard]] bool leaves();
  void publish();
  void look_after_running();
  // Jobs wait if this machine lacks resources to start them; throws if no other job would free some.
  void require_room() const;
  [[nodiscard]] bool has_room_for_another_alone() const;
  // Launches the job without dead nodes and records lost cases. Returns false if nothing was left to launch.
  [[nodiscard]] bool launch(JobRun& job);
  // Advances a running job; returns true when it has ended.
  [[nodiscard]] bool step(JobRun& job);
  [[nodiscard]] bool is_over(JobRun& job, JobRun::End end);
  // After a launch without any event: finds its dead nodes. Returns true if the run can go on.
  [[nodiscard]] bool probe(const JobRun& job);
  void stop_all(End end, const std::string& why);
  void problem(const std::string& type, const std::string& message,
               const std::vector<std::size_t>& lost = {});

  RunContext& context_;
  const PlannedSuite& suite_;
  NodeStates& nodes_;
  int jobs_ = 0;
  Earlier earlier_;
  std::vector<Waiting> waiting_;  // the next one is last
  std::vector<std::unique_ptr<JobRun>> running_;
  std::vector<std::unique_ptr<JobRun>> again_;  // ended, to be launched alone
  JobOrder order_;
  std::size_t alone_ = 0;  // jobs launched alone
  int rounds_ = 0;         // of pairs
  int further_ = 0;        // rounds that add_round() added
  End end_ = End::kOver;
};

}  // namespace rigproof::supervisor
