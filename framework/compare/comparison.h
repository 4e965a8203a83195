#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "framework/compare/what_changed.h"
#include "framework/judge/judged_run.h"
#include "framework/limits/limit_table.h"
#include "framework/stats/shift.h"

namespace rigproof::compare {

// What became of a measurement from the base runs to the candidate runs. Order = what a reader sees first.
enum class Change {
  kRegressed,  // worse by more than the tolerance, and no chance: the interval lies on the worse side; or a state got lost
  kMissing,       // measured on one side only
  kInconclusive,  // none of the others: more runs, never a pass
  kImproved,      // better by more than the tolerance, and no chance
  kUnchanged,     // not worse by more than the tolerance, and no chance
  kRecorded,      // carries no decision: shown
};
[[nodiscard]] std::string_view name(Change change);  // "regressed"

// One side of a measurement.
struct ComparedSide {
  std::vector<double> values;  // base units, one a run that has it, in the order of the runs
  std::size_t missed = 0;      // runs in which its limit was missed, without a waiver
};

// A measurement (or, with an empty id, what a case came to besides its measurements) over all runs. What the values
// are compared by is their difference, or their ratio less 1 when the tolerance is a part of the base.
struct ComparedMeasurement {
  std::string test;  // "tcp.EachRail/RailRate.FillsTheHalf/rail0_node_a_to_node_b"
  std::string id, node, detail;
  Dimension dimension = Dimension::kCount;
  std::string unit;  // to print in
  ComparedSide base, candidate;
  bool optional = false;          // exists only where there is something to count: no case owes it
  std::string limit, tolerance;   // in words; empty without
  std::optional<double> at_most;  // the limit's, in base units
  Better better = Better::kHigher;
  double tolerance_value = 0;     // as the change
  bool relative = false;          // the change and the tolerance are parts of the base
  std::optional<double> change;   // the middle one
  std::optional<Shift> interval;  // that decides regressed and improved
  Change verdict = Change::kInconclusive;
  std::string reason;            // one line for a person; may be empty
  std::optional<int> more_runs;  // a side, that an inconclusive one needs, roughly; absent: nobody can tell
};

struct ComparedRun {
  std::string id, folder, started, verdict;
};

// One of several looks at a growing number of candidate runs. They share the 5 % of false alarms: the last has three
// quarters, the others the rest.
struct Look {
  int number = 1, of = 1;
  [[nodiscard]] double share() const;
};

// Whether candidate runs are as good as base runs of the same rig.
//
// The unit of sampling is a run: the samples within one share its boot, its paths and its neighbours, and resemble one
// another, so each run gives one value, the limit's own statistic. The change is the Hodges-Lehmann estimate over all
// pairs of runs. The headline figures carry the decision: measurements of limits with `gate = true`; where the thresholds
// mark none, of every required limit. Errors are one-sided, and spent over the looks:
//   regressed  the estimate is beyond the tolerance, and the Mann-Whitney interval wholly on the worse side, at 5 %
//              divided over the figures (Bonferroni): whatever the values' distribution, at most 5 % of comparisons of
//              unchanged rigs call anything regressed
//   unchanged  the interval's worse end lies within the tolerance, at 5 % for each figure: a gate opens only when all
//              are, so at most 5 % of gates open where some figure got worse by the tolerance
// What is equal or not (a limit with `equals` or on a text, or at most 0) is a state: it is compared by its limit, in
// every run. All other measurements are shown; a limit that a candidate run misses is no pass. A figure that no case owes
// (a share of frames where none came) decides nothing in a case where some run lacks it. It is missing when a case had it in
// every base run, and no case has it in any candidate run.
struct Comparison {
  std::string rig, rig_kind, profile, thresholds_file;
  std::vector<ComparedRun> base, candidate;
  std::size_t compared = 0;                       // figures that share the 5 %
  bool headlines = false;                         // the thresholds mark them
  Look look = {};                                 // that shares it, too
  std::vector<ComparedMeasurement> measurements;  // by verdict, then as in the runs
  std::vector<std::string> notes;
  WhatChanged changed = {};
  std::vector<Objection> objections = {};  // a gate's

  [[nodiscard]] std::size_t count(Change change) const;
  [[nodiscard]] std::size_t missed() const;  // measurements whose limit some candidate run missed
  // 1 when something regressed, a candidate run missed a limit or an objection is a finding; 3 when something is
  // inconclusive, missing or not proven, a run ended in an error (its record may be damaged), nothing was compared or
  // there is another objection; else 0.
  [[nodiscard]] int exit_code() const;
  // Whether a gate's next look at more runs could still decide otherwise: something is inconclusive, and nothing is worse.
  [[nodiscard]] bool needs_more_runs() const;
  // "NOT WORSE", "WORSE", "INCONCLUSIVE"; of objections alone "BLOCKED", "NOT PROVEN".
  [[nodiscard]] std::string verdict() const;
};

inline constexpr double kFalseAlarms = 0.05;

// Runs that cannot be compared. what() is one clear message.
class Incomparable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A run to compare, judged by the same limits as all others.
struct RunToCompare {
  std::string id, started, folder;  // of the run that measured, whoever judged it since
  judge::JudgedRun record;
};

// Throws Incomparable, naming both, unless runs of these two can be compared: same rig, kind, profile and stand-in.
void require_comparable(const RunToCompare& first, const RunToCompare& other);

// Throws Incomparable: no run on a side, another rig or profile, other units, the same run twice.
[[nodiscard]] Comparison compare_runs(const std::vector<RunToCompare>& base,
                                      const std::vector<RunToCompare>& candidate, const LimitTable& limits,
                                      Look look = {});

// How many figures share the 5 % when other runs are compared with these.
[[nodiscard]] std::size_t compared_figures(const std::vector<RunToCompare>& runs, const LimitTable& limits);

// The fewest candidate runs that can call one of so many figures regressed against `base` runs. Nothing when no number up
// to 100 can.
[[nodiscard]] std::optional<int> enough_runs(std::size_t base, std::size_t figures, Look look = {});

// Every measurement of either side once, with the values of all runs, undecided, in the order of the runs; behind them,
// each with an empty id, the cases of which some run tells more than measurements: that they failed, were not proven
// or did not end. Those are decided. Throws Incomparable for a measurement in two dimensions.
[[nodiscard]] std::vector<ComparedMeasurement> gather(const std::vector<RunToCompare>& base,
                                                      const std::vector<RunToCompare>& candidate);

// Shares of wrong verdicts, one-sided.
struct Levels {
  double change = kFalseAlarms;     // regressed, or improved, where nothing changed
  double unchanged = kFalseAlarms;  // unchanged, where it got worse by the tolerance
};

// Of one look at so many headline figures.
[[nodiscard]] Levels levels_of(std::size_t figures, Look look);

struct Rule {
  const Limit* limit;  // nullptr: no limit judges it
  Tolerance tolerance;
  bool headline;  // it carries the decision; else it is shown
  Levels levels;
  std::size_t base_runs, candidate_runs;  // how many there were
};
// Whether some run lacks a figure that no case owes.
[[nodiscard]] bool is_sparse(const ComparedMeasurement& measurement, std::size_t base_runs,
                             std::size_t candidate_runs);
// Fills in the change, its interval, the verdict and its reason from the values of both sides.
void decide(ComparedMeasurement& measurement, const Rule& rule);

// Whether its limit makes a measurement a state: equal or not, nothing between.
[[nodiscard]] bool is_state(const Limit& limit);

}  // namespace rigproof::compare
