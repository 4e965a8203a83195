#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/record/run_record.h"

namespace rigproof {

// Writes every report of a run into `directory`, each in one step: a pure function of the record. Throws
// FileError.
void write_reports(const RunRecord& run, const std::filesystem::path& directory);

// Where they lie, the journal first.
[[nodiscard]] std::vector<std::filesystem::path> report_paths(const std::filesystem::path& directory);

}  // namespace rigproof
