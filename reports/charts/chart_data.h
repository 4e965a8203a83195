#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "framework/judge/judged_run.h"

namespace rigproof::charts {

// Contents of a chart, taken from measurements with an axis, from times and from margins.

struct Point {
  double x, y;
};

// A line of a plot, with a name for the legend.
struct PlotLine {
  std::string name;
  std::vector<Point> points;
};

// Quantity of an axis and its texts.
struct PlotAxis {
  std::string title;
  Dimension dimension = Dimension::kCount;
  std::string unit;          // of `dimension`, or empty
  bool logarithmic = false;  // only if all values are positive
  bool tail = false;         // share of samples; the last per cent get as much room as the first
};

// A limit: horizontal, or vertical if `upright`. May change along x.
struct LimitLine {
  enum class Side { kLeast, kMost };  // values below kLeast miss the limit, values above kMost do
  Side side;
  std::string text;  // ">= 170 Gbit/s"
  std::vector<Point> points;
  bool upright = false;
};

// A stretch of the x axis.
struct Stretch {
  double from, to;
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotLine> lines;
  std::vector<LimitLine> limits;
  std::vector<PlotLine> marginal;     // far edge of the marginal band, as long as `limits`; or empty
  double worst_margin = 0;            // of the plotted measurements
  std::vector<Stretch> outages = {};  // stretches of x with next to no traffic
};

// Margin of a limit's nearest or worst measurement.
struct Margin {
  std::string label, result;
  double margin;  // as a part of the bound; negative if missed
  judge::Verdict verdict;
};

// Everything that the charts of a run show; its size is bounded for runs of any size.
struct ChartData {
  std::vector<Margin> margins;  // one per limit, worst first
  std::size_t margins_left_out = 0;
  std::vector<Plot> curves, series, distributions;
  std::size_t lines_left_out = 0;
  [[nodiscard]] bool is_empty() const {
    return margins.empty() && curves.empty() && series.empty() && distributions.empty();
  }
};

// Collects the chart data from complete cases, added one by one.
class ChartCollector {
 public:
  ChartCollector();
  ~ChartCollector();
  ChartCollector(const ChartCollector&) = delete;
  ChartCollector& operator=(const ChartCollector&) = delete;
  void add(const judge::JudgedCase& test);
  [[nodiscard]] ChartData take();

 private:
  class Collector;
  std::unique_ptr<Collector> collector_;
};
[[nodiscard]] ChartData collect_charts(const judge::JudgedRun& run);

}  // namespace rigproof::charts
