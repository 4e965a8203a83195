#include "framework/record/measurement.h"

#include <algorithm>

namespace rigproof {

bool is_red(const Measurement& measurement) {
  const Verdict verdict = measurement.judgement.verdict;
  return verdict == Verdict::kFail || verdict == Verdict::kError;
}

bool is_void(const std::vector<Failure>& failures) {
  return std::ranges::any_of(failures, [](const Failure& failure) { return failure.type == kDisturbed; });
}

std::string_view name(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::kFail:
      return "fail";
    case Failure::Kind::kError:
      return "error";
    case Failure::Kind::kSkip:
      return "skip";
  }
  return "error";
}

}  // namespace rigproof
