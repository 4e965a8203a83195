#pragma once

#include <string>
#include <vector>

#include "framework/record/judge_measurement.h"

namespace rigproof {

// What one rank has to say about one case; it travels to rank 0 at the case's end.
struct CaseReport {
  std::vector<RawMeasurement> measurements;
  std::vector<Failure> failures;
  std::vector<std::string> notes;
};

[[nodiscard]] std::string pack(const CaseReport& report);
[[nodiscard]] CaseReport unpack_case_report(std::string_view bytes);

}  // namespace rigproof
