#pragma once

#include <iosfwd>

#include "framework/compare/comparison.h"

namespace rigproof::forest {

// A comparison as one self-contained page: a forest plot as inline SVG, then the table that it draws. No script, nothing
// fetched, legible without colours, in light and dark and on paper. The axis counts in tolerances and points to
// "better", so that one band fits every measurement.
void write_forest(const compare::Comparison& comparison, std::ostream& out);

}  // namespace rigproof::forest
