#pragma once

namespace rigproof::inline stats {

// The interval of a share of which `hits` of `trials` were seen (Clopper and Pearson): it holds the truth in at least
// 1 - `alpha` of all cases. Hits may be a fraction of one. Without trials: 0 to 1.
struct ShareInterval {
  double low = 0, high = 1;
};
[[nodiscard]] ShareInterval share_interval(double hits, double trials, double alpha);

}  // namespace rigproof::inline stats
