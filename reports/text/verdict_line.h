#pragma once

#include <string>

#include "framework/record/run_record.h"

namespace rigproof {

// "NOT QUALIFIED: rig model-rig (model), profile smoke: 14 cases: 12 passed, 1 failed, 1 not proven", and
// what under test was a stand-in: no report of one may pass for a rig's. One clean line.
[[nodiscard]] std::string verdict_line(const RunRecord& run);

}  // namespace rigproof
