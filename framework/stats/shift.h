#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace rigproof::inline stats {

// How far the values of one group lie above those of another, with nothing assumed about how they are distributed but
// that the groups differ by a shift: skewed, bimodal and heavy-tailed values are as good as any. The values of each
// group must be independent of one another: one value a run, not one a sample.
struct Shift {
  double estimate;   // Hodges-Lehmann: the median of all pairwise differences
  double low, high;  // the interval, closed
};

// The Hodges-Lehmann estimate and the Mann-Whitney interval, which holds the true shift in at least 1 - `alpha` of
// all cases (exactly, for any number of values; ties only widen it). Nothing when so few values cannot say anything
// at that level, however they lie: 3 and 3 cannot at 5 %.
[[nodiscard]] std::optional<Shift> shift_between(std::span<const double> from, std::span<const double> to,
                                                 double alpha);

// The middle of all pairwise differences alone. Neither group may be empty.
[[nodiscard]] double middle_difference(std::span<const double> from, std::span<const double> to);

// Whether groups of these sizes have an interval at this level.
[[nodiscard]] bool has_interval(std::size_t from, std::size_t to, double alpha);

// About half the width of the interval for groups of these sizes whose values scatter with standard deviation
// `spread`; infinite without an interval. For planning.
[[nodiscard]] double expected_half_width(std::size_t from, std::size_t to, double alpha, double spread);

// The standard deviation within the groups, pooled; nothing with fewer than two values in both.
[[nodiscard]] std::optional<double> spread_within(std::span<const double> from, std::span<const double> to);

}  // namespace rigproof::inline stats
