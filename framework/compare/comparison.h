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

// Result for a measurement: candidate runs against base runs. Reports show the values in this order.
enum class Change {
  kRegressed,  // worse by more than the tolerance, the interval excludes 0; or a state's limit newly missed
  kMissing,    // measured on one side only
  kInconclusive,  // none of the others: needs more runs, never a pass
  kImproved,      // better by more than the tolerance, and the interval excludes 0
  kUnchanged,     // the interval is not worse than the tolerance
  kRecorded,      // only shown, no part of the decision
};
[[nodiscard]] std::string_view name(Change change);  // "regressed"

// One side of a measurement.
struct ComparedSide {
  std::vector<double> values;  // base units, one per run that has it, in the order of the runs
  std::size_t missed = 0;      // runs that missed its limit without a waiver
};

// A measurement over all runs. An empty id: the outcome of a case apart from its measurements. Values are compared by
// their difference, or by their ratio less 1 if the tolerance is a part of the base.
struct ComparedMeasurement {
  std::string test;  // "tcp.EachRail/RailRate.FillsTheHalf/rail0_node_a_to_node_b"
  std::string id, node, detail;
  Dimension dimension = Dimension::kCount;
  std::string unit;  // for printing
  ComparedSide base, candidate;
  bool optional = false;          // no case owes it: exists only if there is something to count
  std::string limit, tolerance;   // as text; empty: none
  std::optional<double> at_most;  // the limit's, in base units
  Better better = Better::kHigher;
  double tolerance_value = 0;     // in the unit of `change`
  bool relative = false;          // change and tolerance are parts of the base
  std::optional<double> change;   // the estimate
  std::optional<Shift> interval;  // decides regressed and improved
  Change verdict = Change::kInconclusive;
  std::string reason;            // one line of text; may be empty
  std::optional<int> more_runs;  // per side, a rough number for an inconclusive one; nullopt: unknown
};

struct ComparedRun {
  std::string id, folder, started, verdict;
};

// One of several comparisons while candidate runs are added. Together they spend the 5 % of false alarms: the last
// one three quarters, the others the rest.
struct Look {
  int number = 1, of = 1;
  [[nodiscard]] double share() const;
};

// Compares candidate runs with base runs of the same rig.
//
// The unit of sampling is a run: samples within one run share its boot, its paths and its neighbours, so they
// resemble one another. Each run gives one value, the limit's own statistic. The change is the Hodges-Lehmann
// estimate over all pairs of runs. Headline figures decide: measurements of limits with `gate = true`, or of all
// required limits if no limit is marked. Errors are one-sided and divided among the looks:
//   regressed  the estimate is beyond the tolerance, and the Mann-Whitney interval lies wholly on the worse side, at 5 %
//              divided by the number of figures (Bonferroni). Whatever the distribution, at most 5 % of comparisons of
//              unchanged rigs report a regression
//   unchanged  the interval's worse end lies within the tolerance, at 5 % for each figure. A gate opens only if all are
//              unchanged, so at most 5 % of gates open although a figure got worse by the tolerance
// A limit with `equals`, on a text or with at_most 0 describes a state, which each run meets or misses. Other
// measurements are only shown, but a limit missed by a candidate run prevents a pass. A figure that no case owes
// decides nothing in a case where a run lacks it. It is missing if a case had it in every base run, and no case has
// it in a candidate run.
struct Comparison {
  std::string rig, rig_kind, profile, thresholds_file;
  std::vector<ComparedRun> base, candidate;
  std::size_t compared = 0;                       // number of figures that share the 5 %; states do not
  bool headlines = false;                         // the thresholds mark headline figures
  Look look = {};                                 // shares the 5 %, too
  std::vector<ComparedMeasurement> measurements;  // by verdict, then as in the runs
  std::vector<std::string> notes;
  WhatChanged changed = {};
  std::vector<Objection> objections = {};  // set by a gate

  [[nodiscard]] std::size_t count(Change change) const;
  [[nodiscard]] std::size_t missed() const;   // measurements whose limit a candidate run missed
  [[nodiscard]] std::size_t decided() const;  // figures and states that decide, measured on both sides
  // 1: a figure regressed, a candidate run missed a limit, or an objection is a finding. 3: something is
  // inconclusive, missing or not proven, a run ended in an error, decided() is 0, or there is another
  // objection. Else 0.
  [[nodiscard]] int exit_code() const;
  // True if more runs could change the decision: something is inconclusive, and the exit code is not 1.
  [[nodiscard]] bool needs_more_runs() const;
  // "NOT WORSE", "WORSE", "INCONCLUSIVE"; because of objections alone "BLOCKED", "NOT PROVEN".
  [[nodiscard]] std::string verdict() const;
};

inline constexpr double kFalseAlarms = 0.05;

// Thrown for runs that cannot be compared. what() is the whole message.
class Incomparable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A run to compare, judged by the same limits as all others.
struct RunToCompare {
  std::string id, started, folder;  // the run that measured, also if it was judged again later
  judge::JudgedRun record;
};

// Throws Incomparable, naming both runs, unless rig, kind, profile and stand-in are the same.
void require_comparable(const RunToCompare& first, const RunToCompare& other);

// Throws Incomparable: no run on a side, another rig or profile, other units, the same run twice.
[[nodiscard]] Comparison compare_runs(const std::vector<RunToCompare>& base,
                                      const std::vector<RunToCompare>& candidate, const LimitTable& limits,
                                      Look look = {});

// Number of figures that share the 5 % in a comparison with these runs.
[[nodiscard]] std::size_t compared_figures(const std::vector<RunToCompare>& runs, const LimitTable& limits);

// Fewest candidate runs that can show a regression of one of `figures` against `base` runs. nullopt: more than 100
// runs.
[[nodiscard]] std::optional<int> enough_runs(std::size_t base, std::size_t figures, Look look = {});

// Lists each measurement of either side once, undecided, with the values of all runs, in the order of the runs. Adds
// cases that failed, were not proven or did not end in some run: with an empty id, and decided. Throws Incomparable
// for a measurement in two dimensions.
[[nodiscard]] std::vector<ComparedMeasurement> gather(const std::vector<RunToCompare>& base,
                                                      const std::vector<RunToCompare>& candidate);

// One-sided error probabilities.
struct Levels {
  double change = kFalseAlarms;     // an unchanged figure is called regressed or improved
  double unchanged = kFalseAlarms;  // a figure worse by the tolerance is called unchanged
};

// Error probabilities for one look at `figures` headline figures.
[[nodiscard]] Levels levels_of(std::size_t figures, Look look);

struct Rule {
  const Limit* limit;  // nullptr: no limit
  Tolerance tolerance;
  bool headline;  // true: carries the decision; false: only shown
  Levels levels;
  std::size_t base_runs, candidate_runs;  // all runs of a side
};
// True if no case owes the figure and a run lacks it.
[[nodiscard]] bool is_sparse(const ComparedMeasurement& measurement, std::size_t base_runs,
                             std::size_t candidate_runs);
// Fills in the change, its interval, the verdict and its reason from the values of both sides.
void decide(ComparedMeasurement& measurement, const Rule& rule);

// True if a measurement only meets or misses the limit: `equals`, a text, or at_most 0.
[[nodiscard]] bool is_state(const Limit& limit);

}  // namespace rigproof::compare
