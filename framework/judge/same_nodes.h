#pragma once

#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/judge/run_case.h"

namespace rigproof::judge {

// For each limit "SUITE.same.FIGURE" of a ratio whose SUITE.FIGURE the cases of that suite have measured, a case "Same.SUITE_FIGURE/NODE"
// of each node that has the figure: its value (for a time the inverse) as a part of the best one of all nodes that are alike.
// Alike are two nodes with the same CPUs and GPUs and, but for a tenth, the same memory, as far as the record says what
// they have. A node without its like has nothing to be compared with. Throws JournalError.
[[nodiscard]] std::vector<RunCase> cases_of_same_nodes(const JudgedRun& run, const JudgeContext& context);

}  // namespace rigproof::judge
