#pragma once

#include <chrono>
#include <concepts>
#include <span>
#include <string>
#include <vector>

#include "framework/stats/samples.h"

namespace rigproof::inline stats {

// Timing of one end of a load, from a common start. `warm_up` is not measured. `window` is divided into
// `intervals` equal parts with one sample each. Traffic goes on for `cool_down`, to load streams that began
// later.
struct LoadWindow {
  std::chrono::nanoseconds warm_up;
  std::chrono::nanoseconds window;
  int intervals;
  std::chrono::nanoseconds cool_down = std::chrono::milliseconds(100);
};

// The traffic of a load in its window, counted at the receiver: a rate per interval, which the rate's limit
// judges, and the longest gap, which a median does not show.
//
// It counts lumps: the data that one look or one completion found. A lump's bytes count evenly over the time
// since the previous lump or the origin. So no interval loses or repeats a lump at its ends, and a late lump
// makes no interval faster than the wire. Time after the last lump carried nothing.
class RateSeries {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // A series without traffic.
  RateSeries(const LoadWindow& window, Time origin);

  // Adds a lump. Call in order of time, also outside of the window, and with 0 bytes if nothing came.
  void add(DataSize size, Time when);
  // Keeps only whole intervals before this time.
  void cut(Time end);
  // Returns the first intervals.
  [[nodiscard]] RateSeries first(std::size_t intervals) const;

  [[nodiscard]] SampleSet intervals() const;  // one rate per interval
  // Intervals from the one that contains `from` up to, but without, the one that contains `to`.
  [[nodiscard]] SampleSet between(Time from, Time to) const;
  // The longest time in which no step of about 10 ms carried a tenth of the median step (of the mean step if
  // that is more). All steps together if there was no traffic.
  [[nodiscard]] std::chrono::duration<double> longest_gap() const;
  [[nodiscard]] double median() const;  // bit/s; 0 without an interval
  [[nodiscard]] Time begin() const { return begin_; }
  [[nodiscard]] Time end() const { return end_; }

  // Name and capacity of one of several parallel paths, which share the load by capacity.
  std::string path = {};
  DataRate may_carry = DataRate::bits_per_second(0);

 private:
  friend RateSeries sum_of(std::span<const RateSeries> parts);
  void add(const RateSeries& part);
  [[nodiscard]] Time begin_of(std::size_t step) const { return begin_ + length_ * static_cast<int>(step); }
  [[nodiscard]] Time::duration interval() const { return length_ * static_cast<int>(steps_); }

  Time begin_, end_;
  std::size_t steps_;  // per interval
  Time::duration length_;
  Time last_;                  // time of the last lump
  std::vector<double> bytes_;  // per step
};

// Rates and times of blocks of equal work.
struct BlockRates {
  Samples<DataRate> rates;
  Samples<std::chrono::duration<double>> times;

  [[nodiscard]] SampleSet intervals() const { return rates.set(); }
  // Lower bound: the slowest block's time minus the fastest block's.
  [[nodiscard]] std::chrono::duration<double> longest_gap() const;
};

// A sustained rate: RateSeries or BlockRates.
template <class Rates>
concept SustainedRate = requires(const Rates& rates) {
  { rates.intervals() } -> std::same_as<SampleSet>;
  rates.longest_gap();
};

// The sum of all parts of one load. Throws std::invalid_argument without parts or for different intervals.
[[nodiscard]] RateSeries sum_of(std::span<const RateSeries> parts);

// The median rate in bit/s; 0 without an interval.
[[nodiscard]] double median_of(const SampleSet& intervals);
// Each rate divided by `rate` (bit/s); all 0 if that is 0.
[[nodiscard]] SampleSet parts_of(const SampleSet& intervals, double rate);
// Each rate divided by the median rate: the smallest is the worst interval.
[[nodiscard]] SampleSet of_median(const SampleSet& intervals);

// Each path's share of the load (by median intervals), relative to its share of the capacity: 1 for a fair
// share, 0 for a dead path. Empty if no path carried anything.
[[nodiscard]] std::vector<double> shares_of(std::span<const RateSeries> paths);

}  // namespace rigproof::inline stats
