#include "framework/record/settle.h"

#include <fmt/format.h>

#include <algorithm>

namespace rigproof {
namespace {

Status status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kMarginal:
      return Status::kPassed;
    case Verdict::kRecorded:
      return Status::kRecorded;
    case Verdict::kFail:
      return Status::kFailed;
    case Verdict::kError:
      return Status::kError;
  }
  return Status::kError;
}

Status status_of(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::kFail:
      return Status::kFailed;
    case Failure::Kind::kError:
      return Status::kError;
    case Failure::Kind::kSkip:
      return Status::kNotProven;
  }
  return Status::kError;
}

Status worst_of(const Attempt& attempt) {
  Status worst = attempt.measurements.empty() ? Status::kPassed : Status::kRecorded;
  for (const Measurement& measurement : attempt.measurements)
    worst = std::max(worst, status_of(measurement.judgement.verdict));
  for (const Failure& failure : attempt.failures) worst = std::max(worst, status_of(failure.kind));
  return worst == Status::kFailed && is_void(attempt.failures) ? Status::kNotProven : worst;
}

// Collects the waivers of one attempt's reasons until one is found that no waiver covers.
class Cover {
 public:
  Cover(const std::vector<Waiver>& waivers, std::string_view full_name, std::string_view date)
      : waivers_(waivers), full_name_(full_name), date_(date) {}

  bool covers(std::string_view limit_id) {
    const Waiver* waiver = find_waiver(waivers_, limit_id, full_name_, date_);
    if (waiver == nullptr) return false;
    if (std::ranges::find(used_, waiver) == used_.end()) used_.push_back(waiver);
    return true;
  }
  bool covers(const Measurement& measurement) {
    return measurement.judgement.verdict != Verdict::kFail || covers(measurement.id);
  }
  bool covers(const Failure& failure) { return failure.kind == Failure::Kind::kSkip && covers(""); }

  [[nodiscard]] const std::vector<const Waiver*>& used() const { return used_; }

 private:
  const std::vector<Waiver>& waivers_;
  std::string_view full_name_, date_;
  std::vector<const Waiver*> used_;
};

}  // namespace

std::string describe(const std::vector<const Waiver*>& waivers) {
  std::string text;
  for (const Waiver* waiver : waivers)
    text += fmt::format("{}waived until {} by {}: {}", text.empty() ? "" : "; ", waiver->expires,
                        waiver->owner, waiver->reason);
  return text;
}

Settlement settle(const Attempt& attempt, const std::vector<Waiver>& waivers, std::string_view full_name,
                  std::string_view date) {
  const Status worst = worst_of(attempt);
  if (worst != Status::kFailed && worst != Status::kNotProven) return {worst, {}};
  Cover cover(waivers, full_name, date);
  const auto covered = [&](const auto& reason) { return cover.covers(reason); };
  if (!std::ranges::all_of(attempt.measurements, covered)) return {worst, {}};
  if (!std::ranges::all_of(attempt.failures, covered)) return {worst, {}};
  return {Status::kWaived, cover.used()};
}

}  // namespace rigproof
