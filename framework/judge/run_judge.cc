#include "framework/judge/run_judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "framework/judge/beside_pairs.h"
#include "framework/judge/known_faults.h"
#include "framework/judge/node_verdicts.h"
#include "framework/judge/retest.h"
#include "framework/record/run_identity.h"
#include "framework/units/printable.h"

namespace rigproof::judge {
namespace {

constexpr std::size_t kMostDisorders = 1000;
// After these problems a run is not judged as a whole: it did not reach its end.
constexpr std::array<std::string_view, 6> kBrokeOff = {"interrupted", "disk-full",   "harness",
                                                       "rig-absent",  "node-absent", "allocation-ended"};

std::string in_short(const std::vector<std::string>& nodes) {
  return shortened(fmt::format("{}", fmt::join(nodes, ", ")), 300);
}

std::string because(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }

Duty duty_of(const JudgedSuite& suite, const record::PlannedCase& plan) {
  const record::PlannedTest* test = suite.test_of(plan);
  return {test != nullptr ? &test->owes : nullptr, plan.place};
}

bool is_cut_short(const record::Failure& failure) {
  return failure.type == "unfinished" || failure.type == "interrupted";
}

// True if the attempt does not count once it has been repeated.
bool is_to_be_replaced(const Attempt& attempt) {
  return attempt.lost || std::ranges::any_of(attempt.failures, is_cut_short);
}

// Keeps only what later attempts need.
void leave(Attempt& attempt) {
  attempt.measurements.clear();
  std::erase_if(attempt.failures, [](const record::Failure& failure) {
    return failure.type != kDisturbed && !is_cut_short(failure);
  });
}

bool is_gone(const record::Problem& problem) {
  return problem.type == "node-absent" || problem.type == "rig-absent" || problem.type == "allocation-ended";
}

}  // namespace

bool is_stop(const record::Problem& problem) {
  return std::ranges::find(kBrokeOff, problem.type) != kBrokeOff.end();
}

void RunJudge::add(const record::Event& event, std::optional<record::LinePlace> place) {
  before_ = std::exchange(now_, event.time);
  run_.last_event = now_;
  place_ = place;
  if (run_.started.empty() && !std::holds_alternative<record::RunStarted>(event.body))
    disorder("an event before the run started");
  if (run_.end && !std::holds_alternative<record::RunResumed>(event.body))
    disorder("an event after the run ended");
  ++events_;
  std::visit([this](const auto& body) { fold(body); }, event.body);
  if (open_jobs_.size() > 1) crowded_at_ = events_;
}

// A suite has run up to its latest event while a launch of it is open.
void RunJudge::count_time(Suite& suite) {
  if (suite.open == 0) return;
  judged(suite).seconds += record::seconds_between(suite.open_since, now_);
  suite.open_since = now_;
}

void RunJudge::add_problem(record::Problem problem) { run_.problems.push_back(std::move(problem)); }

// Limits the number of problems: a broken journal must not fill the report.
void RunJudge::disorder(std::string message) {
  if (++disorders_ <= kMostDisorders) return add_problem({"journal", std::move(message)});
  if (disorders_ == kMostDisorders + 1) {
    more_ = run_.problems.size();
    add_problem({"journal", ""});
  }
  run_.problems[more_].message =
      fmt::format("{} more inconsistencies in the journal", disorders_ - kMostDisorders);
}

void RunJudge::fold(const record::RunStarted& run) {
  if (!run_.started.empty()) return disorder("the run started twice");
  run_.start = run;
  run_.started = now_;
  if (run.again) run_.files = run.again->files;
  const std::string& judged = run.again ? run.again->time : now_;
  try {
    *context_ = JudgeContext::of(run, std::string_view(judged).substr(0, 10));
    run_.limits = context_->limits;
    run_.waivers_on = context_->date;
    run_.weakened = weakened_limits_of(run);
  } catch (const std::exception& error) {
    add_problem({"thresholds", error.what()});
  }
}

RunJudge::Job& RunJudge::job(const std::string& name, record::JobNumber number, std::string_view event) {
  const auto [found, is_new] = suites_.try_emplace(name);
  Suite& suite = found->second;
  if (is_new) {
    suite.index = run_.suites.size();
    run_.suites.push_back({.name = name, .cases = {}, .started = now_, .launches = {}});
  }
  Job& job = suite.jobs[number];
  if (job.suite == nullptr) {
    job.suite = &suite;
    job.number = number;
    job.name = "suite " + name + (number == 0 ? "" : fmt::format(", job {}", number));
  }
  if (!job.open && event != "launch") disorder(fmt::format("{}: {} outside a launch", job.name, event));
  count_time(suite);
  return job;
}

void RunJudge::fold(const record::SuiteStarted& started) {
  Job& latest = job(started.suite, started.job, "launch");
  if (latest.open) {
    disorder(fmt::format("{}: launch {} started before launch {} ended", latest.name, started.launch,
                         latest.launch));
    close_running(latest, "another launch started");
  }
  if (started.launch != latest.launch + 1)
    disorder(fmt::format("{}: launch {} follows launch {}", latest.name, started.launch, latest.launch));
  if (!started.nodes.empty() && latest.nodes.empty()) {
    latest.nodes = started.nodes;
    latest.name += fmt::format(" ({})", in_short(latest.nodes));
  }
  judged(*latest.suite).jobs = std::max(judged(*latest.suite).jobs, started.jobs);
  if (!latest.open && latest.suite->open++ == 0) latest.suite->open_since = now_;
  open_jobs_.insert(&latest);
  busy_.insert(&latest);
  latest.launch = started.launch;
  judged(*latest.suite).last_launch_started[started.job] = started.launch;
  latest.open = true;
  latest.planned = latest.done = latest.to_blame = false;
}

// Merges the tests of all launches. Cases of one test owe different limits if their nodes differ.
std::uint64_t RunJudge::merged_test(Suite& suite, const record::PlannedTest& test) {
  std::vector<record::PlannedTest>& tests = judged(suite).tests;
  const auto [same, is_new] = suite.planned_tests.try_emplace(test, tests.size());
  if (is_new) tests.push_back(test);
  return same->second;
}

void RunJudge::fold(const record::SuitePlanned& plan) {
  Job& planned = job(plan.suite, plan.job, "a plan");
  Suite& owner = *planned.suite;
  if (planned.planned) disorder(fmt::format("{}: a second plan in one launch", planned.name));
  hear(planned);
  planned.planned = true;
  JudgedSuite& suite = judged(owner);
  std::vector<std::uint64_t> places;
  for (const record::PlannedTest& test : plan.tests) places.push_back(merged_test(owner, test));
  if (suite.observes.empty()) suite.observes = plan.observes;
  for (record::PlannedCase test : plan.cases) {
    if (test.test && *test.test >= places.size()) {
      disorder(fmt::format("{}: case {} names test {}, which is not in its plan", planned.name, test.name,
                           *test.test));
      test.test.reset();
    }
    if (test.test) test.test = places[*test.test];
    if (!find_test(owner, test.name))
      add_test(owner, test);
    else if (planned.launch == 1 && run_.resumed.empty())  // later launches plan unfinished cases again
      disorder(fmt::format("{}: case {} planned twice", planned.name, test.name));
  }
}

void RunJudge::fold(const record::Observed& seen) { checks_.see(seen, context_->groups.of(seen.id)); }

void RunJudge::fold(const record::NodeSeen& seen) {
  checks_.see(seen);
  record::NodeFacts& known = run_.nodes[seen.node];
  for (const auto& [part, properties] : seen.facts)
    for (const auto& [property, text] : properties) known[part].insert_or_assign(property, text);
}

std::optional<std::size_t> RunJudge::find_test(const Suite& owner, const std::string& name) const {
  const auto [first, last] = owner.tests.equal_range(std::hash<std::string>()(name));
  const CaseList& cases = run_.suites[owner.index].cases;
  const auto found =
      std::find_if(first, last, [&](const auto& test) { return cases.name_at(test.second) == name; });
  return found == last ? std::nullopt : std::optional<std::size_t>(found->second);
}

std::size_t RunJudge::add_test(Suite& owner, record::PlannedCase plan) {
  JudgedSuite& record = judged(owner);
  const std::size_t index = record.cases.size();
  owner.tests.emplace(std::hash<std::string>()(plan.name), static_cast<std::uint32_t>(index));
  record.cases.push_back({.suite = record.name, .plan = std::move(plan), .attempts = {}, .waiver = {}});
  return index;
}

std::size_t RunJudge::planned_test(Suite& owner, const std::string& name, std::string_view event) {
  if (const auto known = find_test(owner, name)) return *known;
  disorder(fmt::format("suite {}: case {} {}, but it was not planned", judged(owner).name, name, event));
  return add_test(owner, {.name = name, .subject = {}});
}

void RunJudge::set_running(Suite& owner, std::size_t test, bool running) {
  judged(owner).cases.change(test, [&](JudgedCase& record) { record.running = running; });
}

void RunJudge::fold(const record::CaseStarted& started) {
  Job& owner = job(started.suite, started.job, "a case");
  close_running(owner, "the next case started");
  const std::size_t test = planned_test(*owner.suite, started.name, "started");
  busy_.insert(&owner);
  owner.running = Running{test, started.iteration, started.name, now_, "", events_};
  set_running(*owner.suite, test, true);
}

void RunJudge::fold(const record::PhaseStarted& phase) {
  Job& owner = job(phase.suite, phase.job, "a phase");
  if (owner.running && owner.running->name == phase.name)
    owner.running->phase = phase.phase;
  else
    disorder(
        fmt::format("{}: phase {} of case {}, which is not running", owner.name, phase.phase, phase.name));
}

void RunJudge::fold(const record::CableMoved& moved) {
  job(moved.suite, moved.job, "a pulled cable");
  checks_.see(moved);
}

void RunJudge::fold(const record::CaseEnded& ended) {
  Job& owner = job(ended.suite, ended.job, "the end of a case");
  const std::size_t test = planned_test(*owner.suite, ended.name, "ended");
  std::string started = now_;
  bool is_crowded = false;
  if (owner.running && owner.running->test == test && owner.running->iteration == ended.iteration) {
    started = owner.running->started;
    is_crowded = crowded_at_ >= owner.running->began;
    set_running(*owner.suite, test, false);
    owner.running.reset();
  } else {
    disorder(fmt::format("{}: case {} ended, but it was not running", owner.name, ended.name));
  }
  const JudgedSuite& suite = judged(*owner.suite);
  Attempt attempt = judge_(ended, duty_of(suite, suite.cases.plan_at(test)), *context_);
  attempt.launch = owner.launch;
  attempt.started = std::move(started);
  attempt.place = place_;
  if (is_crowded && attempt.status == Status::kFailed && attempt.only_slow)
    attempt.beside = others_than(owner);
  add_attempt(owner, test, std::move(attempt), !is_crowded);
}

// Names the jobs that run now, at most kMost.
std::string RunJudge::others_than(const Job& own) const {
  constexpr std::size_t kMost = 6;
  std::vector<std::string> names;
  for (const Job* job : open_jobs_) {
    if (names.size() == kMost) break;
    if (job != &own) names.push_back(fmt::format("({})", fmt::join(job->nodes, ", ")));
  }
  if (names.empty()) return "other pairs";
  const std::size_t more = open_jobs_.size() - (own.open ? 1 : 0) - names.size();
  return fmt::format("{}{}", fmt::join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

bool RunJudge::InOrder::operator()(const Job* a, const Job* b) const {
  return std::pair(a->suite->index, a->number) < std::pair(b->suite->index, b->number);
}

// An attempt without other pairs is the case's own verdict: it replaces slow attempts beside other pairs.
// Returns true if it is sound and there were such attempts.
bool RunJudge::replaces_those_beside(Suite& owner, std::size_t index, JudgedCase& test, Attempt& alone) {
  const auto beside = owner.beside.find({index, alone.iteration});
  if (beside == owner.beside.end() || alone.status == Status::kError || alone.replaced) return false;
  for (const std::size_t attempt : std::exchange(beside->second.attempts, {}))
    test.attempts[attempt].replaced = true;
  if (alone.status > Status::kWaived) return false;
  alone.alone = beside->second.others;
  return true;
}

void RunJudge::add_attempt(Job& owner, std::size_t test, Attempt attempt, bool is_alone) {
  broken_.erase(&owner);
  if (attempt.status == Status::kError) broken_[&owner].push_back({.test = test, .problem = {}});
  if (is_to_be_replaced(attempt)) {
    owner.suite->cut_short.insert(test);
    touched_.insert(owner.suite);
  }
  judged(*owner.suite).cases.change(test, [&](JudgedCase& record) {
    if (is_alone && replaces_those_beside(*owner.suite, test, record, attempt)) {
      JudgedCase buffer;
      add_findings_beside(attempt, attempts_beside(whole(run_, record, buffer), attempt.iteration), record,
                          *context_);
    }
    if (!attempt.beside.empty()) {
      Suite::Beside& beside = owner.suite->beside[{test, attempt.iteration}];
      beside.attempts.push_back(record.attempts.size());
      beside.others = attempt.beside;
    }
    last_ = attempt;
    if (record.waiver.empty()) record.waiver = describe(attempt.waivers);
    owner.to_blame = owner.to_blame || attempt.status == Status::kError;
    if (attempt.place) leave(attempt);
    record.attempts.push_back(std::move(attempt));
  });
}

void RunJudge::close_running(Job& owner, const std::string& reason) {
  if (!owner.running) return;
  const Running running = *std::exchange(owner.running, {});
  set_running(*owner.suite, running.test, false);
  add_attempt(owner, running.test,
              {.launch = owner.launch,
               .iteration = running.iteration,
               .started = running.started,
               .seconds = record::seconds_between(running.started, now_),
               .measurements = {},
               .failures = {{.kind = record::Failure::Kind::kError,
                             .type = "unfinished",
                             .message = "started but did not end" + because(reason),
                             .node = {},
                             .phase = running.phase,
                             .where = {}}},
               .status = Status::kError});
}

void RunJudge::fold(const record::SuiteDone& done) { job(done.suite, done.job, "suite_done").done = true; }

void RunJudge::fold(const record::SuiteEnded& ended) {
  Job& latest = job(ended.suite, ended.job, "the end of a launch");
  close_running(latest, ended.reason);
  if (latest.open && ended.launch != latest.launch)
    disorder(fmt::format("{}: launch {} ended, but launch {} was running", latest.name, ended.launch,
                         latest.launch));
  const std::string launch = fmt::format("{}: launch {}", latest.name, ended.launch);
  const auto break_off = [&](const char* type, const char* how) {
    const std::size_t problem = run_.problems.size();
    add_problem({type, launch + how + because(ended.reason)});
    if (nodes_are_gone_)
      mended_.insert(problem);
    else
      broken_[&latest].push_back({.test = {}, .problem = problem});
  };
  if (!latest.planned)
    break_off("no-plan", " ended before it sent its list of cases");
  else if (!ended.complete && !latest.to_blame)
    break_off("broken-off", " broke off outside its cases");
  if (ended.complete && !latest.done) disorder(launch + " is marked complete, but suite_done is missing");
  JudgedSuite& record = judged(*latest.suite);
  if (latest.open) --latest.suite->open;
  open_jobs_.erase(&latest);
  busy_.erase(&latest);
  latest.open = false;
  record.launches.push_back(ended);
}

namespace {

// Empty `nodes`: all nodes of the rig.
bool has_all(const std::vector<std::string>& nodes, const std::vector<std::string>& of) {
  const auto is_there = [&](const std::string& node) {
    return std::ranges::find(nodes, node) != nodes.end();
  };
  return nodes.empty() || (!of.empty() && std::ranges::all_of(of, is_there));
}

bool share_one(const std::vector<std::string>& nodes, const std::vector<std::string>& others) {
  return nodes.empty() || others.empty() || std::ranges::find_first_of(nodes, others) != nodes.end();
}

}  // namespace

// The job's nodes answered, so earlier failures on them, in any suite, were not node losses.
void RunJudge::hear(const Job& heard) {
  std::erase_if(broken_, [&](const auto& one) { return has_all(heard.nodes, one.first->nodes); });
}

// A lost node explains how its launches ended before: a node that shuts down ends processes in many ways.
void RunJudge::fold(const record::Problem& problem) {
  add_problem(problem);
  if (!is_gone(problem)) return;
  for (const std::string& node : problem.nodes) ++run_.lost[node];
  nodes_are_gone_ = true;
  std::erase_if(broken_, [&](const auto& of_job) {
    const auto& [job, all] = of_job;
    if (!share_one(problem.nodes, job->nodes)) return false;
    for (const Broken& one : all) {
      if (one.test)
        lose(*job->suite, *one.test);
      else
        mended_.insert(*one.problem);
    }
    return true;
  });
}

void RunJudge::lose(Suite& owner, std::size_t test) {
  owner.cut_short.insert(test);
  touched_.insert(&owner);
  judged(owner).cases.change(test, [](JudgedCase& record) { record.attempts.back().lost = true; });
}

// Drops the problems that a resumed run no longer has.
void RunJudge::take_back_problems() {
  const auto is_over = [&](std::size_t index) {
    const record::Problem& problem = run_.problems[index];
    return is_stop(problem) || problem.type == "given-up" || mended_.contains(index);
  };
  for (std::size_t i = lasting_; i < run_.problems.size(); ++i) {
    if (is_over(i)) continue;
    if (i == more_) more_ = lasting_;
    if (i != lasting_) run_.problems[lasting_] = std::move(run_.problems[i]);
    ++lasting_;
  }
  run_.problems.resize(lasting_);
}

// The run is judged as a whole again at its next end.
void RunJudge::begin_retest(const std::vector<std::string>& nodes) {
  const std::set<std::string> retested(nodes.begin(), nodes.end());
  for (const NodeVerdict& verdict : verdicts_of_nodes(run_))
    if (retested.contains(verdict.node))
      run_.retests.push_back({verdict.node, now_, std::string(name(verdict.acceptance)), verdict.why});
  const Retest retest(run_, retested);
  if (!run_.suites.empty() && run_.suites.back().name == kRunSuite) run_.suites.pop_back();
  for (JudgedSuite& suite : run_.suites) {
    auto& beside = suites_.at(suite.name).beside;
    for (std::size_t index = 0; index < suite.cases.size(); ++index) {
      if (!retest.reopens(suite.cases.at(index))) continue;
      std::erase_if(beside, [&](const auto& of) { return of.first.first == index; });
      suite.cases.change(index, [](JudgedCase& record) {
        for (Attempt& attempt : record.attempts) {
          attempt.replaced = true;
          attempt.beside =
              attempt.alone = {};  // rates of before the repair are compared with none of after it
        }
      });
    }
  }
  checks_.forget(retested);
  run_.not_applicable.clear();
  run_.sample.reset();
  is_judged_whole_ = false;
}

// Attempts that the stop interrupted are replaced: they will run again.
void RunJudge::fold(const record::RunResumed& resumed) {
  if (!resumed.retested.empty()) begin_retest(resumed.retested);
  for (Job* job : std::exchange(busy_, {})) {
    close_running(*job, "the run was stopped");
    job->open = false;
    touched_.insert(job->suite);
  }
  for (Suite* suite : std::exchange(touched_, {})) {
    JudgedSuite& judged_suite = judged(*suite);
    suite->open = 0;
    for (const std::size_t index : std::exchange(suite->cut_short, {}))
      judged_suite.cases.change(index, [](JudgedCase& record) {
        for (Attempt& attempt : record.attempts)
          attempt.replaced = attempt.replaced || is_to_be_replaced(attempt);
      });
  }
  open_jobs_.clear();
  // Launches that broke off last were stopped with the run; a complete run was not stopped.
  if (resumed.retested.empty()) {
    for (auto& [job, all] : broken_)
      std::erase_if(all, [&](const Broken& one) {
        if (!one.test) mended_.insert(*one.problem);
        return !one.test;
      });
    take_back_problems();
  }
  mended_.clear();
  nodes_are_gone_ = false;
  run_.end.reset();
  run_.blame = {};
  run_.faults = {};
  checks_.resume(context_->emulated);
  run_.resumed.push_back({now_, before_, resumed});
}

// A waiver that expired before the run ended or was resumed covers nothing of it.
void RunJudge::end_waivers() {
  const std::string today = now_.substr(0, 10);
  if (run_.limits == nullptr || run_.is_judged_again() || today <= context_->date) return;
  const std::string before = std::exchange(context_->date, today);
  run_.waivers_on = today;
  const auto has_ended = [&](const Waiver& waiver) {
    return waiver.is_expired(today) && !waiver.is_expired(before);
  };
  if (std::ranges::none_of(run_.limits->waivers(), has_ended)) return;
  const auto is_waived = [](const Attempt& attempt) { return attempt.status == Status::kWaived; };
  for (JudgedSuite& suite : run_.suites)
    for (std::size_t index = 0; index < suite.cases.size(); ++index) {
      const JudgedCase test = suite.cases.at(index);
      if (std::ranges::none_of(test.attempts, is_waived)) continue;
      suite.cases.change(index, [&](JudgedCase& record) {
        record.waiver.clear();
        for (Attempt& attempt : record.attempts) {
          if (!is_waived(attempt)) continue;
          Attempt anew = attempt.place ? run_.left(run_, test, attempt) : attempt;
          set_status(anew, test.full_name(), *context_);
          attempt.status = anew.status;
          attempt.waivers = anew.waivers;
          if (record.waiver.empty()) record.waiver = describe(attempt.waivers);
        }
      });
    }
}

// A record that is judged again has a folder of its own: the files of the measured run stay.
void RunJudge::fold(const record::FilesHashed& hashed) {
  if (!run_.is_judged_again()) run_.files = hashed.files;
}

void RunJudge::fold(const record::RunEnded& ended) {
  if (run_.end) return;  // disorder() has reported a second end
  for (Job* job : busy_) {
    if (job->open) disorder(fmt::format("{}: the run ended before launch {} did", job->name, job->launch));
    close_running(*job, "the run ended");
  }
  run_.end = ended;
  end_waivers();
  run_.blame = blame_of(run_);
  if (std::ranges::none_of(run_.problems, is_stop) && !std::exchange(is_judged_whole_, true)) {
    run_.sample = result_of_sample(run_);
    checks_.judge(run_, *context_, now_);
  }
  run_.faults = faults_of(run_, *context_);
}

void RunJudge::leave_in(const std::filesystem::path& journal) {
  const auto read = [lines = std::make_shared<const record::JournalLines>(journal), judge = judge_,
                     context = context_](const JudgedRun& run, const JudgedCase& test,
                                         const Attempt& attempt) {
    if (!attempt.place) return attempt;
    const record::Event event = lines->at(*attempt.place);
    const auto suite = std::ranges::find(run.suites, test.suite, &JudgedSuite::name);
    if (const auto* ended = std::get_if<record::CaseEnded>(&event.body); ended && suite != run.suites.end())
      return judge(*ended, duty_of(*suite, test.plan), *context);
    throw record::JournalError("the journal was changed while it was read");
  };
  run_.left = [read, context = context_](const JudgedRun& run, const JudgedCase& test,
                                         const Attempt& attempt) {
    Attempt again = read(run, test, attempt);
    if (attempt.alone.empty()) return again;
    std::vector<Attempt> beside = attempts_beside(test, attempt.iteration);
    for (Attempt& one : beside) one.measurements = read(run, test, one).measurements;
    add_findings_beside(again, beside, test, *context);
    return again;
  };
}

}  // namespace rigproof::judge
