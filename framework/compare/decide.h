#pragma once

#include "framework/compare/comparison.h"

namespace rigproof::compare {

// Fills in the change, its interval, the verdict and its reason from the values of both sides. `limit` is nullptr for
// what no limit judges; `tolerance` is its own; `level` is the share of false alarms that this measurement may have; `runs` are how many
// there were on each side.
void decide(ComparedMeasurement& measurement, const Limit* limit, const Tolerance& tolerance, double level,
            std::size_t base_runs, std::size_t candidate_runs);

// Whether its limit makes a measurement a state: equal or not, nothing between.
[[nodiscard]] bool is_state(const Limit& limit);

}  // namespace rigproof::compare
