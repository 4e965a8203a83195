#include "framework/supervisor/job_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "framework/process/file_descriptor.h"
#include "framework/record/files.h"
#include "framework/supervisor/slurm.h"
#include "framework/units/printable.h"
#include "framework/units/shell_words.h"

namespace rigproof::supervisor {

namespace {

using std::chrono::milliseconds;

constexpr int kMostLaunches = 20;
constexpr int kMostFruitless = 2;
constexpr int kMostRepeats = 6;
constexpr milliseconds kRoomPause{500};
// Descriptors kept free for short-lived needs of a launch and for the reports; each launch needs one more.
constexpr std::size_t kSpareDescriptors = 16;
constexpr milliseconds kLastEvents{2000};  // longest pause between late events, after the launcher's end
constexpr std::streamoff kTail = 64 << 10;

std::string end_of(const std::filesystem::path& log) {
  std::ifstream file(log, std::ios::binary | std::ios::ate);
  if (!file) return {};
  file.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(file.tellg()) - kTail));
  return {std::istreambuf_iterator<char>(file), {}};
}

bool has_free_descriptors(std::size_t count) {
  std::vector<process::FileDescriptor> taken;
  while (taken.size() < count) {
    taken.emplace_back(eventfd(0, EFD_CLOEXEC));
    if (!taken.back()) return false;
  }
  return true;
}

// True for shortages that pass when other processes of this user, or our launches, end.
bool is_shortage(const std::error_code& code) {
  return code.category() == std::generic_category() && (code.value() == EMFILE || code.value() == ENFILE ||
                                                        code.value() == EAGAIN || code.value() == ENOMEM);
}

std::string limit_of(decltype(RLIMIT_NOFILE) resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "unlimited";
  return std::to_string(limit.rlim_cur);
}

std::string what_to_raise(const std::error_code& code) {
  const std::string text = code.message();
  if (code.value() == EMFILE)
    return fmt::format("{} (ulimit -n is {}): type ulimit -n 1024, and run again", text,
                       limit_of(RLIMIT_NOFILE));
  if (code.value() == EAGAIN)
    return fmt::format("{} (ulimit -u is {}): raise it, or end other processes of this user", text,
                       limit_of(RLIMIT_NPROC));
  return text;
}

// True for events that a suite may send; the others are the supervisor's.
bool is_of_a_suite(const record::EventBody& event) {
  return std::visit(
      []<class Body>(const Body&) {
        return std::is_same_v<Body, record::SuitePlanned> || std::is_same_v<Body, record::NodeSeen> ||
               std::is_same_v<Body, record::Observed> || std::is_same_v<Body, record::CaseStarted> ||
               std::is_same_v<Body, record::PhaseStarted> || std::is_same_v<Body, record::CableMoved> ||
               std::is_same_v<Body, record::CaseEnded> || std::is_same_v<Body, record::SuiteDone> ||
               std::is_same_v<Body, record::Problem>;
      },
      event);
}

// The nodes and switches of which the event tells something.
std::set<std::string_view> nodes_of(const record::EventBody& event) {
  std::set<std::string_view> nodes;
  const auto add_all = [&](const auto& all) {
    for (const auto& one : all)
      if (!one.node.empty()) nodes.insert(one.node);
  };
  if (const auto* seen = std::get_if<record::NodeSeen>(&event)) nodes.insert(seen->node);
  if (const auto* observed = std::get_if<record::Observed>(&event)) nodes.insert(observed->node);
  if (const auto* moved = std::get_if<record::CableMoved>(&event)) add_all(moved->losses);
  if (const auto* ended = std::get_if<record::CaseEnded>(&event))
    add_all(ended->measured), add_all(ended->failures);
  return nodes;
}

}  // namespace

