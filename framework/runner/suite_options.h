#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/channel/secret.h"
#include "framework/limits/limit.h"
#include "framework/ranks/rank_group.h"
#include "framework/rig/rig.h"

namespace rigproof::inline runner {

// Before InitGoogleTest(): what is in the environment for GoogleTest counts no more. A filter or a shard that some
// shell has exported for its unit tests, here or in the login of a node, would leave cases out, and nothing on
// record would say so.
void forget_gtest_environment();

// Collective, behind InitGoogleTest(): rank 0's GoogleTest flags on every rank, so that all run the same cases in the
// same order: of those that the filter selects, or of the `chosen` ones, those that are not `skipped`. A shuffle gets its
// seed here. Switches off what can't work with several ranks: exceptions that escape, throwing on a failure.
void share_gtest_flags(RankGroup& ranks, const std::optional<std::vector<std::string>>& chosen,
                       const std::vector<std::string>& skipped);

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A suite's own command line.
struct SuiteOptions {
  std::string report_to;                 // the supervisor's address, see framework/channel/; else
  std::optional<channel::Key> key = {};  // of the launch, with report_to
  std::filesystem::path journal;  // of the run, which says rig, limits, profile and snapshot; else these do:
  std::filesystem::path rig, facts;
  std::vector<std::filesystem::path> thresholds;  // later ones override
  Profile profile = Profile::kStandard;
  std::filesystem::path skip;  // may be empty
  int launch = 1;
  std::vector<std::string> hosts;  // by rank: all names and addresses of the host it belongs on; may be empty
  bool meets = false;  // its ranks wait for each other at the supervisor before their first message
  bool shared_host = false;
  bool with_operator = false;  // somebody is there who pulls cables
  bool list = false, describe = false, help = false;
  RoundsAsked rounds;       // of pairs, of a suite that describes itself
  std::vector<char*> rest;  // argv for GoogleTest: the program's name and its flags
};

// Throws UsageError: an unknown option, a value missing or wrong, no --rig where one is
// needed.
[[nodiscard]] SuiteOptions parse_suite_options(int argc, char** argv);

// Which rank a host is by `hosts` ("node-a/192.0.2.1/198.18.1.1", ...). `own`: what it is called, the surest first (what
// the launcher calls it, its addresses, its names); the first of them that fits one host alone decides.
[[nodiscard]] std::optional<int> place_among(const std::vector<std::string>& hosts,
                                             const std::vector<std::set<std::string>>& own);

[[nodiscard]] std::string suite_usage(const std::string& program);

}  // namespace rigproof::inline runner
