#pragma once

#include <string>

#include "framework/judge/judged_run.h"

namespace rigproof {

// An attempt's measurements as an aligned plain-text table with a header; empty without measurements.
[[nodiscard]] std::string measurement_table(const Attempt& attempt);

}  // namespace rigproof