JobRun::JobRun(RunContext& context, const PlannedSuite& suite, Job job, record::SuitePlanned plan,
               record::JobNumber number, int jobs)
    : context_(context),
      suite_(suite),
      job_(std::move(job)),
      plan_(std::move(plan)),
      number_(number),
      jobs_(jobs),
      progress_(job_.cases, context.options.gtest.repeat) {}

void JobRun::change(Job job) {
  job_ = std::move(job);
  progress_ = CaseProgress(job_.cases, context_.options.gtest.repeat);
}

void JobRun::take_up(int launches, const std::set<std::string>& ended,
                     const std::set<std::string>& missed_beside) {
  launch_ = launches;
  for (const std::string& name : ended) progress_.close(name);
  for (const std::string& name : job_.cases)
    if (missed_beside.contains(name)) missed_beside_.insert(name);
}

void JobRun::close() {
  ++launch_;
  write(started(""));
  write(part_of(plan_, {}));
  write(record::SuiteDone{suite_.suite.name});
  write(record::SuiteEnded{suite_.suite.name, launch_, true, ""});
}

void JobRun::launch() {
  ++launch_;
  channel::Order order{
      .start = context_.journal.run().start, .nodes = node_names(), .cases = progress_.open()};
  ordered_ = {order.cases.begin(), order.cases.end()};
  if (order.nodes.size() > 2) order.pairs = pairs_of(part_of(plan_, order.cases), order.nodes);
  events_ = context_.hub.expect(order);
  const std::vector<std::string> command = this->command();
  try {
    child_.emplace(start(command));
  } catch (const std::system_error& error) {
    if (!is_shortage(error.code())) throw;
    return wait_for_room(error);
  }
  shortage_.clear();
  cause_.reset();
  is_invalid_ = false;
  write(started(join_masked(command, context_.launcher.own_words())));
  watch_.emplace(context_.options.timeouts, job_.nodes.size(), Clock::now());
  state_ = State::kRunning;
}

// Throws std::system_error.
process::Process JobRun::start(const std::vector<std::string>& command) const {
  if (!has_free_descriptors(kSpareDescriptors + context_.hub.expected()))
    throw std::system_error(EMFILE, std::generic_category(), command.front());
  return process::Process({.arguments = command,
                           .variables = {{channel::Key::kVariable, events_->key().digits()}},
                           .has_own_temporary_folder = context_.launcher.wants_own_temporary_folder(),
                           .output = process::ProcessSpec::Output::kLog,
                           .log = log(),
                           .owns_descendants = true});
}

void JobRun::wait_for_room(const std::system_error& error) {
  --launch_;
  events_.reset();
  shortage_ = fmt::format("{}: cannot start {}, and no other job runs that would free resources: {}", name(),
                          context_.launcher.name(), what_to_raise(error.code()));
  until_ = Clock::now() + kRoomPause;
  state_ = State::kCalm;
}

record::SuiteStarted JobRun::started(std::string command) const {
  record::SuiteStarted started{suite_.suite.name, launch_, std::move(command)};
  if (number_ == 0) return started;
  started.jobs = jobs_;
  started.nodes = node_names();
  return started;
}

std::vector<std::string> JobRun::command() const {
  const RunOptions& options = context_.options;
  std::vector<std::string> program{std::filesystem::absolute(suite_.suite.program), "--report-to",
                                   events_->address(), "--launch", std::to_string(launch_)};
  const std::vector<std::string> flags = options.gtest.arguments();
  program.insert(program.end(), flags.begin(), flags.end());
  return context_.launcher.with(
      program, suite_.description.traits.loads_rails ? MpiTraffic::kRails : MpiTraffic::kManagement,
      job_.nodes);
}

// Sets the job number of every event.
void JobRun::write(record::EventBody event) {
  std::visit(
      [this](auto& body) {
        if constexpr (requires { body.job; }) body.job = number_;
      },
      event);
  context_.journal.write({event});
}

