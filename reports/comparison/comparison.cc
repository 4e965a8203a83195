#include "reports/comparison/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/judge/judged_run.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"

namespace rigproof::comparison {
namespace {

constexpr std::size_t kMostRows = 500, kRowsPerPage = 16;
constexpr std::size_t kLongestTitle = 500;  // bytes
constexpr std::size_t kLongestLabel = 72;
constexpr double kReach = 5;  // tolerances per side; values beyond are drawn as arrows at the edge
// Names are above their lines, because next to them there is no room on a narrow screen.
constexpr double kLeft = 16, kAxis = 420, kVerdicts = 110, kRow = 36, kTop = 46;
constexpr double kWidth = kLeft + kAxis + kVerdicts;

double x_of(double tolerances) {
  return kLeft + kAxis / 2 + std::clamp(tolerances, -kReach, kReach) * kAxis / 2 / kReach;
}

bool has_place(const compare::ComparedMeasurement& m) {
  return m.change && !m.tolerance.empty() && m.tolerance_value > 0 && m.verdict != compare::Change::kRecorded;
}

// Position of a change on the axis, in tolerances; better is to the right.
double place(const compare::ComparedMeasurement& m, double change) {
  return (m.better == Better::kLower ? -change : change) / m.tolerance_value;
}

// Shapes differ as well as colours.
std::string marker(compare::Change verdict, double x, double y) {
  switch (verdict) {
    case compare::Change::kRegressed:
      return fmt::format("<path d=\"M{0:.1f} {1:.1f} l6 -9 l-12 0 z\" class=\"worse\" fill=\"#c62828\"/>", x,
                         y + 5);
    case compare::Change::kImproved:
      return fmt::format("<path d=\"M{0:.1f} {1:.1f} l6 9 l-12 0 z\" class=\"better\" fill=\"#1565c0\"/>", x,
                         y - 5);
    case compare::Change::kUnchanged:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#2e7d32\"/>", x, y);
    default:
      return fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\" fill=\"none\" stroke=\"#b26a00\" "
          "stroke-width=\"2\"/>",
          x - 4, y - 4);
  }
}

std::string text_at(double x, double y, std::string_view anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"currentColor\">{}</text>\n",
                     x, y, anchor, text::escaped(text));
}

std::string row(const compare::ComparedMeasurement& m, double y) {
  const std::string subject = judge::case_name(m.test).parameter;
  const std::string name_text =
      text::shortened(fmt::format("{} {}: {}", text::change_text(m),
                                  text::one_line(subject.empty() ? m.test : subject), text::label(m)),
                      kLongestLabel);
  std::string text =
      fmt::format("<g><title>{}</title>\n",
                  text::escaped(text::shortened(
                      fmt::format("{} {}: {}, change {} ({}), tolerance {}", text::one_line(m.test),
                                  text::label(m), text::shown_name(m.verdict), text::change_text(m),
                                  text::interval_text(m), text::one_line(m.tolerance)),
                      kLongestTitle)));
  text += text_at(0, y - 10, "start", name_text);
  text += fmt::format(
      "<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"16\" fill=\"#8888\" "
      "fill-opacity=\"0.25\"/>\n"
      "<line x1=\"{3:.1f}\" y1=\"{1:.1f}\" x2=\"{3:.1f}\" y2=\"{4:.1f}\" stroke=\"currentColor\"/>\n",
      x_of(-1), y - 8, x_of(1) - x_of(-1), x_of(0), y + 8);
  if (m.interval) {
    const double a = place(m, m.interval->low), b = place(m, m.interval->high);
    text += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"currentColor\" "
        "stroke-width=\"2\"/>\n",
        x_of(std::min(a, b)), y, x_of(std::max(a, b)), y);
  }
  const double centre = place(m, *m.change);
  text += marker(m.verdict, x_of(centre), y);
  if (std::abs(centre) > kReach)
    text += text_at(x_of(centre) + (centre > 0 ? -8 : 8), y + 4, centre > 0 ? "end" : "start",
                    centre > 0 ? ">" : "<");
  return text + text_at(kLeft + kAxis + 14, y + 4, "start", std::string(text::shown_name(m.verdict))) +
         "</g>\n";
}

std::string axis() {
  std::string text;
  for (int tick = -static_cast<int>(kReach); tick <= static_cast<int>(kReach); ++tick)
    text += text_at(x_of(tick), kTop - 12, "middle", fmt::format("{}", tick));
  return text + text_at(x_of(-kReach), 16, "start", "worse") + text_at(x_of(kReach), 16, "end", "better") +
         text_at(x_of(0), 16, "middle", "change in tolerances; the band is the tolerance");
}

using Rows = std::span<const compare::ComparedMeasurement* const>;

