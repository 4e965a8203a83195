#pragma once

#include <string>

#include "framework/judge/judged_run.h"

namespace rigproof {

// "NOT QUALIFIED: rig model-rig (model), profile smoke: 14 cases: 12 passed, 1 failed, 1 not proven", and
// what under test was a stand-in: no report of one may pass for a rig's; and that it was judged again. One clean line.
[[nodiscard]] std::string verdict_line(const JudgedRun& run);

// "Judged again at 2026-11-21T09:00:00.000Z by limits.toml: the samples are those of run ..., taken from
// 2026-11-20T18:15:02.123Z on"; empty of a record that measured itself. One clean line.
[[nodiscard]] std::string judged_again_text(const JudgedRun& run);

}  // namespace rigproof
