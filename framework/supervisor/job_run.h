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

// What every part of one run works with.
struct RunContext {
  const RunOptions& options;
  const Rig& rig;
  const LaunchCommand& launcher;
  const Interrupts& interrupts;
  OutDirectory& out;
  RunJournal& journal;
  channel::Hub& hub;
  std::shared_ptr<process::Siblings> launches = std::make_shared<process::Siblings>();
  ExitingLaunchers exiting{options.timeouts};
};

// One job of a suite with all its launches: starts it, puts what it sends on record, follows that against the deadlines,
// ends what hangs, writes the culprit of a failed launch down and starts again without it. Never blocks: poll() takes it a
// step further.
class JobRun {
 public:
  enum class End {
    kOver,    // every case ran, or the job was given up
    kSilent,  // no rank of a launch was ever heard: launch() again, when the nodes are there
    kInterrupted,
    kDiskFull,
  };

  // `number` and `jobs` as in SuiteStarted.
  JobRun(RunContext& context, const PlannedSuite& suite, Job job, record::JobNumber number, int jobs);

  // What an earlier part of the run has done of it: its launches, the cases of the suite that it ended, and those that
  // were too slow beside other jobs.
  void take_up(int launches, const std::set<std::string>& ended, const std::set<std::string>& missed_beside);
  // Where this machine has no room for another launch (descriptors, processes, memory) poll() tries again.
  void launch();
  // Why it could not be launched yet, and what to type; empty: nothing is in its way.
  [[nodiscard]] const std::string& shortage() const { return shortage_; }
  // Puts on record that nothing of it is left.
  void close();
  // After every wait() of the hub. Nothing: it goes on.
  [[nodiscard]] std::optional<End> poll();
  // A launch has not sent its plan yet.
  [[nodiscard]] bool starts() const {
    return state_ != State::kIdle && state_ != State::kCalm && !watch_->planned();
  }
  // A launch has sent its plan: cases of it run.
  [[nodiscard]] bool measures() const { return state_ == State::kRunning && watch_->planned(); }
  // Whether cases were too slow while other jobs ran, since the last call: those are open again, to be launched alone.
  [[nodiscard]] bool reopen_missed_beside();
  // Ends the launch that runs, from outside: poll() then returns kInterrupted, once.
  void interrupt(const std::string& why);
  // Puts on record that what is left of it can't be run.
  void leave(const std::string& why);

  [[nodiscard]] const Job& job() const { return job_; }
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
  [[nodiscard]] bool has_node(const std::string& name) const;
  [[nodiscard]] bool has_switch(const std::string& name) const;
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
  [[nodiscard]] std::string name() const;  // "suite tcp, job 3 (node-a, node-c)"
  [[nodiscard]] std::string what() const;  // the launcher of this launch, for messages
  [[nodiscard]] std::filesystem::path log() const;
  [[nodiscard]] std::string describe(const LaunchFailure& failure) const;
  [[nodiscard]] std::vector<std::string> suspects(const LaunchFailure& failure) const;
  [[nodiscard]] std::string node_of(const LaunchFailure& failure) const;

  RunContext& context_;
  const PlannedSuite& suite_;
  Job job_;
  record::JobNumber number_;
  int jobs_;
  CaseProgress progress_;
  std::set<std::string> missed_beside_;  // others
  State state_ = State::kIdle;
  std::unordered_set<std::string> ordered_;  // the cases of this launch
  std::unique_ptr<channel::Receiver> events_;
  std::optional<process::Process> child_;
  std::optional<LaunchWatch> watch_;
  std::optional<LaunchFailure> cause_;    // why we end the launch
  std::optional<int> status_;             // of the launcher, once it has ended
  Clock::time_point case_began_, until_;  // of kStopping, kDraining and kCalm
  std::string shortage_;
  bool interrupted_ = false;
  bool is_invalid_ = false;  // the launch sent what it can't: its last word counts no more
  int launch_ = 0;
  int repeats_ = 0;    // launches for cases whose attempts do not count
  int fruitless_ = 0;  // launches in a row that neither ended a case nor named a culprit
};

}  // namespace rigproof::supervisor
