#pragma once

#include <string>

#include "framework/judge/judged_run.h"
#include "reports/manifest/manifest.h"

namespace rigproof::manifest {

// The run as an in-toto statement (https://in-toto.io/Statement/v1) with the predicate test-result v0.1: its subject is the
// hash of the evidence, its configuration the rig and the limits. PASSED is a run that is qualified without a waiver,
// WARNED one with waivers or a part of a run, FAILED every other. Pure: of one record always the same text.
[[nodiscard]] std::string statement_of(const judge::JudgedRun& run, const Evidence& evidence);

}  // namespace rigproof::manifest
