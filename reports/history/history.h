#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/judge/judged_run.h"
#include "reports/figures/figures.h"

namespace rigproof::history {

// A headline figure of one run: the worst of all that its limit judged.
struct Figure {
  std::string id, unit, limit, title;  // title of its metric, or empty
  Dimension dimension = Dimension::kDataRate;
  double value = 0;
  judge::Bounds bounds = {};
  figures::Mark mark = figures::Mark::kNothing;
  double tolerance = 0;  // a smaller change does not matter; in the figure's unit
};

// Summary of one run.
struct Run {
  std::string id, rig, started, profile, verdict;
  std::string link;  // the page's link to its report.html; empty: none
  // Facts that can change between runs, with their place: {"kernel", "node-a"} -> "6.1.0".
  std::map<std::pair<std::string, std::string>, std::string> state;
  std::vector<Figure> figures;  // in the thresholds' order
};
[[nodiscard]] Run run_of(const judge::JudgedRun& run, std::string link);  // throws JournalError

// A fact that differs from the run before.
struct Change {
  std::size_t run;                    // first run with the new value
  std::string what, where, from, to;  // "kernel", "node-a, node-b", "6.1.0", "6.2.0"
};

// A figure outside the scatter of the runs before.
struct Move {
  std::size_t run;
  double from, to;  // median of the runs before, and this run
  // Indices of all changes since the previous run with this figure. If there were none: the changes of the latest earlier
  // run that had any.
  std::vector<std::size_t> changes;
};

struct Curve {
  std::string id, unit;
  Dimension dimension = Dimension::kDataRate;
  std::vector<std::optional<Figure>> points;  // by run
  std::vector<Move> moves;
  std::string title = {};  // as the latest run states it
};

// All runs of one rig in one profile, in order of time.
struct History {
  std::string rig, profile;
  std::vector<Run> runs;
  std::vector<Change> changes;
  std::vector<Curve> curves;
};

// One history per rig (by name) and profile, because the profile's measuring time determines the scatter. A figure has moved
// if its distance from the median of the runs before exceeds two bounds: the scatter that those runs allow once in a
// thousand runs, and its limit's tolerance (a relative one counts as at most 2 %). The runs before: the last 4 to 20 since
// its last move.
[[nodiscard]] std::vector<History> histories_of(std::vector<Run> runs);

void write_history_page(const std::vector<History>& histories, std::ostream& out);
// One line per figure and run: rig, run, started, profile, verdict, id, value, unit, bounds, mark, report.
void write_history_csv(const std::vector<History>& histories, std::ostream& out);

}  // namespace rigproof::history
