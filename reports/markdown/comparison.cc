#include "reports/markdown/comparison.h"

#include <fmt/format.h>

#include <ostream>
#include <string>

#include "reports/markdown/escape.h"
#include "reports/text/clean.h"
#include "reports/text/describe_change.h"

namespace rigproof {
namespace {

constexpr std::size_t kLargest = 900'000;  // bytes; a CI job's summary may have 1 MiB
constexpr std::size_t kLongestText = 1'000;

std::string cell(const std::string& text) { return markdown(shortened(text, kLongestText)); }

std::string row(const ComparedMeasurement& m) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name(m.verdict), cell(m.test),
                     cell(label(m)), cell(side_text(m, m.base)), cell(side_text(m, m.candidate)),
                     cell(change_text(m)), cell(interval_text(m)), cell(m.tolerance), cell(reason_text(m)));
}

std::string runs(const char* side, const std::vector<ComparedRun>& runs) {
  std::string text;
  for (const ComparedRun& run : runs)
    text += fmt::format("| {} | {} | {} | {} | {} |\n", side, cell(run.id), cell(run.started),
                        cell(run.verdict), cell(run.folder));
  return text;
}

}  // namespace

void write_comparison_summary(const Comparison& comparison, std::ostream& out) {
  std::string text = fmt::format("# {}\n\n{}\n\n", comparison.verdict(), cell(comparison_line(comparison)));
  for (const std::string& note : comparison.notes) text += fmt::format("- note: {}\n", cell(note));
  text +=
      "\n| Verdict | Case | JudgedMeasurement | Base | Candidate | Change | 95 % interval | Tolerance | Note |\n"
      "|---|---|---|---:|---:|---:|---:|---:|---|\n";
  std::size_t left_out = 0;
  for (const ComparedMeasurement& m : comparison.measurements) {
    const std::string line = row(m);
    if (text.size() + line.size() < kLargest)
      text += line;
    else
      ++left_out;
  }
  if (left_out > 0) text += fmt::format("\n**{} more entries left out: this page is full.**\n", left_out);
  text += "\n";
  for (const std::string& sentence : method_text(comparison)) text += cell(sentence) + "\n";
  text += "\n| Side | Run | Started | Verdict | Folder |\n|---|---|---|---|---|\n";
  out << text << runs("base", comparison.base) << runs("candidate", comparison.candidate);
}

}  // namespace rigproof
