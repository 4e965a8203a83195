#include "framework/judge/run_judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "framework/judge/beside_pairs.h"
#include "framework/record/run_identity.h"

namespace rigproof::judge {
namespace {

constexpr std::size_t kMostDisorders = 1000;
// Problems after which a run is not judged as a whole: it did not come to its end.
constexpr std::array<std::string_view, 6> kBrokeOff = {"interrupted", "disk-full",   "harness",
                                                       "rig-absent",  "node-absent", "allocation-ended"};

std::string because(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }

Duty duty_of(const JudgedRun& run, const JudgedCase& test) {
  const auto suite = std::ranges::find(run.suites, test.suite, &JudgedSuite::name);
  const bool declared = test.plan.test && suite != run.suites.end() && *test.plan.test < suite->tests.size();
  return {declared ? &suite->tests[*test.plan.test].owes : nullptr, test.plan.place};
}

bool is_cut_short(const record::Failure& failure) {
  return failure.type == "unfinished" || failure.type == "interrupted";
}

// What the attempts after it need to know of it.
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
  if (open_jobs_ > 1) crowded_at_ = events_;
}

void RunJudge::add_problem(record::Problem problem) { run_.problems.push_back(std::move(problem)); }

// A journal that is nothing but disorder fills no report.
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
    job.name = "suite " + name + (number == 0 ? "" : fmt::format(", job {}", number));
  }
  if (!job.open && event != "launch") disorder(fmt::format("{}: {} outside a launch", job.name, event));
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
    latest.name += fmt::format(" ({})", fmt::join(latest.nodes, ", "));
  }
  judged(*latest.suite).jobs = std::max(judged(*latest.suite).jobs, started.jobs);
  if (!latest.open && latest.suite->open++ == 0) latest.suite->open_since = now_;
  if (!latest.open) ++open_jobs_;
  latest.launch = started.launch;
  judged(*latest.suite).last_launch_started[started.job] = started.launch;
  latest.open = true;
  latest.planned = latest.done = latest.to_blame = false;
}

// Each launch lists its own tests. Cases of one test owe different things where their nodes differ.
std::uint64_t RunJudge::merged_test(JudgedSuite& suite, const record::PlannedTest& test) {
  const auto same = std::ranges::find(suite.tests, test);
  const auto index = static_cast<std::uint64_t>(same - suite.tests.begin());
  if (same == suite.tests.end()) suite.tests.push_back(test);
  return index;
}

void RunJudge::fold(const record::SuitePlanned& plan) {
  Job& planned = job(plan.suite, plan.job, "a plan");
  Suite& owner = *planned.suite;
  if (planned.planned) disorder(fmt::format("{}: a second plan in one launch", planned.name));
  hear(planned);
  planned.planned = true;
  JudgedSuite& suite = judged(owner);
  std::vector<std::uint64_t> places;
  for (const record::PlannedTest& test : plan.tests) places.push_back(merged_test(suite, test));
  if (suite.observes.empty()) suite.observes = plan.observes;
  for (record::PlannedCase test : plan.cases) {
    if (test.test && *test.test >= places.size()) {
      disorder(fmt::format("{}: case {} is of test {}, which its plan does not have", planned.name, test.name,
                           *test.test));
      test.test.reset();
    }
    if (test.test) test.test = places[*test.test];
    if (!find_test(owner, test.name))
      add_test(owner, test);
    else if (planned.launch == 1 &&
             run_.resumed.empty())  // later a job may be there for what others had left
      disorder(fmt::format("{}: case {} planned twice", planned.name, test.name));
  }
}

void RunJudge::fold(const record::Observed& seen) { checks_.see(seen); }

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
  owner.running = Running{test, started.iteration, now_, "", events_};
  set_running(*owner.suite, test, true);
}

void RunJudge::fold(const record::PhaseStarted& phase) {
  Job& owner = job(phase.suite, phase.job, "a phase");
  if (owner.running && judged(*owner.suite).cases.name_at(owner.running->test) == phase.name)
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
  Attempt attempt = judge_(ended, duty_of(run_, judged(*owner.suite).cases.at(test)), *context_);
  attempt.launch = owner.launch;
  attempt.started = std::move(started);
  attempt.place = place_;
  if (is_crowded && attempt.status == Status::kFailed && attempt.only_slow)
    attempt.beside = others_than(owner);
  add_attempt(owner, test, std::move(attempt), !is_crowded);
}

