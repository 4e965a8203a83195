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

// How a figure, a part of the rig or a case stands. Order = what a reader must see first, worst last.
enum class Mark { kNothing, kRecorded, kGood, kClose, kWaived, kNotProven, kMissed, kError };

struct Look {
  std::string_view css, glyph, word;  // "bad", "✗", "missed": never colour alone
  std::string_view ink, fill;         // of SVG's attributes, in light
};
[[nodiscard]] const Look& look_of(Mark mark);
[[nodiscard]] Mark mark_of(judge::Status status);
[[nodiscard]] Mark mark_of(const judge::Attempt& attempt, const judge::JudgedMeasurement& measurement);

inline constexpr const char* kUnread = "–";

// What stands in one cell of a matrix: the worst of its figures.
struct Cell {
  Mark mark = Mark::kNothing;
  std::optional<double> value, margin;
  std::string text;  // of a fact that is no number; kUnread of one that could not be read
  int count = 0;     // figures
};

// Takes the other's place in the first if that is worse.
void merge(Cell& cell, const Cell& other);

// A line of a matrix: an expectation over the parts of one kind.
struct Row {
  std::string id, unit, limit;  // the limit without what its bounds follow from
  Dimension dimension = Dimension::kCount;
  bool yes_or_no = false;   // its limit asks for exactly one: the cell is a glyph
  std::vector<Cell> cells;  // by column
};

// All expectations over one kind of part: halves, ports, nodes, or the run as a whole (one column).
struct Matrix {
  Place::Kind kind = Place::Kind::kRun;
  std::vector<std::pair<std::string, std::string>>
      columns;            // node, and the part's name (empty: the node itself)
  std::vector<Row> rows;  // in the run's order
};

// A line of the first page's table.
struct Headline {
  std::string id, unit, limit;  // the worst figure's limit
  std::string short_limit;      // without what its bounds follow from
  std::string where, node;      // of the worst figure: its case's subject, the node that measured
  std::string basis;            // the kind of its limit's source: "measured"
  toml::Place stated_in;
  Dimension dimension = Dimension::kCount;
  judge::Bounds bounds;
  Mark mark = Mark::kNothing;
  std::optional<double> value, margin;
  std::string text;            // of the worst, when it is no number
  std::vector<double> values;  // of all, thinned from kMostValues on: the extremes stay
  std::size_t figures = 0, missed = 0;
  bool yes_or_no = false;  // its limit asks for exactly one
  // Cases that owe a figure and have none: a crash, a rank that was lost, something that could not be read.
  struct Lacking {
    std::size_t cases = 0;
    Mark mark = Mark::kNothing;  // of the worst
    std::string where;           // of the first of the worst
  } lacking = {};
  [[nodiscard]] Mark worst_mark() const { return std::max(mark, lacking.mark); }
  [[nodiscard]] std::size_t owed() const { return figures + lacking.cases; }
};
inline constexpr std::size_t kMostValues = 400;

// The lowest rates of a half or a port over all its peers, in bit/s.
struct Rates {
  std::optional<double> out, in;
};

// What the picture of the rig shows.
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
  std::string half_rate, port_rate;          // the ids that were taken for rates; empty: none was measured
  std::string half_limit, port_limit, unit;  // of them
};

// A table of senders by receivers, of one id.
struct PairTable {
  std::string id, unit, limit;  // as a Row's
  Dimension dimension = Dimension::kDataRate;
  std::map<std::pair<std::size_t, std::size_t>, Cell>
      cells;                  // by the nodes' indices: the worst of the pair's
  judge::Bounds bounds = {};  // of the worst of all
  [[nodiscard]] bool lower_is_better() const { return !bounds.at_least && bounds.at_most; }
};

// The nodes of a table, in the rig's order; of more than `most` those with the worst figures: missed ones first, then
// those with the smallest margins.
[[nodiscard]] std::vector<std::size_t> shown_nodes(const PairTable& table, const Rig& rig, std::size_t most);

// The figures of a run as its first page and its matrices show them, of bounded size. Feed it every case, whole.
class Figures {
 public:
  // `rig` may be nullptr (its text cannot be read): everything then stands in the run's one column.
  Figures(const judge::JudgedRun& run, const Rig* rig);

  void add(const judge::JudgedCase& test);

  // In the thresholds' order. Of thresholds that mark none: those nearest to their limits, and `is_marked()` is false.
  [[nodiscard]] std::vector<Headline> headlines() const;
  [[nodiscard]] bool is_marked() const { return marked_; }
  // Marked, of this profile, and nothing was measured.
  [[nodiscard]] std::vector<std::string> not_measured() const;
  [[nodiscard]] std::vector<Matrix> matrices() const;  // halves, ports, nodes, run: those that have rows
  [[nodiscard]] RigState rig_state() const;
  // Of three nodes and more, of headline figures.
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

// Names of nodes for narrow places. Where one does not fit, what all nodes of the rig have in common is left out, and
// then its beginning: "dgx-spark-rack17-slot-03.lab" is "…slot-03…", for cut at its end it would be as all others.
class NodeNames {
 public:
  explicit NodeNames(const Rig& rig);
  [[nodiscard]] std::string of(std::size_t node, std::size_t most) const;  // in characters

 private:
  std::vector<std::string> names_;
  std::size_t before_ = 0, after_ = 0;  // bytes that all have
};

// A figure for a narrow place: four digits without the unit, more where rounding would carry it over a bound.
[[nodiscard]] std::string number_text(double value, const std::string& unit, Dimension dimension,
                                      const judge::Bounds& bounds = {});

// A margin (a share of its bound) as "+4.3 %", "-46 %", "< -999 %".
[[nodiscard]] std::string margin_text(double margin);

}  // namespace rigproof::figures
