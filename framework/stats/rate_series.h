#pragma once

#include <chrono>
#include <concepts>
#include <span>
#include <string>
#include <vector>

#include "framework/stats/samples.h"

namespace rigproof::inline stats {

// When one end of a load measures, from a common start: `warm_up` is left out, then `window` is cut into `intervals`
// equal ones, each giving a sample; traffic goes on for `cool_down`, so that streams that began later are not
// measured against silence.
struct LoadWindow {
  std::chrono::nanoseconds warm_up;
  std::chrono::nanoseconds window;
  int intervals;
  std::chrono::nanoseconds cool_down = std::chrono::milliseconds(100);
};

// What a load carries in its window, counted where it arrives and handed through to the record: a rate per interval, which
// the rate's limit judges, and how long its traffic stood still meanwhile, which a median of the rates does not show.
//
// It counts lumps: what had arrived at a look, or a completion of a message or more. The bytes of a lump count evenly over
// the time since the lump before it, or since the origin, so that a lump counts neither twice nor half where an interval
// ends, and one that comes late makes no interval look faster than the wire. Time after the last lump carried nothing.
class RateSeries {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Of nothing yet.
  RateSeries(const LoadWindow& window, Time origin);

  // Lumps in the order of their time, also those before and after the window; of no bytes when nothing came.
  void add(DataSize size, Time when);
  // Leaves out what is behind this time: only whole intervals before it are left.
  void cut(Time end);
  // The first intervals alone.
  [[nodiscard]] RateSeries first(std::size_t intervals) const;

  [[nodiscard]] SampleSet intervals() const;  // a rate of each
  // Those from the one that holds `from` on, up to the one that holds `to`, without it.
  [[nodiscard]] SampleSet between(Time from, Time to) const;
  // The longest time in which no step of some 10 ms carried a tenth of the median step, or of the mean one where that is
  // more: in most steps traffic may stand still. All steps together where nothing moved at all.
  [[nodiscard]] std::chrono::duration<double> longest_gap() const;
  [[nodiscard]] double median() const;  // bit/s; 0 without an interval
  [[nodiscard]] Time begin() const { return begin_; }
  [[nodiscard]] Time end() const { return end_; }

  // Of one of several paths that a load takes at once: its name, and what it may carry. The paths share the load in this
  // proportion.
  std::string path = {};
  DataRate may_carry = DataRate::bits_per_second(0);

 private:
  friend RateSeries sum_of(std::span<const RateSeries> parts);
  void add(const RateSeries& part);
  [[nodiscard]] Time begin_of(std::size_t step) const { return begin_ + length_ * static_cast<int>(step); }
  [[nodiscard]] Time::duration interval() const { return length_ * static_cast<int>(steps_); }

  Time begin_, end_;
  std::size_t steps_;  // of an interval
  Time::duration length_;
  Time last_;                  // lump
  std::vector<double> bytes_;  // of each step
};

// What blocks of the same work carried: a rate per block, and what each took.
struct BlockRates {
  Samples<DataRate> rates;
  Samples<std::chrono::duration<double>> times;

  [[nodiscard]] SampleSet intervals() const { return rates.set(); }
  // The slowest stood still for at least as long as it took more than the fastest.
  [[nodiscard]] std::chrono::duration<double> longest_gap() const;
};

// A rate that lasts, as one of the two has it.
template <class Rates>
concept SustainedRate = requires(const Rates& rates) {
  { rates.intervals() } -> std::same_as<SampleSet>;
  rates.longest_gap();
};

// What all parts of one load carried together. Throws std::invalid_argument of none, or when they are of different
// intervals.
[[nodiscard]] RateSeries sum_of(std::span<const RateSeries> parts);

// In bit/s; 0 without an interval.
[[nodiscard]] double median_of(const SampleSet& intervals);
// Each rate as a part of this one, in bit/s. All 0 where it is.
[[nodiscard]] SampleSet parts_of(const SampleSet& intervals, double rate);
// Of the median one: the least of them is the worst interval.
[[nodiscard]] SampleSet of_median(const SampleSet& intervals);

// What each path carried (its median interval) against its part of what all did: 1 where they share in proportion of
// what they may carry, 0 for a dead path. Nothing where no path carried anything.
[[nodiscard]] std::vector<double> shares_of(std::span<const RateSeries> paths);

}  // namespace rigproof::inline stats
