#include "framework/supervisor/run_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "framework/record/run_identity.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/reachability.h"
#include "framework/supervisor/rig_lock.h"
#include "framework/supervisor/run_inputs.h"
#include "framework/supervisor/suite_run.h"

namespace rigproof::supervisor {
namespace {

// The head of a run that begins now.
record::RunStarted identified(record::RunStarted start) {
  start.id = record::new_run_id(record::utc_now(), start.rig);
  return start;
}

using SteadyClock = std::chrono::steady_clock;

// A run from its first journal line to its last.
class Run {
 public:
  Run(const RunOptions& options, const RunInputs& inputs, const LaunchCommand& launcher, OutDirectory& out,
      const Interrupts& interrupts, RunListener& listener)
      : inputs_(inputs),
        listener_(listener),
        interrupts_(interrupts),
        out_(out),
        journal_(out.journal(), identified(inputs.start), options.timeouts.journal, listener),
        context_{options, inputs.rig, launcher, interrupts, out, journal_} {
    journal_.subscribe([this](const record::Event& event) {
      if (suite_) suite_->see(event.body);
    });
  }

  RunOutcome run() {
    try {
      listener_.on_plan(inputs_.cases);
      for (const std::string& notice : inputs_.notices) listener_.on_notice(notice);
      run_suites();
      write({record::RunEnded{seconds()}});
    } catch (const std::exception& error) {
      end_after_recording_error(error.what());
    }
    return outcome();
  }

 private:
  // Stops at what ends the run before its end, which is then on record as a problem.
  void run_suites() {
    for (const Suite& suite : inputs_.suites)
      if (!run_suite(suite)) return;
  }

  bool run_suite(const Suite& suite) {
    suite_ = std::make_unique<SuiteRun>(context_, suite);
    SuiteRun::End end = suite_->run();
    if (end == SuiteRun::End::kSilent) {
      if (!nodes_answer()) return false;
      end = suite_->run();
    }
    suite_.reset();
    if (end == SuiteRun::End::kInterrupted)
      problem("interrupted", "stopped by " + interrupts_.seen().value_or("a signal"));
    if (end == SuiteRun::End::kDiskFull) problem("disk-full", "no space left in " + out_.path().string());
    return end == SuiteRun::End::kOver;
  }

  // After a launch of which nothing was heard. Only mpirun's way to the nodes is known here.
  bool nodes_answer() {
    if (!context_.launcher.is_mpirun()) return true;
    const Rig& rig = inputs_.rig;
    const auto silent = unreachable_nodes(rig, remote_agent(), context_.options.timeouts.probe);
    if (silent.empty()) return true;
    const bool absent = silent.size() == rig.nodes.size() && !has_cases();
    problem(absent ? "rig-absent" : "node-absent",
            absent ? fmt::format("rig absent: none of {} answers", name_nodes(rig, silent))
                   : fmt::format("no answer from {}", name_nodes(rig, silent)));
    return false;
  }

  [[nodiscard]] bool has_cases() const {
    const auto& suites = journal_.run().suites;
    return std::any_of(suites.begin(), suites.end(),
                       [](const judge::JudgedSuite& suite) { return !suite.cases.empty(); });
  }

  // The disk is full or a report can't be written: the journal and the reports get the reserved space.
  void end_after_recording_error(const std::string& why) {
    const bool full = out_.is_full();
    out_.release_reserve();
    suite_.reset();
    recording_error_ = why;
    try {
      problem(full ? "disk-full" : "harness", full ? "no space left: " + why : why);
      write({record::RunEnded{seconds()}});
    } catch (const std::exception& error) {
      recording_error_ +=
          fmt::format("\nand the reports in {} are not complete: {}", out_.path().string(), error.what());
    }
  }

  void problem(const std::string& type, const std::string& message) {
    write({record::Problem{type, message}});
  }
  void write(const std::vector<record::EventBody>& events) {
    if (!events.empty()) journal_.write(events);
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(SteadyClock::now() - began_).count();
  }

  [[nodiscard]] RunOutcome outcome() const {
    const judge::JudgedRun& run = journal_.run();
    return {.exit_code = recording_error_.empty() ? run.exit_code() : kExitError,
            .run = run,
            .recording_error = recording_error_};
  }

  const RunInputs& inputs_;
  RunListener& listener_;
  const Interrupts& interrupts_;
  OutDirectory& out_;
  SteadyClock::time_point began_ = SteadyClock::now();
  RunJournal journal_;
  RunContext context_;
  std::unique_ptr<SuiteRun> suite_;  // that is running
  std::string recording_error_;
};

}  // namespace

RunOutcome run_rig(const RunOptions& options, RunListener& listener) {
  const RunInputs inputs = load_inputs(options);
  const LaunchCommand launcher(inputs.rig, options.launcher);
  std::optional<RigLock> lock;
  if (options.facts.empty()) lock.emplace(inputs.rig.name);
  OutDirectory out(options.out);
  const Interrupts interrupts;
  return Run(options, inputs, launcher, out, interrupts, listener).run();
}

}  // namespace rigproof::supervisor
