#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/limits/limit.h"

namespace rigproof {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A suite's own command line.
struct SuiteOptions {
  std::filesystem::path rig, thresholds;
  std::filesystem::path journal, skip, facts;  // may be empty
  Profile profile = Profile::kStandard;
  int launch = 1;
  bool shared_host = false;
  bool list = false, help = false;
  // Nothing of this host is the node it stands for.
  [[nodiscard]] bool alone() const { return shared_host || !facts.empty(); }
  std::vector<char*> rest;  // argv for GoogleTest: the program's name and its flags
};

// Throws UsageError: an unknown option, a value missing or wrong, no --rig where one is needed.
[[nodiscard]] SuiteOptions parse_suite_options(int argc, char** argv);

[[nodiscard]] std::string suite_usage(const std::string& program);

}  // namespace rigproof
