#include "framework/supervisor/run_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "framework/supervisor/absence.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/rig_lock.h"
#include "framework/supervisor/run_inputs.h"
#include "framework/supervisor/suite_run.h"
#include "framework/supervisor/whole_run.h"

namespace rigproof {
namespace {

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
        journal_(out.journal(), describe_run(options, inputs, utc_now()), options.patience.journal, listener),
        context_{options, inputs.rig, launcher, interrupts, out, journal_} {
    journal_.subscribe([this](const Event& event) {
      whole_.see(event.body);
      if (suite_) suite_->see(event.body);
    });
  }

  RunOutcome run() {
    try {
      listener_.on_plan(inputs_.cases);
      if (run_suites()) write(whole_.judged(journal_.record(), inputs_.limits, scope()));
      finish();
    } catch (const std::exception& error) {
      end_in_distress(error.what());
    }
    return outcome();
  }

 private:
  // Whether the run came to its end.
  bool run_suites() {
    return std::all_of(inputs_.suites.begin(), inputs_.suites.end(),
                       [this](const Suite& suite) { return run_suite(suite); });
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
    const auto silent = silent_nodes(rig, remote_agent(), context_.options.patience.probe);
    if (silent.empty()) return true;
    absent_ = silent.size() == rig.nodes.size() && !has_cases();
    problem(absent_ ? "rig-absent" : "node-absent",
            absent_ ? fmt::format("rig absent: none of {} answers", name_nodes(rig, silent))
                    : fmt::format("no answer from {}", name_nodes(rig, silent)));
    return false;
  }

  [[nodiscard]] bool has_cases() const {
    const auto& suites = journal_.record().suites;
    return std::any_of(suites.begin(), suites.end(),
                       [](const SuiteRecord& suite) { return !suite.cases.empty(); });
  }

  [[nodiscard]] RunScope scope() const {
    RunScope scope{.every_suite = context_.options.suites.empty(),
                   .every_case = !context_.options.gtest.selects(),
                   .suites = {},
                   .has_switch = has_switch(inputs_.rig),
                   .asked = context_.options.suites};
    for (const Suite& suite : inputs_.suites) scope.suites.push_back(suite.name);
    return scope;
  }

  void finish() {
    RunEnded end{kExitRigAbsent, seconds()};
    if (!absent_) end.exit_code = journal_.exit_code_at_its_end();
    write({end});
  }

  // The disk is full or a report can't be written: the journal and the reports get the reserved space.
  void end_in_distress(const std::string& why) {
    const bool full = out_.is_full();
    out_.release_reserve();
    suite_.reset();
    distress_ = why;
    try {
      problem(full ? "disk-full" : "harness", full ? "no space left: " + why : why);
      write({RunEnded{kExitError, seconds()}});
    } catch (const std::exception& error) {
      distress_ +=
          fmt::format("\nand the reports in {} are not complete: {}", out_.path().string(), error.what());
    }
  }

  void problem(const std::string& type, const std::string& message) { write({Problem{type, message}}); }
  void write(const std::vector<EventBody>& events) {
    if (!events.empty()) journal_.write(events);
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(SteadyClock::now() - began_).count();
  }

  [[nodiscard]] RunOutcome outcome() const {
    const auto& end = journal_.record().end;
    return {.exit_code = distress_.empty() && end ? end->exit_code : kExitError,
            .record = journal_.record(),
            .distress = distress_};
  }

  const RunInputs& inputs_;
  RunListener& listener_;
  const Interrupts& interrupts_;
  OutDirectory& out_;
  SteadyClock::time_point began_ = SteadyClock::now();
  RunJournal journal_;
  RunContext context_;
  WholeRun whole_;
  std::unique_ptr<SuiteRun> suite_;  // that is running
  bool absent_ = false;
  std::string distress_;
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

}  // namespace rigproof
