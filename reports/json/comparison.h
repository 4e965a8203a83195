#pragma once

#include <iosfwd>

#include "framework/compare/comparison.h"

namespace rigproof::json {

// A comparison for programs: one JSON object, keys in a fixed order, every number in its base unit. Values of every run
// are in it. "format" is 1.
void write_comparison_json(const compare::Comparison& comparison, std::ostream& out);

}  // namespace rigproof::json
