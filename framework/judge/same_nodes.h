#pragma once

#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/judge/run_case.h"

namespace rigproof::judge {

// Returns a case "Same.SUITE_FIGURE/NODE" for each ratio limit "SUITE.same.FIGURE" and each node with a value
// of SUITE.FIGURE. Its value is the node's figure (a time: the inverse) divided by the best of all similar
// nodes. Nodes are similar if the record shows the same CPUs and GPUs, and memory within 10 %. A node without
// a similar node has nothing to judge. Throws JournalError.
[[nodiscard]] std::vector<RunCase> cases_of_same_nodes(const JudgedRun& run, const JudgeContext& context);

}  // namespace rigproof::judge
