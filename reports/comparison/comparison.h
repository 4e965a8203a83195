#pragma once

#include <iosfwd>

#include "framework/compare/comparison.h"

namespace rigproof::comparison {

// A comparison as one self-contained page: a forest plot as inline SVG, then the table that it draws. No script, nothing
// fetched, legible without colours, in light and dark and on paper. The axis counts in tolerances and points to
// "better", so that one band fits every measurement.
void write_forest(const compare::Comparison& comparison, std::ostream& out);

// A comparison for programs: one JSON object, keys in a fixed order, every number in its base unit. Values of every run
// are in it. "format" is 1.
void write_comparison_json(const compare::Comparison& comparison, std::ostream& out);

}  // namespace rigproof::comparison
