#include "framework/stats/rate_series.h"

#include <algorithm>
#include <stdexcept>

namespace rigproof::inline stats {
namespace {

// Far below what a disturbed step carries, far above what a step does in which traffic ends or begins again.
constexpr double kStandsStill = 0.1;

double median_of(const RateSeries& series) {
  return series.intervals.empty() ? 0 : evaluate(Statistic::kMedian, series.intervals.set().values);
}

}  // namespace

SampleSet RateSeries::of_median() const {
  const double median = median_of(*this);
  SampleSet parts{Dimension::kRatio, {}};
  for (const DataRate& rate : intervals.values())
    parts.values.push_back(median > 0 ? rate.bits_per_second() / median : 0);
  return parts;
}

std::chrono::duration<double> longest_gap(std::span<const double> steps, std::chrono::duration<double> step) {
  if (steps.empty()) return {};
  const double usual = std::max(evaluate(Statistic::kMedian, steps), evaluate(Statistic::kMean, steps));
  std::size_t longest = 0, now = 0;
  for (const double carried : steps) {
    now = carried < kStandsStill * usual || usual <= 0 ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  return static_cast<double>(longest) * step;
}

std::chrono::duration<double> longest_gap(const Samples<std::chrono::duration<double>>& of_blocks) {
  if (of_blocks.empty()) return {};
  const auto [fastest, slowest] = std::ranges::minmax(of_blocks.values());
  return slowest - fastest;
}

Samples<DataRate> sum_of(std::span<const PathRate> paths) {
  if (paths.empty()) return {};
  const auto first = paths[0].carried.intervals.values();
  std::vector<DataRate> sums(first.begin(), first.end());
  for (const PathRate& path : paths.subspan(1)) {
    const auto more = path.carried.intervals.values();
    if (more.size() != sums.size()) throw std::invalid_argument("a sum of samples of different intervals");
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = sums[i] + more[i];
  }
  return Samples<DataRate>(std::move(sums));
}

std::vector<double> shares_of(std::span<const PathRate> paths) {
  double carried = 0, may_carry = 0;
  for (const PathRate& path : paths) {
    carried += median_of(path.carried);
    may_carry += path.rate.bits_per_second();
  }
  std::vector<double> shares;
  if (carried <= 0 || may_carry <= 0) return shares;
  for (const PathRate& path : paths)
    shares.push_back(median_of(path.carried) / carried * may_carry / path.rate.bits_per_second());
  return shares;
}

}  // namespace rigproof::inline stats
