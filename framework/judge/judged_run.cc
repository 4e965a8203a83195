#include "framework/judge/judged_run.h"

#include <algorithm>
#include <utility>

namespace rigproof::judge {
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

bool is_red(const JudgedMeasurement& measurement) {
  const Verdict verdict = measurement.judgement.verdict;
  return verdict == Verdict::kFail || verdict == Verdict::kError;
}

bool is_void(const std::vector<record::Failure>& failures) {
  return std::ranges::any_of(failures,
                             [](const record::Failure& failure) { return failure.type == kDisturbed; });
}

std::string_view name(Status status) {
  switch (status) {
    case Status::kRecorded:
      return "recorded";
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

const Attempt* JudgedCase::deciding() const {
  const Attempt* worst = worst_of(attempts);
  return running && worst != nullptr && worst->status != Status::kError ? nullptr : worst;
}

Status JudgedCase::status() const {
  const Attempt* attempt = deciding();
  return attempt == nullptr ? Status::kError : attempt->status;
}

std::string JudgedCase::open_reason() const {
  if (deciding() != nullptr) return "";
  return running ? "started but did not end: the record stops while it runs"
                 : "planned, but the run ended before it";
}

std::string JudgedCase::full_name() const { return suite + "." + plan.name; }

const JudgedCase& whole(const JudgedRun& run, const JudgedCase& test, JudgedCase& buffer) {
  const auto left = [](const Attempt& attempt) { return attempt.place.has_value(); };
  if (!run.left || std::ranges::none_of(test.attempts, left)) return test;
  buffer = test;
  for (Attempt& attempt : buffer.attempts) {
    if (!left(attempt)) continue;
    Attempt again = run.left(run, test, attempt);
    attempt.measurements = std::move(again.measurements);
    attempt.failures = std::move(again.failures);
  }
  return buffer;
}

int JudgedRun::exit_code() const {
  constexpr int kRigAbsent = 77;
  Status worst = Status::kPassed;
  bool passed = false, any = false, complete = true;
  for (const JudgedSuite& suite : suites) {
    complete = complete && suite.complete();
    for (const JudgedCase& test : suite.cases) {
      const Status status = test.status();
      any = true;
      worst = std::max(worst, status);
      passed = passed || status == Status::kPassed;
    }
  }
  const auto absent = [](const record::Problem& problem) { return problem.type == "rig-absent"; };
  if (!any && end && std::ranges::any_of(problems, absent)) return kRigAbsent;
  if (!end || !complete || !problems.empty() || worst == Status::kError) return 2;
  if (worst == Status::kFailed) return 1;
  return worst == Status::kNotProven || !passed ? 3 : 0;
}

std::string JudgedRun::verdict() const {
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

}  // namespace rigproof::judge
