#pragma once

#include <iosfwd>

#include "framework/judge/judged_run.h"

namespace rigproof::junit {

enum class JunitProfile {
  kDefault,  // with testcase properties: one a measurement
  kStrict,   // without them: validates against Jenkins xunit's junit-10.xsd
};

// A run as JUnit XML. Flat: one <testsuite> a suite, one <testcase> a planned case with exactly one verdict
// element:
//   - failed: <failure type="limit">, every missed limit in it (type="assertion" when only assertions failed)
//   - error: <error type="crash|deadline|lost-peer|unfinished|not-run|...">
//   - not proven: <skipped>
//   - waived: none, but property "waiver" and a line WAIVED in system-out (the strict profile has only this)
//   - passed: none; property "marginal" and a line MARGINAL where a value lies in a marginal band
// What is wrong with the run itself (problems, a suite that did not complete, a run that has not ended,
// nothing that passed) stands as errored testcases in a suite "rigproof", so the file alone never looks
// greener than the exit code. Linear in the cases. Any bytes in the record come out as well-formed XML.
void write_junit(const judge::JudgedRun& run, std::ostream& out,
                 JunitProfile profile = JunitProfile::kDefault);

}  // namespace rigproof::junit
