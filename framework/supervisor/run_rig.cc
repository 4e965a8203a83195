#include "framework/supervisor/run_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>

#include "framework/judge/retest.h"
#include "framework/judge/run_judge.h"
#include "framework/record/journal.h"
#include "framework/record/run_identity.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/reachability.h"
#include "framework/supervisor/run_inputs.h"
#include "framework/supervisor/suite_jobs.h"
#include "framework/units/printable.h"
#include "framework/units/shell_words.h"

namespace rigproof::supervisor {
namespace {

// The first event of a run that begins now.
record::RunStarted identified(record::RunStarted start) {
  start.id = record::new_run_id(record::utc_now(), start.rig);
  return start;
}

using SteadyClock = std::chrono::steady_clock;

constexpr std::string_view kMakeRoom = "make room";

// A run from its first journal line to its last.
class Run {
 public:
  Run(const RunOptions& options, const RunInputs& inputs, const LaunchCommand& launcher, OutDirectory& out,
      const Interrupts& interrupts, RunListener& listener)
      : inputs_(inputs),
        listener_(listener),
        interrupts_(interrupts),
        out_(out),
        journal_(out, identified(inputs.start), listener),
        context_{options, inputs.rig, launcher, interrupts, out, journal_, hub_} {}
  // Continues a run.
  Run(const RunOptions& options, const RunInputs& inputs, const LaunchCommand& launcher, OutDirectory& out,
      const Interrupts& interrupts, RunListener& listener, record::JournalWriter writer,
      const record::RunResumed& resumed)
      : inputs_(inputs),
        listener_(listener),
        interrupts_(interrupts),
        out_(out),
        journal_(out, std::move(writer), resumed, listener),
        context_{options, inputs.rig, launcher, interrupts, out, journal_, hub_} {
    const judge::JudgedRun& run = journal_.run();
    before_ = run.resumed.size() == 1 ? record::seconds_between(run.started, run.resumed.front().stopped) : 0;
    for (std::size_t i = 1; i < run.resumed.size(); ++i)
      before_ += record::seconds_between(run.resumed[i - 1].time, run.resumed[i].stopped);
    if (run.resumed.size() > 1) before_ += record::seconds_between(run.started, run.resumed.front().stopped);
  }

  RunOutcome run() {
    try {
      listener_.on_plan(inputs_.counts);
      for (const std::string& notice : inputs_.notices) listener_.on_notice(notice);
      if (run_suites()) await_launchers();
      const double took = seconds();
      context_.exiting.stop();  // launchers write into their logs to the end
      write({record::FilesHashed{out_.hash_files()}, record::RunEnded{took}});
    } catch (const std::exception& error) {
      end_after_recording_error(error.what());
    }
    return outcome();
  }

 private:
  // Returns false at the first problem that ends the run early; the problem is recorded.
  bool run_suites() {
    for (const PlannedSuite& suite : inputs_.suites) {
      suite_ = std::make_unique<SuiteJobs>(context_, suite, nodes_);
      const SuiteJobs::End end = suite_->run();
      suite_.reset();
      if (end == SuiteJobs::End::kOver) continue;
      if (end == SuiteJobs::End::kInterrupted)
        problem("interrupted",
                "stopped by " + interrupts_.seen().value_or("a signal") + to_go_on(inputs_.rig, out_.path()));
      if (end == SuiteJobs::End::kDiskFull)
        problem("disk-full", journal_.why_full() + to_go_on(inputs_.rig, out_.path(), kMakeRoom));
      return false;
    }
    return true;
  }

  // A finished suite counts only if its launcher ends well, too.
  void await_launchers() {
    constexpr std::chrono::milliseconds kStep{20};
    while (!context_.exiting.empty())
      for (const std::string& fault : context_.exiting.poll(kStep)) problem("launcher", fault);
  }

  // The disk is full or a report cannot be written: frees the reserved space for the journal and the reports.
  void end_after_recording_error(const std::string& why) {
    const bool full = out_.is_full() || journal_.is_full();
    suite_.reset();
    recording_error_ = why;
    try {
      if (journal_.run().end) throw std::runtime_error(why);  // an event behind the end would be a fault
      if (stop() == nullptr)
        journal_.write({record::Problem{
            full ? "disk-full" : "harness",
            full ? "no space left: " + why + to_go_on(inputs_.rig, out_.path(), kMakeRoom) : why}});
      write({record::RunEnded{seconds()}});
    } catch (const std::exception& error) {
      recording_error_ += '\n' + what_is_missing(error.what());
    }
  }

  // The problem that ended the run early; nullptr: none.
  [[nodiscard]] const record::Problem* stop() const {
    const auto& problems = journal_.run().problems;
    const auto found = std::ranges::find_if(problems, judge::is_stop);
    return found == problems.end() ? nullptr : &*found;
  }

  [[nodiscard]] std::string what_is_missing(const std::string& error) const {
    const std::string out = shell_quoted(out_.path().string());
    if (!journal_.run().end) return fmt::format("The record in {} has no end: {}", out, error);
    if (stop() != nullptr) return "The run stopped early, and its reports are missing: " + stop()->message;
    return fmt::format(
        "The record of the run is complete, but its reports are missing. To make them: rigproof report {}",
        out);
  }

