#include "framework/supervisor/suite_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "framework/process/process.h"
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
  std::vector<Job> jobs = context.launcher.chooses_nodes()
                              ? jobs_of(context.rig, suite.description)
                              : std::vector<Job>{one_job(context.rig, suite.description)};
  jobs_ = static_cast<int>(jobs.size());
  for (int number = jobs_; number > 0; --number)
    waiting_.push_back(std::make_unique<JobRun>(context_, suite_,
                                                std::move(jobs[static_cast<std::size_t>(number) - 1]),
                                                jobs_ == 1 ? 0 : number, jobs_));
  for (const judge::JudgedSuite& done : context.journal.run().suites)
    if (done.name == suite.suite.name) take_up(done);
}

namespace {

// State of a suite's cases after earlier parts of the run.
struct EarlierCases {
  std::set<std::string> ended;   // every iteration has an attempt that counts
  std::set<std::string> missed;  // too slow beside other pairs, and not measured alone since
  std::set<std::string> alone;   // measured again, alone
};

EarlierCases earlier_cases(const judge::JudgedSuite& suite, int iterations) {
  EarlierCases cases;
  for (const judge::JudgedCase& test : suite.cases) {
    std::set<int> seen;
    for (const judge::Attempt& attempt : test.attempts) {
      if (!attempt.replaced) seen.insert(attempt.iteration);
      if (!attempt.beside.empty()) (attempt.replaced ? cases.alone : cases.missed).insert(test.plan.name);
    }
    if (seen.size() >= static_cast<std::size_t>(iterations)) cases.ended.insert(test.plan.name);
  }
  return cases;
}

bool has_any(const Job& job, const std::set<std::string>& cases) {
  return std::ranges::any_of(job.cases, [&](const std::string& name) { return cases.contains(name); });
}

}  // namespace

void SuiteJobs::take_up(const judge::JudgedSuite& done) {
  std::map<record::JobNumber, int> launches;
  std::map<record::JobNumber, bool> complete;
  for (const auto& [job, launch] : done.last_launch_started) launches[job] = launch;
  for (const record::SuiteEnded& launch : done.launches)
    complete[launch.job] = launch.complete && launch.launch == launches[launch.job];
  const EarlierCases cases = suite_.description.traits.judges_facts  // they may have changed meanwhile
                                 ? EarlierCases{}
                                 : earlier_cases(done, context_.options.gtest.repeat);
  for (const std::unique_ptr<JobRun>& job : waiting_) alone_ += has_any(job->job(), cases.alone) ? 1 : 0;
  for (std::unique_ptr<JobRun>& job : waiting_) {
    job->take_up(launches[job->number()], cases.ended, cases.missed);
    if (!job->open_cases().empty()) continue;
    if (has_room_for_another_alone() && job->reopen_missed_beside())
      again_.push_back(std::move(job));
    else if (!complete[job->number()])
      job->close();
    job.reset();
  }
  std::erase(waiting_, nullptr);
  // Jobs that dead nodes made necessary: planned jobs have their cases again.
  const int planned = jobs_;
  for (const auto& [number, launch] : launches) {
    jobs_ = std::max(jobs_, number);
    if (number <= planned || complete[number]) continue;
    JobRun lost(context_, suite_, {}, number, number);
    lost.take_up(launch, {}, {});
    lost.close();
  }
}

SuiteJobs::End SuiteJobs::run() {
  while (true) {
    publish();
    start_jobs();
    if (running_.empty()) start_alone();
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

bool SuiteJobs::leaves(std::vector<std::unique_ptr<JobRun>>& jobs) {
  if (!jobs.empty() && end_ == End::kOver && context_.interrupts.seen()) end_ = End::kInterrupted;
  if (end_ == End::kOver) return false;
  jobs.clear();
  return true;
}

void SuiteJobs::start_jobs() {
  if (leaves(waiting_)) return;
  for (bool left = true; std::exchange(left, false);) {
    const auto from_the_end = [&](std::size_t i) -> std::unique_ptr<JobRun>& {
      return waiting_[waiting_.size() - 1 - i];
    };
    for (const std::size_t i : order_.ready(
             waiting_.size(), [&](std::size_t i) -> const Job& { return from_the_end(i)->job(); },
             Clock::now())) {
      std::unique_ptr<JobRun> job = std::move(from_the_end(i));
      if (launch(*job))
        running_.push_back(std::move(job));
      else
        left = true;  // its nodes are free for the next job
    }
    std::erase(waiting_, nullptr);
  }
}

// Runs after all other jobs.
void SuiteJobs::start_alone() {
  if (leaves(again_)) return;
  while (running_.empty() && !again_.empty()) {
    std::unique_ptr<JobRun> job = std::move(again_.front());
    again_.erase(again_.begin());
    ++alone_;
    if (launch(*job)) running_.push_back(std::move(job));
  }
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
  Job lost = take_lost(kept, nodes_.dead, context_.rig, suite_.description.plan);
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
    JobRun(context_, suite_, std::move(lost), jobs_, jobs_).leave(why);
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
    problem("allocation-ended", over + to_resume(context_.options.out));
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
  const auto& suites = context_.journal.run().suites;
  const bool has_cases =
      std::ranges::any_of(suites, [](const judge::JudgedSuite& suite) { return !suite.cases.empty(); });
  if (nodes_.dead.size() == rig.nodes.size() && !has_cases)
    problem("rig-absent", fmt::format("rig absent: none of {} answers{}", name_nodes(rig, silent), why),
            silent);
  else
    problem("node-absent",
            "no answer from " + name_nodes(rig, silent) + why + to_resume(context_.options.out), silent);
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
