#pragma once

#include <string>
#include <vector>

#include "framework/limits/limit_table.h"
#include "framework/limits/remedy.h"
#include "framework/record/events.h"

namespace rigproof {

// A case that the supervisor decides itself, of the suite "run": about the run as a whole, measured by no
// launch.
struct RunCase {
  PlannedCase plan;
  std::string limit;  // the id of the limit it is about; empty: none
  std::vector<Measurement> measurements;
  std::vector<Failure> failures;
};

inline constexpr const char* kRunSuite = "run";

// The events of a whole launch of the suite "run" with these cases; nothing without cases.
[[nodiscard]] std::vector<EventBody> events_of(std::vector<RunCase> cases);

// A number that the supervisor counted itself, judged by the limit with this id, which `limits` has. `words`: for
// the placeholders of its remedy.
[[nodiscard]] Measurement judged_count(const LimitTable& limits, const std::string& id,
                                       const std::string& node, const std::string& detail, double count,
                                       Words words = {});

// GoogleTest's rule for names, so that every case of a run follows the same.
[[nodiscard]] std::string plain(std::string text);

// A failure that is no rank's.
[[nodiscard]] Failure run_failure(Failure::Kind kind, std::string type, std::string message,
                                  std::string node = {});

}  // namespace rigproof
