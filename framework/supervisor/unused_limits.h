#pragma once

#include <set>
#include <string>
#include <vector>

#include "framework/limits/limit_table.h"
#include "framework/record/run_record.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/run_cases.h"

namespace rigproof {

// How much of what is installed a run covers: which limits it owes a measurement.
struct RunScope {
  bool every_suite;                     // no --suite
  bool every_case;                      // no --gtest_filter
  std::vector<std::string> suites;      // that have cases in this run
  bool has_switch = true;               // a link of the rig goes through one
  std::vector<std::string> asked = {};  // by --suite
};

// Whether any link goes through a switch, described or not.
[[nodiscard]] bool has_switch(const Rig& rig);

// The house's suites whose limits a run of everything on this rig must meet.
[[nodiscard]] std::set<std::string> owed_suites(const LimitTable& limits, const Rig& rig);

// What a run says about required limits that no case reported, the supervisor's own (`run_cases`) included. A
// limit belongs to the suite that its id's first component names. One whose suite had errors or unproven
// cases is excused: those already stand. A rig of straight cables owes none of the suite "switch". In a run of
// everything, a limit of a suite that this build lacks, or that the rig file gives nothing to measure, makes a
// case that is not proven, and one of no suite at all is an error; in a run of some suites, the others' limits
// are not asked for, and each of these has cases or makes one that is not proven. A filtered run owes nothing.
struct UnusedLimits {
  std::vector<Problem> problems;   // "unused-limit"
  std::vector<RunCase> not_built;  // one a missing suite
};
[[nodiscard]] UnusedLimits unused_limits(const RunRecord& run, const std::vector<RunCase>& run_cases,
                                         const LimitTable& limits, const RunScope& scope);

}  // namespace rigproof
