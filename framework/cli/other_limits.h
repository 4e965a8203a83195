#pragma once

#include <filesystem>

#include "framework/judge/run_judge.h"

namespace rigproof {

// A thresholds file as a record keeps it. Throws toml::InputError.
[[nodiscard]] TextFile load_thresholds(const std::filesystem::path& path);

// For judging a record again, by this user, now.
[[nodiscard]] OtherLimits other_limits(TextFile limits);

}  // namespace rigproof