// Those that run now, in words: not all of hundreds.
std::string RunJudge::others_than(const Job& own) const {
  constexpr std::size_t kMost = 6;
  std::vector<std::string> names;
  std::size_t more = 0;
  for (const auto& [name, suite] : suites_)
    for (const auto& [number, job] : suite.jobs) {
      if (!job.open || &job == &own) continue;
      if (names.size() < kMost)
        names.push_back(fmt::format("({})", fmt::join(job.nodes, ", ")));
      else
        ++more;
    }
  if (names.empty()) return "other pairs";
  return fmt::format("{}{}", fmt::join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

namespace {

// An attempt while no other pair ran, sound or not, is the case's own verdict. Whether it was sound, beside those that it
// replaces.
bool replaces_those_beside(JudgedCase& test, Attempt& alone) {
  if (alone.status == Status::kError || alone.replaced) return false;
  std::string beside;
  for (Attempt& attempt : test.attempts) {
    if (attempt.beside.empty() || attempt.iteration != alone.iteration) continue;
    attempt.replaced = true;
    beside = attempt.beside;
  }
  if (beside.empty() || alone.status > Status::kWaived) return false;
  alone.alone = beside;
  return true;
}

}  // namespace

void RunJudge::add_attempt(Job& owner, std::size_t test, Attempt attempt, bool is_alone) {
  std::erase_if(broken_, [&](const Broken& one) { return one.job == &owner; });
  if (attempt.status == Status::kError) broken_.push_back({.job = &owner, .test = test});
  judged(*owner.suite).cases.change(test, [&](JudgedCase& record) {
    if (is_alone && replaces_those_beside(record, attempt)) {
      JudgedCase buffer;
      add_findings_beside(attempt, attempts_beside(whole(run_, record, buffer), attempt.iteration), record,
                          *context_);
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
    disorder(fmt::format("{}: launch {} ended, but it is launch {} that ran", latest.name, ended.launch,
                         latest.launch));
  const std::string launch = fmt::format("{}: launch {}", latest.name, ended.launch);
  const auto break_off = [&](const char* type, const char* how) {
    const std::string message = launch + how + because(ended.reason);
    add_problem({type, message});
    if (nodes_are_gone_)
      mended_.insert(message);
    else
      broken_.push_back({&latest, {}, message});
  };
  if (!latest.planned)
    break_off("no-plan", " ended before it sent its list of cases");
  else if (!ended.complete && !latest.to_blame)
    break_off("broken-off", " broke off outside its cases");
  if (ended.complete && !latest.done) disorder(launch + " is marked complete, but suite_done is missing");
  JudgedSuite& record = judged(*latest.suite);
  if (latest.open && --latest.suite->open == 0)
    record.seconds += record::seconds_between(latest.suite->open_since, now_);
  if (latest.open) --open_jobs_;
  latest.open = false;
  record.launches.push_back(ended);
}

namespace {

// No nodes: all of the rig.
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

// Its nodes live: what broke on them before, in whichever suite, was a fault of its own.
void RunJudge::hear(const Job& heard) {
  std::erase_if(broken_, [&](const Broken& one) { return has_all(heard.nodes, one.job->nodes); });
}

// However a launch ends whose node goes: a node that shuts down ends its processes in many ways.
void RunJudge::fold(const record::Problem& problem) {
  add_problem(problem);
  if (!is_gone(problem)) return;
  for (const std::string& node : problem.nodes) ++run_.lost[node];
  nodes_are_gone_ = true;
  const auto is_on_it = [&](const Broken& one) { return share_one(problem.nodes, one.job->nodes); };
  for (const Broken& one : broken_) {
    if (!is_on_it(one)) continue;
    if (one.test)
      judged(*one.job->suite).cases.change(*one.test, [](JudgedCase& test) {
        test.attempts.back().lost = true;
      });
    else
      mended_.insert(one.problem);
  }
  std::erase_if(broken_, is_on_it);
}

// What a stop cut short counts no more once it has been run again.
void RunJudge::fold(const record::RunResumed& resumed) {
  const auto is_replaced = [](const Attempt& attempt) {
    return attempt.lost || std::ranges::any_of(attempt.failures, is_cut_short);
  };
  for (auto& [name, suite] : suites_) {
    for (auto& [number, job] : suite.jobs) {
      close_running(job, "the run was stopped");
      job.open = false;
    }
    JudgedSuite& judged_suite = judged(suite);
    if (std::exchange(suite.open, 0) > 0)
      judged_suite.seconds += record::seconds_between(suite.open_since, before_);
    for (std::size_t index = 0; index < judged_suite.cases.size(); ++index) {
      const JudgedCase test = judged_suite.cases.at(index);
      if (std::ranges::none_of(test.attempts, is_replaced)) continue;
      judged_suite.cases.change(index, [&](JudgedCase& record) {
        for (Attempt& attempt : record.attempts) attempt.replaced = attempt.replaced || is_replaced(attempt);
      });
    }
  }
  open_jobs_ = 0;
  // What broke off last was stopped with the run.
  for (const Broken& one : broken_)
    if (!one.test) mended_.insert(one.problem);
  std::erase_if(broken_, [](const Broken& one) { return !one.test; });
  std::erase_if(run_.problems, [&](const record::Problem& problem) {
    return is_stop(problem) || problem.type == "given-up" || mended_.contains(problem.message);
  });
  mended_.clear();
  nodes_are_gone_ = false;
  run_.end.reset();
  run_.blame = {};
  checks_.resume(context_->emulated);
  run_.resumed.push_back({now_, before_, resumed});
}

// A waiver that ended before the run did, or before it was resumed, waives nothing of it.
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

// A record that judges another run's samples again lies in a folder of its own.
void RunJudge::fold(const record::FilesHashed& hashed) {
  if (!run_.is_judged_again()) run_.files = hashed.files;
}

void RunJudge::fold(const record::RunEnded& ended) {
  for (auto& [name, suite] : suites_)
    for (auto& [number, job] : suite.jobs) {
      if (job.open) disorder(fmt::format("{}: the run ended before launch {} did", job.name, job.launch));
      close_running(job, "the run ended");
    }
  run_.end = ended;
  end_waivers();
  if (std::ranges::none_of(run_.problems, is_stop)) checks_.judge(run_, *context_, now_);
  run_.blame = blame_of(run_);
}

void RunJudge::leave_in(const std::filesystem::path& journal) {
  const auto read = [lines = std::make_shared<const record::JournalLines>(journal), judge = judge_,
                     context = context_](const JudgedRun& run, const JudgedCase& test,
                                         const Attempt& attempt) {
    if (!attempt.place) return attempt;
    const record::Event event = lines->at(*attempt.place);
    if (const auto* ended = std::get_if<record::CaseEnded>(&event.body))
      return judge(*ended, duty_of(run, test), *context);
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
