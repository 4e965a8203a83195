#include "framework/stats/shift.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "framework/stats/samples.h"

namespace rigproof::inline stats {
namespace {

// Larger groups use the normal approximation, which is then as exact as a table of doubles.
constexpr std::size_t kExactUpTo = 50;

// P(U = u) for groups of `from` and `to` values, by recurrence over the group that has the largest value.
std::vector<double> distribution_of_u(std::size_t from, std::size_t to) {
  std::vector<std::vector<double>> row(to + 1, {1.0});  // first group empty
  for (std::size_t a = 1; a <= from; ++a) {
    row[0] = {1.0};
    for (std::size_t b = 1; b <= to; ++b) {
      std::vector<double> next(a * b + 1, 0.0);
      const double total = static_cast<double>(a + b);
      for (std::size_t u = 0; u < row[b].size(); ++u)
        next[u + b] += row[b][u] * static_cast<double>(a) / total;
      for (std::size_t u = 0; u < row[b - 1].size(); ++u)
        next[u] += row[b - 1][u] * static_cast<double>(b) / total;
      row[b] = std::move(next);
    }
  }
  return row[to];
}

std::size_t exact_rank(std::size_t from, std::size_t to, double alpha) {
  double below = 0;
  std::size_t rank = 0;
  for (const double probability : distribution_of_u(from, to)) {
    below += probability;
    if (below > alpha / 2) break;
    ++rank;
  }
  return rank;
}

std::size_t approximate_rank(std::size_t from, std::size_t to, double alpha) {
  const double pairs = static_cast<double>(from) * static_cast<double>(to);
  const double deviation = std::sqrt(pairs * static_cast<double>(from + to + 1) / 12);
  const double z = boost::math::quantile(boost::math::complement(boost::math::normal(), alpha / 2));
  return static_cast<std::size_t>(std::max(0.0, std::floor(pairs / 2 - z * deviation)));
}

// The interval is from the rank-th smallest to the rank-th largest difference; 0: no interval.
std::size_t rank_of_bounds(std::size_t from, std::size_t to, double alpha) {
  if (from == 0 || to == 0) return 0;
  return std::max(from, to) <= kExactUpTo ? exact_rank(from, to, alpha) : approximate_rank(from, to, alpha);
}

std::vector<double> sorted_differences(std::span<const double> from, std::span<const double> to) {
  std::vector<double> differences;
  differences.reserve(from.size() * to.size());
  for (const double a : from)
    for (const double b : to) differences.push_back(b - a);
  std::ranges::sort(differences);
  return differences;
}

double squares_about_mean(std::span<const double> values) {
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) /
                      static_cast<double>(std::max<std::size_t>(values.size(), 1));
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [mean](double sum, double value) { return sum + (value - mean) * (value - mean); });
}

}  // namespace

// The widest interval contains all differences. It fails only if all values of one group lie on one side of
// the other group: a chance of 1 in (from + to over from) for each side.
bool has_interval(std::size_t from, std::size_t to, double alpha) {
  if (from == 0 || to == 0) return false;
  double chance = 1;
  for (std::size_t i = 1; i <= from && chance > alpha / 2; ++i)
    chance *= static_cast<double>(i) / static_cast<double>(to + i);
  return chance <= alpha / 2;
}

double middle_difference(std::span<const double> from, std::span<const double> to) {
  return evaluate(Statistic::kMedian, sorted_differences(from, to));
}

std::optional<Shift> shift_between(std::span<const double> from, std::span<const double> to, double alpha) {
  const std::size_t rank = rank_of_bounds(from.size(), to.size(), alpha);
  if (rank == 0) return {};
  const std::vector<double> differences = sorted_differences(from, to);
  return Shift{evaluate(Statistic::kMedian, differences), differences[rank - 1],
               differences[differences.size() - rank]};
}

// The Mann-Whitney interval has an efficiency of 3/pi for normal values.
double expected_half_width(std::size_t from, std::size_t to, double alpha, double spread) {
  if (!has_interval(from, to, alpha)) return std::numeric_limits<double>::infinity();
  const double z = boost::math::quantile(boost::math::complement(boost::math::normal(), alpha / 2));
  const double of_means = std::sqrt(1 / static_cast<double>(from) + 1 / static_cast<double>(to));
  return z * spread * of_means * std::sqrt(std::numbers::pi / 3);
}

std::optional<double> spread_within(std::span<const double> from, std::span<const double> to) {
  const std::size_t groups = (from.empty() ? 0U : 1U) + (to.empty() ? 0U : 1U);
  const std::size_t values = from.size() + to.size();
  if (values <= groups) return {};
  return std::sqrt((squares_about_mean(from) + squares_about_mean(to)) /
                   static_cast<double>(values - groups));
}

}  // namespace rigproof::inline stats
