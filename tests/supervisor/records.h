#pragma once

#include <string>

#include "framework/limits/limit_table.h"
#include "framework/record/run_record.h"
#include "framework/rig/rig.h"

namespace rigproof {

inline LimitTable limits_of(std::string_view text) {
  return LimitTable::read(toml::Document::parse(text, "t.toml"), Profile::kStandard, rig_fact_dimensions());
}

// An upper limit on a count.
inline std::string at_most(std::string_view id, std::string_view bound, std::string_view more = {}) {
  return "[[limit]]\nid = \"" + std::string(id) + "\"\nat_most = \"" + std::string(bound) + "\"\n" +
         "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy = \"r\"\n" +
         std::string(more) + "\n";
}

inline Measurement measured(std::string id) {
  Measurement measurement;
  measurement.id = std::move(id);
  measurement.samples = {Dimension::kCount, {1}};
  measurement.judgement = {.verdict = Verdict::kPass, .value = 1, .margin = {}, .limit = {}, .reason = {}};
  return measurement;
}

// A suite with one ended case.
inline SuiteRecord suite_with(std::string name, std::vector<Measurement> measurements,
                              std::vector<Failure> failures = {}) {
  CaseRecord test{.suite = name, .plan = {"A.b", "", {}}, .attempts = {}, .waiver = {}};
  Attempt attempt{.launch = 1,
                  .iteration = 1,
                  .started = {},
                  .measurements = {},
                  .failures = {},
                  .status = Status::kPassed};
  attempt.measurements = std::move(measurements);
  attempt.failures = std::move(failures);
  if (!attempt.failures.empty()) attempt.status = Status::kNotProven;
  test.attempts = {attempt};
  return {.name = name, .cases = {test}, .started = {}, .launches = {}};
}

}  // namespace rigproof
