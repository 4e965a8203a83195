#include "reports/terminal/terminal.h"

#include <fmt/format.h>

#include <vector>

#include "reports/text/acceptance.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::terminal {

std::string_view colour_of(judge::Status status) {
  switch (status) {
    case judge::Status::kRecorded:
      return "";
    case judge::Status::kPassed:
      return "32";  // green
    case judge::Status::kWaived:
    case judge::Status::kNotProven:
      return "33";  // yellow
    default:
      return "31";  // red
  }
}

namespace {

std::string painted(std::string_view text, std::string_view code, Colour colour) {
  return colour == Colour::kOn && !code.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text)
                                                : std::string(text);
}

std::string reason_of(const judge::Attempt& attempt, const judge::JudgedCase& test, std::string_view named) {
  const std::string why = text::headline(attempt);
  if (attempt.status == judge::Status::kWaived) return text::one_line(why + "; " + test.waiver);
  if (!why.empty()) return why;
  const judge::JudgedMeasurement* measurement = text::decisive(attempt, named);
  return measurement == nullptr ? "" : text::label(*measurement) + ": " + text::result_text(*measurement);
}

std::string attempt_note(const judge::Attempt& attempt, const judge::JudgedCase& test) {
  if (test.attempts.size() < 2) return "";
  return fmt::format(" [launch {}, iteration {}]", attempt.launch, attempt.iteration);
}

std::string suite_table(const judge::JudgedRun& run) {
  std::vector<std::vector<std::string>> rows{
      {"suite", "cases", "passed", "informative", "waived", "not proven", "failed", "errors", "seconds"}};
  const auto add = [&](const std::string& name, const text::Totals& totals, double seconds) {
    rows.push_back({text::one_line(name), fmt::to_string(totals.cases), fmt::to_string(totals.passed),
                    fmt::to_string(totals.recorded), fmt::to_string(totals.waived),
                    fmt::to_string(totals.not_proven), fmt::to_string(totals.failed),
                    fmt::to_string(totals.errors), fmt::format("{:.1f}", seconds)});
  };
  for (const judge::JudgedSuite& suite : run.suites) add(suite.name, text::totals_of(suite), suite.seconds);
  add("all", text::totals_of(run), text::time_spent(run).total_s);
  return text::text_table(rows);
}

std::string miss_lines(const judge::JudgedMeasurement& missed) {
  std::string text = fmt::format("    {}: {}\n", text::label(missed), text::result_text(missed));
  if (const std::string reason = text::reason_text(missed); !reason.empty())
    text += "      reason  " + reason + '\n';
  if (const std::string basis = text::basis_text(missed); !basis.empty())
    text += "      basis   " + basis + '\n';
  for (const auto& [what, step] : steps_of(missed.remedy))
    text += fmt::format("      {:<8}{}\n", what, text::one_line(step));
  return text;
}

std::string reasons(const judge::JudgedCase& test) {
  const judge::Attempt* attempt = test.deciding();
  if (attempt == nullptr) return "    " + test.open_reason() + '\n';
  std::string text;
  for (const judge::JudgedMeasurement* missed : text::misses(*attempt)) text += miss_lines(*missed);
  for (const record::Failure& failure : attempt->failures)
    text += "    " + text::failure_text(failure) + '\n';
  if (attempt->status == judge::Status::kWaived) text += "    " + text::one_line(test.waiver) + '\n';
  return text;
}

std::string case_block(const judge::JudgedCase& test, Colour colour) {
  std::string name = text::one_line(test.full_name());
  if (!test.plan.subject.empty()) name += " (" + text::one_line(test.plan.subject) + ")";
  return fmt::format("{}  {}\n{}", status_word(test.status(), colour), name, reasons(test));
}

// The known faults in full, and the number of cases that follow from each.
std::string fault_blocks(const judge::JudgedRun& run, Colour colour) {
  std::string text;
  for (const judge::KnownFault& fault : run.faults) {
    text += fmt::format("{}  {}\n", painted("KNOWN FAULT", colour_of(judge::Status::kFailed), colour),
                        text::fault_text(fault));
    if (const std::string more = text::followers_text(fault); !more.empty()) text += "    " + more + '\n';
  }
  return text;
}

