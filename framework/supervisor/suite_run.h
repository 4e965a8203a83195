#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "framework/process/process.h"
#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/interrupts.h"
#include "framework/supervisor/launch_command.h"
#include "framework/supervisor/launch_failure.h"
#include "framework/supervisor/launch_watch.h"
#include "framework/supervisor/out_directory.h"
#include "framework/supervisor/run_journal.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof::supervisor {

// What is left to run of a suite, over its launches: cases that ended all their iterations are settled, and
// so is a case that ended a launch.
class CaseProgress {
 public:
  explicit CaseProgress(int iterations) : iterations_(iterations) {}

  // `is_void`: of a case that ended, that its attempt is void.
  void see(const record::EventBody& event, bool is_void);
  void settle(const std::string& name) { settled_.insert(name); }
  // Opens the cases again whose attempts since the last call were void; returns whether there were any.
  bool reopen_void();

  [[nodiscard]] const std::set<std::string>& settled() const { return settled_; }
  [[nodiscard]] std::vector<std::string> open() const;  // planned and not settled, in plan order

 private:
  int iterations_;
  std::vector<std::string> planned_;
  std::set<std::string> settled_, void_;
};

// What every part of one run works with.
struct RunContext {
  const RunOptions& options;
  const Rig& rig;
  const LaunchCommand& launcher;
  const Interrupts& interrupts;
  OutDirectory& out;
  RunJournal& journal;
};

// One suite with all its launches: starts it, follows the journal against the deadlines, ends what hangs,
// writes the culprit of a failed launch down and starts again without it.
class SuiteRun {
 public:
  enum class End {
    kOver,    // every case ran, or the suite was given up
    kSilent,  // no rank of the first launch was ever heard: run() again to go on, when the nodes are there
    kInterrupted,
    kDiskFull,
  };

  SuiteRun(RunContext& context, const Suite& suite);

  [[nodiscard]] End run();
  void see(const record::EventBody& event);  // every event of the journal while it runs

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::optional<LaunchFailure> launch();  // nothing: the suite reached its end
  [[nodiscard]] LaunchFailure follow(process::Process& child, const std::filesystem::path& log);
  [[nodiscard]] std::optional<End> settle(const LaunchFailure& failure);
  [[nodiscard]] bool repeat_void();
  [[nodiscard]] End give_up();
  [[nodiscard]] std::vector<std::string> command() const;
  [[nodiscard]] record::CaseEnded end_of_culprit(const LaunchFailure& failure) const;
  [[nodiscard]] std::string describe(const LaunchFailure& failure) const;
  [[nodiscard]] std::string node_of(const LaunchFailure& failure) const;

  RunContext& context_;
  Suite suite_;
  CaseProgress progress_;
  std::optional<LaunchWatch> watch_;
  Clock::time_point launched_, case_began_;
  int launch_ = 0;
  int repeats_ = 0;    // launches for the sake of void attempts
  int fruitless_ = 0;  // launches in a row that neither ended a case nor named a culprit
};

}  // namespace rigproof::supervisor
