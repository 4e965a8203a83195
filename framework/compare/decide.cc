#include "framework/compare/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigproof::compare {
namespace {

constexpr int kMostRuns = 1000;

double median_of(const std::vector<double>& values) { return evaluate(Statistic::kMedian, values); }

bool all_positive(const ComparedMeasurement& m) {
  const auto positive = [](double value) { return value > 0; };
  return std::ranges::all_of(m.base.values, positive) && std::ranges::all_of(m.candidate.values, positive);
}

std::vector<double> logarithms(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  return logs;
}

// The scale on which a change is a shift: logarithms where the tolerance is a part of the base, so that a shift is a
// ratio. Without positive values there are no ratios: then the part is taken of the base's median.
class Scale {
 public:
  Scale(ComparedMeasurement& m, const Tolerance& tolerance) : ratios_(tolerance.relative && all_positive(m)) {
    m.relative = ratios_;
    m.tolerance_value = tolerance.relative && !ratios_ ? tolerance.value * std::abs(median_of(m.base.values))
                                                       : tolerance.value;
    base_ = ratios_ ? logarithms(m.base.values) : m.base.values;
    candidate_ = ratios_ ? logarithms(m.candidate.values) : m.candidate.values;
  }
  [[nodiscard]] const std::vector<double>& base() const { return base_; }
  [[nodiscard]] const std::vector<double>& candidate() const { return candidate_; }
  [[nodiscard]] double change(double shift) const { return ratios_ ? std::expm1(shift) : shift; }
  [[nodiscard]] double shift(double change) const { return ratios_ ? std::log1p(change) : change; }

 private:
  bool ratios_;
  std::vector<double> base_, candidate_;
};

// How far the interval may reach to each side of the estimate and still decide.
double room(const ComparedMeasurement& m, const Scale& scale) {
  const double estimate = scale.shift(*m.change);
  const double below = scale.shift(-m.tolerance_value), above = scale.shift(m.tolerance_value);
  if (estimate < below) return below - estimate;
  if (estimate > above) return estimate - above;
  return std::min(estimate - below, above - estimate);
}

std::optional<int> more_runs(const ComparedMeasurement& m, const Scale& scale, double level) {
  const std::size_t base = m.base.values.size(), candidate = m.candidate.values.size();
  const double spread = spread_within(scale.base(), scale.candidate()).value_or(0);
  const double wanted = room(m, scale);
  for (int more = 1; more <= kMostRuns; ++more) {
    const auto extra = static_cast<std::size_t>(more);
    const double half_width = expected_half_width(base + extra, candidate + extra, level, spread);
    if (half_width < wanted || (half_width == 0 && wanted == 0)) return more;
  }
  return {};
}

Change judge_interval(const ComparedMeasurement& m) {
  const double low = m.interval->low, high = m.interval->high, tolerance = m.tolerance_value;
  if (low >= -tolerance && high <= tolerance) return Change::kUnchanged;
  if (low <= tolerance && high >= -tolerance) return Change::kInconclusive;
  if (m.better == Better::kNeither) return Change::kRegressed;
  return (low > tolerance) == (m.better == Better::kHigher) ? Change::kImproved : Change::kRegressed;
}

// Required or not, a change is shown with its interval.
void estimate(ComparedMeasurement& m, const Scale& scale, double level) {
  m.change = scale.change(middle_difference(scale.base(), scale.candidate()));
  const auto interval = shift_between(scale.base(), scale.candidate(), level);
  if (interval) m.interval = Shift{*m.change, scale.change(interval->low), scale.change(interval->high)};
}

void decide_by_interval(ComparedMeasurement& m, const Tolerance& tolerance, double level) {
  const Scale scale(m, tolerance);
  m.tolerance = tolerance.text;
  estimate(m, scale, level);
  if (m.interval) m.verdict = judge_interval(m);
  if (m.verdict != Change::kInconclusive) return;
  m.reason = m.interval ? "the interval straddles the tolerance"
                        : fmt::format("{} and {} runs cannot tell a change from chance", m.base.values.size(),
                                      m.candidate.values.size());
  m.more_runs = more_runs(m, scale, level);
}

void decide_state(ComparedMeasurement& m) {
  const std::size_t base = m.base.missed, candidate = m.candidate.missed;
  m.change = middle_difference(m.base.values, m.candidate.values);
  if (candidate == 0) {
    m.verdict = base == 0 ? Change::kUnchanged : Change::kImproved;
  } else if (base == 0) {
    m.verdict = Change::kRegressed;
  } else {
    const bool always = base == m.base.values.size() && candidate == m.candidate.values.size();
    m.verdict = always ? Change::kUnchanged : Change::kInconclusive;
  }
  if (base + candidate > 0)
    m.reason = fmt::format("missed in {} of {} base runs and {} of {} candidate runs", base,
                           m.base.values.size(), candidate, m.candidate.values.size());
}

std::string absence(const ComparedMeasurement& m, std::size_t base_runs, std::size_t candidate_runs) {
  const auto there = [](const ComparedSide& side, std::size_t runs) {
    return fmt::format("{} of {}", side.values.size(), runs);
  };
  return fmt::format("measured in {} base runs and {} candidate runs", there(m.base, base_runs),
                     there(m.candidate, candidate_runs));
}

}  // namespace

bool is_state(const Limit& limit) {
  if (limit.equals) return true;
  if (!limit.at_most || limit.at_least) return false;
  const auto* bound = std::get_if<Quantity>(&limit.at_most->value);
  return bound != nullptr && bound->value == 0;
}

void decide(ComparedMeasurement& m, const Limit* limit, const Tolerance& tolerance, double level,
            std::size_t base_runs, std::size_t candidate_runs) {
  const bool required = limit != nullptr && !limit->informative;
  m.better = tolerance.better;
  if (m.base.values.empty() || m.candidate.values.empty()) {
    m.verdict = required ? Change::kMissing : Change::kRecorded;
    m.reason = absence(m, base_runs, candidate_runs);
    return;
  }
  if (required && is_state(*limit))
    decide_state(m);
  else
    decide_by_interval(m, tolerance, required ? level : kFalseAlarms);
  if (required && m.verdict != Change::kRegressed && m.candidate.values.size() < candidate_runs) {
    m.verdict = Change::kInconclusive;
    m.reason = absence(m, base_runs, candidate_runs);
  }
  if (required) return;
  m.verdict = Change::kRecorded;
  m.reason.clear();
  m.more_runs.reset();
}

}  // namespace rigproof::compare
