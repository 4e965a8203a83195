#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/ranks/rank_group.h"
#include "framework/rig/rig.h"
#include "framework/runner/suite_journal.h"
#include "framework/runner/suite_options.h"

namespace rigproof {

// What a suite runs on, by rank 0: all of it is the run's journal's, where there is one.
struct SuiteInputs {
  Rig rig = {};
  Profile profile = Profile::kStandard;
  std::filesystem::path snapshot = {};        // of a snapshot to judge, without the rig; else empty
  std::optional<JudgeContext> judging = {};  // on rank 0
  std::vector<std::string> skipped = {};  // on rank 0
  std::unique_ptr<SuiteJournal> journal;  // writes on rank 0 only
  std::string error = {};                 // the same on every rank; not empty: there is nothing to run
};

// Collective.
[[nodiscard]] SuiteInputs read_inputs(RankGroup& ranks, const SuiteOptions& options);

}  // namespace rigproof
