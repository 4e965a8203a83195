#pragma once

#include <vector>

#include "framework/limits/limit_table.h"
#include "framework/limits/remedy.h"
#include "framework/record/events.h"
#include "framework/runner/case_report.h"

namespace rigproof {

// What a case is judged by.
struct Yardstick {
  const LimitTable& limits;
  std::string file;    // the limits', for messages
  const Facts& facts;  // of the case's subject
  double taken = 0;    // the share of the machine under a model rig that others took while it was measured
  Words words = {};    // of the subject, for the placeholders of remedies
};

// Fills in the measurements, judged once, and the failures of `ended` from what every rank reported, in rank
// order. Pure. Adds failures of its own: "duplicate-measurement", and "nothing-measured" for a case that
// reported nothing and yet neither failed nor was skipped, and kDisturbed when all that is red is too slow (is_slowness) and
// others took a good part of the machine. Notes are added to the first thing that is red.
void judge_case(CaseEnded& ended, const std::vector<CaseReport>& reports, const Yardstick& yardstick);

}  // namespace rigproof
