#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/judge/judged_run.h"

namespace rigproof::judge {

// Id of the finding that a case was slow while other pairs ran. Value: result beside them / result alone.
inline constexpr std::string_view kBesidePairs = "pairs.beside";

// Attempts of this iteration that were too slow while other pairs ran. An attempt alone replaces them.
[[nodiscard]] std::vector<Attempt> attempts_beside(const JudgedCase& test, int iteration);

// For an attempt that was sound alone, adds a finding kBesidePairs for each rate that missed its limit in
// `beside`. If no rate did, adds one for each share and time instead. The value is the mean beside other
// pairs divided by the mean alone; the limit of that id judges it. The reason names both values and the other
// pairs. Without such a limit the verdict is kAdvice. It is kAdvice, too, if all CPUs under an emulated rig
// were busy: then the host was the bottleneck. Sets the attempt's status again. Attempts need their
// measurements.
void add_findings_beside(Attempt& alone, const std::vector<Attempt>& beside, const JudgedCase& test,
                         const JudgeContext& context);

}  // namespace rigproof::judge
