#include "framework/runner/judge_case.h"

#include <fmt/format.h>

#include <algorithm>

namespace rigproof {
namespace {

// A rate's limits leave some 5 % below the shaped rate, and the median of a window outlasts a burst.
constexpr double kMostTaken = 0.10;

bool same_key(const Measurement& a, const RawMeasurement& b) {
  return a.id == b.id && a.node == b.node && a.detail == b.detail;
}

Failure duplicate(const RawMeasurement& raw) {
  Failure failure;
  failure.kind = Failure::Kind::kError;
  failure.type = "duplicate-measurement";
  failure.message = fmt::format("'{}'{} was measured twice on {}: give each a detail of its own", raw.id,
                                raw.detail.empty() ? "" : " (" + raw.detail + ")", raw.node);
  failure.node = raw.node;
  return failure;
}

Failure nothing_measured() {
  Failure failure;
  failure.kind = Failure::Kind::kError;
  failure.type = "nothing-measured";
  failure.message = "the case reported no measurement: it proves nothing";
  return failure;
}

Failure disturbed(double taken) {
  Failure failure;
  failure.kind = Failure::Kind::kSkip;
  failure.type = kDisturbed;
  failure.message = fmt::format(
      "void: up to {:.0f} % of this machine's CPU time went to others (other processes, or the hypervisor) "
      "while it carried the emulated rig; {:.0f} % at most lets it prove anything",
      taken * 100, kMostTaken * 100);
  return failure;
}

// Missed for being too slow: what a busy machine may explain.
bool is_slow(const Measurement& measurement, const Yardstick& yardstick) {
  const Limit* limit = yardstick.limits.find(measurement.id);
  return measurement.judgement.verdict == Verdict::kFail && limit != nullptr &&
         is_slowness(*limit, measurement.judgement.value, yardstick.facts);
}

// A broken agreement is one piece of news, however many ranks bring it.
bool is_old_news(const std::vector<Failure>& failures, const Failure& failure) {
  return failure.type == "phase-mismatch" && std::ranges::any_of(failures, [&](const Failure& old) {
           return old.type == failure.type && old.message == failure.message;
         });
}

void add_note(CaseEnded& ended, const std::string& note) {
  const auto red = std::ranges::find_if(ended.measurements, is_red);
  if (red != ended.measurements.end())
    red->judgement.reason += "; " + note;
  else if (!ended.failures.empty())
    ended.failures.front().message += "; " + note;
}

}  // namespace

void judge_case(CaseEnded& ended, const std::vector<CaseReport>& reports, const Yardstick& yardstick) {
  bool reported = false, red = false, only_slow = true;
  for (const CaseReport& report : reports) {
    for (const Failure& failure : report.failures)
      if (!is_old_news(ended.failures, failure)) ended.failures.push_back(failure);
    for (const RawMeasurement& raw : report.measurements) {
      reported = reported || raw.judged || raw.fact;
      const auto same = [&](const Measurement& old) { return same_key(old, raw); };
      if (std::ranges::any_of(ended.measurements, same)) {
        ended.failures.push_back(duplicate(raw));
        continue;
      }
      const Measurement& judged = ended.measurements.emplace_back(judge_measurement(raw, yardstick));
      if (!is_red(judged)) continue;
      red = true;
      only_slow = only_slow && !raw.fact && is_slow(judged, yardstick);
    }
  }
  if (!reported && ended.failures.empty()) ended.failures.push_back(nothing_measured());
  for (const CaseReport& report : reports)
    for (const std::string& note : report.notes) add_note(ended, note);
  const bool skips_only = std::ranges::all_of(
      ended.failures, [](const Failure& failure) { return failure.kind == Failure::Kind::kSkip; });
  if (yardstick.taken > kMostTaken && red && only_slow && skips_only)
    ended.failures.push_back(disturbed(yardstick.taken));
}

}  // namespace rigproof
