#include "framework/runner/case_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "framework/runner/context.h"

namespace rigproof::inline runner {

void add_report(record::CaseEnded& ended, CaseReport report) {
  const auto is_known = [&](const record::Failure& failure) {
    return failure.type == "phase-mismatch" &&
           std::ranges::any_of(ended.failures, [&](const record::Failure& old) {
             return old.type == failure.type && old.message == failure.message;
           });
  };
  std::ranges::move(report.measured, std::back_inserter(ended.measured));
  for (record::Failure& failure : report.failures)
    if (!is_known(failure)) ended.failures.push_back(std::move(failure));
  std::ranges::move(report.notes, std::back_inserter(ended.notes));
  ended.measuring_s = std::max(ended.measuring_s, report.measuring_s);
}

namespace {

std::string trimmed(std::string_view text) {
  const auto end = text.find_last_not_of(" \n");
  return std::string(end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1));
}

// The part before the project's own folders in the paths that this build's compiler was given.
std::string_view source_root() {
  std::string_view root = __FILE__;
  root.remove_suffix(std::string_view("framework/runner/case_report.cc").size());
  return root;
}

}  // namespace

std::string place(const char* file, int line) {
  if (file == nullptr) return {};
  std::string_view path = file;
  if (path.starts_with(source_root())) path.remove_prefix(source_root().size());
  return fmt::format("{}:{}", path, line);
}

void add_part(SuiteContext& suite, testing::TestPartResult::Type type, const std::string& where,
              const std::string& message) {
  suite.own_words = true;
  const char* file =
      where.empty() ? nullptr : where.c_str();  // GoogleTest prints it unchanged if there is no line number
  testing::internal::AssertHelper(type, file, -1, message.c_str()) = testing::Message();
  suite.own_words = false;
}

record::Failure failure_of(const SuiteContext& suite, const testing::TestPartResult& part) {
  record::Failure failure;
  const bool thrown = part.file_name() == nullptr;
  failure.kind = part.skipped() ? record::Failure::Kind::kSkip
                 : thrown       ? record::Failure::Kind::kError
                                : record::Failure::Kind::kFail;
  failure.type = part.skipped() ? "not-proven" : thrown ? "exception" : "assertion";
  failure.message = trimmed(part.summary());
  if (part.skipped() && failure.message.empty()) failure.message = "skipped without a reason";
  failure.node = suite.node().name;
  failure.rank = suite.ranks.rank();
  failure.phase = suite.now.phase;
  failure.where = place(part.file_name(), part.line_number());
  return failure;
}

std::string console_line(const judge::JudgedMeasurement& measurement) {
  const judge::Judgement& judgement = measurement.judgement;
  std::string text = fmt::format("{} on {}", measurement.id, measurement.node);
  if (!measurement.detail.empty()) text += fmt::format(" ({})", measurement.detail);
  const bool error = judgement.verdict == judge::Verdict::kError;
  const bool unread = measurement.unread != record::Measured::Unread::kNo;
  text += ": ";
  if (!error && !unread)
    text += to_text({measurement.samples.dimension, judgement.value}, measurement.unit) + " ";
  text += name(judgement.verdict);
  if (!judgement.limit.empty()) text += fmt::format(" (limit {}", judgement.limit);
  if (judgement.margin) text += fmt::format(", margin {:+.1f} %", *judgement.margin * 100);
  if (!judgement.limit.empty()) text += ")";
  if (!judgement.reason.empty()) text += "\n    " + judgement.reason;
  const bool missed =
      judgement.verdict == judge::Verdict::kFail || judgement.verdict == judge::Verdict::kAdvice;
  if ((error || missed) && !measurement.remedy.empty())
    text += "\n    remedy: " + to_text(measurement.remedy);
  return text;
}

std::string console_line(const record::Failure& failure) {
  std::string text;
  if (failure.rank >= 0) text += fmt::format("[rank {} ({})] ", failure.rank, failure.node);
  if (!failure.phase.empty()) text += fmt::format("phase '{}': ", failure.phase);
  return text + failure.message;
}

}  // namespace rigproof::inline runner
