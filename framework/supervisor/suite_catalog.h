#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/rig/subject_finder.h"
#include "framework/supervisor/launch_watch.h"

namespace rigproof::supervisor {

// GoogleTest flags that a run passes to its suites; the same on every rank, also the seed.
struct GtestFlags {
  std::string filter;  // empty: every case
  int repeat = 1;
  bool shuffle = false;
  int seed = 0;  // for the shuffle
  bool disabled_too = false;
  bool first_look = false;  // instead of a filter: the cases that each suite declares for it

  [[nodiscard]] std::vector<std::string> arguments() const;
  [[nodiscard]] bool selects() const { return first_look || (!filter.empty() && filter != "*"); }
};

// An installed suite: an executable `rigproof-suite-NAME`.
struct Suite {
  std::string name;
  std::filesystem::path program;
  // Why the suite's variant with NCCL is not used, and what to install; else empty.
  std::string without_nccl = {};
};

// Folders with suites. A suite in nccl/ of `installed` replaces the one without NCCL if it can start here
// (NVIDIA's libraries are not part of Rigproof's packages).
struct SuiteFolders {
  std::filesystem::path installed;
  std::vector<std::filesystem::path> added;  // the user's own
};

// All suites, by name. Starts suites with NCCL for a moment to check their libraries. Throws Refused if `installed` has
// no suite (not proven), an added folder has none, or a name occurs twice.
[[nodiscard]] std::vector<Suite> find_suites(const SuiteFolders& folders);

[[nodiscard]] bool is_among(const std::vector<Suite>& suites, const std::string& name);

// The suites with these names (empty: all), in the order of `known`. Throws Refused naming the known ones.
[[nodiscard]] std::vector<Suite> choose_suites(const std::vector<Suite>& known,
                                               const std::vector<std::string>& names);

// The suites of this version that are not installed: the build lacked something.
[[nodiscard]] std::vector<std::string> not_built(const std::vector<Suite>& installed);

struct DescribeRequest {
  std::filesystem::path rig;  // empty: only the suite's ids, no cases
  GtestFlags gtest;
  Timeouts timeouts;
  bool with_operator = false;
  std::size_t nodes = 2;  // nodes of the rig: more nodes, more time to describe
  RoundsAsked rounds = {};
  bool by_example = false;  // asks for SuiteDescription::by_example
};
// The suite's ids, and its cases on this rig. Runs the suite's program on this host only. Throws Refused with
// its output if it fails.
[[nodiscard]] record::SuiteDescription describe(const Suite& suite, const DescribeRequest& request);

class CasePlan;

// A suite, its own description, and its cases on the rig.
struct PlannedSuite {
  Suite suite;
  record::SuiteDescription description;   // `plan` has no cases: they are in `cases`
  std::shared_ptr<const CasePlan> cases;  // nullptr: described without a rig
};
// Describes suites for one run.
class Describer {
 public:
  // `rig`: the one in the request's file, without regard to the rounds.
  Describer(DescribeRequest request, const Rig& rig);
  // The suite as requested.
  [[nodiscard]] PlannedSuite on_rig(const Suite& suite) const;
  // The suites in run order. Those not in `chosen` are described without a rig.
  [[nodiscard]] std::vector<PlannedSuite> all(const std::vector<Suite>& suites,
                                              const std::vector<Suite>& chosen) const;

 private:
  [[nodiscard]] PlannedSuite planned(const Suite& suite, const DescribeRequest& request) const;

  DescribeRequest request_;
  const Rig& rig_;
  Rig sampled_;  // with the pairs of the requested rounds
  std::shared_ptr<const SubjectFinder> subjects_;
};

// The metrics that every run reports itself, beside those of its suites.
[[nodiscard]] std::vector<record::Declared> declared_by_every_run();

// The metrics of every run and of all suites, by suite, as RunStarted has them. Starts every suite for a moment; with an
// `id` it begins with the id's own suite and ends with the first one that declares it. Throws like describe().
[[nodiscard]] std::map<std::string, std::vector<record::Declared>> declared_metrics(
    const SuiteFolders& folders, std::string_view id = {});

}  // namespace rigproof::supervisor
