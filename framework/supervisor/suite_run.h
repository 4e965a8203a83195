#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "framework/process/process.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/case_progress.h"
#include "framework/supervisor/interrupts.h"
#include "framework/supervisor/launch_command.h"
#include "framework/supervisor/launch_failure.h"
#include "framework/supervisor/launch_watch.h"
#include "framework/supervisor/out_directory.h"
#include "framework/supervisor/run_journal.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof {

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
  void see(const EventBody& event);  // every event of the journal while it runs

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::optional<LaunchFailure> launch();  // nothing: the suite reached its end
  [[nodiscard]] LaunchFailure follow(Process& child, const std::filesystem::path& log);
  [[nodiscard]] std::optional<End> settle(const LaunchFailure& failure);
  [[nodiscard]] bool repeat_void();
  [[nodiscard]] End give_up();
  [[nodiscard]] std::vector<std::string> command() const;
  [[nodiscard]] CaseEnded end_of_culprit(const LaunchFailure& failure) const;
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

}  // namespace rigproof
