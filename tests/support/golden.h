#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

#include "tests/support/temp_folder.h"

namespace rigproof {

inline std::filesystem::path golden_folder() {
  return std::filesystem::path(RIGPROOF_SOURCE_DIR) / "tests" / "golden";
}

// The line of `text` that holds the character at `position`.
inline std::string line_at(const std::string& text, std::ptrdiff_t position) {
  const auto here = text.begin() + position;
  const auto begin = std::find(std::make_reverse_iterator(here), text.rend(), '\n').base();
  return {begin, std::find(here, text.end(), '\n')};
}

// `text` must be the approved output tests/golden/NAME. After a wanted change run the test with
// RIGPROOF_APPROVE=1, which rewrites the file, and read the difference.
inline void expect_approved(const std::string& name, const std::string& text) {
  const std::filesystem::path path = golden_folder() / name;
  if (std::getenv("RIGPROOF_APPROVE") != nullptr) write_text(path, text);
  const std::string approved = file_text(path);
  const auto [was, is] = std::ranges::mismatch(approved, text);
  EXPECT_TRUE(was == approved.end() && is == text.end())
      << path << ":" << 1 + std::count(approved.begin(), was, '\n') << " differs: approved is\n  "
      << line_at(approved, was - approved.begin()) << "\nthis is\n  " << line_at(text, is - text.begin())
      << "\nRIGPROOF_APPROVE=1 rewrites it";
}

}  // namespace rigproof
