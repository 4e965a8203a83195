#include "reports/text/recorded_limits.h"

#include <stdexcept>

#include "framework/rig/rig.h"

namespace rigproof {
namespace {

std::optional<double> number(const std::optional<Bound>& bound, const Measurement& measurement) {
  if (!bound) return {};
  if (const auto* quantity = std::get_if<Quantity>(&bound->value)) return quantity->value;
  const auto& part = std::get<RelativeBound>(bound->value);
  const auto fact = measurement.facts.find(part.fact);
  if (fact == measurement.facts.end()) return {};
  return part.factor * fact->second.value;
}

}  // namespace

RecordedLimits::RecordedLimits(const RunRecord& run) {
  try {
    limits_ = LimitTable::read(toml::Document::parse(run.start.thresholds_text, run.start.thresholds_file),
                               parse_profile(run.start.profile), rig_fact_dimensions());
  } catch (const std::exception&) {  // another version's thresholds, or another profile's name
  }
}

const Limit* RecordedLimits::find(const Measurement& measurement) const {
  const bool judged = !measurement.judgement.limit.empty();
  const Limit* limit = judged && limits_ ? limits_->find(measurement.id) : nullptr;
  return limit != nullptr && limit->dimension == measurement.samples.dimension ? limit : nullptr;
}

Bounds RecordedLimits::bounds(const Measurement& measurement) const {
  const Limit* limit = find(measurement);
  if (limit == nullptr) return {};
  return {number(limit->at_least, measurement), number(limit->at_most, measurement),
          number(limit->equals, measurement), number(limit->marginal, measurement)};
}

}  // namespace rigproof
