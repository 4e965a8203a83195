#pragma once

#include <signal.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/judge/judged_run.h"
#include "framework/limits/limit.h"
#include "framework/process/name_lock.h"
#include "framework/supervisor/launch_watch.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof::supervisor {

// One process judges the facts of all nodes, here.
inline constexpr const char* kSnapshotLauncher = "env";

struct RunOptions {
  std::filesystem::path rig, out;
  std::vector<std::filesystem::path> thresholds;  // later ones override
  std::filesystem::path facts;      // not empty: judge this snapshot of the rig, without the rig
  std::vector<std::string> suites;  // empty: every one
  Profile profile = Profile::kStandard;
  GtestFlags gtest;
  RoundsAsked rounds;          // of pairs
  bool with_operator = false;  // somebody sits there who pulls cables when asked to
  bool has_terminal = false;   // at which he or she can be asked
  std::string launcher;        // empty: srun in a Slurm allocation, else mpirun
  SuiteFolders suite_folders;
  std::string command_line;  // for the record
  Timeouts timeouts;
};

// Cases that are going to be run, iterations included.
struct PlannedCount {
  std::string suite;
  std::size_t cases;
};

// Hears of a run while it goes on, between its steps. What it throws ends the run as an error.
class RunListener {
 public:
  virtual ~RunListener() = default;
  // Of the whole run, before the first; after the event of a resumption, whose run holds what has ended.
  virtual void on_plan(const std::vector<PlannedCount>& suites) = 0;
  virtual void on_notice(
      const std::string& text) = 0;  // before anything of the rig is touched: what this run can't prove
  // `run` holds the event already; `attempt` is the verdict on a case that ended, else nullptr.
  virtual void on_event(const judge::JudgedRun& run, const record::Event& event,
                        const judge::Attempt* attempt) = 0;
  virtual void on_change(const judge::JudgedRun& run) = 0;  // reports of the run are out of date
};

struct RunOutcome {
  int exit_code;
  judge::JudgedRun run;
  std::string recording_error;  // why the run could not even be recorded properly; empty when it could
};

// Qualifies a rig: loads and checks the inputs, takes the rig's lock, runs the chosen suites one after the
// other, those of its jobs that share no node at once, records crashed and hung suites, and closes the journal. Blocks until then. SIGINT,
// SIGTERM and SIGHUP end the run in good order.
//
// Throws toml::InputError and Refused before anything of the rig has been touched. What goes wrong later is
// in the record.
[[nodiscard]] RunOutcome run_rig(const RunOptions& options, RunListener& listener);

// Takes up the run that was stopped in `options.out`, with the rig, limits and cases of its record: what had ended stays,
// the rest is run into the same record. Of `options` only that folder, launcher, suites' folders, command line and
// timeouts count. Throws Refused also for a run that has reached its end, and where other suites are installed than it
// had planned.
[[nodiscard]] RunOutcome resume_rig(RunOptions options, RunListener& listener);

// One run at a time on a rig, of this user and of root: see NameLock. Per rig name and head node.
class RigLock {
 public:
  // Throws Refused naming the holder's process and user.
  explicit RigLock(const std::string& rig_name);

 private:
  process::NameLock lock_;
};

// While it lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process. One at a time: signal
// handlers are the process's.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  [[nodiscard]] std::optional<std::string> seen() const;  // "SIGINT"

 private:
  static constexpr std::array kNoted{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kNoted.size()> before_;
};

}  // namespace rigproof::supervisor
