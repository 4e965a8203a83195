#pragma once

#include <iosfwd>

#include "framework/judge/judged_run.h"

namespace rigproof::ocp {

// A run as output of OCP Test & Validation 2.0, a JSON object a line. Each attempt at a case is a test step; one
// that never ran is a step with an error. A measurement carries its limit's bounds as validators, in base units,
// and n, spread and margin as metadata; a time series (see suites/README.md) is a measurement series as well.
// The run ends COMPLETE PASS (qualified), COMPLETE FAIL (a limit missed), SKIP NOT_APPLICABLE (not proven) or
// ERROR NOT_APPLICABLE. A waived case's diagnosis is PASS with the verdict "waived", and a warning says why.
void write_ocp(const judge::JudgedRun& run, std::ostream& out);

}  // namespace rigproof::ocp
