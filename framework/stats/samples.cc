#include "framework/stats/samples.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>

#include "framework/units/printable.h"

namespace rigproof::inline stats {
namespace {

constexpr std::array<std::pair<Statistic, std::string_view>, 7> kNames = {{
    {Statistic::kMin, "min"},
    {Statistic::kMedian, "median"},
    {Statistic::kMean, "mean"},
    {Statistic::kP90, "p90"},
    {Statistic::kP99, "p99"},
    {Statistic::kP999, "p999"},
    {Statistic::kMax, "max"},
}};

double nth_smallest(std::vector<double>& values, std::size_t rank) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double median(std::vector<double> values) {
  const double upper = nth_smallest(values, values.size() / 2);
  if (values.size() % 2 == 1) return upper;
  return std::midpoint(nth_smallest(values, values.size() / 2 - 1), upper);
}

// Uses integer thousandths, because 0.99 * n in doubles can select the wrong rank.
double nearest_rank(std::vector<double> values, std::size_t permille) {
  const std::size_t rank = (values.size() * permille + 999) / 1000;
  return nth_smallest(values, rank - 1);
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::string_view name(Statistic statistic) { return kNames.at(static_cast<std::size_t>(statistic)).second; }

Statistic parse_statistic(std::string_view text) {
  const auto found = std::ranges::find(kNames, text, &decltype(kNames)::value_type::second);
  if (found != kNames.end()) return found->first;
  throw std::invalid_argument(fmt::format("unknown statistic {} (known: {})", in_quotes(text),
                                          fmt::join(kNames | std::views::values, ", ")));
}

double evaluate(Statistic statistic, std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("no samples to evaluate");
  if (std::ranges::any_of(values, [](double value) { return std::isnan(value); })) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto copy = [&] { return std::vector<double>(values.begin(), values.end()); };
  switch (statistic) {
    case Statistic::kMin:
      return std::ranges::min(values);
    case Statistic::kMedian:
      return median(copy());
    case Statistic::kMean:
      return mean(values);
    case Statistic::kP90:
      return nearest_rank(copy(), 900);
    case Statistic::kP99:
      return nearest_rank(copy(), 990);
    case Statistic::kP999:
      return nearest_rank(copy(), 999);
    case Statistic::kMax:
      return std::ranges::max(values);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

ShareInterval share_interval(double hits, double trials, double alpha) {
  if (trials <= 0) return {};
  hits = std::clamp(hits, 0.0, trials);
  const auto quantile = [](double a, double b, double p) {
    return boost::math::quantile(boost::math::beta_distribution<>(a, b), p);
  };
  ShareInterval interval;
  if (hits > 0) interval.low = quantile(hits, trials - hits + 1, alpha / 2);
  if (hits < trials) interval.high = quantile(hits + 1, trials - hits, 1 - alpha / 2);
  return interval;
}

}  // namespace rigproof::inline stats
