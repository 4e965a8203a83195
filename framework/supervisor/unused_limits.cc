#include "framework/supervisor/unused_limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "framework/supervisor/suite_catalog.h"

namespace rigproof {
namespace {

constexpr std::string_view kSwitchSuite = "switch";

std::string suite_of(const Limit& limit) { return limit.id.substr(0, limit.id.find('.')); }

bool has_gaps(const CaseRecord& test) {
  const auto left_early = [](const Attempt& attempt) {
    return !attempt.failures.empty() || attempt.status > Status::kPassed;
  };
  return test.attempts.empty() || std::any_of(test.attempts.begin(), test.attempts.end(), left_early);
}

struct Reported {
  std::set<std::string> ids;
  std::set<std::string> excused;  // suites with cases that may have left before they could report everything
};

Reported reported_in(const RunRecord& run) {
  Reported reported;
  CaseRecord buffer;
  for (const SuiteRecord& suite : run.suites) {
    for (const CaseRecord& left : suite.cases) {
      const CaseRecord& test = whole(run, left, buffer);
      if (has_gaps(test)) reported.excused.insert(suite.name);
      for (const Attempt& attempt : test.attempts) {
        for (const Measurement& measurement : attempt.measurements) reported.ids.insert(measurement.id);
      }
    }
  }
  return reported;
}

Problem unused(const Limit& limit) {
  return {"unused-limit",
          fmt::format("{}: no case reported '{}': the limit decided nothing (a mistyped id, a case "
                      "that is gone, or a rig without what it measures)",
                      limit.where, limit.id)};
}

RunCase not_built(const std::string& suite, const std::vector<std::string>& ids) {
  RunCase test;
  test.plan = {"Suites.Built/" + suite, fmt::format("suite {} has cases", suite), {}};
  test.failures = {run_failure(Failure::Kind::kSkip, "not-built",
                               fmt::format("no case of suite '{}', which the thresholds ask for: this build "
                                           "lacks it, or the rig file does not tell of what it measures: {}",
                                           suite, fmt::join(ids, ", ")))};
  return test;
}

}  // namespace

bool has_switch(const Rig& rig) {
  return std::ranges::any_of(rig.links, [](const Link& link) { return link.through.has_value(); });
}

UnusedLimits unused_limits(const RunRecord& run, const std::vector<RunCase>& run_cases,
                           const LimitTable& limits, const RunScope& scope) {
  if (!scope.every_case) return {};
  Reported reported = reported_in(run);
  for (const RunCase& test : run_cases) reported.ids.insert(test.limit);
  std::map<std::string, std::vector<std::string>> missing;
  UnusedLimits result;
  for (const Limit& limit : limits.limits()) {
    const std::string suite = suite_of(limit);
    if (limit.informative || reported.ids.contains(limit.id) || reported.excused.contains(suite)) continue;
    if (suite == kSwitchSuite && !scope.has_switch) continue;
    const bool chosen = std::find(scope.suites.begin(), scope.suites.end(), suite) != scope.suites.end();
    if (!chosen && !scope.every_suite) continue;
    if (!chosen && is_house_suite(suite))
      missing[suite].push_back(limit.id);
    else
      result.problems.push_back(unused(limit));
  }
  for (const auto& [suite, ids] : missing) result.not_built.push_back(not_built(suite, ids));
  return result;
}

}  // namespace rigproof
