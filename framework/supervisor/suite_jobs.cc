#include "framework/supervisor/suite_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "framework/judge/meetings.h"
#include "framework/process/process.h"
#include "framework/supervisor/case_plan.h"
#include "framework/supervisor/out_directory.h"
#include "framework/supervisor/reachability.h"
#include "framework/supervisor/slurm.h"
#include "framework/units/shell_words.h"

namespace rigproof::supervisor {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kStep{20};

bool is_any_of(const std::vector<std::size_t>& nodes, const std::set<std::size_t>& set) {
  return std::ranges::any_of(nodes, [&](std::size_t node) { return set.contains(node); });
}

}  // namespace

SuiteJobs::SuiteJobs(RunContext& context, const PlannedSuite& suite, NodeStates& nodes)
    : context_(context), suite_(suite), nodes_(nodes) {
  std::vector<Job> jobs =
      context.launcher.chooses_nodes() ? suite.cases->jobs() : std::vector<Job>{suite.cases->one_job()};
  jobs_ = static_cast<int>(jobs.size());
  rounds_ = jobs.empty() ? 0 : jobs.back().round;
  for (int number = jobs_; number > 0; --number)
    waiting_.push_back({std::move(jobs[static_cast<std::size_t>(number) - 1]), jobs_ == 1 ? 0 : number});
  const auto& done = context.journal.run().suites;
  const auto own = std::ranges::find(done, suite.suite.name, &judge::JudgedSuite::name);
  if (own == done.end()) return;
  earlier_ = earlier(*own, context.options.gtest.repeat);
  take_up(further_pairs(*own));
}

SuiteJobs::Earlier SuiteJobs::earlier(const judge::JudgedSuite& suite, int iterations) {
  Earlier earlier;
  for (const auto& [job, launch] : suite.last_launch_started) earlier.launches[job] = launch;
  for (const record::SuiteEnded& launch : suite.launches)
    if (launch.complete && launch.launch == earlier.launches[launch.job]) earlier.complete.insert(launch.job);
  for (const judge::JudgedCase& test : suite.cases) {
    std::set<int> seen;
    for (const judge::Attempt& attempt : test.attempts) {
      if (!attempt.replaced) seen.insert(attempt.iteration);
      if (!attempt.beside.empty()) (attempt.replaced ? earlier.alone : earlier.missed).insert(test.plan.name);
    }
    if (seen.size() >= static_cast<std::size_t>(iterations)) earlier.ended.insert(test.plan.name);
  }
  return earlier;
}

namespace {

bool has_any(const Job& job, const std::set<std::string>& cases) {
  return std::ranges::any_of(job.cases, [&](const std::string& name) { return cases.contains(name); });
}

}  // namespace

std::unique_ptr<JobRun> SuiteJobs::make(Waiting waiting) const {
  record::SuitePlanned plan = suite_.cases->plan_of(waiting.job);
  for (const record::PlannedCase& test : plan.cases) waiting.job.cases.push_back(test.name);
  auto job = std::make_unique<JobRun>(context_, suite_, std::move(waiting.job), std::move(plan),
                                      waiting.number, jobs_);
  const auto launches = earlier_.launches.find(waiting.number);
  job->take_up(launches == earlier_.launches.end() ? 0 : launches->second, earlier_.ended, earlier_.missed);
  return job;
}

// Pairs of unfinished cases that no planned job has.
std::set<NodePair> SuiteJobs::further_pairs(const judge::JudgedSuite& done) const {
  std::set<NodePair> pairs;
  if (rounds_ == 0) return pairs;
  std::set<std::vector<std::size_t>> planned;
  for (const Waiting& waiting : waiting_) planned.insert(waiting.job.nodes);
  for (const judge::JudgedCase& test : done.cases) {
    const SubjectPlace& place = test.plan.place;
    if (place.nodes.size() != 2 || place.kind == SubjectPlace::Kind::kForwarded ||
        earlier_.ended.contains(test.plan.name))
      continue;
    const auto [first, second] = std::minmax(
        {context_.rig.find_node(place.nodes[0]).value(), context_.rig.find_node(place.nodes[1]).value()});
    if (!planned.contains({first, second}))
      pairs.insert({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)});
  }
  return pairs;
}

void SuiteJobs::take_up(const std::set<NodePair>& further) {
  const bool is_retest = !context_.options.retest.empty();
  if (suite_.description.traits.judges_facts && !is_retest)  // they may have changed meanwhile
    earlier_.ended = earlier_.missed = earlier_.alone = {};
  std::vector<std::unique_ptr<JobRun>> ended;
  std::erase_if(waiting_, [&](const Waiting& waiting) {
    std::unique_ptr<JobRun> job = make(waiting);
    alone_ += has_any(job->job(), earlier_.alone) ? 1 : 0;
    const bool is_over = job->open_cases().empty();
    if (is_over) ended.push_back(std::move(job));
    return is_over;
  });
  for (std::unique_ptr<JobRun>& job : ended) {
    if (has_room_for_another_alone() && job->reopen_missed_beside())
      again_.push_back(std::move(job));
    else if (!earlier_.complete.contains(job->number()))
      job->close();
  }
  // Jobs that dead nodes or nodes in doubt made necessary: other jobs have their cases again.
  const int planned = jobs_;
  for (const auto& [number, launch] : earlier_.launches) {
    jobs_ = std::max(jobs_, number);
    if (number <= planned || earlier_.complete.contains(number)) continue;
    JobRun lost(context_, suite_, {}, suite_.cases->plan_of({}), number, number);
    lost.take_up(launch, {}, {});
    lost.close();
  }
  for (const NodePair pair : further) add_pair(pair, rounds_ + 1);
}

