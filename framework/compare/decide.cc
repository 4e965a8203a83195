#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/compare/comparison.h"

namespace rigproof::compare {
namespace {

constexpr int kMostMoreRuns = 1000;

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

// Scale on which a change is a shift. If the tolerance is a part of the base: logarithms, so that a shift is a ratio.
// If a value is not positive, the part is taken of the base's median instead.
class Scale {
 public:
  Scale(ComparedMeasurement& m, const Tolerance& tolerance)
      : ratios_(is_part_of_base(m, tolerance) && all_positive(m)) {
    m.relative = ratios_;
    m.tolerance_value = tolerance.value * unit_of(m, tolerance);
    base_ = ratios_ ? logarithms(m.base.values) : m.base.values;
    candidate_ = ratios_ ? logarithms(m.candidate.values) : m.candidate.values;
  }
  [[nodiscard]] const std::vector<double>& base() const { return base_; }
  [[nodiscard]] const std::vector<double>& candidate() const { return candidate_; }
  [[nodiscard]] double change(double shift) const { return ratios_ ? std::expm1(shift) : shift; }
  [[nodiscard]] double shift(double change) const { return ratios_ ? std::log1p(change) : change; }

 private:
  static bool is_part_of_base(const ComparedMeasurement& m, const Tolerance& tolerance) {
    return tolerance.relative || (tolerance.of_limit && m.at_most.value_or(0) <= 0);
  }
  // The value that the tolerance's number multiplies.
  [[nodiscard]] double unit_of(const ComparedMeasurement& m, const Tolerance& tolerance) const {
    if (ratios_) return 1;
    if (is_part_of_base(m, tolerance)) return std::abs(median_of(m.base.values));
    return tolerance.of_limit ? *m.at_most : 1;
  }

  bool ratios_;
  std::vector<double> base_, candidate_;
};

bool matters_downwards(const ComparedMeasurement& m) { return m.better != Better::kLower; }
bool matters_upwards(const ComparedMeasurement& m) { return m.better != Better::kHigher; }

// Largest distance from the estimate to an interval end that still decides.
double room(const ComparedMeasurement& m, const Scale& scale) {
  const double estimate = scale.shift(*m.change);
  const double below = scale.shift(-m.tolerance_value), above = scale.shift(m.tolerance_value);
  if (estimate < below || estimate > above) return std::abs(estimate);
  double room = std::numeric_limits<double>::infinity();
  if (matters_downwards(m)) room = std::min(room, estimate - below);
  if (matters_upwards(m)) room = std::min(room, above - estimate);
  return room;
}

std::optional<int> more_runs(const ComparedMeasurement& m, const Scale& scale, double level) {
  const std::size_t base = m.base.values.size(), candidate = m.candidate.values.size();
  const double spread = spread_within(scale.base(), scale.candidate()).value_or(0);
  const double wanted = room(m, scale);
  const auto enough = [&](int more) {
    const auto extra = static_cast<std::size_t>(more);
    const double half_width = expected_half_width(base + extra, candidate + extra, 2 * level, spread);
    return half_width < wanted || (half_width == 0 && wanted == 0);
  };
  // More runs make the interval narrower: bisect.
  int too_few = 0, most = kMostMoreRuns;
  if (!enough(most)) return {};
  while (most - too_few > 1) {
    const int middle = (too_few + most) / 2;
    (enough(middle) ? most : too_few) = middle;
  }
  return most;
}

// The interval with the error probability `level` at each end.
std::optional<Shift> interval_at(const ComparedMeasurement& m, const Scale& scale, double level) {
  const auto interval = shift_between(scale.base(), scale.candidate(), 2 * level);
  if (!interval) return {};
  return Shift{*m.change, scale.change(interval->low), scale.change(interval->high)};
}

bool is_no_chance(const std::optional<Shift>& interval) {
  return interval && (interval->low > 0 || interval->high < 0);
}

bool is_within(const ComparedMeasurement& m, const std::optional<Shift>& interval) {
  return interval && (!matters_downwards(m) || interval->low >= -m.tolerance_value) &&
         (!matters_upwards(m) || interval->high <= m.tolerance_value);
}

Change judge_change(const ComparedMeasurement& m, const std::optional<Shift>& near) {
  if (is_no_chance(m.interval) && std::abs(*m.change) > m.tolerance_value) {
    if (m.better == Better::kNeither) return Change::kRegressed;
    return (*m.change > 0) == (m.better == Better::kHigher) ? Change::kImproved : Change::kRegressed;
  }
  return is_within(m, near) ? Change::kUnchanged : Change::kInconclusive;
}

void decide_by_interval(ComparedMeasurement& m, const Tolerance& tolerance, const Levels& levels) {
  const Scale scale(m, tolerance);
  m.tolerance = tolerance.text;
  m.change = scale.change(middle_difference(scale.base(), scale.candidate()));
  // If neither direction is better, chance can raise an alarm in both.
  const double level = m.better == Better::kNeither ? levels.change / 2 : levels.change;
  m.interval = interval_at(m, scale, level);
  m.verdict = judge_change(m, interval_at(m, scale, levels.unchanged));
  if (m.verdict != Change::kInconclusive) return;
  m.reason = m.interval ? "the interval straddles the tolerance"
                        : fmt::format("{} and {} runs cannot distinguish a change from chance",
                                      m.base.values.size(), m.candidate.values.size());
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

Levels levels_of(std::size_t figures, Look look) {
  const double spent = kFalseAlarms * look.share();
  return {.change = spent / static_cast<double>(std::max<std::size_t>(figures, 1)), .unchanged = spent};
}

bool is_state(const Limit& limit) {
  if (limit.equals || limit.rule) return true;
  if (!limit.at_most || limit.at_least) return false;
  const auto* bound = std::get_if<Quantity>(&limit.at_most->value);
  return bound != nullptr && bound->value == 0;
}

bool is_sparse(const ComparedMeasurement& m, std::size_t base_runs, std::size_t candidate_runs) {
  return m.optional && (m.base.values.size() < base_runs || m.candidate.values.size() < candidate_runs);
}

void decide(ComparedMeasurement& m, const Rule& rule) {
  const bool required = rule.limit != nullptr && rule.limit->is_required();
  const bool sparse = is_sparse(m, rule.base_runs, rule.candidate_runs);
  m.better = rule.tolerance.better;
  if (m.base.values.empty() || m.candidate.values.empty()) {
    m.verdict = required && !sparse ? Change::kMissing : Change::kRecorded;
    m.reason = absence(m, rule.base_runs, rule.candidate_runs);
    return;
  }
  const bool state = required && is_state(*rule.limit), headline = rule.headline && !sparse;
  if (state)
    decide_state(m);
  else
    decide_by_interval(m, rule.tolerance, headline ? rule.levels : Levels());
  const bool worse = m.verdict == Change::kRegressed;
  if (required && !sparse && !worse && m.candidate.values.size() < rule.candidate_runs) {
    m.verdict = Change::kInconclusive;
    m.reason = absence(m, rule.base_runs, rule.candidate_runs);
    return;
  }
  if (headline || (state && (worse || !sparse))) return;
  m.verdict = Change::kRecorded;
  m.reason = sparse ? absence(m, rule.base_runs, rule.candidate_runs) : "";
  m.more_runs.reset();
}

}  // namespace rigproof::compare
