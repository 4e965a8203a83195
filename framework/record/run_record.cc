#include "framework/record/run_record.h"

#include <algorithm>
#include <utility>

namespace rigproof {
namespace {

const Attempt* worst_of(const std::vector<Attempt>& attempts) {
  const Attempt* worst = nullptr;
  const auto counts = [](const Attempt& attempt) { return !is_void(attempt.failures); };
  const bool any = std::ranges::any_of(attempts, counts);
  for (const Attempt& attempt : attempts)
    if ((!any || counts(attempt)) && (worst == nullptr || attempt.status > worst->status)) worst = &attempt;
  return worst;
}

}  // namespace

std::string_view name(Status status) {
  switch (status) {
    case Status::kPassed:
      return "passed";
    case Status::kWaived:
      return "waived";
    case Status::kNotProven:
      return "not proven";
    case Status::kFailed:
      return "failed";
    case Status::kError:
      return "error";
  }
  return "error";
}

const Attempt* CaseRecord::deciding() const {
  const Attempt* worst = worst_of(attempts);
  return running && worst != nullptr && worst->status != Status::kError ? nullptr : worst;
}

Status CaseRecord::status() const {
  const Attempt* attempt = deciding();
  return attempt == nullptr ? Status::kError : attempt->status;
}

std::string CaseRecord::open_reason() const {
  if (deciding() != nullptr) return "";
  return running ? "started but did not end: the record stops while it runs"
                 : "planned, but the run ended before it";
}

std::string CaseRecord::full_name() const { return suite + "." + plan.name; }

const CaseRecord& whole(const RunRecord& run, const CaseRecord& test, CaseRecord& buffer) {
  const auto left = [](const Attempt& attempt) { return attempt.place.has_value(); };
  if (run.lines == nullptr || std::ranges::none_of(test.attempts, left)) return test;
  buffer = test;
  for (Attempt& attempt : buffer.attempts) {
    if (!left(attempt)) continue;
    Event event = run.lines->at(*attempt.place);
    auto* ended = std::get_if<CaseEnded>(&event.body);
    if (ended == nullptr) throw JournalError("the journal was changed while it was read");
    attempt.measurements = std::move(ended->measurements);
  }
  return buffer;
}

int RunRecord::exit_code() const {
  Status worst = Status::kPassed;
  bool passed = false;
  for (const SuiteRecord& suite : suites) {
    if (!suite.complete()) return 2;
    for (const CaseRecord& test : suite.cases) {
      const Status status = test.status();
      worst = std::max(worst, status);
      passed = passed || status == Status::kPassed;
    }
  }
  if (!end || !problems.empty() || worst == Status::kError) return 2;
  if (worst == Status::kFailed) return 1;
  return worst == Status::kNotProven || !passed ? 3 : 0;
}

std::string RunRecord::verdict() const {
  switch (exit_code()) {
    case 0:
      return "QUALIFIED";
    case 1:
      return "NOT QUALIFIED";
    case 3:
      return "NOT PROVEN";
    default:
      return "ERROR";
  }
}

}  // namespace rigproof
