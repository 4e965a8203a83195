#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rigproof::supervisor {

// One test of a folder for ctest: a suite on a rig in one profile.
struct CtestTest {
  std::string suite, profile;
  std::vector<std::string> command;
  int timeout_s;
};

struct CtestFolder {
  std::string rig;  // its name: no two tests on it at once
  std::vector<CtestTest> tests;

  // "smoke.tcp": letters, digits and _ . - only, whatever the suite is called; unique in the folder.
  [[nodiscard]] std::vector<std::string> names() const;
};

// The suite that the others of its profile wait for.
inline constexpr const char* kFirstSuite = "preflight";

// The text of a CTestTestfile.cmake. Each test has "rig", its suite and its profile as labels, the rig as RESOURCE_LOCK, exit code
// 77 as skipped, its own working directory runs/NAME below `folder`, and, where the suite preflight is one of them, needs
// that one's success (a fixture). Whatever a word holds, ctest hands it on as it is.
[[nodiscard]] std::string ctest_file(const CtestFolder& tests, const std::filesystem::path& folder);

// Writes it to `folder`, with the working directories. Throws Refused when there is such a file already that is not
// from here (a build tree's).
void write_ctest_folder(const CtestFolder& tests, const std::filesystem::path& folder);

}  // namespace rigproof::supervisor
