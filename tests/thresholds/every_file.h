#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace rigproof {

// Every thresholds file, by name.
inline std::vector<std::filesystem::path> every_file() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(RIGPROOF_SOURCE_DIR "/thresholds"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace rigproof