// All cases of one status, in plan order.
std::string blocks_of(const judge::JudgedRun& run, judge::Status status, Colour colour) {
  std::string text;
  judge::JudgedCase buffer;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases)
      if (test.status() == status && !text::is_counted_only(run, test))
        text += case_block(whole(run, test, buffer), colour);
  return text;
}

std::string run_blocks(const judge::JudgedRun& run, Colour colour) {
  std::string text;
  for (const record::Problem& fault : text::run_faults(run))
    text += fmt::format("{}  {}: {}\n", status_word(judge::Status::kError, colour),
                        text::one_line(fault.type), text::clean(fault.message));
  if (const std::string open = text::not_begun_text(run); !open.empty())
    text += fmt::format("{}  {}\n", status_word(judge::Status::kError, colour), open);
  return text;
}

std::string node_block(const judge::JudgedRun& run) {
  std::string text;
  if (const std::string sample = text::sample_text(run); !sample.empty()) text += "  " + sample + '\n';
  for (const std::string& line : text::node_lines(run)) text += "  " + text::shortened(line, 200) + '\n';
  return text.empty() ? text : "\nNodes:\n" + text;
}

std::string suspect_block(const judge::JudgedRun& run) {
  std::string text;
  for (const std::string& line : text::suspect_lines(run.blame)) text += "  " + line + '\n';
  return text.empty() ? text : "\nSuspects (from the rates between nodes):\n" + text;
}

std::string remedy_block(const judge::JudgedRun& run) {
  std::string text;
  for (const text::RemedyText& remedy : text::remedies_of(run))
    for (const std::string& line : remedy.lines) text += "  " + line + '\n';
  return text.empty() ? text : "\nWhat to do (nothing was changed):\n" + text;
}

std::string advice_block(const judge::JudgedRun& run) {
  std::string text;
  for (const text::Advice& advice : text::advice_of(run)) {
    text += "  " + advice.found + '\n';
    for (const std::string& line : text::lines_of(advice.remedy, advice.node)) text += "    " + line + '\n';
  }
  return text.empty() ? text : "\nAdvice (no verdict depends on it):\n" + text;
}

// The status whose colour the verdict line gets.
judge::Status status_of(const judge::JudgedRun& run) {
  switch (run.exit_code()) {
    case 0:
      return run.parts().empty() ? judge::Status::kPassed : judge::Status::kWaived;
    case 1:
      return judge::Status::kFailed;
    case 3:
      return judge::Status::kNotProven;
    default:
      return judge::Status::kError;
  }
}

}  // namespace

std::string status_word(judge::Status status, Colour colour) {
  return painted(fmt::format("{:<11}", text::word_of(status)), colour_of(status), colour);
}

std::string case_line(const judge::JudgedCase& test, Colour colour, std::string_view named) {
  const std::string open = test.open_reason();
  const judge::Status status = open.empty() ? test.attempts.back().status : judge::Status::kError;
  std::string text = fmt::format("{}  {}", status_word(status, colour), text::one_line(test.full_name()));
  if (!open.empty()) return text + "  " + open;
  const judge::Attempt& latest = test.attempts.back();
  text += attempt_note(latest, test);
  const std::string why = reason_of(latest, test, named);
  return why.empty() ? text : text + "  " + why;
}

std::string verdict_table(const judge::JudgedRun& run, Colour colour) {
  std::string text = suite_table(run);
  std::string details = fault_blocks(run, colour);
  for (const judge::Status status :
       {judge::Status::kWaived, judge::Status::kNotProven, judge::Status::kFailed, judge::Status::kError})
    details += blocks_of(run, status, colour);
  details += run_blocks(run, colour);
  if (!details.empty()) text += '\n' + details;
  text += node_block(run);
  text += suspect_block(run);
  text += remedy_block(run);
  text += advice_block(run);
  text += '\n';
  for (const std::string& waiver : text::idle_waivers(run)) text += "NOTE  " + waiver + '\n';
  if (!run.not_applicable.empty()) text += text::not_applicable_text(run) + ": see summary.md\n";
  text += text::time_text(run) + '\n';
  return text + painted(text::verdict_line(run), colour_of(status_of(run)), colour) + '\n';
}

}  // namespace rigproof::terminal
