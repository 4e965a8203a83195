#pragma once

#include <string>
#include <vector>

#include "framework/judge/judged_run.h"

namespace rigproof::text {

// "NOT QUALIFIED: rig model-rig (model), profile smoke: 14 cases: 12 passed, 1 failed, 1 not proven", and
// what under test was a stand-in: no report of one may pass for a rig's; and that it was judged again. One clean line.
[[nodiscard]] std::string verdict_line(const judge::JudgedRun& run);

// "QUALIFIED", "QUALIFIED, 2 waived": a green verdict counts the cases that are green by a waiver alone.
[[nodiscard]] std::string verdict_words(const judge::JudgedRun& run);

// "only suites host, tcp, only cases that match A.*": what makes the run a part; empty of a whole one.
[[nodiscard]] std::string part_text(const judge::JudgedRun& run);

// "Judged again at 2026-11-21T09:00:00.000Z by limits.toml: the samples are those of run ..., taken from
// 2026-11-20T18:15:02.123Z on"; empty of a record that measured itself. One clean line.
[[nodiscard]] std::string judged_again_text(const judge::JudgedRun& run);

// "2 limits weakened by a later thresholds file", or empty.
[[nodiscard]] std::string weakened_text(const judge::JudgedRun& run);

// The programs that took part, by the build that they are of: "0.1.0 (commit 4e5f60718293): rigproof,
// rigproof-suite-tcp". One clean line.
[[nodiscard]] std::string programs_text(const record::RunStarted& start);

// "3 limits do not apply on this rig", or empty.
[[nodiscard]] std::string not_applicable_text(const judge::JudgedRun& run);

// Each waiver that waives nothing: it has ended, lasts too long, or names no case of a whole run that has ended.
// "thresholds.toml:12: the waiver ended on 2026-11-01: it waives nothing". Clean lines.
[[nodiscard]] std::vector<std::string> idle_waivers(const judge::JudgedRun& run);

// How many cases came to what.
struct Totals {
  int cases = 0, recorded = 0, passed = 0, waived = 0, not_proven = 0, failed = 0, errors = 0;
};

[[nodiscard]] Totals totals_of(const judge::JudgedSuite& suite);
[[nodiscard]] Totals totals_of(const judge::JudgedRun& run);

// Where a run's time went: all of it, and the part in which any job was measuring; the rest is overhead.
struct TimeSpent {
  double total_s = 0, measuring_s = 0;
};
[[nodiscard]] TimeSpent time_spent(const judge::JudgedRun& run);

// "34.2 s: 20.1 s measuring, 14.1 s overhead".
[[nodiscard]] std::string time_text(const judge::JudgedRun& run);

}  // namespace rigproof::text
