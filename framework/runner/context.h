#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "framework/judge/judge_case.h"
#include "framework/limits/limit.h"
#include "framework/ranks/rank_group.h"
#include "framework/record/measured.h"
#include "framework/rig/rig.h"
#include "framework/runner/cable_puller.h"
#include "framework/runner/case_report.h"
#include "framework/runner/suite_inputs.h"

namespace rigproof::inline runner {

// The case that runs now, on this rank.
struct RunningCase {
  std::string name;  // GoogleTest's full name; empty between cases
  Clock::time_point begun = Clock::now();
  int iteration = 1;
  std::string phase = {};  // empty between phases
  bool left = false;       // all ranks agreed to leave the case
  std::chrono::nanoseconds measuring{0};
  double disturbed = 0;  // on rank 0: largest share of CPU time used by others while it measured
  CaseReport report = {};
  record::WatchedSums watched = {};  // this node's NICs
};

// State that the cases of a suite share on this rank.
struct SuiteContext {
  std::string suite;
  const Rig& rig;
  Profile profile;
  RankGroup& ranks;
  SuiteJournal& journal;
  const judge::JudgeContext* judging;  // on rank 0; else nullptr
  std::filesystem::path facts;         // the snapshot to judge, on rank 0 alone; else empty
  RunningCase now = {};
  std::function<std::function<double()>(const Rig&)> watch_disturbance = {};          // as in SuiteHooks
  std::function<record::LookAtCards(const Rig&, std::size_t node)> watch_cards = {};  // as in SuiteHooks
  MakeCablePuller make_cable_puller = {};                                             // as in SuiteHooks
  record::LookAtCards look_at_cards = {};  // set when the first load begins
  bool own_words = false;  // parts added to GoogleTest's result now are the framework's, already recorded

  [[nodiscard]] const Node& node() const { return rig.node(static_cast<std::size_t>(ranks.rank())); }
  // Writes to the journal. Ends the job if that fails: only recorded events count.
  void write(const record::EventBody& body);
  // Sets the deadline for the next phase of the case.
  void expect_next(std::string_view what);
};

// GoogleTest constructs tests without arguments: tests find their suite here.
[[nodiscard]] SuiteContext& suite_context();
void set_suite_context(SuiteContext* context);
void set_rig_under_test(Rig rig);

}  // namespace rigproof::inline runner
