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
  bool left = false;       // all ranks agreed to leave it
  std::chrono::nanoseconds measuring{0};
  double disturbed = 0;  // on rank 0: the largest share of CPU time that others used while it measured
  CaseReport report = {};
  record::WatchedSums watched = {};  // of this node's cards
};

// What the cases of a suite share on this rank.
struct SuiteContext {
  std::string suite;
  const Rig& rig;
  Profile profile;
  RankGroup& ranks;
  SuiteJournal& journal;
  const judge::JudgeContext* judging;  // on rank 0, elsewhere null
  std::filesystem::path facts;         // of a snapshot to judge, without the rig: rank 0 alone; else empty
  RunningCase now = {};
  std::function<std::function<double()>(const Rig&)> watch_disturbance = {};          // as in SuiteHooks
  std::function<record::LookAtCards(const Rig&, std::size_t node)> watch_cards = {};  // as in SuiteHooks
  MakeCablePuller make_cable_puller = {};                                             // as in SuiteHooks
  record::LookAtCards look_at_cards = {};  // once the first load has begun
  bool own_words = false;  // parts added to GoogleTest's result now are the framework's, on record already

  [[nodiscard]] const Node& node() const { return rig.node(static_cast<std::size_t>(ranks.rank())); }
  // Writes to the journal; ends the job when that fails: what is not on record has not happened.
  void write(const record::EventBody& body);
  // How long a case may do without a phase.
  void expect_next(std::string_view what);
};

// GoogleTest constructs tests without arguments: this is how they find the suite that they are part of.
[[nodiscard]] SuiteContext& suite_context();
void set_suite_context(SuiteContext* context);
void set_rig_under_test(Rig rig);

}  // namespace rigproof::inline runner
