#pragma once

#include "framework/compare/comparison.h"

namespace rigproof::compare {

// Shares of wrong verdicts, one-sided.
struct Levels {
  double change = kFalseAlarms;     // regressed, or improved, where nothing changed
  double unchanged = kFalseAlarms;  // unchanged, where it got worse by the tolerance
};

// Of one look at so many headline figures.
[[nodiscard]] Levels levels_of(std::size_t figures, Look look);

struct Rule {
  const Limit* limit;  // nullptr: no limit judges it
  Tolerance tolerance;
  bool headline;  // it carries the decision; else it is shown
  Levels levels;
  std::size_t base_runs, candidate_runs;  // how many there were
};
// Fills in the change, its interval, the verdict and its reason from the values of both sides.
void decide(ComparedMeasurement& measurement, const Rule& rule);

// Whether its limit makes a measurement a state: equal or not, nothing between.
[[nodiscard]] bool is_state(const Limit& limit);

}  // namespace rigproof::compare
