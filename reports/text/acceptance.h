#pragma once

#include <string>
#include <vector>

#include "framework/judge/judged_run.h"

namespace rigproof::text {

// What the sample of a run by sampling shows, with both risks: "Each node met 3 others. A node that is 10 % slower is
// rejected in at least 99.1 % of such rigs ..."; empty for other runs. One clean line.
[[nodiscard]] std::string sample_text(const judge::JudgedRun& run);

// The verdict on each node of a rig of more than two: "node-d: rejected: 10.2 % slower than the other nodes", and one line
// with the accepted nodes. A node that was retested has a line with its tries and its former results. Clean lines; none
// for smaller rigs.
[[nodiscard]] std::vector<std::string> node_lines(const judge::JudgedRun& run);

}  // namespace rigproof::text
