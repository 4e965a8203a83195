#pragma once

#include <string>

#include "framework/limits/limit_table.h"
#include "framework/record/measurement.h"

namespace rigproof {

// A measurement as it was taken, before it is judged.
struct RawMeasurement {
  std::string id, node, detail;
  SampleSet samples;
  bool judged;  // false: only recorded
};

// What a case is judged by.
struct Yardstick {
  const LimitTable& limits;
  std::string file;    // the limits', for messages
  const Facts& facts;  // of the case's subject
  double taken = 0;    // the share of the machine under a model rig that others took while it was measured
};

// Judges it by the limit with its id. An id without a limit is an error, but for one that the file has for other
// profiles only: that is recorded. Pure.
[[nodiscard]] Measurement judge_measurement(const RawMeasurement& raw, const Yardstick& yardstick);

}  // namespace rigproof
