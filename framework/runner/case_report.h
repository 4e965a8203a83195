#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/record/events.h"

namespace rigproof {

// What one rank has to say about one case; it travels to rank 0 at the case's end.
struct CaseReport {
  std::vector<Measured> measured;
  std::vector<Failure> failures;
  std::vector<std::string> notes;
};

[[nodiscard]] std::string to_bytes(const CaseReport& report);
[[nodiscard]] CaseReport case_report_from(std::string_view bytes);  // throws std::invalid_argument

// Adds what a rank reported to what the record keeps of the case. A broken agreement is one failure, however many
// ranks report it.
void add_report(CaseEnded& ended, CaseReport report);

}  // namespace rigproof
