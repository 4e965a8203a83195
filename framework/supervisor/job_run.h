#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <unordered_set>
#include <vector>

#include "framework/channel/channel.h"
#include "framework/process/process.h"
#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/case_progress.h"
#include "framework/supervisor/exiting_launchers.h"
#include "framework/supervisor/job_plan.h"
#include "framework/supervisor/launch_command.h"
#include "framework/supervisor/launch_watch.h"
#include "framework/supervisor/out_directory.h"
#include "framework/supervisor/run_journal.h"
#include "framework/supervisor/run_rig.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof::supervisor {

// Shared by all parts of one run.
struct RunContext {
  const RunOptions& options;
  const Rig& rig;
  const LaunchCommand& launcher;
  const Interrupts& interrupts;
  OutDirectory& out;
  RunJournal& journal;
  channel::Hub& hub;
  ExitingLaunchers exiting{options.timeouts};
};

// One job of a suite with all its launches. Starts them, records their events, checks deadlines and ends
// hanging launches. After a failed launch it records the culprit and launches again without it. poll() never
// blocks.
class JobRun {
 public:
  enum class End {
    kOver,    // every case ran, or the job was given up
    kSilent,  // no event came from any rank: launch() again if the nodes answer
    kInterrupted,
    kDiskFull,
  };

  // `number` and `jobs` as in SuiteStarted. `plan` has the job's cases, and may have more.
  JobRun(RunContext& context, const PlannedSuite& suite, Job job, record::SuitePlanned plan,
         record::JobNumber number, int jobs);

  // Continues an earlier part of the run: its number of launches, the suite's cases that ended, and those
  // that were too slow beside other jobs.
  void take_up(int launches, const std::set<std::string>& ended, const std::set<std::string>& missed_beside);
  // If this machine lacks descriptors, processes or memory, poll() tries again.
  void launch();
  // Why it could not be launched yet, and what to type; empty: no shortage.
  [[nodiscard]] const std::string& shortage() const { return shortage_; }
  // Records that no case of it is left.
  void close();
  // Call after every wait() of the hub. nullopt: the job goes on.
  [[nodiscard]] std::optional<End> poll();
  // True if a launch has not sent its plan yet.
  [[nodiscard]] bool starts() const {
    return state_ != State::kIdle && state_ != State::kCalm && !watch_->planned();
  }
  // True if a launch has sent its plan: its cases run.
  [[nodiscard]] bool measures() const { return state_ == State::kRunning && watch_->planned(); }
  // Opens cases that were too slow beside other jobs since the last call. Returns true if there were any.
  [[nodiscard]] bool reopen_missed_beside();
  // Ends the running launch; poll() then returns kInterrupted once.
  void interrupt(const std::string& why);
  // Records that its remaining cases cannot run.
  void leave(const std::string& why);

  [[nodiscard]] const Job& job() const { return job_; }
  [[nodiscard]] const record::SuitePlanned& plan() const { return plan_; }
  [[nodiscard]] record::JobNumber number() const { return number_; }
  void change(Job job);  // between launches: other nodes or cases
  [[nodiscard]] std::vector<std::string> open_cases() const { return progress_.open(); }

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { kIdle, kRunning, kStopping, kDraining, kCalm };  // kCalm: waits for its next launch

  [[nodiscard]] process::Process start(const std::vector<std::string>& command) const;
  void wait_for_room(const std::system_error& error);
  void take();
  void take(record::EventBody event);
  void keep(const channel::File& file);
  void check(const record::EventBody& event) const;
  void refuse(const std::string& why);
  [[nodiscard]] bool has_node(std::string_view name) const;
  [[nodiscard]] bool has_switch(std::string_view name) const;
  void stop(LaunchFailure cause);
  [[nodiscard]] std::optional<End> end_launch();
  [[nodiscard]] std::optional<End> complete();
  [[nodiscard]] std::optional<End> end_failed(const LaunchFailure& found);
  [[nodiscard]] std::optional<End> go_on();
  [[nodiscard]] End give_up();
  [[nodiscard]] std::vector<std::string> command() const;
  [[nodiscard]] record::SuiteStarted started(std::string command) const;
  void write(record::EventBody event);
  [[nodiscard]] record::CaseEnded end_of_culprit(const LaunchFailure& failure) const;
  [[nodiscard]] std::string name() const;                     // "suite tcp, job 3 (node-a, node-c)"
  [[nodiscard]] std::vector<std::string> node_names() const;  // by rank
  [[nodiscard]] std::string what() const;                     // names this launch's launcher in messages
  [[nodiscard]] std::filesystem::path log() const;
  [[nodiscard]] std::string describe(const LaunchFailure& failure) const;
  [[nodiscard]] std::vector<std::string> suspects(const LaunchFailure& failure) const;
  [[nodiscard]] std::string node_of(const LaunchFailure& failure) const;

  RunContext& context_;
  const PlannedSuite& suite_;
  Job job_;
  record::SuitePlanned plan_;
  record::JobNumber number_;
  int jobs_;
  CaseProgress progress_;
  std::set<std::string> missed_beside_;  // too slow beside other jobs
  State state_ = State::kIdle;
  std::unordered_set<std::string> ordered_;  // the cases of this launch
  std::unique_ptr<channel::Receiver> events_;
  std::optional<process::Process> child_;
  std::optional<LaunchWatch> watch_;
  std::optional<LaunchFailure> cause_;    // why the supervisor ends the launch
  std::optional<int> status_;             // the launcher's wait status
  Clock::time_point case_began_, until_;  // until_: end of kStopping, kDraining and kCalm
  std::string shortage_;
  bool interrupted_ = false;
  bool is_invalid_ = false;  // the launch sent an invalid message: its last event does not count
  int launch_ = 0;
  int repeats_ = 0;    // launches for cases whose attempts do not count
  int fruitless_ = 0;  // consecutive launches that neither ended a case nor named a culprit
};

}  // namespace rigproof::supervisor
