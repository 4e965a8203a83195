#pragma once

#include <string>
#include <vector>

#include "framework/judge/blame.h"

namespace rigproof::text {

// "node-c, sending side: 60 % of its peers'; confirmed with node-a and node-b". One clean line.
[[nodiscard]] std::string suspect_text(const judge::Suspect& suspect);

// A line for each suspect, what explains most first, and one where missed rates are left that no part explains. Empty
// when no rate between nodes was missed and no part stands out.
[[nodiscard]] std::vector<std::string> suspect_lines(const judge::Blame& blame);

}  // namespace rigproof::text
