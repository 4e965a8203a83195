#include "reports/terminal/terminal.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "reports/text/clean.h"
#include "reports/text/describe.h"
#include "reports/text/describe_change.h"
#include "reports/text/verdict_line.h"

namespace rigproof {
namespace {

constexpr std::string_view kPlain = "0", kGreen = "32", kYellow = "33", kRed = "31";

std::string_view colour_of(Status status) {
  switch (status) {
    case Status::kRecorded:
      return kPlain;
    case Status::kPassed:
      return kGreen;
    case Status::kWaived:
    case Status::kNotProven:
      return kYellow;
    default:
      return kRed;
  }
}

std::string painted(std::string_view text, std::string_view code, Colour colour) {
  return colour == Colour::kOn ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string status_word(Status status, Colour colour) {
  return painted(fmt::format("{:<10}", word_of(status)), colour_of(status), colour);
}

std::string reason_of(const Attempt& attempt, const JudgedCase& test) {
  const std::string why = headline(attempt);
  if (attempt.status == Status::kWaived) return one_line(why + "; " + test.waiver);
  if (!why.empty()) return why;
  const JudgedMeasurement* measurement = decisive(attempt);
  return measurement == nullptr ? "" : label(*measurement) + ": " + result_text(*measurement);
}

std::string attempt_note(const Attempt& attempt, const JudgedCase& test) {
  if (test.attempts.size() < 2) return "";
  return fmt::format(" [launch {}, iteration {}]", attempt.launch, attempt.iteration);
}

std::string suite_table(const JudgedRun& run) {
  std::vector<std::vector<std::string>> rows{
      {"suite", "cases", "passed", "recorded", "waived", "not proven", "failed", "errors", "seconds"}};
  const auto add = [&](const std::string& name, const Totals& totals, double seconds) {
    rows.push_back({one_line(name), fmt::to_string(totals.cases), fmt::to_string(totals.passed),
                    fmt::to_string(totals.recorded), fmt::to_string(totals.waived),
                    fmt::to_string(totals.not_proven), fmt::to_string(totals.failed),
                    fmt::to_string(totals.errors), fmt::format("{:.1f}", seconds)});
  };
  for (const JudgedSuite& suite : run.suites) add(suite.name, totals_of(suite), suite.seconds);
  add("all", totals_of(run), time_spent(run).total_s);
  return text_table(rows);
}

std::string miss_lines(const JudgedMeasurement& missed) {
  std::string text = fmt::format("    {}: {}\n", label(missed), result_text(missed));
  if (const std::string reason = reason_text(missed); !reason.empty())
    text += "      reason  " + reason + '\n';
  if (const std::string basis = basis_text(missed); !basis.empty()) text += "      basis   " + basis + '\n';
  if (!missed.remedy.empty()) text += "      remedy  " + one_line(missed.remedy) + '\n';
  return text;
}

std::string reasons(const JudgedCase& test) {
  const Attempt* attempt = test.deciding();
  if (attempt == nullptr) return "    " + test.open_reason() + '\n';
  std::string text;
  for (const JudgedMeasurement* missed : misses(*attempt)) text += miss_lines(*missed);
  for (const Failure& failure : attempt->failures) text += "    " + failure_text(failure) + '\n';
  if (attempt->status == Status::kWaived) text += "    " + one_line(test.waiver) + '\n';
  return text;
}

std::string case_block(const JudgedCase& test, Colour colour) {
  std::string name = one_line(test.full_name());
  if (!test.plan.subject.empty()) name += " (" + one_line(test.plan.subject) + ")";
  return fmt::format("{}  {}\n{}", status_word(test.status(), colour), name, reasons(test));
}

// All cases of one status, in plan order.
std::string blocks_of(const JudgedRun& run, Status status, Colour colour) {
  std::string text;
  JudgedCase buffer;
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& test : suite.cases)
      if (test.status() == status) text += case_block(whole(run, test, buffer), colour);
  return text;
}

std::string run_blocks(const JudgedRun& run, Colour colour) {
  std::string text;
  for (const Problem& fault : run_faults(run))
    text += fmt::format("{}  {}: {}\n", status_word(Status::kError, colour), one_line(fault.type),
                        clean(fault.message));
  return text;
}

std::string remedy_block(const JudgedRun& run) {
  std::string text;
  for (const std::string& remedy : remedies_of(run)) text += "  " + remedy + '\n';
  return text.empty() ? text : "\nWhat to do (nothing was changed):\n" + text;
}

Status status_of_exit(int exit_code) {
  switch (exit_code) {
    case 0:
      return Status::kPassed;
    case 1:
      return Status::kFailed;
    case 3:
      return Status::kNotProven;
    default:
      return Status::kError;
  }
}

}  // namespace

std::string case_line(const JudgedCase& test, Colour colour) {
  const std::string open = test.open_reason();
  const Status status = open.empty() ? test.attempts.back().status : Status::kError;
  std::string text = fmt::format("{}  {}", status_word(status, colour), one_line(test.full_name()));
  if (!open.empty()) return text + "  " + open;
  const Attempt& latest = test.attempts.back();
  text += attempt_note(latest, test);
  const std::string why = reason_of(latest, test);
  return why.empty() ? text : text + "  " + why;
}

std::string verdict_table(const JudgedRun& run, Colour colour) {
  std::string text = suite_table(run);
  std::string details;
  for (const Status status : {Status::kWaived, Status::kNotProven, Status::kFailed, Status::kError})
    details += blocks_of(run, status, colour);
  details += run_blocks(run, colour);
  if (!details.empty()) text += '\n' + details;
  text += remedy_block(run);
  text += '\n';
  if (!run.not_applicable.empty()) text += not_applicable_text(run) + ": see summary.md\n";
  text += time_text(run) + '\n';
  return text + painted(verdict_line(run), colour_of(status_of_exit(run.exit_code())), colour) + '\n';
}

std::string comparison_table(const Comparison& comparison) {
  std::vector<std::vector<std::string>> rows{{"verdict", "case", "measurement", "base", "candidate", "change",
                                              "95 % interval", "tolerance", "limit", "note"}};
  for (const ComparedMeasurement& m : comparison.measurements)
    rows.push_back({std::string(name(m.verdict)), one_line(m.test), label(m), side_text(m, m.base),
                    side_text(m, m.candidate), change_text(m), interval_text(m), one_line(m.tolerance),
                    one_line(m.limit), reason_text(m)});
  std::string text = text_table(rows) + '\n';
  for (const std::string& note : comparison.notes) text += "note: " + one_line(note) + '\n';
  for (const std::string& sentence : method_text(comparison)) text += sentence + '\n';
  return text + '\n' + comparison_line(comparison) + '\n';
}

}  // namespace rigproof
