#pragma once

#include <string>
#include <vector>

#include "framework/limits/limit_table.h"
#include "framework/supervisor/run_cases.h"

namespace rigproof {

// What must not change during a run: the counters that suites observed at their starts and ends, last minus
// first, each a case judged by the limit with the counter's id. A counter without a limit is no case; one
// that went back is an error; one that was read only once, or once could not be read, is not proven.
class SteadyCounters {
 public:
  void see(const EventBody& event);
  [[nodiscard]] std::vector<RunCase> cases(const LimitTable& limits) const;

 private:
  struct Counter {
    std::string id, node, subject;
    std::vector<double> values;
    std::string unread;  // why, of the first time that it could not be read
  };
  [[nodiscard]] static RunCase judged(const Counter& counter, const LimitTable& limits);
  std::vector<Counter> counters_;  // in the order first seen
};

}  // namespace rigproof