// A launch may send anything: an invalid message ends at most this launch.
void JobRun::take() {
  if (!events_) return;
  try {
    std::deque<channel::Message> messages = events_->take();
    for (channel::Message& message : messages) {
      if (auto* file = std::get_if<channel::File>(&message))
        keep(*file);
      else
        take(std::move(std::get<record::EventBody>(message)));
    }
    if (state_ == State::kDraining && !messages.empty()) until_ = Clock::now() + kLastEvents;
  } catch (const channel::ChannelError& error) {
    refuse(error.what());
  } catch (const record::EventTooLong& error) {
    refuse(error.what());
  }
}

void JobRun::refuse(const std::string& why) {
  events_->close();
  is_invalid_ = true;
  LaunchFailure failure{"error", "sent an invalid event: " + why};
  if (state_ == State::kRunning)
    stop(std::move(failure));
  else if (!cause_)
    cause_ = std::move(failure);
}

// Accepts only facts of the job's own nodes, no other file of the run.
void JobRun::keep(const channel::File& file) {
  const auto is_of = [&](const std::string& node) { return file.name == fmt::format("facts/{}.json", node); };
  if (std::ranges::none_of(node_names(), is_of))
    throw channel::ChannelError(
        fmt::format("a file that a suite is not allowed to send: {}", shortened(file.name)));
  context_.journal.keep(file);
}

void JobRun::take(record::EventBody event) {
  check(event);
  write(event);
  const auto now = Clock::now();
  watch_->see(event, now);
  const judge::Attempt* attempt = context_.journal.last_attempt();
  progress_.see(event, attempt != nullptr && attempt->replaced);
  if (const auto* ended = std::get_if<record::CaseEnded>(&event);
      ended && attempt && !attempt->beside.empty())
    missed_beside_.insert(ended->name);
  if (std::holds_alternative<record::CaseStarted>(event)) case_began_ = now;
}

// Throws ChannelError unless the event is about this suite, its job's nodes and the ordered cases.
void JobRun::check(const record::EventBody& event) const {
  if (!is_of_a_suite(event)) throw channel::ChannelError("an event that a suite is not allowed to send");
  std::visit(
      [&](const auto& body) {
        if constexpr (requires { body.suite; })
          if (body.suite != suite_.suite.name)
            throw channel::ChannelError(fmt::format("an event of suite '{}'", shortened(body.suite)));
        if constexpr (requires { body.name; })
          if (!watch_->planned() || !ordered_.contains(body.name))
            throw channel::ChannelError(fmt::format("case '{}' was not requested", shortened(body.name)));
      },
      event);
  const std::set<std::string_view> nodes = nodes_of(event);
  const auto is_strange = [&](std::string_view node) { return !has_node(node) && !has_switch(node); };
  if (const auto strange = std::ranges::find_if(nodes, is_strange); strange != nodes.end())
    throw channel::ChannelError(fmt::format(
        "an event of '{}', which is neither a node of the job nor a switch", shortened(*strange)));
  if (const auto* problem = std::get_if<record::Problem>(&event);
      problem && (judge::is_stop(*problem) || !problem->nodes.empty()))
    throw channel::ChannelError(
        fmt::format("problem '{}', which a suite is not allowed to report", shortened(problem->type)));
  const auto* plan = std::get_if<record::SuitePlanned>(&event);
  if (plan == nullptr) return;
  if (watch_->planned()) throw channel::ChannelError("a second plan");
  const std::string difference = supervisor::difference(plan_, suite_.description.declared, ordered_, *plan,
                                                        job_.nodes.size() == context_.rig.nodes.size());
  if (!difference.empty())
    throw channel::ChannelError(fmt::format(
        "its plan is not what the suite described here ({}): is the same build on every node?", difference));
}

bool JobRun::has_node(std::string_view name) const {
  return std::ranges::any_of(job_.nodes,
                             [&](std::size_t node) { return context_.rig.node(node).name == name; });
}

