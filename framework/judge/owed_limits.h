#pragma once

#include <vector>

#include "framework/judge/run_case.h"

namespace rigproof::judge {

// Adds what the suites' cases and `cases`, those of the run so far, say about the limits together: the cards' counts of
// all loads, and the limits that nothing reported. As RunChecks::judge() has it.
void judge_owed_limits(JudgedRun& run, const JudgeContext& context, std::vector<RunCase>& cases);

}  // namespace rigproof::judge
