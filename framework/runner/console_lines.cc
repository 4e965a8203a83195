#include "framework/runner/console_lines.h"

#include <fmt/format.h>

namespace rigproof {

std::string console_line(const JudgedMeasurement& measurement) {
  const Judgement& judgement = measurement.judgement;
  std::string text = fmt::format("{} on {}", measurement.id, measurement.node);
  if (!measurement.detail.empty()) text += fmt::format(" ({})", measurement.detail);
  const bool error = judgement.verdict == Verdict::kError;
  text +=
      ": " + (error ? "" : to_text({measurement.samples.dimension, judgement.value}, measurement.unit) + " ");
  text += name(judgement.verdict);
  if (!judgement.limit.empty()) text += fmt::format(" (limit {}", judgement.limit);
  if (judgement.margin) text += fmt::format(", margin {:+.1f} %", *judgement.margin * 100);
  if (!judgement.limit.empty()) text += ")";
  if (!judgement.reason.empty()) text += "\n    " + judgement.reason;
  if ((error || judgement.verdict == Verdict::kFail) && !measurement.remedy.empty())
    text += "\n    remedy: " + measurement.remedy;
  return text;
}

std::string console_line(const Failure& failure) {
  std::string text;
  if (failure.rank >= 0) text += fmt::format("[rank {} ({})] ", failure.rank, failure.node);
  if (!failure.phase.empty()) text += fmt::format("phase '{}': ", failure.phase);
  return text + failure.message;
}

}  // namespace rigproof
