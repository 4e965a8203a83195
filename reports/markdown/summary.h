#pragma once

#include <iosfwd>

#include "framework/compare/comparison.h"
#include "framework/judge/judged_run.h"

namespace rigproof::markdown {

// A run as Markdown for a CI job's summary page: the verdict, what was qualified against what, counts a
// suite, failures first, then not proven and waived cases, then every case. At most about 900 kB: what does
// not fit is counted in a closing note.
void write_summary(const judge::JudgedRun& run, std::ostream& out);

// A comparison as Markdown for a CI job's summary page: the verdict, what decided it, then everything. At most about
// 900 kB: what does not fit is counted in a closing note.
void write_comparison_summary(const compare::Comparison& comparison, std::ostream& out);

}  // namespace rigproof::markdown