  void problem(const std::string& type, const std::string& message) {
    write({record::Problem{type, message}});
  }
  void write(const std::vector<record::EventBody>& events) {
    journal_.write(events);
    journal_.publish();
  }
  [[nodiscard]] double seconds() const {
    return before_ + std::chrono::duration<double>(SteadyClock::now() - began_).count();
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
  double before_ = 0;  // seconds of earlier parts of the run
  RunJournal journal_;
  channel::Hub hub_{addresses_for_nodes(inputs_.rig), addresses_of_nodes(inputs_.rig)};
  RunContext context_;
  NodeStates nodes_;
  std::unique_ptr<SuiteJobs> suite_;  // the running suite
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

namespace {

// The first event of the run in this folder.
record::RunStarted head_of(const std::filesystem::path& out) {
  OutDirectory::require_run(out);
  const record::Event first = judge::first_event(out);
  const auto& start = std::get<record::RunStarted>(first.body);
  for (const std::string& altered : judge::altered_texts(start))
    throw Refused(fmt::format("--resume {}: {}", out.string(), altered));
  return start;
}

void require_resumable(const judge::JudgedRun& run, const RunOptions& options) {
  const auto stopped_it = [](const record::Problem& problem) { return judge::is_stop(problem); };
  const bool is_complete = run.end && std::ranges::none_of(run.problems, stopped_it);
  const std::string dir = options.out.string();
  if (options.retest.empty()) {
    if (is_complete) throw Refused(fmt::format("--resume {}: the run is complete: {}", dir, run.verdict()));
    return;
  }
  if (!is_complete)
    throw Refused(fmt::format("--retest: the run in {} is not complete; first type: rigproof run --resume {}",
                              dir, shell_quoted(dir)));
  if (!run.start.asked.snapshot.empty())
    throw Refused(fmt::format("--retest: the run in {} judged recorded facts: make a new run", dir));
  if (!run.problems.empty())
    throw Refused(
        fmt::format("--retest: the run in {} has a problem that no node's retest can mend: {}; "
                    "make a new run",
                    dir, run.problems.front().message));
}

void require_nodes(const Rig& rig, const std::vector<std::string>& nodes) {
  std::vector<std::string> known;
  for (const Node& node : rig.nodes) known.push_back(node.name);
  for (const std::string& node : nodes)
    if (!rig.find_node(node))
      throw Refused(fmt::format("--retest: the rig {} has no node {}{}", rig.name, in_quotes(node),
                                suggestion(node, known)));
}

void require_cases(const judge::JudgedRun& run, const std::vector<std::string>& nodes) {
  if (const auto node = judge::without_cases(run, {nodes.begin(), nodes.end()}))
    throw Refused(
        fmt::format("--retest {}: none of its cases would be measured again; retest the other "
                    "nodes that are not accepted, too",
                    *node));
}

}  // namespace

// A run that still goes on holds the locks of rig and journal: it is refused before its folder changes.
RunOutcome resume_rig(RunOptions options, RunListener& listener) {
  const record::RunStarted head = head_of(options.out);
  if (head.again)
    throw Refused(
        fmt::format("--resume {}: not a run, but a judgement of another run's record", options.out.string()));
  std::optional<RigLock> lock;
  if (head.asked.snapshot.empty()) lock.emplace(head.rig);
  record::JournalWriter writer =
      record::JournalWriter::append(OutDirectory::journal_in(options.out), options.timeouts.journal);
  const judge::JudgedRun before = judge::open_run(options.out);
  require_resumable(before, options);
  OutDirectory out = OutDirectory::of_run(options.out);
  const RunInputs inputs = load_recorded_inputs(before.start, options);
  require_nodes(inputs.rig, options.retest);
  if (!options.retest.empty()) require_cases(before, options.retest);
  if (!options.facts.empty()) options.launcher = kSnapshotLauncher;
  const LaunchCommand launcher(inputs.rig, options.launcher);
  const Interrupts interrupts;
  const record::RunResumed resumed{.user = record::user_name(),
                                   .host = record::host_name(),
                                   .command_line = options.command_line,
                                   .programs = inputs.start.programs,
                                   .retested = options.retest};
  out.unseal();
  return Run(options, inputs, launcher, out, interrupts, listener, std::move(writer), resumed).run();
}

RigLock::RigLock(const std::string& rig_name) try : lock_("rigproof/rig/" + rig_name) {
} catch (const process::NameIsHeld& held) {
  throw Refused(
      fmt::format("rig '{}' is in use by another run ({}): wait, or stop it", rig_name, held.what()));
}

namespace {

volatile sig_atomic_t noted_signal = 0;  // a signal handler can reach only globals

void note(int signal) { noted_signal = signal; }

}  // namespace

Interrupts::Interrupts() {
  noted_signal = 0;
  struct sigaction action {};
  action.sa_handler = note;  // no SA_RESTART: a wait ends early
  for (std::size_t i = 0; i < kNoted.size(); ++i) sigaction(kNoted[i], &action, &before_[i]);
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < kNoted.size(); ++i) sigaction(kNoted[i], &before_[i], nullptr);
}

std::optional<std::string> Interrupts::seen() const {
  switch (noted_signal) {
    case 0:
      return {};
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    default:
      return "SIGHUP";
  }
}

}  // namespace rigproof::supervisor
