#include "framework/record/judge_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigproof {
namespace {

// The facts that the limit's bounds name: the rest had no part in the verdict.
Facts facts_used(const Limit& limit, const Facts& facts) {
  Facts used;
  for (const auto& bound : {limit.at_least, limit.at_most, limit.equals, limit.marginal}) {
    if (!bound || !std::holds_alternative<RelativeBound>(bound->value)) continue;
    const auto fact = facts.find(std::get<RelativeBound>(bound->value).fact);
    if (fact != facts.end()) used.insert(*fact);
  }
  return used;
}

Judgement recorded(const SampleSet& samples) {
  Judgement judgement{Verdict::kRecorded};
  const auto finite = [](double value) { return std::isfinite(value); };
  if (samples.values.empty())
    judgement.reason = "no samples";
  else if (!std::ranges::all_of(samples.values, finite))
    judgement.reason = "a sample is not finite";
  else
    judgement.value = evaluate(Statistic::kMedian, samples.values);
  return judgement;
}

Judgement without_limit(const RawMeasurement& raw, const Yardstick& yardstick) {
  Judgement judgement = recorded(raw.samples);
  if (!raw.judged || yardstick.limits.elsewhere(raw.id)) return judgement;
  judgement.verdict = Verdict::kError;
  judgement.reason = fmt::format("no limit with id '{}' in {}", raw.id, yardstick.file);
  return judgement;
}

}  // namespace

Measurement judge_measurement(const RawMeasurement& raw, const Yardstick& yardstick) {
  Measurement measurement;
  measurement.id = raw.id;
  measurement.node = raw.node;
  measurement.detail = raw.detail;
  measurement.samples = raw.samples;
  const Limit* limit = raw.judged ? yardstick.limits.find(raw.id) : nullptr;
  if (limit == nullptr) {
    measurement.judgement = without_limit(raw, yardstick);
    return measurement;
  }
  if (limit->dimension == raw.samples.dimension) measurement.unit = limit->unit;
  measurement.statistic = limit->statistic;
  measurement.facts = facts_used(*limit, yardstick.facts);
  measurement.judgement = judge(*limit, raw.samples, yardstick.facts);
  measurement.basis = limit->basis;
  measurement.remedy = limit->remedy;
  measurement.limit_where = limit->where;
  return measurement;
}

}  // namespace rigproof
