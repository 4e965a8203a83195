#include "framework/supervisor/suite_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "framework/record/replace_file.h"
#include "framework/supervisor/shell_words.h"

namespace rigproof::supervisor {

void CaseProgress::see(const record::EventBody& event, bool is_void) {
  if (const auto* plan = std::get_if<record::SuitePlanned>(&event)) {
    for (const record::PlannedCase& test : plan->cases) {
      if (std::find(planned_.begin(), planned_.end(), test.name) == planned_.end())
        planned_.push_back(test.name);
    }
  } else if (const auto* ended = std::get_if<record::CaseEnded>(&event)) {
    if (ended->iteration >= iterations_) settle(ended->name);
    if (is_void) void_.insert(ended->name);
  }
}

bool CaseProgress::reopen_void() {
  const auto open = std::exchange(void_, {});
  for (const std::string& name : open) settled_.erase(name);
  return !open.empty();
}

std::vector<std::string> CaseProgress::open() const {
  std::vector<std::string> open;
  std::copy_if(planned_.begin(), planned_.end(), std::back_inserter(open),
               [this](const std::string& name) { return !settled_.contains(name); });
  return open;
}

namespace {

using std::chrono::milliseconds;

constexpr int kMostLaunches = 20;
constexpr int kMostFruitless = 2;
constexpr int kMostRepeats = 6;
constexpr milliseconds kStep{20};
constexpr std::streamoff kTail = 64 << 10;

std::string end_of(const std::filesystem::path& log) {
  std::ifstream file(log, std::ios::binary | std::ios::ate);
  if (!file) return {};
  file.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(file.tellg()) - kTail));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

SuiteRun::SuiteRun(RunContext& context, const Suite& suite)
    : context_(context), suite_(suite), progress_(context.options.gtest.repeat) {}

void SuiteRun::see(const record::EventBody& event) {
  if (!watch_) return;
  const auto now = Clock::now();
  watch_->see(event, now);
  const judge::Attempt* attempt = context_.journal.last_attempt();
  progress_.see(event, attempt != nullptr && judge::is_void(attempt->failures));
  if (std::holds_alternative<record::CaseStarted>(event)) case_began_ = now;
}

SuiteRun::End SuiteRun::run() {
  while (launch_ < kMostLaunches) {
    const auto failure = launch();
    if (failure) {
      if (const auto end = settle(*failure)) return *end;
    } else if (!repeat_void()) {
      return End::kOver;
    }
  }
  return give_up();
}

// Whether to launch again for cases whose attempts were void. What disturbed them comes in bursts: each wait is
// longer than the last.
bool SuiteRun::repeat_void() {
  if (repeats_ == kMostRepeats || !progress_.reopen_void()) return false;
  const auto calm = Clock::now() + ++repeats_ * context_.options.timeouts.calm;
  while (Clock::now() < calm && !context_.interrupts.seen()) std::this_thread::sleep_for(kStep);
  return true;
}

std::optional<LaunchFailure> SuiteRun::launch() {
  ++launch_;
  const std::vector<std::string> command = this->command();
  const auto log = context_.out.log(suite_.name, launch_);
  launched_ = Clock::now();
  watch_.reset();
  context_.journal.write({record::SuiteStarted{suite_.name, launch_, join_words(command)}});
  watch_.emplace(context_.options.timeouts, context_.rig.nodes.size(), launched_);
  process::Process child({.arguments = command,
                          .output = process::ProcessSpec::Output::kLog,
                          .log = log,
                          .owns_descendants = true});
  const LaunchFailure failure = follow(child, log);
  if (!watch_->done()) return failure;
  context_.journal.write({record::SuiteEnded{suite_.name, launch_, true, ""}});
  return {};
}

std::vector<std::string> SuiteRun::command() const {
  const RunOptions& options = context_.options;
  std::vector<std::string> program{std::filesystem::absolute(suite_.program), "--journal",
                                   std::filesystem::absolute(context_.out.journal()), "--launch",
                                   std::to_string(launch_)};
  if (!progress_.settled().empty()) {
    const auto skip = std::filesystem::absolute(context_.out.skip_list(suite_.name, launch_));
    record::replace_file(skip, fmt::format("{}\n", fmt::join(progress_.settled(), "\n")));
    program.insert(program.end(), {"--skip", skip});
  }
  const std::vector<std::string> flags = options.gtest.arguments();
  program.insert(program.end(), flags.begin(), flags.end());
  return context_.launcher.with(program,
                                loads_rails(suite_.name) ? MpiTraffic::kRails : MpiTraffic::kManagement);
}

// Returns why the launch ended; to be ignored when the suite was done.
LaunchFailure SuiteRun::follow(process::Process& child, const std::filesystem::path& log) {
  const milliseconds grace = context_.options.timeouts.terminate;
  std::optional<LaunchFailure> cause;
  while (!cause && !child.wait_for(kStep)) {
    context_.journal.drain();
    if (const auto signal = context_.interrupts.seen()) {
      cause = LaunchFailure{"interrupted", "the run was stopped by " + *signal, -1, {}};
    } else if (Clock::now() > watch_->deadline()) {
      cause = LaunchFailure{"deadline", watch_->overdue(), -1, {}};
    }
  }
  const auto status = child.stop(cause ? grace : milliseconds(0));
  context_.journal.drain();
  return cause ? *cause : examine(context_.launcher.name(), status, end_of(log));
}

// Puts the end of a failed launch on record. Returns how the suite ends, or nothing: launch again.
std::optional<SuiteRun::End> SuiteRun::settle(const LaunchFailure& failure) {
  const bool full = context_.out.is_full();
  if (full) context_.out.release_reserve();
  const LaunchWatch watch = *watch_;
  std::vector<record::EventBody> events;
  if (watch.running()) {
    events.emplace_back(end_of_culprit(failure));
    progress_.settle(watch.running()->name);
  }
  events.emplace_back(record::SuiteEnded{suite_.name, launch_, false, describe(failure)});
  context_.journal.write(events);

  if (failure.type == "interrupted") return End::kInterrupted;
  if (full) return End::kDiskFull;
  const bool fruitful = watch.running() || watch.ended() > 0;
  fruitless_ = fruitful ? 0 : fruitless_ + 1;
  if (watch.refused()) return give_up();
  if (launch_ == 1 && !watch.started()) return End::kSilent;
  if (watch.planned() && progress_.open().empty()) return End::kOver;
  return fruitless_ < kMostFruitless ? std::nullopt : std::optional(give_up());
}

SuiteRun::End SuiteRun::give_up() {
  context_.journal.write(
      {record::Problem{"given-up", fmt::format("suite {}: given up after {} launches, {} cases not run",
                                               suite_.name, launch_, progress_.open().size())}});
  return End::kOver;
}

record::CaseEnded SuiteRun::end_of_culprit(const LaunchFailure& cause) const {
  const record::CaseStarted& running = *watch_->running();
  const std::chrono::duration<double> seconds = Clock::now() - case_began_;
  record::CaseEnded ended{.suite = running.suite,
                          .name = running.name,
                          .iteration = running.iteration,
                          .seconds = seconds.count(),
                          .measuring_s = 0,
                          .measured = {},
                          .failures = {}};
  record::Failure failure;
  failure.kind = record::Failure::Kind::kError;
  failure.type = cause.type;
  failure.rank = cause.rank;
  failure.node = node_of(cause);
  failure.phase = watch_->phase();
  failure.message =
      fmt::format("suite {}, case {}{}: {}", running.suite, running.name,
                  failure.phase.empty() ? "" : ", phase '" + failure.phase + "'", describe(cause));
  ended.failures = {failure};
  return ended;
}

// Rank N runs on node N; a launcher knows hosts by their addresses.
std::string SuiteRun::node_of(const LaunchFailure& failure) const {
  const auto& nodes = context_.rig.nodes;
  const auto rank = static_cast<std::size_t>(failure.rank);
  if (failure.rank >= 0 && rank < nodes.size()) return nodes[rank].name;
  const auto named = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const Node& node) { return node.address == failure.host; });
  return named == nodes.end() ? failure.host : named->name;
}

std::string SuiteRun::describe(const LaunchFailure& failure) const {
  const std::string who = failure.rank < 0 || failure.names_culprit
                              ? ""
                              : fmt::format("rank {} ({}) ", failure.rank, node_of(failure));
  return fmt::format("{}{} (log: {})", who, failure.reason, context_.out.log(suite_.name, launch_).string());
}

}  // namespace rigproof::supervisor
