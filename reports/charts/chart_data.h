#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "framework/judge/judged_run.h"

namespace rigproof::charts {

// What a chart shows, taken from measurements that have an axis, from times and from margins.

struct Point {
  double x, y;
};

// A line of a plot, with a name for the legend.
struct PlotLine {
  std::string name;
  std::vector<Point> points;
};

// What an axis counts, and the words for it.
struct PlotAxis {
  std::string title;
  Dimension dimension = Dimension::kCount;
  std::string unit;          // of `dimension`, or empty
  bool logarithmic = false;  // all values are positive then
  bool tail = false;  // a share of samples, drawn so that the last per cent get as much room as the first
};

// A horizontal (or, for `upright`, vertical) limit. It may change along x.
struct LimitLine {
  enum class Side { kLeast, kMost };  // what is below it misses it; what is above
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
  std::vector<PlotLine> marginal;     // the far edge of the marginal band, as long as `limits`, or empty
  double worst_margin = 0;            // of what it shows
  std::vector<Stretch> outages = {};  // along x: next to nothing came through
};

// How far the value of a limit that is nearest to it, or misses it most, is from it.
struct Margin {
  std::string label, result;
  double margin;  // a share of the bound; negative when missed
  judge::Verdict verdict;
};

// Everything that the charts of a run show, of bounded size however large the run is.
struct ChartData {
  std::vector<Margin> margins;  // one of each limit, worst first
  std::size_t margins_left_out = 0;
  std::vector<Plot> curves, series, distributions;
  std::size_t lines_left_out = 0;
  [[nodiscard]] bool is_empty() const {
    return margins.empty() && curves.empty() && series.empty() && distributions.empty();
  }
};

// Takes what charts show from cases, one by one and whole.
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