SuiteJobs::End SuiteJobs::run() {
  while (true) {
    publish();
    start_jobs();
    if (running_.empty()) start_alone();
    if (running_.empty() && add_round()) continue;
    if (running_.empty()) return end_;
    context_.hub.wait(kStep);
    for (const std::string& fault : context_.exiting.poll()) problem("launcher", fault);
    look_after_running();
    if (context_.journal.is_full()) stop_all(End::kDiskFull, context_.journal.why_full());
  }
}

// Does not publish while a launch waits for its order from this thread: reports of many nodes take too long.
void SuiteJobs::publish() {
  const auto starts = [](const std::unique_ptr<JobRun>& job) { return job->starts(); };
  const auto measures = [](const std::unique_ptr<JobRun>& job) { return job->measures(); };
  if (end_ != End::kOver || std::ranges::any_of(running_, starts)) return;
  context_.journal.publish(std::ranges::any_of(running_, measures));
}

void SuiteJobs::look_after_running() {
  for (std::unique_ptr<JobRun>& job : running_) {
    if (!step(*job)) continue;
    order_.end(job->number(), Clock::now());
    if (job->reopen_missed_beside() && has_room_for_another_alone()) again_.push_back(std::move(job));
    job.reset();
  }
  std::erase(running_, nullptr);
  require_room();
}

bool SuiteJobs::has_room_for_another_alone() const {
  return again_.size() + alone_ < context_.rig.nodes.size();
}

bool SuiteJobs::leaves() {
  if (end_ == End::kOver && context_.interrupts.seen() && !(waiting_.empty() && again_.empty()))
    end_ = End::kInterrupted;
  if (end_ == End::kOver) return false;
  waiting_.clear();
  again_.clear();
  return true;
}

void SuiteJobs::start_jobs() {
  if (leaves()) return;
  for (bool left = true; std::exchange(left, false);) {
    const auto place_of = [&](std::size_t i) { return waiting_.size() - 1 - i; };
    const std::vector<std::size_t> ready = order_.ready(
        waiting_.size(), [&](std::size_t i) -> const Job& { return waiting_[place_of(i)].job; },
        Clock::now());
    for (const std::size_t i : ready) {
      std::unique_ptr<JobRun> job = make(waiting_[place_of(i)]);
      if (launch(*job))
        running_.push_back(std::move(job));
      else
        left = true;  // its nodes are free for the next job
    }
    std::vector<std::size_t> begun;
    for (const std::size_t i : ready) begun.push_back(place_of(i));
    std::ranges::sort(begun, std::greater());
    for (const std::size_t place : begun)
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(place));
  }
}

// Runs after all other jobs.
void SuiteJobs::start_alone() {
  if (leaves()) return;
  while (running_.empty() && !again_.empty()) {
    std::unique_ptr<JobRun> job = std::move(again_.front());
    again_.erase(again_.begin());
    ++alone_;
    if (launch(*job)) running_.push_back(std::move(job));
  }
}

bool SuiteJobs::add_round() {
  constexpr int kMost = 3;
  if (end_ != End::kOver || context_.options.sample.slower <= 0 || rounds_ == 0 || further_ == kMost)
    return false;
  const auto pairs = judge::pairs_to_meet(context_.rig, judge::rates_of(context_.journal.run(), context_.rig),
                                          context_.options.sample.slower);
  ++further_;
  ++rounds_;
  for (const NodePair pair : pairs) add_pair(pair, rounds_);
  return !waiting_.empty();
}

void SuiteJobs::add_pair(NodePair pair, int round) {
  Job job{.nodes = {pair.first, pair.second}, .cases = {}, .round = round, .has_pairs = true};
  if (!suite_.cases->names_of(job).empty()) waiting_.insert(waiting_.begin(), {std::move(job), ++jobs_});
}

void SuiteJobs::require_room() const {
  const auto has_none = [](const std::unique_ptr<JobRun>& job) { return !job->shortage().empty(); };
  if (running_.empty() || !context_.exiting.empty() || !std::ranges::all_of(running_, has_none)) return;
  throw std::runtime_error(running_.front()->shortage());
}

