#pragma once

#include <iosfwd>

#include "framework/compare/comparison.h"
#include "framework/judge/judged_run.h"

namespace rigproof::markdown {

// Writes a run as Markdown for a CI job's summary page: the verdict, rig and limits, counts per suite, failures first, then
// not proven and waived cases, what to do, and the headline figures. At most 200 kB; a closing note counts what does not fit.
void write_summary(const judge::JudgedRun& run, std::ostream& out);

// Writes a comparison as Markdown for a CI job's summary page: the verdict, what decided it, then everything. At most
// 200 kB; a closing note counts what does not fit.
void write_comparison_summary(const compare::Comparison& comparison, std::ostream& out);

}  // namespace rigproof::markdown
