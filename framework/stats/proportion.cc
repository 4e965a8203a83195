#include "framework/stats/proportion.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>

namespace rigproof::inline stats {

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
