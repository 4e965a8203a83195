#pragma once

#include <vector>

#include "framework/judge/run_case.h"

namespace rigproof::judge {

// Adds the cases about limits: sums of NIC counters over all loads, and limits that nothing reported. `cases`
// holds the run's cases so far. See RunChecks::judge().
void judge_owed_limits(JudgedRun& run, const JudgeContext& context, std::vector<RunCase>& cases);

}  // namespace rigproof::judge
