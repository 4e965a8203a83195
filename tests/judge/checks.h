#pragma once

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "framework/judge/run_checks.h"
#include "tests/judge/judging.h"

namespace rigproof {

// What no single case can tell, judged when a run has ended.
class Checks : public testing::Test {
 protected:
  static constexpr const char* kLinkDowns = "link.down_events";
  static constexpr const char* kTime = "2026-11-20T18:20:00.000Z";

  // A run that has two suites installed, and reports of them.
  Checks() {
    declare("tcp", {{"tcp.a", "count", ""}, {"tcp.b", "count", ""}, {"tcp.down", "count", ""}});
    declare("mtu", {{"mtu.a", "count", ""}});
    run.start.not_built = {"rdma", "host"};
    record::RunStarted declaring;
    using Group = record::MetricGroup;
    declaring.declared["every suite"] = {
        {.id = kLinkDowns, .kind = "count", .needs = "", .group = Group::kCarrierLosses},
        {.id = "load.damaged", .kind = "count", .needs = "", .group = Group::kLoadDamage},
        {.id = "load.retries", .kind = "ratio", .needs = "", .group = Group::kLoadRdma},
        {.id = "load.ber", .kind = "ratio", .needs = "", .group = Group::kLoad},
        {.id = "load.pauses", .kind = "count", .needs = "", .group = Group::kLoad}};
    context.groups = judge::MetricGroups(declaring);
  }

  void see(const record::Observed& seen) { checks.see(seen, context.groups.of(seen.id)); }

  void declare(const std::string& suite, std::vector<record::Declared> declared) {
    run.start.declared[suite] = std::move(declared);
  }
  // A suite whose one case owes, or may report, these ids, and came to this.
  judge::JudgedSuite& add_suite(std::string name, std::vector<std::string> owes, std::vector<std::string> may,
                                const std::vector<std::string>& reported,
                                judge::Status status = judge::Status::kPassed) {
    judge::Attempt attempt{
        .launch = 1, .iteration = 1, .started = kTime, .measurements = {}, .failures = {}, .status = status};
    for (const std::string& id : reported) {
      attempt.measurements.emplace_back();
      attempt.measurements.back().id = id;
    }
    judge::JudgedCase test{.suite = name, .plan = {"A.b", "", {}, 0}, .attempts = {attempt}, .waiver = {}};
    run.suites.push_back({.name = std::move(name), .cases = {}, .started = kTime, .launches = {}});
    run.suites.back().cases.push_back(test);
    run.suites.back().tests = {{"A.b", std::move(owes), std::move(may)}};
    return run.suites.back();
  }

  // By these limits.
  void judge(const std::string& limits) {
    context.limits = limits_of(limits);
    context.limits_files = "t.toml";
    context.date = "2026-11-20";
    checks.judge(run, context, kTime);
  }
  // The one case of the suite "run".
  judge::JudgedCase only_case() const {
    const std::vector<judge::JudgedCase> cases = run_cases();
    return cases.size() == 1 ? cases[0] : judge::JudgedCase{};
  }
  std::vector<judge::JudgedCase> run_cases() const {
    std::vector<judge::JudgedCase> cases;
    for (const judge::JudgedSuite& suite : run.suites)
      if (suite.name == judge::kRunSuite) cases.insert(cases.end(), suite.cases.begin(), suite.cases.end());
    return cases;
  }
  std::vector<std::string> run_names() const {
    std::vector<std::string> names;
    for (const judge::JudgedCase& test : run_cases()) names.push_back(test.plan.name);
    return names;
  }

  judge::JudgedRun run;
  judge::JudgeContext context;
  judge::RunChecks checks;
};

}  // namespace rigproof
