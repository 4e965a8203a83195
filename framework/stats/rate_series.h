#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/stats/samples.h"

namespace rigproof::inline stats {

// A rate over a window, as a load reports it: a sample per interval, which the rate's limit judges, and how long its traffic
// stood still meanwhile, which a median of the samples does not show.
struct RateSeries {
  Samples<DataRate> intervals = {};
  std::chrono::duration<double> longest_gap{0};

  // Each interval as a part of the median one: the least of them is the worst interval. All 0 where the median is.
  [[nodiscard]] SampleSet of_median() const;
};

// The longest time in which no step carried a tenth of the median step, or of the mean one where that is more: in most steps
// traffic may stand still. All steps together where nothing moved at all. `steps` are of one length, in order.
[[nodiscard]] std::chrono::duration<double> longest_gap(std::span<const double> steps,
                                                        std::chrono::duration<double> step);

// What blocks of the same work took: the slowest stood still for at least as long as it took more than the fastest.
[[nodiscard]] std::chrono::duration<double> longest_gap(
    const Samples<std::chrono::duration<double>>& of_blocks);

// One of several paths that a load takes at once. `rate` is what the path may carry: the paths share the load in this
// proportion.
struct PathRate {
  std::string name;
  DataRate rate;
  RateSeries carried;
};

// The sums of samples of the same intervals: what several paths carried together. Throws std::invalid_argument when they are
// not of one length.
[[nodiscard]] Samples<DataRate> sum_of(std::span<const PathRate> paths);

// What each path carried (its median interval) against its part of what all did: 1 where they share in proportion of
// their rates, 0 for a dead path. Nothing where no path carried anything.
[[nodiscard]] std::vector<double> shares_of(std::span<const PathRate> paths);

}  // namespace rigproof::inline stats