bool JobRun::has_switch(std::string_view name) const {
  return std::ranges::any_of(context_.rig.switches, [&](const auto& one) { return one.name == name; });
}

void JobRun::stop(LaunchFailure cause) {
  cause_ = std::move(cause);
  child_->terminate();
  until_ = Clock::now() + context_.options.timeouts.terminate;
  state_ = State::kStopping;
}

bool JobRun::reopen_missed_beside() {
  for (const std::string& name : missed_beside_) progress_.reopen(name);
  return !std::exchange(missed_beside_, {}).empty();
}

void JobRun::interrupt(const std::string& why) {
  if (state_ == State::kRunning) stop({"interrupted", "the run was stopped: " + why});
  if (state_ == State::kCalm) until_ = Clock::now();
  interrupted_ = true;
}

std::optional<JobRun::End> JobRun::poll() {
  take();
  const auto now = Clock::now();
  if (state_ == State::kRunning && watch_->done()) {
    context_.exiting.add(std::move(*child_), what());
    return complete();
  }
  if (state_ == State::kRunning && !child_->wait_for(milliseconds(0))) {
    if (const auto signal = context_.interrupts.seen())
      stop({"interrupted", "the run was stopped by " + *signal});
    else if (now > watch_->deadline())
      stop({"deadline", watch_->overdue()});
    return {};
  }
  if (state_ == State::kRunning ||
      (state_ == State::kStopping && (child_->wait_for(milliseconds(0)) || now > until_))) {
    status_ = child_->stop(milliseconds(0));
    until_ = now + kLastEvents;
    state_ = State::kDraining;
    take();
  }
  if (state_ == State::kDraining && (!events_->open() || now > until_)) return end_launch();
  if (state_ != State::kCalm) return {};
  if (interrupted_ || context_.interrupts.seen()) return End::kInterrupted;
  if (now > until_) launch();
  return {};
}

// Called when everything that the launch sent is recorded.
std::optional<JobRun::End> JobRun::end_launch() {
  take();
  if (watch_->done() && !is_invalid_) {
    const std::string fault = cause_ || !status_ ? "" : contradiction(what(), *status_);
    if (!fault.empty()) context_.journal.write({record::Problem{"launcher", fault}});
    return complete();
  }
  state_ = State::kIdle;
  events_.reset();
  child_.reset();
  return end_failed(cause_ ? *cause_ : examine(context_.launcher.name(), status_, end_of(log())));
}

// Called when the suite has sent its last event.
std::optional<JobRun::End> JobRun::complete() {
  state_ = State::kIdle;
  events_.reset();
  child_.reset();
  const std::vector<std::string> open = progress_.open();
  if (!open.empty())
    return end_failed(
        {"exited", fmt::format("ended before {} of its cases had run ({})", open.size(), open.front())});
  write(record::SuiteEnded{suite_.suite.name, launch_, true, ""});
  return go_on();
}

// Launches again for cases whose attempts do not count. Disturbances come in bursts: each wait is longer.
std::optional<JobRun::End> JobRun::go_on() {
  if (repeats_ == kMostRepeats || !progress_.reopen_replaced()) return End::kOver;
  if (launch_ >= kMostLaunches) return give_up();
  until_ = Clock::now() + ++repeats_ * context_.options.timeouts.calm;
  state_ = State::kCalm;
  return {};
}

