#pragma once

#include <vector>

#include "framework/supervisor/steady.h"
#include "framework/supervisor/steady_state.h"
#include "framework/supervisor/unused_limits.h"

namespace rigproof {

// What no single case can tell, from all events of a run: counters that moved, nodes that changed, limits that
// nobody reported.
class WholeRun {
 public:
  void see(const EventBody& event);

  // A launch of the suite "run" with its cases (and `others` beside them), and the problems. `run` is the record
  // so far.
  [[nodiscard]] std::vector<EventBody> judged(const RunRecord& run, const LimitTable& limits,
                                              const RunScope& scope,
                                              const std::vector<RunCase>& others = {}) const;

 private:
  SteadyCounters counters_;
  SteadyState state_;
};

}  // namespace rigproof
