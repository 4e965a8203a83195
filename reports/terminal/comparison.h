#pragma once

#include <string>

#include "framework/compare/comparison.h"

namespace rigproof {

// A comparison as a table of plain text, what is worst first, with the notes, the method and the verdict as the last
// line.
[[nodiscard]] std::string comparison_table(const Comparison& comparison);

}  // namespace rigproof
