#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "framework/limits/waivers.h"
#include "framework/record/run_record.h"
#include "framework/record/settle.h"
#include "framework/record/utc.h"

namespace rigproof {
namespace {

constexpr std::size_t kMostDisorders = 1000;

std::string because(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }

void leave(Attempt& attempt) {
  attempt.measurements.clear();
  std::erase_if(attempt.failures, [](const Failure& failure) { return failure.type != kDisturbed; });
}

}  // namespace

void RunAssembler::add(const Event& event, std::optional<LinePlace> place) {
  now_ = event.time;
  place_ = place;
  if (record_.started.empty() && !std::holds_alternative<RunStarted>(event.body))
    disorder("an event before the run started");
  if (record_.end) disorder("an event after the run ended");
  std::visit([this](const auto& body) { fold(body); }, event.body);
}

void RunAssembler::add_problem(Problem problem) { record_.problems.push_back(std::move(problem)); }

// A journal that is nothing but disorder fills no report.
void RunAssembler::disorder(std::string message) {
  if (++disorders_ <= kMostDisorders) return add_problem({"journal", std::move(message)});
  if (disorders_ == kMostDisorders + 1) {
    more_ = record_.problems.size();
    add_problem({"journal", ""});
  }
  record_.problems[more_].message =
      fmt::format("{} more that does not add up in the journal", disorders_ - kMostDisorders);
}

void RunAssembler::fold(const RunStarted& run) {
  if (!record_.started.empty()) return disorder("the run started twice");
  record_.start = run;
  record_.started = now_;
  try {
    waivers_ = read_waivers(toml::Document::parse(run.thresholds_text, run.thresholds_file));
  } catch (const toml::InputError& error) {
    add_problem({"thresholds", error.what()});
  }
}

RunAssembler::Suite& RunAssembler::suite(const std::string& name, std::string_view event) {
  const auto [found, is_new] = suites_.try_emplace(name);
  Suite& suite = found->second;
  if (is_new) {
    suite.index = record_.suites.size();
    record_.suites.push_back({.name = name, .cases = {}, .started = now_, .launches = {}});
  }
  if (!suite.open && event != "launch") disorder(fmt::format("suite {}: {} outside a launch", name, event));
  return suite;
}

void RunAssembler::fold(const SuiteStarted& started) {
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

void RunAssembler::fold(const SuitePlanned& plan) {
  Suite& planned = suite(plan.suite, "a plan");
  if (planned.planned) disorder(fmt::format("suite {}: a second plan in one launch", plan.suite));
  const bool relaunch = !planned.tests.empty();
  planned.planned = true;
  for (const PlannedCase& test : plan.cases) {
    if (!find_test(planned, test.name))
      add_test(planned, test);
    else if (!relaunch)
      disorder(fmt::format("suite {}: case {} planned twice", plan.suite, test.name));
  }
}

void RunAssembler::fold(const NodeSeen& seen) {
  for (const auto& [fact, text] : seen.facts) record_.nodes[seen.node].insert_or_assign(fact, text);
}

std::optional<std::size_t> RunAssembler::find_test(const Suite& owner, const std::string& name) const {
  const auto [first, last] = owner.tests.equal_range(std::hash<std::string>()(name));
  const CaseList& cases = record_.suites[owner.index].cases;
  const auto found =
      std::find_if(first, last, [&](const auto& test) { return cases.name_at(test.second) == name; });
  return found == last ? std::nullopt : std::optional<std::size_t>(found->second);
}

std::size_t RunAssembler::add_test(Suite& owner, PlannedCase plan) {
  SuiteRecord& record = record_of(owner);
  const std::size_t index = record.cases.size();
  owner.tests.emplace(std::hash<std::string>()(plan.name), static_cast<std::uint32_t>(index));
  record.cases.push_back({.suite = record.name, .plan = std::move(plan), .attempts = {}, .waiver = {}});
  return index;
}

std::size_t RunAssembler::planned_test(Suite& owner, const std::string& name, std::string_view event) {
  if (const auto known = find_test(owner, name)) return *known;
  disorder(fmt::format("suite {}: case {} {}, but nobody planned it", record_of(owner).name, name, event));
  return add_test(owner, {.name = name, .subject = {}, .nodes = {}});
}

void RunAssembler::set_running(Suite& owner, std::size_t test, bool running) {
  record_of(owner).cases.change(test, [&](CaseRecord& record) { record.running = running; });
}

void RunAssembler::fold(const CaseStarted& started) {
  Suite& owner = suite(started.suite, "a case");
  close_running(owner, "the next case started");
  const std::size_t test = planned_test(owner, started.name, "started");
  owner.running = Running{test, started.iteration, now_, ""};
  set_running(owner, test, true);
}

void RunAssembler::fold(const PhaseStarted& phase) {
  Suite& owner = suite(phase.suite, "a phase");
  if (owner.running && record_of(owner).cases.name_at(owner.running->test) == phase.name)
    owner.running->phase = phase.phase;
  else
    disorder(fmt::format("suite {}: phase {} of case {}, which is not running", phase.suite, phase.phase,
                         phase.name));
}

void RunAssembler::fold(const CaseEnded& ended) {
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
  add_attempt(owner, test,
              {.launch = owner.launch,
               .iteration = ended.iteration,
               .started = started,
               .seconds = ended.seconds,
               .measuring_s = ended.measuring_s,
               .measurements = ended.measurements,
               .failures = ended.failures,
               .status = Status::kError,
               .place = place_});
}

void RunAssembler::add_attempt(Suite& owner, std::size_t test, Attempt attempt) {
  const std::string_view date = std::string_view(record_.started).substr(0, 10);
  record_of(owner).cases.change(test, [&](CaseRecord& record) {
    const Settlement settlement = settle(attempt, waivers_, record.full_name(), date);
    attempt.status = settlement.status;
    if (record.waiver.empty()) record.waiver = describe(settlement.waivers);
    owner.to_blame = owner.to_blame || attempt.status == Status::kError;
    if (attempt.place) leave(attempt);
    record.attempts.push_back(std::move(attempt));
  });
}

void RunAssembler::close_running(Suite& owner, const std::string& reason) {
  if (!owner.running) return;
  const Running running = *std::exchange(owner.running, {});
  set_running(owner, running.test, false);
  add_attempt(owner, running.test,
              {.launch = owner.launch,
               .iteration = running.iteration,
               .started = running.started,
               .seconds = seconds_between(running.started, now_),
               .measurements = {},
               .failures = {{.kind = Failure::Kind::kError,
                             .type = "unfinished",
                             .message = "started but did not end" + because(reason),
                             .node = {},
                             .phase = running.phase,
                             .where = {}}},
               .status = Status::kError});
}

void RunAssembler::fold(const SuiteDone& done) { suite(done.suite, "its last word").done = true; }

void RunAssembler::fold(const SuiteEnded& ended) {
  Suite& latest = suite(ended.suite, "the end of a launch");
  close_running(latest, ended.reason);
  const std::string launch = fmt::format("suite {}: launch {}", ended.suite, ended.launch);
  if (!latest.planned)
    add_problem(
        {"no-plan", launch + " ended before it told what it was going to run" + because(ended.reason)});
  else if (!ended.complete && !latest.to_blame)
    add_problem({"broken-off", launch + " broke off outside its cases" + because(ended.reason)});
  if (ended.complete && !latest.done) disorder(launch + " is complete without its last word");
  latest.open = false;
  SuiteRecord& record = record_of(latest);
  record.seconds += seconds_between(latest.started, now_);
  record.launches.push_back(ended);
}

void RunAssembler::fold(const Problem& problem) { add_problem(problem); }

void RunAssembler::fold(const RunEnded& ended) {
  for (auto& [name, suite] : suites_) {
    if (suite.open) disorder(fmt::format("suite {}: the run ended before launch {} did", name, suite.launch));
    close_running(suite, "the run ended");
  }
  record_.end = ended;
}

int RunAssembler::exit_code_at_its_end() const {
  const bool broken_off = std::ranges::any_of(suites_, [](const auto& suite) { return suite.second.open; });
  return broken_off ? 2 : record_.exit_code_at_its_end();
}

}  // namespace rigproof
