#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "framework/faults/fault.h"
#include "framework/limits/limit_table.h"
#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/job_plan.h"
#include "framework/supervisor/run_rig.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof::supervisor {

// All inputs of a run, loaded and checked before the rig is touched.
struct RunInputs {
  Rig rig;
  std::vector<PlannedSuite> suites;  // with cases to run
  std::vector<PlannedCount> counts;  // number of cases by suite
  record::RunStarted start;          // the journal's first line, without the run's id
  // For the user: limits that this run cannot prove, whatever the rig does.
  std::vector<std::string> notices = {};
};

// Chooses the rounds of pairs that options.sample needs, unless rounds were asked for. Without a sample in the options
// that of the limits is taken. Returns sentences for the user; none without a sample.
std::vector<std::string> choose_rounds(const Rig& rig, const LimitTable& limits, RunOptions& options);

// Throws toml::InputError or Refused; Refused also for a limit that no installed suite declares, or whose
// dimension is not its suite's.
[[nodiscard]] RunInputs load_inputs(RunOptions options);

// Inputs of a run to resume, from the first event of its record; sets `options` to match. Throws Refused.
// Writes nothing into the run's folder, which may be sealed.
[[nodiscard]] RunInputs load_recorded_inputs(const record::RunStarted& start, RunOptions& options);

// Thresholds files, or files of known faults, in the record's form. Throws toml::InputError.
[[nodiscard]] std::vector<record::TextFile> load_thresholds(const std::vector<std::filesystem::path>& paths);

// See limits/rates_for.h. Throws toml::InputError.
std::vector<std::string> refuse_rates_of_other_rigs(const std::vector<record::TextFile>& limits, Profile,
                                                    const Rig&);
// The same for the rig and the profile of a record.
void refuse_rates_of_other_rigs(const std::vector<record::TextFile>& limits, const record::RunStarted& start);

// Throws Refused naming the line of a waiver that ends too long after this date ("2026-11-20").
void refuse_long_waivers(const LimitTable& limits, std::string_view date);

// Throws toml::InputError at the id of a limit that the head of the record, which has the limits' files, does not declare,
// or declares otherwise. Accepts limits of a suite that is not built: the run reports that suite as not built.
void check_declared(const LimitTable& limits, const record::RunStarted& start);
// The same for the signs of known faults, and for what they explain.
// Faults of the file `shipped`, which comes with Rigproof, may name ids of suites that are missing.
void check_declared(const std::vector<Fault>& faults, const record::RunStarted& start,
                    const std::filesystem::path& shipped = {});

// Throws Refused, because no suite has a case that these flags select.
[[noreturn]] void refuse_without_cases(const GtestFlags& gtest);

// One sentence on required limits that the suite's build cannot prove; empty if there are none.
[[nodiscard]] std::string notice_of(const record::Lacking& lacking, const LimitTable& limits);

}  // namespace rigproof::supervisor
