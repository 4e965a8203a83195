#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "framework/limits/limit_table.h"
#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/job_plan.h"
#include "framework/supervisor/run_rig.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof::supervisor {

// Everything a run is decided by, loaded and checked while nothing of the rig has been touched.
struct RunInputs {
  Rig rig;
  std::vector<PlannedSuite> suites;  // that have cases to run
  std::vector<PlannedCount> counts;  // of their cases
  record::RunStarted start;          // the journal's first line, but for its id
  std::vector<std::string> notices =
      {};  // what this run can't prove, whatever the rig does: for the person who starts it
};

// Throws toml::InputError or Refused: also for a limit that no installed suite declares, or that is of another
// dimension than what its suite reports.
[[nodiscard]] RunInputs load_inputs(const RunOptions& options);

// Those of a run that is taken up again, by the head of its record, which `options` then says, too. Throws Refused, and
// writes nothing into the run's folder, which may be sealed.
[[nodiscard]] RunInputs load_recorded_inputs(const record::RunStarted& start, RunOptions& options);

// Thresholds files as a record keeps them. Throws toml::InputError.
[[nodiscard]] std::vector<record::TextFile> load_thresholds(const std::vector<std::filesystem::path>& paths);

// Throws Refused naming the line of a waiver that ends too long after this date ("2026-11-20").
void refuse_long_waivers(const LimitTable& limits, std::string_view date);

// Throws Refused naming the limit's line. A limit of a suite that Rigproof ships and that is not among `declared` is
// let through: the run will say that it is not built.
void check_declared(const LimitTable& limits,
                    const std::map<std::string, std::vector<record::Declared>>& declared);

// What a suite's build lacks of these limits, as one sentence; empty: nothing. Informative limits are left out.
[[nodiscard]] std::string notice_of(const record::Lacking& lacking, const LimitTable& limits);

}  // namespace rigproof::supervisor
