#pragma once

#include "framework/limits/limit.h"

namespace rigproof::inline limits {

// The remedy of one finding: like fill_placeholders(), without the steps that have a word without a value.
[[nodiscard]] Remedy remedy_of_finding(Remedy remedy, const RemedyValues& values);

}  // namespace rigproof::inline limits
