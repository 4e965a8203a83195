#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "framework/judge/judged_run.h"
#include "reports/manifest/manifest.h"
#include "reports/text/markup.h"

namespace rigproof {

// The parts of the sign-off report, in its order. Of this folder only.
void write_front(Markup& page, const JudgedRun& run,
                 const Evidence& evidence);               // verdict, scope, decision rule
void write_findings(Markup& page, const JudgedRun& run);  // all that is not simply passed
void write_waivers(Markup& page, const JudgedRun& run);
void write_items(Markup& page, const JudgedRun& run);  // nodes, ports, halves, links
void write_charts(Markup& page, const JudgedRun& run);
void write_results(Markup& page, const JudgedRun& run);
void write_limits(Markup& page, const JudgedRun& run);
void write_log(Markup& page, const JudgedRun& run);
void write_signatures(Markup& page, const JudgedRun& run, const Evidence& evidence);

// A status or verdict as a badge: its word, coloured besides.
void write_badge(Markup& page, std::string_view word, std::string_view colour_class);
void write_badge(Markup& page, Status status);
void write_badge(Markup& page, Verdict verdict);
void write_badge(Markup& page, const Attempt& attempt);  // its status, or that it is void

// <tr><th>...; one cell a text.
void write_header_row(Markup& page, std::initializer_list<std::string_view> cells);

// The report's style sheet: light and dark, A4 and Letter, with these texts at the head and foot of every
// printed page.
struct PageTexts {
  std::string_view title, warning, foot;
};
[[nodiscard]] std::string style_sheet(const PageTexts& texts);

}  // namespace rigproof
