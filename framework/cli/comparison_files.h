#pragma once

#include <filesystem>
#include <vector>

#include "framework/compare/comparison.h"
#include "framework/judge/run_judge.h"

namespace rigproof {

// A thresholds file as a record keeps it. Throws toml::InputError.
[[nodiscard]] TextFile load_thresholds(const std::filesystem::path& path);

// For judging a record again, by this user, now.
[[nodiscard]] OtherLimits other_limits(TextFile limits);

// Reads the runs in these folders, judges all of them by the same limits and compares them. Without `limits`: those of
// the first candidate run. Throws what judge_again() and compare_runs() throw.
[[nodiscard]] Comparison compare_folders(const std::vector<std::string>& base,
                                         const std::vector<std::string>& candidate,
                                         std::optional<TextFile> limits, int looks = 1);

// Writes comparison.json, comparison.md, comparison.txt and comparison.html into `directory`, each in one step, and
// returns their paths.
std::vector<std::filesystem::path> write_comparison(const Comparison& comparison,
                                                    const std::filesystem::path& directory);

}  // namespace rigproof
