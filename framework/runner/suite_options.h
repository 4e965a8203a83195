#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/ranks/rank_group.h"

namespace rigproof::inline runner {

// Before InitGoogleTest(): what is in the environment for GoogleTest counts no more. A filter or a shard that some
// shell has exported for its unit tests, here or in the login of a node, would leave cases out, and nothing on
// record would say so.
void forget_gtest_environment();

// Collective, behind InitGoogleTest(): rank 0's GoogleTest flags on every rank, without the `skipped` cases,
// so that all run the same cases in the same order. A shuffle gets its seed here. Switches off what can't work
// with several ranks: exceptions that escape, throwing on a failure.
void share_gtest_flags(RankGroup& ranks, const std::vector<std::string>& skipped);

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A suite's own command line.
struct SuiteOptions {
  std::filesystem::path journal;  // of the run, which says rig, limits, profile and snapshot; else these do:
  std::filesystem::path rig, facts;
  std::vector<std::filesystem::path> thresholds;  // later ones override
  Profile profile = Profile::kStandard;
  std::filesystem::path skip;  // may be empty
  int launch = 1;
  bool shared_host = false;
  bool list = false, describe = false, help = false;
  std::vector<char*> rest;  // argv for GoogleTest: the program's name and its flags
};

// Throws UsageError: an unknown option, a value missing or wrong, no --rig where one is
// needed.
[[nodiscard]] SuiteOptions parse_suite_options(int argc, char** argv);

[[nodiscard]] std::string suite_usage(const std::string& program);

}  // namespace rigproof::inline runner