// Records the end of a failed launch. Returns how the job ends; nullopt: it was launched again.
std::optional<JobRun::End> JobRun::end_failed(const LaunchFailure& found) {
  // The running case is not to blame: it stays open for a resume in another allocation.
  const std::string over = context_.launcher.is_slurm_step() ? end_of_allocation() : "";
  const LaunchFailure failure = over.empty() ? found : LaunchFailure{"interrupted", over};
  const bool full = context_.journal.is_full() || context_.out.is_full();
  const LaunchWatch watch = *watch_;
  if (watch.running()) {
    write(end_of_culprit(failure));
    progress_.close(watch.running()->name);
  }
  write(record::SuiteEnded{suite_.suite.name, launch_, false, describe(failure)});

  if (!over.empty()) return End::kSilent;
  if (failure.type == "interrupted" || interrupted_ || context_.interrupts.seen()) return End::kInterrupted;
  if (full) return End::kDiskFull;
  const bool fruitful = watch.running() || watch.ended() > 0;
  fruitless_ = fruitful ? 0 : fruitless_ + 1;
  if (watch.refused()) return give_up();
  if (!watch.started() && fruitless_ < kMostFruitless) return End::kSilent;
  if (watch.planned() && progress_.open().empty()) return End::kOver;
  if (fruitless_ >= kMostFruitless || launch_ >= kMostLaunches) return give_up();
  launch();
  return {};
}

JobRun::End JobRun::give_up() {
  context_.journal.write(
      {record::Problem{"given-up", fmt::format("{}: stopped after {} launches, {} cases did not run", name(),
                                               launch_, progress_.open().size())}});
  return End::kOver;
}

void JobRun::leave(const std::string& why) {
  ++launch_;
  write(started(""));
  write(part_of(plan_, progress_.open()));
  write(record::SuiteEnded{suite_.suite.name, launch_, false, "not launched: " + why});
}

record::CaseEnded JobRun::end_of_culprit(const LaunchFailure& cause) const {
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
      fmt::format("{}, case {}{}: {}", name(), running.name,
                  failure.phase.empty() ? "" : ", phase '" + failure.phase + "'", describe(cause));
  ended.failures = {failure};
  return ended;
}

std::string JobRun::name() const {
  const std::string name = "suite " + suite_.suite.name;
  if (number_ == 0) return name;
  return fmt::format("{}, job {} ({})", name, number_, fmt::join(node_names(), ", "));
}

std::vector<std::string> JobRun::node_names() const {
  std::vector<std::string> names;
  for (const std::size_t node : job_.nodes) names.push_back(context_.rig.node(node).name);
  return names;
}

std::string JobRun::what() const {
  return fmt::format("{}: launch {}: {} (log: {})", name(), launch_, context_.launcher.name(),
                     log().string());
}

std::filesystem::path JobRun::log() const { return context_.out.log(suite_.suite.name, number_, launch_); }

// Rank N runs on the job's node N.
std::string JobRun::node_of(const LaunchFailure& failure) const {
  const auto rank = static_cast<std::size_t>(failure.rank);
  if (failure.rank >= 0 && rank < job_.nodes.size()) return context_.rig.node(job_.nodes[rank]).name;
  if (const auto nodes = suspects(failure); nodes.size() == 1) return nodes.front();
  const auto named = context_.launcher.node_called(failure.host);
  return named ? context_.rig.node(*named).name : failure.host;
}

// The nodes whose ranks did not report a lost connection; all nodes if every rank did.
std::vector<std::string> JobRun::suspects(const LaunchFailure& failure) const {
  std::vector<std::string> nodes, all;
  if (failure.survivors.empty()) return nodes;
  for (std::size_t rank = 0; rank < job_.nodes.size(); ++rank) {
    all.push_back(context_.rig.node(job_.nodes[rank]).name);
    if (!failure.survivors.contains(static_cast<int>(rank))) nodes.push_back(all.back());
  }
  return nodes.empty() ? all : nodes;
}

std::string JobRun::describe(const LaunchFailure& failure) const {
  if (failure.rank < 0 && !failure.survivors.empty())
    return fmt::format("a rank of {} {} (log: {})", fmt::join(suspects(failure), " or "), failure.reason,
                       log().string());
  const std::string who = failure.rank < 0 || failure.names_culprit
                              ? ""
                              : fmt::format("rank {} ({}) ", failure.rank, node_of(failure));
  return fmt::format("{}{} (log: {})", who, failure.reason, log().string());
}

}  // namespace rigproof::supervisor
