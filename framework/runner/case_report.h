#pragma once

#include <string>
#include <vector>

#include "framework/limits/remedy.h"
#include "framework/record/measurement.h"

namespace rigproof {

// A measurement as a rank took it, before it is judged.
struct RawMeasurement {
  std::string id, node, detail;
  SampleSet samples;
  bool judged;            // false: only recorded
  std::string text = {};  // of a fact that is no number: it has no samples
  Words words = {};       // for the placeholders of the limit's remedy
  bool fact = false;      // found, not measured: no load on the machine can change it
};

// What one rank has to say about one case; it travels to rank 0 at the case's end.
struct CaseReport {
  std::vector<RawMeasurement> measurements;
  std::vector<Failure> failures;
  std::vector<std::string> notes;
};

[[nodiscard]] std::string pack(const CaseReport& report);
[[nodiscard]] CaseReport unpack_case_report(std::string_view bytes);

}  // namespace rigproof
