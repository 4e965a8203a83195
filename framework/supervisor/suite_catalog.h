#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/launch_watch.h"

namespace rigproof::supervisor {

// The GoogleTest flags that a run hands on to its suites. The same on every rank, the seed included.
struct GtestFlags {
  std::string filter;  // empty: every case
  int repeat = 1;
  bool shuffle = false;
  int seed = 0;  // of the shuffle
  bool disabled_too = false;

  [[nodiscard]] std::vector<std::string> arguments() const;
  [[nodiscard]] bool selects() const { return !filter.empty() && filter != "*"; }
};

// A suite as installed: an executable `rigproof-suite-NAME`.
struct Suite {
  std::string name;
  std::filesystem::path program;
  // Why the installed one with NCCL is not used, and what to install; else empty.
  std::string without_nccl = {};
};

// Where suites are. What needs NCCL may lie in nccl/ of `installed`, and takes the place of what does without, if it can
// be started here (NVIDIA's libraries are not part of Rigproof's packages).
struct SuiteFolders {
  std::filesystem::path installed;
  std::vector<std::filesystem::path> added;  // a user's own
};

// All of them, in the order in which they run: from the ground up, unknown ones last by name. Starts those with NCCL for
// a moment, to see whether their libraries are there. Throws Refused: for an `installed` without a suite (not proven), an
// added folder without one, a name that is there twice.
[[nodiscard]] std::vector<Suite> find_suites(const SuiteFolders& folders);

// Those with these names (all when empty), in the order of `known`. Throws Refused naming the known ones.
[[nodiscard]] std::vector<Suite> choose_suites(const std::vector<Suite>& known,
                                               const std::vector<std::string>& names);

// The suite that judges the facts of a snapshot, without a rig.
inline constexpr const char* kFactsSuite = "preflight";

// Whether this suite's own MPI messages are a load to measure, so that they belong on the rails.
[[nodiscard]] bool loads_rails(std::string_view name);

struct DescribeRequest {
  std::filesystem::path rig;  // empty: what the suite may report, and no cases
  GtestFlags gtest;
  Timeouts timeouts;
  bool with_operator = false;
  std::size_t nodes = 2;  // of the rig: the more, the longer a suite may take
  RoundsAsked rounds = {};
};
// What the suite may report, and its cases on this rig. Starts the suite here, on no node. Throws Refused with the
// suite's own words when it can't be described.
[[nodiscard]] record::SuiteDescription describe(const Suite& suite, const DescribeRequest& request);

}  // namespace rigproof::supervisor
