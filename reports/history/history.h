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
  std::string id, unit, limit;
  Dimension dimension = Dimension::kDataRate;
  double value = 0;
  judge::Bounds bounds = {};
  figures::Mark mark = figures::Mark::kNothing;
  double tolerance = 0;  // how much it may change before it matters, in its own unit
};

// What is kept of one run.
struct Run {
  std::string id, rig, started, profile, verdict;
  std::string link;  // its report.html as the page names it; empty: it has none
  // What may change from run to run, and where: {"kernel", "node-a"} -> "6.1.0".
  std::map<std::pair<std::string, std::string>, std::string> state;
  std::vector<Figure> figures;  // in the thresholds' order
};
[[nodiscard]] Run run_of(const judge::JudgedRun& run, std::string link);  // throws JournalError

// Something that was another in the run before.
struct Change {
  std::size_t run;                    // the first that has it so
  std::string what, where, from, to;  // "kernel", "node-a, node-b", "6.1.0", "6.2.0"
};

// A figure lies where the runs before it don't.
struct Move {
  std::size_t run;
  double from, to;  // the middle of those runs, and this one
  // Indices of all changes since the run before that has the figure; where there was none, of those of the latest run
  // until then that brought any.
  std::vector<std::size_t> changes;
};

struct Curve {
  std::string id, unit;
  Dimension dimension = Dimension::kDataRate;
  std::vector<std::optional<Figure>> points;  // by run
  std::vector<Move> moves;
};

// All runs of one rig in one profile, by their time.
struct History {
  std::string rig, profile;
  std::vector<Run> runs;
  std::vector<Change> changes;
  std::vector<Curve> curves;
};

// One for each rig, by its name, and profile: how long was measured decides how much figures scatter. A figure has moved when it is further from the median of the runs before it (at least
// four, at most twenty, since it last moved) than their own scatter allows once in a thousand runs, and by more than its
// limit's tolerance; by 2 % is enough.
[[nodiscard]] std::vector<History> histories_of(std::vector<Run> runs);

void write_history_page(const std::vector<History>& histories, std::ostream& out);
// One line for each figure of each run: rig, run, started, profile, verdict, id, value, unit, bounds, mark, report.
void write_history_csv(const std::vector<History>& histories, std::ostream& out);

}  // namespace rigproof::history
