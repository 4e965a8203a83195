#include "framework/supervisor/run_cases.h"

#include <utility>

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
