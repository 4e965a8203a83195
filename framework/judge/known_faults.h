#pragma once

#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/judge/judged_run.h"

namespace rigproof::judge {

// The faults of the context's catalogue whose signs a node shows: in its deciding attempts, some measurement meets each
// condition of `when`, and none meets one of `unless`. Facts that could not be read show no sign. Pure. Throws
// JournalError.
[[nodiscard]] std::vector<KnownFault> faults_of(const JudgedRun& run, const JudgeContext& context);

// States in each measurement, and in the case, which of the faults explains it. A fault explains what a case measured on
// its node, or between its node and others, if it lists the id: missed limits, advice, and facts that it left unread. If it
// lists a whole suite ("tcp.*"), it explains all failures of its cases there, too.
void explain(JudgedCase& test, const std::vector<KnownFault>& faults);

}  // namespace rigproof::judge
