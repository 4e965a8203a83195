#pragma once

#include <filesystem>
#include <vector>

#include "framework/compare/comparison.h"
#include "framework/judge/run_judge.h"

namespace rigproof::cli {

// For judging a record again, by this user, now.
[[nodiscard]] judge::OtherLimits other_limits(std::vector<record::TextFile> limits);

// Reads the runs in these folders, judges all of them by the same limits and compares them. Without `limits`: those of
// the first candidate run. Throws what judge_again() and compare_runs() throw.
[[nodiscard]] compare::Comparison compare_folders(const std::vector<std::string>& base,
                                                  const std::vector<std::string>& candidate,
                                                  std::vector<record::TextFile> limits = {},
                                                  compare::Look look = {});

// Writes comparison.json, comparison.md, comparison.txt and comparison.html into `directory`, each in one step, and
// returns their paths.
std::vector<std::filesystem::path> write_comparison(const compare::Comparison& comparison,
                                                    const std::filesystem::path& directory);

}  // namespace rigproof::cli
