#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/temp_folder.h"

namespace rigproof {

inline std::filesystem::path golden_folder() {
  return std::filesystem::path(RIGPROOF_SOURCE_DIR) / "tests" / "golden";
}

// `text` must be the approved output tests/golden/NAME. After a wanted change run the test with
// RIGPROOF_APPROVE=1, which rewrites the file, and read the difference.
inline void expect_approved(const std::string& name, const std::string& text) {
  const std::filesystem::path path = golden_folder() / name;
  if (std::getenv("RIGPROOF_APPROVE") != nullptr) write_text(path, text);
  EXPECT_EQ(file_text(path), text) << path << " differs; RIGPROOF_APPROVE=1 rewrites it";
}

}  // namespace rigproof
