#pragma once

#include <iosfwd>

#include "framework/judge/judged_run.h"
#include "reports/manifest/manifest.h"

namespace rigproof::html {

// A run as the report that gets signed: verdict and decision rule, findings first, items,
// results with limit and source, charts, every attempt, waivers, log, signature blocks, manifest. One
// self-contained page of HTML with inline SVG and no script; prints to A4 and Letter, with the run's id and the
// evidence's hash on every page. A pure function of the record and of the evidence's hashes. Of a huge run it
// shows every count, but not every passed case; it says how many it leaves to the journal.
void write_report_html(const judge::JudgedRun& run, const manifest::Evidence& evidence, std::ostream& out);

}  // namespace rigproof::html
