#include "framework/record/case_record.h"

#include <algorithm>

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

}  // namespace rigproof
