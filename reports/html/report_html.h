#pragma once

#include <iosfwd>

#include "framework/judge/judged_run.h"
#include "reports/manifest/manifest.h"

namespace rigproof::html {

// Writes the report for signature: verdict and decision rule, findings, items, results with limit and source, charts, every
// attempt, waivers, log, signature blocks, manifest. One self-contained HTML page with inline SVG and no script; prints to
// A4 and Letter with the run's id and the evidence's hash on every page. Pure function of the record and the evidence's
// hashes. For a huge run all counts are complete, but not every passed case is listed; the report says how many are only in
// the journal.
void write_report_html(const judge::JudgedRun& run, const manifest::Evidence& evidence, std::ostream& out);

}  // namespace rigproof::html
