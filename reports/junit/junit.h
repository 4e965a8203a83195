#pragma once

#include <iosfwd>

#include "framework/judge/judged_run.h"

namespace rigproof::junit {

enum class JunitProfile {
  kDefault,  // with testcase properties: one per measurement
  kStrict,   // without them: validates against Jenkins xunit's junit-10.xsd
};

// Writes a run as JUnit XML. Flat: one <testsuite> per suite, one <testcase> per planned case with exactly one verdict element:
//   - failed: <failure type="limit"> with every missed limit (type="assertion" if only assertions failed)
//   - error: <error type="crash|deadline|lost-peer|unfinished|not-run|...">
//   - not proven: <skipped>
//   - waived: none, but property "waiver" and a line WAIVED in system-out (the strict profile has only the line)
//   - passed: none; property "marginal" and a line MARGINAL if a value lies in a marginal band
// Faults of the run itself (problems, a suite that did not complete, a run that has not ended, no passed case) are errored
// testcases of a suite "rigproof", so that the file never looks greener than the exit code. Linear in the number of cases. The
// XML is well-formed whatever bytes the record contains.
void write_junit(const judge::JudgedRun& run, std::ostream& out,
                 JunitProfile profile = JunitProfile::kDefault);

}  // namespace rigproof::junit
