#pragma once

#include <vector>

#include "framework/compare/comparison.h"

namespace rigproof::compare {

// Every measurement of either side once, with the values of all runs, undecided, in the order of the runs; behind them,
// each with an empty id, the cases of which some run tells more than measurements: that they failed, were not proven
// or did not end. Those are decided. Throws Incomparable for a measurement in two dimensions.
[[nodiscard]] std::vector<ComparedMeasurement> gather(const std::vector<RunToCompare>& base,
                                                      const std::vector<RunToCompare>& candidate);

}  // namespace rigproof::compare