bool SuiteJobs::launch(JobRun& job) {
  if (!is_any_of(job.job().nodes, nodes_.dead)) {
    job.launch();
    order_.begin(job.number(), job.job(), Clock::now());
    return true;
  }
  Job kept = job.job();
  kept.cases = job.open_cases();
  Job lost = take_lost(kept, nodes_.dead, context_.rig, job.plan());
  std::vector<std::size_t> dead;
  std::ranges::copy_if(lost.nodes, std::back_inserter(dead),
                       [&](std::size_t node) { return nodes_.dead.contains(node); });
  const std::string why = "no answer from " + name_nodes(context_.rig, dead);
  if (kept.cases.empty()) {
    job.leave(why);
    return false;
  }
  if (!lost.cases.empty()) {
    ++jobs_;
    JobRun(context_, suite_, std::move(lost), job.plan(), jobs_, jobs_).leave(why);
  }
  job.change(std::move(kept));
  job.launch();
  order_.begin(job.number(), job.job(), Clock::now());
  return true;
}

bool SuiteJobs::step(JobRun& job) {
  const std::optional<JobRun::End> end = job.poll();
  return end && is_over(job, *end);
}

bool SuiteJobs::is_over(JobRun& job, JobRun::End end) {
  switch (end) {
    case JobRun::End::kOver:
      return true;
    case JobRun::End::kInterrupted:
      if (end_ == End::kOver) end_ = End::kInterrupted;
      return true;
    case JobRun::End::kDiskFull:
      stop_all(End::kDiskFull, context_.journal.why_full());
      return true;
    case JobRun::End::kSilent:
      break;
  }
  return end_ != End::kOver || !probe(job) || !launch(job);
}

namespace {

// True if a case has begun since the run started, or since it was resumed last.
bool has_begun(const judge::JudgedRun& run) {
  const std::string& since = run.resumed.empty() ? run.started : run.resumed.back().time;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases)
      if (test.running || (!test.attempts.empty() && test.attempts.back().started >= since)) return true;
  return false;
}

// ": ssh: connect to host spark-b port 22: No route to host; try: ssh -o BatchMode=yes spark-b hostname".
std::string why_silent(const Rig& rig, const std::map<std::size_t, std::string>& reasons,
                       const std::vector<std::string>& agent) {
  if (!process::find_program(agent.front()))
    return fmt::format(": there is no program '{}' to reach nodes with", agent.front());
  const auto& [node, reason] = *reasons.begin();
  std::vector<std::string> attempt = agent;
  attempt.insert(attempt.end(), {rig.node(node).address, "hostname"});
  return fmt::format("{}{}; try: {}", reason.empty() ? "" : ": ", reason, join_words(attempt));
}

}  // namespace

// Only Slurm and mpirun: for other launchers the way to the nodes is unknown.
bool SuiteJobs::probe(const JobRun& job) {
  if (context_.launcher.is_slurm_step()) {
    const std::string over = end_of_allocation();
    if (over.empty()) return true;
    problem("allocation-ended", over + to_go_on(context_.rig, context_.options.out));
    stop_all(End::kNoNodes, over);
    return false;
  }
  if (!context_.launcher.is_mpirun()) return true;
  const Rig& rig = context_.rig;
  const std::vector<std::string> agent = remote_agent();
  const auto reasons = unreachable_nodes(rig, job.job().nodes, agent, context_.options.timeouts.probe);
  if (reasons.empty()) return true;
  std::vector<std::size_t> silent;
  for (const auto& [node, reason] : reasons) silent.push_back(node);
  const std::string why = why_silent(rig, reasons, agent);
  nodes_.dead.insert(silent.begin(), silent.end());
  const bool is_absent = nodes_.dead.size() == rig.nodes.size() && !has_begun(context_.journal.run());
  const auto& suites = context_.journal.run().suites;
  const bool has_cases =
      std::ranges::any_of(suites, [](const judge::JudgedSuite& suite) { return !suite.cases.empty(); });
  const auto lost = is_absent ? std::vector<std::size_t>() : silent;
  if (is_absent && !has_cases)
    problem("rig-absent", fmt::format("rig absent: none of {} answers{}", name_nodes(rig, silent), why));
  else
    problem("node-absent",
            "no answer from " + name_nodes(rig, silent) + why + to_go_on(rig, context_.options.out), lost);
  if (context_.launcher.chooses_nodes() && nodes_.dead.size() + 2 <= rig.nodes.size()) return true;
  stop_all(End::kNoNodes, "the rig has too few nodes left");
  return false;
}

void SuiteJobs::stop_all(End end, const std::string& why) {
  if (end_ != End::kOver) return;
  end_ = end;
  for (const std::unique_ptr<JobRun>& job : running_)
    if (job != nullptr) job->interrupt(why);
}

void SuiteJobs::problem(const std::string& type, const std::string& message,
                        const std::vector<std::size_t>& lost) {
  record::Problem problem{type, message};
  for (const std::size_t node : lost) problem.nodes.push_back(context_.rig.node(node).name);
  context_.journal.write({std::move(problem)});
}

}  // namespace rigproof::supervisor
