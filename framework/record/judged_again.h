#pragma once

#include <string>

#include "framework/record/run_record.h"

namespace rigproof {

// Records that judge the samples of an earlier run again are told by their id: "RUN-again-1b2c" is of "RUN".

// An id for another record of the samples of `run`, itself perhaps one judged again.
[[nodiscard]] std::string id_again(const std::string& run);

// The id of the run that measured: `id` itself, unless it is one judged again.
[[nodiscard]] std::string measured_run(const std::string& id);

[[nodiscard]] bool is_judged_again(const RunRecord& run);

// When the samples were taken: the beginning of the run, or, of one judged again, of its first suite. UTC.
[[nodiscard]] const std::string& measured_at(const RunRecord& run);

}  // namespace rigproof