// One piece of the plot, which fits on a landscape page.
void write_piece(const Rows& rows, std::ostream& out) {
  out << fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"system-ui, sans-serif\" font-size=\"12\" "
             "aria-label=\"Forest plot: the change of each measurement with its interval; the table below "
             "has "
             "the same figures\">\n",
             kWidth, kTop + kRow * static_cast<double>(rows.size()) + 8)
      << axis();
  for (std::size_t i = 0; i < rows.size(); ++i)
    out << row(*rows[i], kTop + kRow * (static_cast<double>(i) + 0.7));
  out << "</svg>\n";
}

// Writes only the plot; nothing if no measurement has a place on the axis.
void write_plot(const compare::Comparison& comparison, std::ostream& out) {
  std::vector<const compare::ComparedMeasurement*> rows;
  for (const compare::ComparedMeasurement& m : comparison.measurements)
    if (has_place(m)) rows.push_back(&m);
  if (rows.empty()) return;
  const std::size_t shown = std::min(rows.size(), kMostRows);
  out << "<h2>Changes</h2>\n<div class=\"wide\">\n";
  for (std::size_t first = 0; first < shown; first += kRowsPerPage)
    write_piece(Rows(rows).subspan(first, std::min(kRowsPerPage, shown - first)), out);
  out << "</div>\n";
  if (shown < rows.size())
    out << fmt::format("<p>The {} rows behind these are in the table only.</p>\n", rows.size() - shown);
}

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
body {{ font: 14px/1.4 system-ui, sans-serif; margin: 1.5rem auto; padding: 0 1rem; max-width: 80rem; overflow-wrap: break-word; }}
h1 {{ border-left: .4rem solid #b26a00; padding-left: .6rem; }}
h1.worse {{ border-color: #c62828; }} h1.good {{ border-color: #2e7d32; }}
.wide {{ overflow-x: auto; }}
svg {{ display: block; max-width: 100%; height: auto; }}
@media (prefers-color-scheme: dark) {{ .worse {{ fill: #ff8a66; }} .better {{ fill: #79c0ff; }} }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: .2rem .6rem; border-bottom: 1px solid #8888; vertical-align: top; overflow-wrap: anywhere; }}
th {{ white-space: nowrap; }}
td.number {{ white-space: nowrap; overflow-wrap: normal; text-align: right; }}
@media screen {{ td:nth-child(2) {{ min-width: 24rem; }} td:nth-child(3), td:nth-child(9), td:last-child {{ min-width: 12rem; }} }}
tr.regressed th, tr.missing th, tr.inconclusive th {{ font-weight: 700; }}
tr.unchanged th, tr.recorded th, tr.improved th {{ font-weight: 400; }}
@page {{ size: landscape; margin: 12mm; }}
@media print {{ body {{ max-width: none; font-size: 7.5pt; }} tr.recorded {{ display: none; }} tr, svg {{ break-inside: avoid; }} .wide {{ overflow: visible; }}
  th, td {{ padding: .1rem .3rem; }} td.number {{ white-space: normal; }}
  td.number:nth-child(4), td.number:nth-child(5) {{ white-space: nowrap; }} }}
</style>
</head>
<body>
)";

std::string cell(const std::string& text) {
  return text::escaped(text::shortened(text::one_line(text), kLongestText));
}

// The verdict's heading; the word repeats what the colour shows.
std::string heading(const compare::Comparison& comparison) {
  const int code = comparison.exit_code();
  return fmt::format("<h1 class=\"{}\">{} {}</h1>",
                     code == 0   ? "good"
                     : code == 1 ? "worse"
                                 : "open",
                     code == 0   ? "✓"
                     : code == 3 ? "?"
                                 : "✗",
                     cell(comparison.verdict()));
}

std::string table_row(const compare::ComparedMeasurement& m) {
  std::string text =
      fmt::format("<tr class=\"{}\"><th scope=\"row\">{}</th><td>{}</td><td>{}</td>", name(m.verdict),
                  text::shown_name(m.verdict), cell(m.test), cell(text::label(m)));
  for (const std::string& number : {text::side_text(m, m.base), text::side_text(m, m.candidate),
                                    text::change_text(m), text::interval_text(m), m.tolerance})
    text += fmt::format("<td class=\"number\">{}</td>", cell(number));
  return text + fmt::format("<td>{}</td><td>{}</td></tr>\n", cell(m.limit), cell(text::reason_text(m)));
}

void write_table(const compare::Comparison& comparison, std::ostream& out) {
  out << "<h2>All comparisons</h2>\n<p>Values that do not decide are left out on paper.</p>\n<div "
         "class=\"wide\"><table>\n<thead><tr>";
  for (const char* title : {"Verdict", "Case", "Measurement", "Base", "Candidate", "Change", "Interval",
                            "Tolerance", "Limit", "Note"})
    out << fmt::format("<th scope=\"col\">{}</th>", title);
  out << "</tr></thead>\n<tbody>\n";
  for (const compare::ComparedMeasurement& m : comparison.measurements) out << table_row(m);
  out << "</tbody>\n</table></div>\n";
}

void write_runs(const compare::Comparison& comparison, std::ostream& out) {
  out << "<h2>Runs</h2>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Side</th><th "
         "scope=\"col\">Run</th>"
         "<th scope=\"col\">Started</th><th scope=\"col\">Verdict</th><th "
         "scope=\"col\">Folder</th></tr></thead>\n<tbody>\n";
  const auto rows = [&](const char* side, const std::vector<compare::ComparedRun>& runs) {
    for (const compare::ComparedRun& run : runs)
      out << fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                         side, cell(run.id), cell(run.started), cell(run.verdict), cell(run.folder));
  };
  rows("base", comparison.base);
  rows("candidate", comparison.candidate);
  out << "</tbody>\n</table></div>\n";
}

}  // namespace

void write_forest(const compare::Comparison& comparison, std::ostream& out) {
  const std::string line = cell(text::comparison_line(comparison));
  out << fmt::format(kHead, line) << fmt::format("{}\n<p>{}</p>\n", heading(comparison), line);
  out << fmt::format("<p>Why: {}</p>\n<p>Changed: {}</p>\n", cell(text::why_line(comparison)),
                     cell(text::changed_line(comparison)));
  for (const std::string& note : comparison.notes) out << fmt::format("<p>Note: {}</p>\n", cell(note));
  write_plot(comparison, out);
  out << "<p>";
  for (const std::string& sentence : text::method_text(comparison)) out << cell(sentence) << ' ';
  out << "</p>\n";
  write_table(comparison, out);
  write_runs(comparison, out);
  out << "</body>\n</html>\n";
}

namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json maybe(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json json_of(const std::vector<compare::ComparedRun>& runs) {
  Json list = Json::array();
  for (const compare::ComparedRun& run : runs)
    list.push_back(
        {{"run", run.id}, {"folder", run.folder}, {"started", run.started}, {"verdict", run.verdict}});
  return list;
}

Json json_of(const std::vector<compare::FactChange>& changes) {
  Json list = Json::array();
  for (const compare::FactChange& change : changes)
    list.push_back({{"kind", change.kind},
                    {"what", change.words},
                    {"from", change.from},
                    {"to", change.to},
                    {"nodes", change.nodes},
                    {"left_out", change.left}});
  return list;
}

Json json_of(const std::vector<compare::Objection>& objections) {
  Json list = Json::array();
  for (const compare::Objection& objection : objections)
    list.push_back({{"exit_code", objection.exit_code}, {"why", objection.why}});
  return list;
}

Json json_of(const compare::ComparedSide& side) {
  return {{"values", side.values}, {"limit_missed", side.missed}};
}

Json json_of(const compare::ComparedMeasurement& m) {
  Json object = {
      {"verdict", name(m.verdict)}, {"case", m.test}, {"id", m.id}, {"node", m.node}, {"detail", m.detail}};
  object["unit"] = base_unit(m.dimension);
  object["base"] = json_of(m.base);
  object["candidate"] = json_of(m.candidate);
  object["limit"] = m.limit;
  object["better"] = m.limit.empty() ? Json() : Json(name(m.better));
  object["change"] = maybe(m.change);
  object["change_is"] = m.relative ? "part of base" : "difference";
  object["interval"] = m.interval ? Json::array({m.interval->low, m.interval->high}) : Json();
  object["tolerance"] = m.tolerance.empty() ? Json() : Json(m.tolerance_value);
  object["tolerance_text"] = m.tolerance;
  object["reason"] = m.reason;
  object["more_runs_a_side"] = maybe(m.more_runs);
  return object;
}

}  // namespace

void write_comparison_json(const compare::Comparison& comparison, std::ostream& out) {
  Json object = {{"format", 1}, {"verdict", comparison.verdict()}, {"exit_code", comparison.exit_code()}};
  object["rig"] = comparison.rig;
  object["rig_kind"] = comparison.rig_kind;
  object["profile"] = comparison.profile;
  object["thresholds_file"] = comparison.thresholds_file;
  object["confidence"] = 1 - compare::kFalseAlarms;
  object["corrected_for"] = comparison.compared;
  object["headlines"] = comparison.headlines;
  object["look"] = {comparison.look.number, comparison.look.of};
  object["base"] = json_of(comparison.base);
  object["candidate"] = json_of(comparison.candidate);
  object["notes"] = comparison.notes;
  object["changed"] = json_of(comparison.changed.facts);
  object["facts_compared"] = comparison.changed.known;
  object["staged"] = comparison.changed.staged;
  object["objections"] = json_of(comparison.objections);
  const auto text_of = [](const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
  };
  std::string head = text_of(object, 1);
  head.resize(head.size() - 2);  // without the end, "\n}"
  out << head << ",\n \"measurements\": [";
  // One line per measurement, written one by one: a million of them in one object would take gigabytes.
  const char* separator = "\n  ";
  for (const compare::ComparedMeasurement& m : comparison.measurements)
    out << std::exchange(separator, ",\n  ") << text_of(json_of(m), -1);
  out << "\n ]\n}\n";
}

}  // namespace rigproof::comparison
