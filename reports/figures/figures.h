#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/blame.h"
#include "framework/judge/judged_run.h"
#include "framework/rig/rig.h"

namespace rigproof::figures {

using judge::Place;

// State of a figure, a case or a part of the rig, in ascending order of importance to the reader.
enum class Mark { kNothing, kRecorded, kGood, kClose, kWaived, kNotProven, kMissed, kError };

struct Look {
  std::string_view css, glyph, word;  // "bad", "✗", "missed": never colour alone
  std::string_view ink, fill;         // for SVG attributes in light mode
};
[[nodiscard]] const Look& look_of(Mark mark);
[[nodiscard]] Mark mark_of(judge::Status status);
[[nodiscard]] Mark mark_of(const judge::Attempt& attempt, const judge::JudgedMeasurement& measurement);

inline constexpr const char* kUnread = "–";

// A cell of a matrix: the worst of its figures.
struct Cell {
  Mark mark = Mark::kNothing;
  std::optional<double> value, margin;
  std::string text;  // a fact that is not a number; kUnread if it could not be read
  int count = 0;     // number of figures
  // "mean" if a further statistic of the limit was missed; `value` is then its value.
  std::string statistic = {};
};

// Takes over `other` if it is worse, and adds the counts.
void merge(Cell& cell, const Cell& other);

// A row of a matrix: an expectation over parts of one kind.
struct Row {
  std::string id, unit, limit;  // limit without the reasoning for its bounds
  Dimension dimension = Dimension::kCount;
  bool yes_or_no = false;   // the limit asks for exactly one: the cell is a glyph
  std::vector<Cell> cells;  // by column
};

// All expectations over parts of one kind: halves, ports, nodes, or the whole run (one column).
struct Matrix {
  Place::Kind kind = Place::Kind::kRun;
  std::vector<std::pair<std::string, std::string>>
      columns;            // node, and the part's name (empty: the node itself)
  std::vector<Row> rows;  // in the run's order
};

// A row of the first page's table.
struct Headline {
  std::string id, unit, limit;  // limit of the worst figure
  std::string title;            // of its metric; empty: none was declared
  std::string short_limit;      // without the reasoning for its bounds
  std::string where, node;      // of the worst figure: subject of its case, node that measured
  std::string basis;            // kind of its limit's source: "measured"
  toml::Place stated_in;
  Dimension dimension = Dimension::kCount;
  Mark mark = Mark::kNothing;
  std::string statistic;  // "mean" if a further statistic of the limit decided; empty: the limit's own
  std::optional<double> value, margin;
  judge::Bounds bounds;  // of this value
  // The limit's own statistic, its bounds, and these as `short_limit`.
  struct Own {
    Statistic statistic = Statistic::kMedian;
    std::optional<double> value;
    judge::Bounds bounds;
    std::string limit;
  } own = {};
  std::string text;            // of the worst figure, if it is not a number
  std::vector<double> values;  // of all figures; thinned beyond kMostValues, but the extremes stay
  std::size_t figures = 0, missed = 0;
  bool yes_or_no = false;  // the limit asks for exactly one
  // Cases that must report this figure and did not: after a crash, a lost rank or a failed reading.
  struct Lacking {
    std::size_t cases = 0;
    Mark mark = Mark::kNothing;  // of the worst
    std::string where;           // of the first of the worst
  } lacking = {};
  // True if the figure is that of a further statistic, which was missed.
  [[nodiscard]] bool misses_further() const { return !statistic.empty() && mark >= Mark::kWaived; }
  [[nodiscard]] Mark worst_mark() const { return std::max(mark, lacking.mark); }
  [[nodiscard]] std::size_t owed() const { return figures + lacking.cases; }
};
inline constexpr std::size_t kMostValues = 400;

// Lowest rates of a half or port over all its peers, in bit/s.
struct Rates {
  std::optional<double> out, in;
};

// Contents of the rig picture.
struct RigState {
  struct PortState {
    Mark mark = Mark::kNothing;
    Rates rates;
    std::vector<Mark> halves;
    std::vector<Rates> half_rates;
  };
  struct NodeState {
    Mark mark = Mark::kNothing;
    std::vector<PortState> ports;
  };
  std::vector<NodeState> nodes;
  std::string half_rate, port_rate;          // ids used as rates; empty: none was measured
  std::string half_limit, port_limit, unit;  // of these ids
};

// A table of senders by receivers for one id.
struct PairTable {
  std::string id, unit, limit;  // as in Row
  Dimension dimension = Dimension::kDataRate;
  std::map<std::pair<std::size_t, std::size_t>, Cell> cells;  // worst cell of a pair, by the nodes' indices
  judge::Bounds bounds = {};                                  // of the worst cell
  [[nodiscard]] bool lower_is_better() const { return !bounds.at_least && bounds.at_most; }
};

// Nodes of a table in the rig's order. With more than `most` nodes: those with the worst figures, missed limits first, then
// the smallest margins.
[[nodiscard]] std::vector<std::size_t> shown_nodes(const PairTable& table, const Rig& rig, std::size_t most);

// Figures of a run for its first page and matrices; bounded size. Call add() for every complete case.
class Figures {
 public:
  // `rig` can be nullptr (its text cannot be read): all figures are then in the run's one column.
  Figures(const judge::JudgedRun& run, const Rig* rig);

