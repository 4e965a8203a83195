#include "framework/supervisor/unused_limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "framework/record/recorded_text.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof {
namespace {

constexpr std::string_view kSwitchSuite = "switch";

std::string suite_of(const Limit& limit) { return limit.id.substr(0, limit.id.find('.')); }

// It may have left before it could report everything, and the run is not green by it anyway.
bool has_gaps(const CaseRecord& test) { return test.status() > Status::kWaived; }

// What is only recorded meets no limit, but for a fact that there is nothing to judge of.
bool meets_a_limit(const Measurement& measurement) {
  return measurement.judgement.verdict != Verdict::kRecorded || measurement.text.starts_with(kNothingToJudge);
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
        for (const Measurement& measurement : attempt.measurements)
          if (meets_a_limit(measurement)) reported.ids.insert(measurement.id);
      }
    }
  }
  return reported;
}

Problem unused(const Limit& limit) {
  return {"unused-limit",
          fmt::format("{}: no case reported '{}': the limit decided nothing (a mistyped id, a case "
                      "that is gone or only records it, or a rig without what it measures)",
                      limit.where, limit.id)};
}

RunCase not_built(const std::string& suite, const std::vector<std::string>& ids) {
  RunCase test;
  const std::string who = ids.empty() ? "--suite asks for" : "the thresholds ask for";
  test.plan = {"Suites.Built/" + suite, fmt::format("suite {} has cases", suite), {}};
  test.failures = {run_failure(Failure::Kind::kSkip, "not-built",
                               fmt::format("no case of suite '{}', which {}: this build lacks it, or the rig "
                                           "file does not tell of what it measures{}{}",
                                           suite, who, ids.empty() ? "" : ": ", fmt::join(ids, ", ")))};
  return test;
}

}  // namespace

bool has_switch(const Rig& rig) {
  return std::ranges::any_of(rig.links, [](const Link& link) { return link.through.has_value(); });
}

std::set<std::string> owed_suites(const LimitTable& limits, const Rig& rig) {
  std::set<std::string> owed;
  for (const Limit& limit : limits.limits())
    if (!limit.informative && is_house_suite(suite_of(limit))) owed.insert(suite_of(limit));
  if (!has_switch(rig)) owed.erase(std::string(kSwitchSuite));
  return owed;
}

UnusedLimits unused_limits(const RunRecord& run, const std::vector<RunCase>& run_cases,
                           const LimitTable& limits, const RunScope& scope) {
  if (!scope.every_case) return {};
  Reported reported = reported_in(run);
  for (const RunCase& test : run_cases) reported.ids.insert(test.limit);
  const auto among = [](const std::vector<std::string>& suites, const std::string& suite) {
    return std::ranges::find(suites, suite) != suites.end();
  };
  std::map<std::string, std::vector<std::string>> missing;
  for (const std::string& suite : scope.asked)
    if (!among(scope.suites, suite)) missing[suite];
  UnusedLimits result;
  for (const Limit& limit : limits.limits()) {
    const std::string suite = suite_of(limit);
    if (limit.informative || reported.ids.contains(limit.id) || reported.excused.contains(suite)) continue;
    if (suite == kSwitchSuite && !scope.has_switch) continue;
    const bool chosen = among(scope.suites, suite);
    if (!chosen && !scope.every_suite && !among(scope.asked, suite)) continue;
    if (!chosen && is_house_suite(suite))
      missing[suite].push_back(limit.id);
    else
      result.problems.push_back(unused(limit));
  }
  for (const auto& [suite, ids] : missing) result.not_built.push_back(not_built(suite, ids));
  return result;
}

}  // namespace rigproof
