#include "framework/record/run_record.h"

#include <algorithm>
#include <utility>

namespace rigproof {
const CaseRecord& whole(const RunRecord& run, const CaseRecord& test, CaseRecord& buffer) {
  const auto left = [](const Attempt& attempt) { return attempt.place.has_value(); };
  if (!run.left || std::ranges::none_of(test.attempts, left)) return test;
  buffer = test;
  for (Attempt& attempt : buffer.attempts) {
    if (!left(attempt)) continue;
    CaseEnded ended = run.left(*attempt.place);
    attempt.measurements = std::move(ended.measurements);
    attempt.failures = std::move(ended.failures);
  }
  return buffer;
}

int RunRecord::exit_code() const { return end ? exit_code_at_its_end() : 2; }

int RunRecord::exit_code_at_its_end() const {
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
  if (!problems.empty() || worst == Status::kError) return 2;
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
