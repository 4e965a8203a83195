#pragma once

#include <iosfwd>

#include "framework/compare/comparison.h"

namespace rigproof::comparison {

// Writes a comparison as one self-contained page: a forest plot as inline SVG, then its table. No script and no external
// resources; readable without colours, in light and dark, and on paper. The axis counts in tolerances and points to
// "better", so that one band fits every measurement.
void write_forest(const compare::Comparison& comparison, std::ostream& out);

// Writes a comparison for programs: one JSON object with keys in a fixed order, numbers in base units and the values of
// every run. "format" is 1.
void write_comparison_json(const compare::Comparison& comparison, std::ostream& out);

}  // namespace rigproof::comparison
