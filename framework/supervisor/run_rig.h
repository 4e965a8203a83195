#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/judge/judged_run.h"
#include "framework/limits/limit.h"
#include "framework/supervisor/launch_watch.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof::supervisor {

struct RunOptions {
  std::filesystem::path rig, out;
  std::vector<std::filesystem::path> thresholds;  // later ones override
  std::filesystem::path facts;      // not empty: judge this snapshot of the rig, without the rig
  std::vector<std::string> suites;  // empty: every one
  Profile profile = Profile::kStandard;
  GtestFlags gtest;
  std::string launcher = "mpirun";
  SuiteFolders suite_folders;
  std::string command_line;  // for the record
  Timeouts timeouts;
};

// Hears of a run while it goes on, between its steps. What it throws ends the run as an error.
class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void on_plan(std::size_t cases) = 0;  // how many will be run, iterations included; before the first
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
// other, records crashed and hung suites, and closes the journal. Blocks until then. SIGINT,
// SIGTERM and SIGHUP end the run in good order.
//
// Throws toml::InputError and Refused before anything of the rig has been touched. What goes wrong later is
// in the record.
[[nodiscard]] RunOutcome run_rig(const RunOptions& options, RunListener& listener);

}  // namespace rigproof::supervisor
