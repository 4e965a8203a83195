#pragma once

#include <vector>

#include "framework/record/events.h"
#include "framework/record/judge_measurement.h"
#include "framework/runner/case_report.h"

namespace rigproof {

// Fills in the measurements, judged once, and the failures of `ended` from what every rank reported, in rank
// order. Pure. Adds failures of its own: "duplicate-measurement", and "nothing-measured" for a case that
// reported nothing and yet neither failed nor was skipped, and kDisturbed when all that is red is too slow (is_slowness) and
// others took a good part of the machine. Notes are added to the first thing that is red.
void judge_case(CaseEnded& ended, const std::vector<CaseReport>& reports, const Yardstick& yardstick);

}  // namespace rigproof
