#include "framework/judge/run_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "framework/record/run_identity.h"

namespace rigproof::judge {
namespace {

constexpr std::size_t kMostDisorders = 1000;
// Problems after which a run is not judged as a whole: it did not come to its end.
constexpr std::array<std::string_view, 5> kBrokeOff = {"interrupted", "disk-full", "harness", "rig-absent",
                                                       "node-absent"};

std::string because(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }

Duty duty_of(const JudgedRun& run, const JudgedCase& test) {
  const auto suite = std::ranges::find(run.suites, test.suite, &JudgedSuite::name);
  if (!test.plan.test || suite == run.suites.end() || *test.plan.test >= suite->tests.size()) return {};
  return {&suite->tests[*test.plan.test].owes};
}

void leave(Attempt& attempt) {
  attempt.measurements.clear();
  std::erase_if(attempt.failures, [](const record::Failure& failure) { return failure.type != kDisturbed; });
}

}  // namespace

void RunJudge::add(const record::Event& event, std::optional<record::LinePlace> place) {
  now_ = event.time;
  place_ = place;
  if (run_.started.empty() && !std::holds_alternative<record::RunStarted>(event.body))
    disorder("an event before the run started");
  if (run_.end) disorder("an event after the run ended");
  std::visit([this](const auto& body) { fold(body); }, event.body);
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
  const std::string& judged = run.again ? run.again->time : now_;
  try {
    *context_ = JudgeContext::of(run, std::string_view(judged).substr(0, 10));
    run_.limits = context_->limits;
  } catch (const std::exception& error) {
    add_problem({"thresholds", error.what()});
  }
}

RunJudge::Suite& RunJudge::suite(const std::string& name, std::string_view event) {
  const auto [found, is_new] = suites_.try_emplace(name);
  Suite& suite = found->second;
  if (is_new) {
    suite.index = run_.suites.size();
    run_.suites.push_back({.name = name, .cases = {}, .started = now_, .launches = {}});
  }
  if (!suite.open && event != "launch") disorder(fmt::format("suite {}: {} outside a launch", name, event));
  return suite;
}

void RunJudge::fold(const record::SuiteStarted& started) {
  Suite& latest = suite(started.suite, "launch");
  if (latest.open) {
    disorder(fmt::format("suite {}: launch {} started before launch {} ended", started.suite, started.launch,
                         latest.launch));
    close_running(latest, "another launch started");
  }
  if (started.launch != latest.launch + 1)
    disorder(
        fmt::format("suite {}: launch {} follows launch {}", started.suite, started.launch, latest.launch));
  latest.launch = started.launch;
  latest.open = true;
  latest.planned = latest.done = latest.to_blame = false;
  latest.started = now_;
}

void RunJudge::fold(const record::SuitePlanned& plan) {
  Suite& planned = suite(plan.suite, "a plan");
  if (planned.planned) disorder(fmt::format("suite {}: a second plan in one launch", plan.suite));
  const bool relaunch = !planned.tests.empty();
  planned.planned = true;
  std::vector<record::PlannedTest>& tests = judged(planned).tests;
  if (tests.empty()) tests = plan.tests;
  if (judged(planned).observes.empty()) judged(planned).observes = plan.observes;
  for (record::PlannedCase test : plan.cases) {
    if (test.test && *test.test < plan.tests.size()) {
      const record::PlannedTest& of = plan.tests[*test.test];
      const auto same = std::ranges::find(tests, of.name, &record::PlannedTest::name);
      test.test = static_cast<std::uint64_t>(same - tests.begin());
      if (same == tests.end()) tests.push_back(of);
    } else {
      test.test.reset();
    }
    if (!find_test(planned, test.name))
      add_test(planned, test);
    else if (!relaunch)
      disorder(fmt::format("suite {}: case {} planned twice", plan.suite, test.name));
  }
}

void RunJudge::fold(const record::Observed& seen) { checks_.see(seen); }

void RunJudge::fold(const record::NodeSeen& seen) {
  checks_.see(seen);
  for (const auto& [fact, text] : seen.facts) run_.nodes[seen.node].insert_or_assign(fact, text);
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
  disorder(fmt::format("suite {}: case {} {}, but nobody planned it", judged(owner).name, name, event));
  return add_test(owner, {.name = name, .subject = {}, .nodes = {}});
}

void RunJudge::set_running(Suite& owner, std::size_t test, bool running) {
  judged(owner).cases.change(test, [&](JudgedCase& record) { record.running = running; });
}

void RunJudge::fold(const record::CaseStarted& started) {
  Suite& owner = suite(started.suite, "a case");
  close_running(owner, "the next case started");
  const std::size_t test = planned_test(owner, started.name, "started");
  owner.running = Running{test, started.iteration, now_, ""};
  set_running(owner, test, true);
}

void RunJudge::fold(const record::PhaseStarted& phase) {
  Suite& owner = suite(phase.suite, "a phase");
  if (owner.running && judged(owner).cases.name_at(owner.running->test) == phase.name)
    owner.running->phase = phase.phase;
  else
    disorder(fmt::format("suite {}: phase {} of case {}, which is not running", phase.suite, phase.phase,
                         phase.name));
}

void RunJudge::fold(const record::CaseEnded& ended) {
  Suite& owner = suite(ended.suite, "the end of a case");
  const std::size_t test = planned_test(owner, ended.name, "ended");
  std::string started = now_;
  if (owner.running && owner.running->test == test && owner.running->iteration == ended.iteration) {
    started = owner.running->started;
    set_running(owner, test, false);
    owner.running.reset();
  } else {
    disorder(fmt::format("suite {}: case {} ended, but it was not running", ended.suite, ended.name));
  }
  Attempt attempt = judge_(ended, duty_of(run_, judged(owner).cases.at(test)), *context_);
  attempt.launch = owner.launch;
  attempt.started = std::move(started);
  attempt.place = place_;
  add_attempt(owner, test, std::move(attempt));
}

void RunJudge::add_attempt(Suite& owner, std::size_t test, Attempt attempt) {
  last_ = attempt;
  judged(owner).cases.change(test, [&](JudgedCase& record) {
    if (record.waiver.empty()) record.waiver = describe(attempt.waivers);
    owner.to_blame = owner.to_blame || attempt.status == Status::kError;
    if (attempt.place) leave(attempt);
    record.attempts.push_back(std::move(attempt));
  });
}

void RunJudge::close_running(Suite& owner, const std::string& reason) {
  if (!owner.running) return;
  const Running running = *std::exchange(owner.running, {});
  set_running(owner, running.test, false);
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

void RunJudge::fold(const record::SuiteDone& done) { suite(done.suite, "suite_done").done = true; }

void RunJudge::fold(const record::SuiteEnded& ended) {
  Suite& latest = suite(ended.suite, "the end of a launch");
  close_running(latest, ended.reason);
  const std::string launch = fmt::format("suite {}: launch {}", ended.suite, ended.launch);
  if (!latest.planned)
    add_problem({"no-plan", launch + " ended before it sent its list of cases" + because(ended.reason)});
  else if (!ended.complete && !latest.to_blame)
    add_problem({"broken-off", launch + " broke off outside its cases" + because(ended.reason)});
  if (ended.complete && !latest.done) disorder(launch + " is marked complete, but suite_done is missing");
  latest.open = false;
  JudgedSuite& record = judged(latest);
  record.seconds += record::seconds_between(latest.started, now_);
  record.launches.push_back(ended);
}

void RunJudge::fold(const record::Problem& problem) { add_problem(problem); }

void RunJudge::fold(const record::RunEnded& ended) {
  for (auto& [name, suite] : suites_) {
    if (suite.open) disorder(fmt::format("suite {}: the run ended before launch {} did", name, suite.launch));
    close_running(suite, "the run ended");
  }
  run_.end = ended;
  const auto broke_off = [](const record::Problem& problem) {
    return std::ranges::find(kBrokeOff, problem.type) != kBrokeOff.end();
  };
  if (std::ranges::none_of(run_.problems, broke_off)) checks_.judge(run_, *context_, now_);
}

void RunJudge::leave_in(const std::filesystem::path& journal) {
  run_.left = [lines = std::make_shared<const record::JournalLines>(journal), judge = judge_,
               context = context_](const JudgedRun& run, const JudgedCase& test, const Attempt& attempt) {
    const record::Event event = lines->at(attempt.place.value());
    if (const auto* ended = std::get_if<record::CaseEnded>(&event.body))
      return judge(*ended, duty_of(run, test), *context);
    throw record::JournalError("the journal was changed while it was read");
  };
}

}  // namespace rigproof::judge
