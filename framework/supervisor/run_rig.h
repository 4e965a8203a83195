#pragma once

#include <signal.h>

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "framework/judge/judged_run.h"
#include "framework/limits/limit.h"
#include "framework/process/name_lock.h"
#include "framework/supervisor/launch_watch.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof::supervisor {

// A snapshot needs one process only, on this host: it judges the facts of all nodes.
inline constexpr const char* kSnapshotLauncher = "env";

struct RunOptions {
  std::filesystem::path rig, out;
  std::vector<std::filesystem::path> thresholds;  // later ones override
  std::vector<std::filesystem::path> faults;      // catalogues of known faults
  std::filesystem::path shipped_faults;           // one of these: the suites of its signs may be missing
  std::filesystem::path facts;                    // not empty: judge this snapshot instead of the rig
  std::vector<std::string> suites;                // empty: all
  Profile profile = Profile::kStandard;
  GtestFlags gtest;
  RoundsAsked rounds;  // rounds of pairs
  record::SampleAsked
      sample;  // decides the rounds if there are none; if not set, that of the limits is taken
  std::vector<std::string> retest;  // nodes of a complete run to be measured again
  bool with_operator = false;       // a person pulls cables when asked
  bool has_terminal = false;        // to ask that person
  std::string launcher;             // empty: srun in a Slurm allocation, else mpirun
  SuiteFolders suite_folders;
  std::string command_line;                   // for the record
  std::map<std::string, std::string> labels;  // as RunStarted::labels
  Timeouts timeouts;
};

// Number of planned cases, iterations included.
struct PlannedCount {
  std::string suite;
  std::size_t cases;
  std::optional<std::chrono::duration<double>> usual = {};  // of one case in this profile, where it is known
  std::map<std::string, std::size_t> tests = {};            // number of cases by the test's name
};

// Receives the events of a run, between its steps. An exception from it ends the run with an error.
class RunListener {
 public:
  virtual ~RunListener() = default;
  // Called once, after RunStarted or RunResumed. A resumed run already holds the cases that ended.
  virtual void on_plan(const std::vector<PlannedCount>& suites) = 0;
  // Called before the rig is touched: what this run cannot prove.
  virtual void on_notice(const std::string& text) = 0;
  // `run` already includes the event; `attempt` is the verdict on a case that ended, else nullptr.
  virtual void on_event(const judge::JudgedRun& run, const record::Event& event,
                        const judge::Attempt* attempt) = 0;
  virtual void on_change(const judge::JudgedRun& run) = 0;  // reports of the run are outdated
};

struct RunOutcome {
  int exit_code;
  judge::JudgedRun run;
  std::string recording_error;  // why recording failed; empty if it did not
};

// Qualifies a rig: loads and checks the inputs, takes the rig's lock, runs the chosen suites one after the
// other, and closes the journal. Jobs of a suite without a common node run at once. Crashed and hung suites
// are recorded. Blocks until the end. SIGINT, SIGTERM and SIGHUP end the run in good order.
//
// Throws toml::InputError and Refused before the rig is touched. Later problems are in the record.
[[nodiscard]] RunOutcome run_rig(const RunOptions& options, RunListener& listener);

// Resumes the run in `options.out`, with the rig, limits and cases of its record. Cases that ended stay; the
// others run into the same record. With options.retest the run must be complete: the cases of these nodes run again.
// Uses only the folder, launcher, suite folders, command line, timeouts and nodes to retest of `options`. Throws Refused
// also if the run has reached its end, or if other suites are installed.
[[nodiscard]] RunOutcome resume_rig(RunOptions options, RunListener& listener);

// Allows one run at a time per rig name and head node, for this user and root: see NameLock.
class RigLock {
 public:
  // Throws Refused naming the holder's process and user.
  explicit RigLock(const std::string& rig_name);

 private:
  process::NameLock lock_;
};

// During its life SIGINT, SIGTERM and SIGHUP are noted and do not end the process. One object at a time:
// signal handlers are global.
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
