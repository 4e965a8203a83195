#include "framework/supervisor/run_cases.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "framework/record/judge_measurement.h"

namespace rigproof {

std::vector<EventBody> events_of(std::vector<RunCase> cases) {
  if (cases.empty()) return {};
  SuitePlanned plan{kRunSuite, {}};
  for (const RunCase& test : cases) plan.cases.push_back(test.plan);
  std::vector<EventBody> events{SuiteStarted{kRunSuite, 1, ""}, plan};
  for (RunCase& test : cases) {
    events.emplace_back(CaseStarted{kRunSuite, test.plan.name, 1});
    events.emplace_back(CaseEnded{.suite = kRunSuite,
                                  .name = test.plan.name,
                                  .iteration = 1,
                                  .seconds = 0,
                                  .measuring_s = 0,
                                  .measurements = std::move(test.measurements),
                                  .failures = std::move(test.failures)});
  }
  events.emplace_back(SuiteDone{kRunSuite});
  events.emplace_back(SuiteEnded{kRunSuite, 1, true, ""});
  return events;
}

Measurement judged_count(const LimitTable& limits, const std::string& id, const std::string& node,
                         const std::string& detail, double count, Words words) {
  const RawMeasurement raw{.id = id,
                           .node = node,
                           .detail = detail,
                           .samples = {Dimension::kCount, {count}},
                           .judged = true,
                           .text = {},
                           .words = std::move(words)};
  return judge_measurement(raw, {.limits = limits, .file = {}, .facts = {}});
}

std::string plain(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

Failure run_failure(Failure::Kind kind, std::string type, std::string message, std::string node) {
  return {.kind = kind,
          .type = std::move(type),
          .message = std::move(message),
          .node = std::move(node),
          .rank = -1,
          .phase = {},
          .where = {}};
}

}  // namespace rigproof
