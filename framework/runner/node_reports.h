#pragma once

#include "framework/runner/context.h"
#include "framework/runner/suite_main.h"

namespace rigproof::inline runner {

// Collective: every node's facts, and its counters that must not move, onto the record.
void record_nodes(SuiteContext& suite, const SuiteHooks& hooks);
void record_observations(SuiteContext& suite, const SuiteHooks& hooks);

}  // namespace rigproof::inline runner
