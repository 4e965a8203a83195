#include "reports/forest/forest.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "reports/forest/plot.h"
#include "reports/text/clean.h"
#include "reports/text/describe_change.h"
#include "reports/text/markup.h"

namespace rigproof {
namespace {

constexpr std::size_t kLongestText = 2'000;

constexpr const char* kHead =
    R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 14px/1.4 system-ui, sans-serif; margin: 1.5rem auto; padding: 0 1rem; max-width: 80rem; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: .2rem .6rem; border-bottom: 1px solid #8888; vertical-align: top; overflow-wrap: anywhere; }}
th {{ white-space: nowrap; }}
td.number {{ white-space: nowrap; text-align: right; }}
tr.regressed th, tr.missing th, tr.inconclusive th {{ font-weight: 700; }}
tr.unchanged th, tr.recorded th, tr.improved th {{ font-weight: 400; }}
@page {{ size: landscape; margin: 12mm; }}
@media print {{ body {{ max-width: none; font-size: 10px; }} tr, svg {{ break-inside: avoid; }} }}
</style>
</head>
<body>
)";

std::string cell(const std::string& text) { return escaped(shortened(one_line(text), kLongestText)); }

std::string row(const ComparedMeasurement& m) {
  std::string text = fmt::format("<tr class=\"{0}\"><th scope=\"row\">{0}</th><td>{1}</td><td>{2}</td>",
                                 name(m.verdict), cell(m.test), cell(label(m)));
  for (const std::string& number :
       {side_text(m, m.base), side_text(m, m.candidate), change_text(m), interval_text(m), m.tolerance})
    text += fmt::format("<td class=\"number\">{}</td>", cell(number));
  return text + fmt::format("<td>{}</td><td>{}</td></tr>\n", cell(m.limit), cell(reason_text(m)));
}

void write_table(const Comparison& comparison, std::ostream& out) {
  out << "<h2>All comparisons</h2>\n<div class=\"wide\"><table>\n<thead><tr>";
  for (const char* title : {"Verdict", "Case", "JudgedMeasurement", "Base", "Candidate", "Change", "95 % interval",
                            "Tolerance", "Limit", "Note"})
    out << fmt::format("<th scope=\"col\">{}</th>", title);
  out << "</tr></thead>\n<tbody>\n";
  for (const ComparedMeasurement& m : comparison.measurements) out << row(m);
  out << "</tbody>\n</table></div>\n";
}

void write_runs(const Comparison& comparison, std::ostream& out) {
  out << "<h2>Runs</h2>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Side</th><th "
         "scope=\"col\">Run</th>"
         "<th scope=\"col\">Started</th><th scope=\"col\">Verdict</th><th "
         "scope=\"col\">Folder</th></tr></thead>\n<tbody>\n";
  const auto rows = [&](const char* side, const std::vector<ComparedRun>& runs) {
    for (const ComparedRun& run : runs)
      out << fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                         side, cell(run.id), cell(run.started), cell(run.verdict), cell(run.folder));
  };
  rows("base", comparison.base);
  rows("candidate", comparison.candidate);
  out << "</tbody>\n</table></div>\n";
}

}  // namespace

void write_forest(const Comparison& comparison, std::ostream& out) {
  const std::string line = cell(comparison_line(comparison));
  out << fmt::format(kHead, line)
      << fmt::format("<h1>{}</h1>\n<p>{}</p>\n", cell(comparison.verdict()), line);
  for (const std::string& note : comparison.notes) out << fmt::format("<p>Note: {}</p>\n", cell(note));
  write_plot(comparison, out);
  out << "<p>";
  for (const std::string& sentence : method_text(comparison)) out << cell(sentence) << ' ';
  out << "</p>\n";
  write_table(comparison, out);
  write_runs(comparison, out);
  out << "</body>\n</html>\n";
}

}  // namespace rigproof
