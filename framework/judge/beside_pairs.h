#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/judge/judged_run.h"

namespace rigproof::judge {

// The finding about a case that was too slow beside other pairs: its value there, as a part of its value alone.
inline constexpr std::string_view kBesidePairs = "pairs.beside";

// The attempts that one alone replaces: of the same iteration, too slow while other pairs ran.
[[nodiscard]] std::vector<Attempt> attempts_beside(const JudgedCase& test, int iteration);

// Adds to an attempt that was sound alone a finding kBesidePairs for each rate that missed its limit in `beside`, or, where no
// rate did, for each share and time: the part of the value alone, by the limit of that id, with both values and the other
// pairs in its reason; without such a limit it is advice. Sets the attempt's status anew. Where an emulated rig's CPUs were
// all busy beside the other pairs, the rig under test is not what held them back, and a miss is advice, too.
// All attempts have their measurements.
void add_findings_beside(Attempt& alone, const std::vector<Attempt>& beside, const JudgedCase& test,
                         const JudgeContext& context);

}  // namespace rigproof::judge
