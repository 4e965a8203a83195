#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/limits/limit_table.h"
#include "framework/ranks/rank_group.h"
#include "framework/rig/rig.h"
#include "framework/runner/suite_journal.h"
#include "framework/runner/suite_options.h"

namespace rigproof {

// What a suite runs on, by rank 0: rig and limits are those of the run's journal, where it has one.
struct SuiteInputs {
  Rig rig = {};
  std::optional<LimitTable> limits = {};  // on rank 0
  std::vector<std::string> skipped = {};  // on rank 0
  std::unique_ptr<SuiteJournal> journal;  // writes on rank 0 only
  std::string error = {};                 // the same on every rank; not empty: there is nothing to run
};

// Collective.
[[nodiscard]] SuiteInputs read_inputs(RankGroup& ranks, const SuiteOptions& options);

}  // namespace rigproof
