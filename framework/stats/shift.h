#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace rigproof::inline stats {

// How far one group's values lie above another's. Assumes only that the groups differ by a shift: values may
// be skewed, bimodal or heavy-tailed. Values of a group must be independent: one value per run, not per
// sample.
struct Shift {
  double estimate;   // Hodges-Lehmann: the median of all pairwise differences
  double low, high;  // the closed interval
};

// The Hodges-Lehmann estimate and the Mann-Whitney interval. The interval contains the true shift in at least
// 1 - `alpha` of all cases (exact for any number of values; ties only widen it). nullopt: too few values for
// this level. Example: 3 and 3 at 5 %.
[[nodiscard]] std::optional<Shift> shift_between(std::span<const double> from, std::span<const double> to,
                                                 double alpha);

// The median of all pairwise differences. Neither group may be empty.
[[nodiscard]] double middle_difference(std::span<const double> from, std::span<const double> to);

// True if groups of these sizes have an interval at this level.
[[nodiscard]] bool has_interval(std::size_t from, std::size_t to, double alpha);

// For planning: about half the interval's width for groups of these sizes with standard deviation `spread`.
// Infinite without an interval.
[[nodiscard]] double expected_half_width(std::size_t from, std::size_t to, double alpha, double spread);

// The pooled standard deviation within the groups; nullopt with fewer than two values in both.
[[nodiscard]] std::optional<double> spread_within(std::span<const double> from, std::span<const double> to);

}  // namespace rigproof::inline stats
