#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rigproof::supervisor {

// One test of a ctest folder: a suite on a rig in one profile.
struct CtestTest {
  std::string suite, profile;
  std::vector<std::string> command;
  int timeout_s;
  bool is_of_facts = false;  // the others of its profile wait for it
};

struct CtestFolder {
  std::string rig;  // its name: no two of its tests run at once
  std::vector<CtestTest> tests;

  // "smoke.tcp": letters, digits and _ . - only; unique in the folder.
  [[nodiscard]] std::vector<std::string> names() const;
};

// The text of a CTestTestfile.cmake. A test has the labels "rig", suite and profile; the rig as
// RESOURCE_LOCK; exit code 77 as skipped; and its own working folder runs/NAME below `folder`. If a test of its profile
// is of facts, the others need that one's success (a fixture). ctest changes no word.
[[nodiscard]] std::string ctest_file(const CtestFolder& tests, const std::filesystem::path& folder);

// Writes the file and the working folders to `folder`. Throws Refused if a file of that name was written by
// another program (a build tree's).
void write_ctest_folder(const CtestFolder& tests, const std::filesystem::path& folder);

}  // namespace rigproof::supervisor
