#pragma once

#include <iosfwd>

#include "framework/compare/comparison.h"

namespace rigproof {

// A comparison as Markdown for a CI job's summary page: the verdict, what decided it, then everything. At most about
// 900 kB: what does not fit is counted in a closing note.
void write_comparison_summary(const Comparison& comparison, std::ostream& out);

}  // namespace rigproof
