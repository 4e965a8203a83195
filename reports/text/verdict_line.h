#pragma once

#include <string>
#include <vector>

#include "framework/judge/judged_run.h"

namespace rigproof::text {

// "NOT QUALIFIED: rig model-rig (model), profile smoke: 14 cases: 12 passed, 1 failed, 1 not proven". Also names a stand-in,
// so that its report is never taken for a real rig's, and says if the run was judged again. One clean line.
[[nodiscard]] std::string verdict_line(const judge::JudgedRun& run);

// "Emulated rig (model): this run does not speak for real hardware"; empty for hardware.
[[nodiscard]] std::string emulated_text(const judge::JudgedRun& run);

// "QUALIFIED", "QUALIFIED, 2 waived": a green verdict counts the cases that are green only by a waiver.
[[nodiscard]] std::string verdict_words(const judge::JudgedRun& run);

// "only suites host, tcp, only cases that match A.*": why the run is only a part; empty for a whole run.
[[nodiscard]] std::string part_text(const judge::JudgedRun& run);

// "Judged again at 2026-11-21T09:00:00.000Z by limits.toml: the samples are those of run ..., taken from
// 2026-11-20T18:15:02.123Z on"; empty for a record with its own samples. One clean line.
[[nodiscard]] std::string judged_again_text(const judge::JudgedRun& run);

// "2 limits weakened by a later thresholds file", or empty.
[[nodiscard]] std::string weakened_text(const judge::JudgedRun& run);

// The programs of the run, grouped by build: "0.1.0 (commit 4e5f60718293): rigproof, rigproof-suite-tcp". One clean line.
[[nodiscard]] std::string programs_text(const record::RunStarted& start);

// "3 limits do not apply on this rig", or empty.
[[nodiscard]] std::string not_applicable_text(const judge::JudgedRun& run);

// Waivers without effect: expired, too long, or without a matching case in a whole run that has ended. Clean lines:
// "thresholds.toml:12: the waiver ended on 2026-11-01: it waives nothing".
[[nodiscard]] std::vector<std::string> idle_waivers(const judge::JudgedRun& run);

// Number of cases by status.
struct Totals {
  int cases = 0, recorded = 0, passed = 0, waived = 0, not_proven = 0, failed = 0, errors = 0;
};

[[nodiscard]] Totals totals_of(const judge::JudgedSuite& suite);
[[nodiscard]] Totals totals_of(const judge::JudgedRun& run);

// Time of a run: total, and the part in which any job was measuring; the rest is overhead.
struct TimeSpent {
  double total_s = 0, measuring_s = 0;
};
[[nodiscard]] TimeSpent time_spent(const judge::JudgedRun& run);

// "34.2 s: 20.1 s measuring, 14.1 s overhead".
[[nodiscard]] std::string time_text(const judge::JudgedRun& run);

}  // namespace rigproof::text
