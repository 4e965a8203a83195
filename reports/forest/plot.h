#pragma once

#include <iosfwd>

#include "framework/compare/comparison.h"

namespace rigproof {

// The plot alone: <h2>, <svg>, and a note on what it leaves out. Nothing when no measurement has a place on the axis.
void write_plot(const Comparison& comparison, std::ostream& out);

}  // namespace rigproof
