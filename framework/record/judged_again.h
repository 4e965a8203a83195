#pragma once

#include <string>

#include "framework/record/run_record.h"

namespace rigproof {

// Whether it judges the samples of an earlier run again.
[[nodiscard]] bool is_judged_again(const RunRecord& run);

// When the samples were taken: the beginning of the run, or, of one judged again, of its first suite. UTC.
[[nodiscard]] const std::string& measured_at(const RunRecord& run);

}  // namespace rigproof
