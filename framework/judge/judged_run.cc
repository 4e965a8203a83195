#include "framework/judge/judged_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "framework/judge/judge_case.h"
#include "framework/judge/known_faults.h"

namespace rigproof::judge {
namespace {

// If no attempt counts, void ones decide: attempts that a stop interrupted ran again and prove nothing.
const Attempt* worst_of(const std::vector<Attempt>& attempts) {
  const auto is_void_one = [](const Attempt& attempt) { return is_void(attempt.failures); };
  const bool any = !std::ranges::all_of(attempts, &Attempt::replaced);
  const bool any_void = std::ranges::any_of(attempts, is_void_one);
  const Attempt* worst = nullptr;
  for (const Attempt& attempt : attempts) {
    const bool decides = any ? !attempt.replaced : !any_void || is_void_one(attempt);
    if (decides && (worst == nullptr || attempt.status > worst->status)) worst = &attempt;
  }
  return worst;
}

}  // namespace

bool is_failed_or_error(const JudgedMeasurement& measurement) {
  const Verdict verdict = measurement.judgement.verdict;
  return verdict == Verdict::kFail || verdict == Verdict::kError;
}

bool is_void(const std::vector<record::Failure>& failures) {
  return std::ranges::any_of(failures,
                             [](const record::Failure& failure) { return failure.type == kDisturbed; });
}

std::string_view name(Status status) {
  switch (status) {
    case Status::kRecorded:
      return "recorded";
    case Status::kPassed:
      return "passed";
    case Status::kWaived:
      return "waived";
    case Status::kNotProven:
      return "not proven";
    case Status::kFailed:
      return "failed";
    case Status::kError:
      return "error";
  }
  return "error";
}

const Attempt* JudgedCase::deciding() const {
  const Attempt* worst = worst_of(attempts);
  return running && worst != nullptr && worst->status != Status::kError ? nullptr : worst;
}

Status JudgedCase::status() const {
  const Attempt* attempt = deciding();
  return attempt == nullptr ? Status::kError : attempt->status;
}

std::string JudgedCase::open_reason() const {
  if (deciding() != nullptr) return "";
  return running ? "started but did not end: the record stops while it runs"
                 : "planned, but the run ended before it began";
}

namespace {

// Returns the last launch of each job.
std::map<record::JobNumber, const record::SuiteEnded*> last_launches(const JudgedSuite& suite) {
  std::map<record::JobNumber, const record::SuiteEnded*> last;
  for (const record::SuiteEnded& launch : suite.launches) last[launch.job] = &launch;
  return last;
}

}  // namespace

bool JudgedSuite::complete() const {
  return last_launches(*this).size() >= static_cast<std::size_t>(jobs) && broken_off() == nullptr;
}

const record::PlannedTest* JudgedSuite::test_of(const record::PlannedCase& plan) const {
  return plan.test && *plan.test < tests.size() ? &tests[*plan.test] : nullptr;
}

const record::SuiteEnded* JudgedSuite::broken_off() const {
  const record::SuiteEnded* found = nullptr;
  for (const auto& [job, launch] : last_launches(*this))
    if (!launch->complete) found = launch;
  return found;
}

CaseName case_name(std::string_view full_name) {
  CaseName parts;
  const auto dot = full_name.find('.');
  const std::string_view rest = dot == full_name.npos ? full_name : full_name.substr(dot + 1);
  const auto slash = rest.rfind('/');
  if (dot != full_name.npos) parts.test_class = full_name.substr(0, dot);
  parts.test = rest.substr(0, slash);
  if (slash != rest.npos) parts.parameter = rest.substr(slash + 1);
  return parts;
}

std::string JudgedCase::full_name() const { return suite + "." + plan.name; }

const JudgedCase& whole(const JudgedRun& run, const JudgedCase& test, JudgedCase& buffer) {
  const auto left = [&](const Attempt& attempt) { return run.left && attempt.place.has_value(); };
  if (run.faults.empty() && std::ranges::none_of(test.attempts, left)) return test;
  buffer = test;
  for (Attempt& attempt : buffer.attempts) {
    if (!left(attempt)) continue;
    Attempt again = run.left(run, test, attempt);
    attempt.measurements = std::move(again.measurements);
    attempt.failures = std::move(again.failures);
  }
  explain(buffer, run.faults);
  return buffer;
}

int JudgedRun::exit_code() const {
  constexpr int kRigAbsent = 77;
  Status worst = Status::kPassed;
  bool passed = false, any = false, complete = true;
  for (const JudgedSuite& suite : suites) {
    complete = complete && suite.complete();
    for (const JudgedCase& test : suite.cases) {
      const Status status = test.status();
      any = true;
      worst = std::max(worst, status);
      passed = passed || (status == Status::kPassed && suite.name != kRunSuite);
    }
  }
  const auto absent = [](const record::Problem& problem) { return problem.type == "rig-absent"; };
  if (!any && end && std::ranges::any_of(problems, absent)) return kRigAbsent;
  if (!end || !complete || !problems.empty() || worst == Status::kError) return 2;
  if (worst == Status::kFailed) return 1;
  return worst == Status::kNotProven || !passed ? 3 : 0;
}

namespace {

// The suites that a whole run has: those installed, and those of required limits that none of these declares.
std::set<std::string> suites_of_a_whole(const JudgedRun& run) {
  std::set<std::string> suites;
  Declarations declarations;
  for (const auto& [suite, list] : run.start.declared) {
    suites.insert(suite);
    for (const record::Declared& declared : list) declarations.add(declared.id);
  }
  if (run.limits)
    for (const Limit& limit : run.limits->limits())
      if (limit.is_required() && !declarations.find(limit.id)) suites.insert(suite_of(limit.id));
  suites.erase(kRunSuite);
  return suites;
}

bool leaves_out_a_suite(const JudgedRun& run) {
  if (run.start.asked.suites.empty()) return false;
  const std::set<std::string> asked(run.start.asked.suites.begin(), run.start.asked.suites.end());
  return !std::ranges::includes(asked, suites_of_a_whole(run));
}

std::set<std::string_view> suites_with_cases(const JudgedRun& run) {
  std::set<std::string_view> names;
  for (const JudgedSuite& suite : run.suites)
    if (!suite.cases.empty()) names.insert(suite.name);
  return names;
}

bool lacks_iterations(const JudgedRun& run) {
  const int asked = run.start.asked.repeat;
  if (asked < 1) return true;
  if (asked == 1) return false;
  const auto lacks = [&](const JudgedCase& test) {
    std::set<int> iterations;
    for (const Attempt& attempt : test.attempts)
      if (!attempt.replaced) iterations.insert(attempt.iteration);
    return iterations.size() < static_cast<std::size_t>(asked);
  };
  for (const JudgedSuite& suite : run.suites)
    if (suite.name != kRunSuite && std::any_of(suite.cases.begin(), suite.cases.end(), lacks)) return true;
  return false;
}

}  // namespace

std::vector<std::string> JudgedRun::parts() const {
  std::vector<std::string> parts;
  const record::Asked& asked = start.asked;
  if (leaves_out_a_suite(*this))
    parts.push_back(
        fmt::format("only suite{} {}", asked.suites.size() == 1 ? "" : "s", fmt::join(asked.suites, ", ")));
  if (asked.first_look)
    parts.emplace_back("only a first look");
  else if (asked.selects_cases())
    parts.push_back("only cases that match " + asked.filter);
  if (!asked.snapshot.empty()) parts.emplace_back("only recorded facts");
  if (asked.pairs_left_out > 0 && !sample)
    parts.push_back(fmt::format("only {} round{} of pairs (seed {}), {} pairs left out", asked.rounds,
                                asked.rounds == 1 ? "" : "s", asked.seed, asked.pairs_left_out));
  const std::set<std::string_view> with_cases = suites_with_cases(*this);
  std::vector<std::string> without;
  for (const std::string& suite : start.planned)
    if (!with_cases.contains(suite)) without.push_back(suite);
  if (!without.empty())
    parts.push_back(fmt::format("without suite{} {}, which {} planned", without.size() == 1 ? "" : "s",
                                fmt::join(without, ", "), without.size() == 1 ? "was" : "were"));
  if (lacks_iterations(*this))
    parts.push_back(fmt::format("cases with fewer than {} iterations", asked.repeat));
  return parts;
}

std::string JudgedRun::verdict() const {
  switch (exit_code()) {
    case 0:
      return !parts().empty()                           ? "PARTIAL"
             : sample && start.asked.pairs_left_out > 0 ? "QUALIFIED by sampling"
                                                        : "QUALIFIED";
    case 1:
      return "NOT QUALIFIED";
    case 3:
      return "NOT PROVEN";
    default:
      return "ERROR";
  }
}

}  // namespace rigproof::judge
