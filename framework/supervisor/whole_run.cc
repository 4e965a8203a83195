#include "framework/supervisor/whole_run.h"

#include <utility>

namespace rigproof {

void WholeRun::see(const EventBody& event) {
  counters_.see(event);
  state_.see(event);
}

std::vector<EventBody> WholeRun::judged(const RunRecord& run, const LimitTable& limits, const RunScope& scope,
                                        const std::vector<RunCase>& others) const {
  std::vector<RunCase> cases = counters_.cases(limits);
  const std::vector<RunCase> states = state_.cases(limits);
  cases.insert(cases.end(), states.begin(), states.end());
  cases.insert(cases.end(), others.begin(), others.end());
  const UnusedLimits unused = unused_limits(run, cases, limits, scope);
  cases.insert(cases.end(), unused.not_built.begin(), unused.not_built.end());
  std::vector<EventBody> events = events_of(std::move(cases));
  events.insert(events.end(), unused.problems.begin(), unused.problems.end());
  return events;
}

}  // namespace rigproof
