#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "framework/judge/judged_run.h"
#include "reports/manifest/manifest.h"
#include "reports/text/markup.h"

namespace rigproof::html {

// The parts of the sign-off report, in its order. Of this folder only.
void write_front(text::Markup& page, const judge::JudgedRun& run,
                 const manifest::Evidence& evidence);                  // verdict, scope, decision rule
void write_findings(text::Markup& page, const judge::JudgedRun& run);  // all that is not simply passed
void write_waivers(text::Markup& page, const judge::JudgedRun& run);
void write_items(text::Markup& page, const judge::JudgedRun& run);  // nodes, ports, halves, links
void write_charts(text::Markup& page, const judge::JudgedRun& run);
void write_results(text::Markup& page, const judge::JudgedRun& run);
void write_limits(text::Markup& page, const judge::JudgedRun& run);
void write_log(text::Markup& page, const judge::JudgedRun& run);
void write_signatures(text::Markup& page, const judge::JudgedRun& run, const manifest::Evidence& evidence);

// A status or verdict as a badge: its word, coloured besides.
void write_badge(text::Markup& page, std::string_view word, std::string_view colour_class);
void write_badge(text::Markup& page, judge::Status status);
void write_badge(text::Markup& page, judge::Verdict verdict);
void write_badge(text::Markup& page, const judge::Attempt& attempt);  // its status, or that it is void

// <tr><th>...; one cell a text.
void write_header_row(text::Markup& page, std::initializer_list<std::string_view> cells);

// The report's style sheet: light and dark, A4 and Letter, with these texts at the head and foot of every
// printed page.
struct PageTexts {
  std::string_view title, warning, foot;
};
[[nodiscard]] std::string style_sheet(const PageTexts& texts);

}  // namespace rigproof::html
