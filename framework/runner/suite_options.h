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

// Resets GoogleTest's settings from the environment; call before InitGoogleTest(). A filter or shard exported
// for unit tests, here or in a node's login, would leave out cases without a trace in the record.
void forget_gtest_environment();

// Collective; call after InitGoogleTest(). Sets rank 0's GoogleTest flags on every rank, so that all run the
// same cases in the same order: the `chosen` ones (nullopt: those that the filter selects) without the
// `skipped` ones. Chooses the seed of a shuffle. Forces catch_exceptions on and throw_on_failure off: several
// ranks need that.
void share_gtest_flags(RankGroup& ranks, const std::optional<std::vector<std::string>>& chosen,
                       const std::vector<std::string>& skipped);

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A suite's own command line.
struct SuiteOptions {
  std::string report_to;                 // the supervisor's address, see framework/channel/; else `journal`
  std::optional<channel::Key> key = {};  // the launch's key, with report_to
  std::filesystem::path journal;  // the run's: gives rig, limits, profile, snapshot; else the next ones
  std::filesystem::path rig, facts;
  std::vector<std::filesystem::path> thresholds;  // later ones override
  Profile profile = Profile::kStandard;
  std::filesystem::path skip;  // may be empty
  int launch = 1;
  std::vector<std::string> hosts;  // all names and addresses of each rank's host; may be empty
  bool meets = false;              // ranks wait for each other at the supervisor before MPI's first message
  bool shared_host = false;
  bool with_operator = false;  // a person pulls cables
  bool first_look = false;     // only the cases that the suite declares for it: replaces GoogleTest's filter
  bool list = false, describe = false, help = false;
  RoundsAsked rounds;       // rounds of pairs, with `describe`
  bool examples = false;    // with `describe`: see SuiteDescription::by_example
  std::vector<char*> rest;  // argv for GoogleTest: the program's name and its flags
};

// Throws UsageError: unknown option, missing or wrong value, missing --rig.
[[nodiscard]] SuiteOptions parse_suite_options(int argc, char** argv);

// This host's rank by `hosts` ("node-a/192.0.2.1/198.18.1.1", ...). `own`: sets of this host's names, most
// reliable first; the first set that matches exactly one host decides. nullopt: none does.
[[nodiscard]] std::optional<int> place_among(const std::vector<std::string>& hosts,
                                             const std::vector<std::set<std::string>>& own);

[[nodiscard]] std::string suite_usage(const std::string& program);

}  // namespace rigproof::inline runner
