#include "framework/supervisor/suite_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "framework/supervisor/reachability.h"
#include "framework/supervisor/slurm.h"

namespace rigproof::supervisor {
namespace {

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

// Those of which every iteration has an attempt that counts.
std::set<std::string> ended_cases(const judge::JudgedSuite& suite, int iterations) {
  std::set<std::string> ended;
  for (const judge::JudgedCase& test : suite.cases) {
    std::set<int> seen;
    for (const judge::Attempt& attempt : test.attempts)
      if (!attempt.replaced) seen.insert(attempt.iteration);
    if (seen.size() >= static_cast<std::size_t>(iterations)) ended.insert(test.plan.name);
  }
  return ended;
}

}  // namespace

void SuiteJobs::take_up(const judge::JudgedSuite& done) {
  std::map<record::JobNumber, int> launches;
  std::map<record::JobNumber, bool> complete;
  for (const auto& [job, launch] : done.last_launch_started) launches[job] = launch;
  for (const record::SuiteEnded& launch : done.launches)
    complete[launch.job] = launch.complete && launch.launch == launches[launch.job];
  const std::set<std::string> ended = ended_cases(done, context_.options.gtest.repeat);
  for (std::unique_ptr<JobRun>& job : waiting_) {
    job->take_up(launches[job->number()], ended);
    const bool open = !job->open_cases().empty();
    if (!open && !complete[job->number()]) job->close();
    if (!open) job.reset();
  }
  std::erase(waiting_, nullptr);
  // Jobs that dead nodes made necessary: their cases are those of the planned ones again.
  for (const auto& [number, launch] : launches) {
    if (number <= jobs_ || complete[number]) continue;
    JobRun lost(context_, suite_, {}, number, number);
    lost.take_up(launch, {});
    lost.close();
  }
}

SuiteJobs::End SuiteJobs::run() {
  while (true) {
    start_jobs();
    if (running_.empty()) start_alone();
    if (running_.empty()) return end_;
    context_.journal.publish(
        std::ranges::any_of(running_, [](const std::unique_ptr<JobRun>& job) { return job->measures(); }));
    context_.hub.wait(kStep);
    context_.exiting.poll();
    for (std::unique_ptr<JobRun>& job : running_)
      if (step(*job)) {
        if (job->reopen_missed_beside() && again_.size() + alone_ < context_.rig.nodes.size())
          again_.push_back(std::move(job));
        job.reset();
      }
    busy_.clear();
    for (const std::unique_ptr<JobRun>& job : running_)
      if (job != nullptr) busy_.insert(job->job().nodes.begin(), job->job().nodes.end());
    std::erase(running_, nullptr);
    if (context_.journal.is_full()) stop_all(End::kDiskFull, "no space left");
  }
}

void SuiteJobs::start_jobs() {
  if (end_ != End::kOver || context_.interrupts.seen()) waiting_.clear();
  int oldest = waiting_.empty() ? 0 : waiting_.back()->job().round;
  for (const std::unique_ptr<JobRun>& job : running_) oldest = std::min(oldest, job->job().round);
  // A wider choice of rounds would break up the pairs of the later ones.
  for (std::size_t i = waiting_.size(); i-- > 0 && waiting_[i]->job().round <= oldest + 1;) {
    if (is_any_of(waiting_[i]->job().nodes, busy_)) continue;
    std::unique_ptr<JobRun> job = std::exchange(waiting_[i], nullptr);
    if (launch(*job)) {
      busy_.insert(job->job().nodes.begin(), job->job().nodes.end());
      running_.push_back(std::move(job));
    }
  }
  std::erase(waiting_, nullptr);
}

// After all others.
void SuiteJobs::start_alone() {
  if (end_ != End::kOver || context_.interrupts.seen()) again_.clear();
  while (running_.empty() && !again_.empty()) {
    std::unique_ptr<JobRun> job = std::move(again_.front());
    again_.erase(again_.begin());
    ++alone_;
    if (launch(*job)) running_.push_back(std::move(job));
  }
}

bool SuiteJobs::launch(JobRun& job) {
  if (!is_any_of(job.job().nodes, nodes_.dead)) {
    job.launch();
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
      stop_all(End::kDiskFull, "no space left");
      return true;
    case JobRun::End::kSilent:
      break;
  }
  return end_ != End::kOver || !probe(job) || !launch(job);
}

// Only mpirun's way to the nodes is known here.
bool SuiteJobs::probe(const JobRun& job) {
  if (context_.launcher.is_slurm_step()) {
    const std::string over = end_of_allocation();
    if (over.empty()) return true;
    problem("allocation-ended", over);
    stop_all(End::kNoNodes, over);
    return false;
  }
  if (!context_.launcher.is_mpirun()) return true;
  const Rig& rig = context_.rig;
  const auto silent = unreachable_nodes(rig, job.job().nodes, remote_agent(), context_.options.timeouts.probe,
                                        context_.launches);
  if (silent.empty()) return true;
  nodes_.dead.insert(silent.begin(), silent.end());
  const auto& suites = context_.journal.run().suites;
  const bool has_cases =
      std::ranges::any_of(suites, [](const judge::JudgedSuite& suite) { return !suite.cases.empty(); });
  if (nodes_.dead.size() == rig.nodes.size() && !has_cases)
    problem("rig-absent", fmt::format("rig absent: none of {} answers", name_nodes(rig, silent)));
  else
    problem("node-absent", "no answer from " + name_nodes(rig, silent));
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

void SuiteJobs::problem(const std::string& type, const std::string& message) {
  context_.journal.write({record::Problem{type, message}});
}

}  // namespace rigproof::supervisor