  void add(const judge::JudgedCase& test);

  // In the thresholds' order. If the thresholds mark none: the figures nearest to their limits, and is_marked() is false.
  [[nodiscard]] std::vector<Headline> headlines() const;
  [[nodiscard]] bool is_marked() const { return marked_; }
  // Ids marked as headlines for this profile without any measurement.
  [[nodiscard]] std::vector<std::string> not_measured() const;
  [[nodiscard]] std::vector<Matrix> matrices() const;  // halves, ports, nodes, run; only those with rows
  [[nodiscard]] RigState rig_state() const;
  // Tables of headline figures; empty with fewer than three nodes.
  [[nodiscard]] std::vector<PairTable> pairs() const;

 private:
  struct Rows {
    std::map<std::string, std::size_t, std::less<>> index;
    std::vector<Row> rows;
  };
  using PartRates = std::map<HalfRef, Rates>;

  void add(const judge::JudgedCase& test, const judge::Attempt& attempt, const judge::JudgedMeasurement& m,
           const judge::Directions& directions, const Place& place);
  void add_headline(const judge::JudgedCase& test, const judge::JudgedMeasurement& m, Mark mark,
                    const Place& place);
  void add_cell(const judge::JudgedMeasurement& m, const Place& place, Mark mark);
  void add_pair(const judge::Directions& directions, const judge::JudgedMeasurement& m, Mark mark,
                Place place);
  void add_rates(const judge::JudgedMeasurement& m, const Place& place);
  void colour(const Place& place, Mark mark);
  void note_lacking(const judge::JudgedCase& test, const judge::Attempt* attempt, const Place& place);
  [[nodiscard]] std::size_t column_of(const Place& end) const;
  [[nodiscard]] std::string rate_id(bool of_ports) const;

  const judge::JudgedRun& run_;
  const Rig* rig_;
  bool marked_ = false;
  std::map<Place::Kind, std::vector<std::pair<std::string, std::string>>> columns_;
  std::map<HalfRef, std::size_t> half_columns_;
  std::map<PortRef, std::size_t> port_columns_;
  std::map<Place::Kind, Rows> rows_;
  std::map<std::string, Headline, std::less<>> headlines_;
  std::map<std::string, Headline::Lacking, std::less<>> lacking_;
  std::map<std::string, PairTable, std::less<>> pairs_;
  std::map<std::string, PartRates, std::less<>> half_rates_, port_rates_;
  RigState state_;
};

// Shortens node names for narrow places. If a name does not fit, the parts common to all nodes are left out, then its
// beginning ("dgx-spark-rack17-slot-03.lab" -> "…slot-03…"), because names differ towards their end.
class NodeNames {
 public:
  explicit NodeNames(const Rig& rig);
  [[nodiscard]] std::string of(std::size_t node, std::size_t most) const;  // in characters

 private:
  std::vector<std::string> names_;
  std::size_t before_ = 0, after_ = 0;  // bytes common to all names
};

// A figure for a narrow place: four digits without the unit; more digits if rounding would move it across a bound.
[[nodiscard]] std::string number_text(double value, const std::string& unit, Dimension dimension,
                                      const judge::Bounds& bounds = {});

// The worst figure as text, and its unit; a figure that is met or missed is "3 of 4", without a unit.
[[nodiscard]] std::string figure_text(const Headline& line);
[[nodiscard]] std::string shown_unit(const Headline& line);
// "2 cases without a figure: rail1: node-a -> node-b"; empty without such cases.
[[nodiscard]] std::string lacking_text(const Headline& line);

// A margin (a part of its bound) as "+4.3 %", "-46 %", "< -999 %".
[[nodiscard]] std::string margin_text(double margin);

}  // namespace rigproof::figures
