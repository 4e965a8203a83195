#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "reports/terminal/terminal.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"

namespace rigproof::terminal {
namespace {

constexpr std::size_t kRows = 8, kNotes = 2, kReasons = 4;
constexpr std::size_t kLongestLine = 240, kLongestName = 48;  // bytes

std::string line(std::string_view label, const std::string& text) {
  return fmt::format("{} {}\n", label, text::shortened(text, kLongestLine));
}

// Id and case parameter; names the case within its test.
std::string name_of(const compare::ComparedMeasurement& m) {
  const std::string parameter = judge::case_name(m.test).parameter;
  const std::string of = parameter.empty() ? m.test : parameter;
  return text::shortened(text::one_line(m.id.empty() ? of : fmt::format("{} {}", m.id, of)), kLongestName);
}

std::vector<std::string> row_of(const compare::ComparedMeasurement& m) {
  const std::string verdict(text::shown_name(m.verdict));
  return {m.candidate.missed > 0 ? "limit missed" : verdict,
          text::change_text(m),
          text::side_text(m, m.base),
          text::side_text(m, m.candidate),
          text::one_line(m.tolerance),
          name_of(m)};
}

void write_rows(const compare::Comparison& comparison, const std::string& rest, std::ostream& out) {
  auto order = text::worst_first(comparison);
  std::erase_if(order, [](const compare::ComparedMeasurement* m) {
    return m->verdict == compare::Change::kRecorded && m->candidate.missed == 0;
  });
  const std::size_t shown = std::min(order.size(), kRows);
  std::vector<std::vector<std::string>> rows{
      {"verdict", "change", "base", "candidate", "tolerance", "measurement"}};
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(row_of(*order[i]));
  if (shown > 0) out << text::text_table(rows);
  if (const std::size_t more = comparison.measurements.size() - shown; more > 0)
    out << fmt::format("{} more ({} of them decide): {}\n", more, order.size() - shown, rest);
}

void write_notes(const compare::Comparison& comparison, std::ostream& out) {
  const std::size_t reasons = std::min(comparison.objections.size(), kReasons);
  for (std::size_t i = 1; i < reasons; ++i)
    out << line("reason:", text::one_line(comparison.objections[i].why));
  const std::size_t shown = std::min(comparison.notes.size(), kNotes);
  for (std::size_t i = 0; i < shown; ++i) out << line("note:", text::one_line(comparison.notes[i]));
  const std::string more =
      shown < comparison.notes.size() ? fmt::format("; {} more notes", comparison.notes.size() - shown) : "";
  if (comparison.compared == 0) {
    out << (more.empty() ? more : more.substr(2) + '\n');
    return;
  }
  out << fmt::format("{} {} share 5 % of false alarms{}{}\n", comparison.compared,
                     comparison.headlines ? "headline figures" : "figures",
                     comparison.look.of > 1
                         ? fmt::format("; look {} of {}", comparison.look.number, comparison.look.of)
                         : "",
                     more);
}

}  // namespace

void write_comparison_screen(const std::string& verdict, const compare::Comparison& comparison,
                             const std::string& rest, std::ostream& out) {
  out << text::shortened(verdict, kLongestLine) << '\n'
      << line("why:", text::why_line(comparison)) << line("changed:", text::changed_line(comparison)) << '\n';
  write_rows(comparison, rest, out);
  write_notes(comparison, out);
}

void write_comparison_table(const compare::Comparison& comparison, std::ostream& out) {
  const auto row = [&](std::size_t number) -> std::vector<std::string> {
    if (number == 0)
      return {"verdict", "case",     "measurement", "base",  "candidate",
              "change",  "interval", "tolerance",   "limit", "note"};
    const compare::ComparedMeasurement& m = comparison.measurements[number - 1];
    return {std::string(text::shown_name(m.verdict)),
            text::one_line(m.test),
            text::label(m),
            text::side_text(m, m.base),
            text::side_text(m, m.candidate),
            text::change_text(m),
            text::interval_text(m),
            text::one_line(m.tolerance),
            text::one_line(m.limit),
            text::reason_text(m)};
  };
  text::write_text_table(out, comparison.measurements.size() + 1, row);
  out << "\nchanged: " << text::changed_line(comparison) << '\n';
  for (const compare::Objection& objection : comparison.objections)
    out << "objection: " << text::one_line(objection.why) << '\n';
  for (const std::string& note : comparison.notes) out << "note: " << text::one_line(note) << '\n';
  for (const std::string& sentence : text::method_text(comparison)) out << sentence << '\n';
  out << '\n' << text::comparison_line(comparison) << '\n';
}

}  // namespace rigproof::terminal
