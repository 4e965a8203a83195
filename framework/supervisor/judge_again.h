#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "framework/record/run_record.h"

namespace rigproof {

// A thresholds file, as a journal keeps it.
struct ThresholdsFile {
  std::string file, text;

  [[nodiscard]] static ThresholdsFile load(const std::filesystem::path& path);  // throws toml::InputError
};

// Judges the samples of the run in DIRECTORY by other limits, and returns what that run would have been with them:
// same cases, same failures, every measurement judged anew with the facts of the recorded rig, the waivers of the
// other file that are in force today, and the verdicts on the run as a whole (counters, limits that nobody reported).
// `keep`, where given, is called with every event of the second record, which is a journal of its own: its id begins with
// that of the run, its command line is the run's and this one (RUN && JUDGE). Faults of the journal remain. The first
// record is only read; what was measured stays there, and whole() judges it again.
//
// Throws JournalError as read_run() does, toml::InputError for the limits.
[[nodiscard]] RunRecord judge_again(const std::filesystem::path& directory, const ThresholdsFile& limits,
                                    const std::string& command_line,
                                    const std::function<void(const Event&)>& keep = {});

// How the run in this folder began. Throws JournalError.
[[nodiscard]] Event first_event(const std::filesystem::path& directory);

}  // namespace rigproof
