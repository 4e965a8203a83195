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

Judgement recorded(const SampleSet& samples, const std::string& text) {
  Judgement judgement{Verdict::kRecorded};
  if (!text.empty()) return judgement;
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
  Judgement judgement = recorded(raw.samples, raw.text);
  if (!raw.judged || yardstick.limits.elsewhere(raw.id)) return judgement;
  judgement.verdict = Verdict::kError;
  judgement.reason = fmt::format("no limit with id '{}' in {}", raw.id, yardstick.file);
  return judgement;
}

// The finding's own words come before the subject's.
std::string remedy_for(const RawMeasurement& raw, const Limit& limit, const Yardstick& yardstick) {
  Words words = raw.words;
  words.insert({{"node", raw.node}, {"wanted", wanted_by(limit, yardstick.facts)}});
  const auto of_subject = yardstick.words.find(raw.node);
  if (of_subject != yardstick.words.end()) words.insert(of_subject->second.begin(), of_subject->second.end());
  return filled(limit.remedy, words);
}

}  // namespace

Measurement judge_measurement(const RawMeasurement& raw, const Yardstick& yardstick) {
  Measurement measurement;
  measurement.id = raw.id;
  measurement.node = raw.node;
  measurement.detail = raw.detail;
  measurement.samples = raw.samples;
  measurement.text = raw.text;
  const Limit* limit = raw.judged ? yardstick.limits.find(raw.id) : nullptr;
  if (limit == nullptr) {
    measurement.judgement = without_limit(raw, yardstick);
    return measurement;
  }
  if (limit->dimension == raw.samples.dimension) measurement.unit = limit->unit;
  measurement.statistic = limit->statistic;
  measurement.facts = facts_used(*limit, yardstick.facts);
  if (raw.text.empty()) {
    measurement.judgement = judge(*limit, raw.samples, yardstick.facts);
  } else {
    measurement.judgement = judge(*limit, raw.text);
    if (measurement.judgement.verdict != Verdict::kError)
      measurement.samples.values = {measurement.judgement.value};
  }
  measurement.basis = limit->basis;
  measurement.remedy = remedy_for(raw, *limit, yardstick);
  measurement.limit_where = limit->where;
  return measurement;
}

}  // namespace rigproof
