#pragma once

#include <iosfwd>

#include "framework/judge/judged_run.h"

namespace rigproof::ocp {

// Writes a run as OCP Test & Validation 2.0 output, one JSON object per line. Each attempt at a case is a test step; a case
// that never ran is a step with an error. A measurement has its limit's bounds as validators, in base units, and n, spread
// and margin as metadata; a time series (see suites/README.md) is also a measurement series. The run ends with COMPLETE PASS
// (qualified), COMPLETE FAIL (a limit missed), SKIP NOT_APPLICABLE (not proven) or ERROR NOT_APPLICABLE. A waived case's
// diagnosis is PASS with the verdict "waived", and a warning with the reason.
void write_ocp(const judge::JudgedRun& run, std::ostream& out);

}  // namespace rigproof::ocp
