#pragma once

#include <functional>
#include <map>
#include <string>

#include "framework/limits/limit_table.h"
#include "framework/limits/remedy.h"
#include "framework/record/measurement.h"

namespace rigproof {

// A measurement as it was taken, before it is judged.
struct RawMeasurement {
  std::string id, node, detail;
  SampleSet samples;
  bool judged;            // false: only recorded
  std::string text = {};  // of a fact that is no number: it has no samples
  Words words = {};       // for the placeholders of the limit's remedy
  bool fact = false;      // found, not measured: no load on the machine can change it
};

// What a case is judged by.
struct Yardstick {
  const LimitTable& limits;
  std::string file;    // the limits', for messages
  const Facts& facts;  // of the case's subject
  double taken = 0;    // the share of the machine under a model rig that others took while it was measured
  std::map<std::string, Words, std::less<>> words = {};  // of the subject, by the node that told the finding
};

// Judges it by the limit with its id. An id without a limit is an error, but for one that the file has for other
// profiles only: that is recorded. Pure.
[[nodiscard]] Measurement judge_measurement(const RawMeasurement& raw, const Yardstick& yardstick);

}  // namespace rigproof
