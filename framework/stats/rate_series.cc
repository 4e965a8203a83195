#include "framework/stats/rate_series.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace rigproof::inline stats {
namespace {

using Seconds = std::chrono::duration<double>;

// Short enough that a step in a stall carries nearly nothing, long enough for a packet on the slowest rig.
constexpr std::chrono::milliseconds kStep{10};
// Far below a disturbed step, far above a step in which traffic stops or starts.
constexpr double kStandsStill = 0.1;

std::size_t steps_in(RateSeries::Time::duration interval) {
  return static_cast<std::size_t>(std::max<RateSeries::Time::rep>(1, interval / kStep));
}

}  // namespace

RateSeries::RateSeries(const LoadWindow& window, Time origin)
    : begin_(origin + window.warm_up),
      end_(begin_ + window.window),
      steps_(steps_in(window.window / window.intervals)),
      length_(window.window / window.intervals / steps_),
      last_(origin),
      bytes_(static_cast<std::size_t>(window.intervals) * steps_) {}

void RateSeries::add(DataSize size, Time when) {
  const Seconds time = std::max<Time::duration>(when - last_, std::chrono::nanoseconds(1));
  const auto from = when - std::chrono::duration_cast<Time::duration>(time);
  last_ = when;
  auto step = static_cast<std::size_t>(std::max(from - begin_, Time::duration::zero()) / length_);
  for (; step < bytes_.size() && begin_of(step) < when; ++step) {
    const Seconds inside = std::min(when, begin_of(step + 1)) - std::max(from, begin_of(step));
    if (inside.count() > 0) bytes_[step] += static_cast<double>(size.bytes()) * (inside / time);
  }
}

void RateSeries::add(const RateSeries& part) {
  if (part.bytes_.size() != bytes_.size() || part.steps_ != steps_ || part.length_ != length_)
    throw std::invalid_argument("a sum of samples of different intervals");
  for (std::size_t step = 0; step < bytes_.size(); ++step) bytes_[step] += part.bytes_[step];
}

RateSeries sum_of(std::span<const RateSeries> parts) {
  if (parts.empty()) throw std::invalid_argument("a sum of no samples");
  RateSeries sum = parts.front();
  for (const RateSeries& part : parts.subspan(1)) sum.add(part);
  return sum;
}

void RateSeries::cut(Time end) {
  const auto whole = static_cast<std::size_t>(std::max(end - begin_, Time::duration::zero()) / interval());
  bytes_.resize(std::min(bytes_.size(), whole * steps_));
  end_ = std::min(end_, end);
}

RateSeries RateSeries::first(std::size_t intervals) const {
  RateSeries part = *this;
  part.cut(begin_of(intervals * steps_));
  return part;
}

SampleSet RateSeries::intervals() const {
  SampleSet rates{Dimension::kDataRate, {}};
  const double seconds = Seconds(length_).count() * static_cast<double>(steps_);
  for (std::span<const double> rest = bytes_; !rest.empty(); rest = rest.subspan(steps_)) {
    const auto interval = rest.first(steps_);
    rates.values.push_back(std::accumulate(interval.begin(), interval.end(), 0.0) * 8 / seconds);
  }
  return rates;
}

SampleSet RateSeries::between(Time from, Time to) const {
  const SampleSet all = intervals();
  const auto at = [&](Time time) {
    const auto index = std::max(time - begin_, Time::duration::zero()) / interval();
    return all.values.begin() + std::min<std::ptrdiff_t>(index, std::ssize(all.values));
  };
  return {all.dimension, {at(from), std::max(at(from), at(to))}};
}

Seconds RateSeries::longest_gap() const {
  if (bytes_.empty()) return {};
  const double usual = std::max(evaluate(Statistic::kMedian, bytes_), evaluate(Statistic::kMean, bytes_));
  std::size_t longest = 0, now = 0;
  for (const double carried : bytes_) {
    now = carried < kStandsStill * usual || usual <= 0 ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  return static_cast<double>(longest) * Seconds(length_);
}

double RateSeries::median() const { return median_of(intervals()); }

Seconds BlockRates::longest_gap() const {
  if (times.empty()) return {};
  const auto [fastest, slowest] = std::ranges::minmax(times.values());
  return slowest - fastest;
}

double median_of(const SampleSet& intervals) {
  return intervals.values.empty() ? 0 : evaluate(Statistic::kMedian, intervals.values);
}

SampleSet parts_of(const SampleSet& intervals, double rate) {
  SampleSet parts{Dimension::kRatio, {}};
  for (const double one : intervals.values) parts.values.push_back(rate > 0 ? one / rate : 0);
  return parts;
}

SampleSet of_median(const SampleSet& intervals) { return parts_of(intervals, median_of(intervals)); }

std::vector<double> shares_of(std::span<const RateSeries> paths) {
  double carried = 0, may_carry = 0;
  for (const RateSeries& path : paths) {
    carried += path.median();
    may_carry += path.may_carry.bits_per_second();
  }
  std::vector<double> shares;
  if (carried <= 0 || may_carry <= 0) return shares;
  for (const RateSeries& path : paths)
    shares.push_back(path.median() / carried * may_carry / path.may_carry.bits_per_second());
  return shares;
}

}  // namespace rigproof::inline stats
