#include "reports/charts/chart_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reports/text/describe.h"
#include "reports/text/markup.h"

namespace rigproof::charts {
namespace {

constexpr std::size_t kMostMargins = 20;
constexpr std::size_t kMostLines = 6;      // per plot
constexpr std::size_t kMostPlots = 24;     // per kind
constexpr std::size_t kMostShown = 6;      // plots over time
constexpr std::size_t kWorstLines = 3;     // per expectation over time
constexpr std::size_t kFewestWindows = 5;  // minimum for a course
constexpr double kOutage = 0.1;            // part of a line's own median
constexpr std::size_t kMostPoints = 400;   // per line
constexpr std::size_t kFewestTimes = 20;   // minimum for a distribution
constexpr double kLogFrom = 20;  // an axis is logarithmic if its ends differ at least by this factor

using Side = LimitLine::Side;
std::string_view sign_of(Side side) { return side == Side::kLeast ? ">=" : "<="; }

bool finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

std::string line_name(const judge::JudgedCase& test, const judge::JudgedMeasurement& m,
                      const std::string& name) {
  std::string text = test.plan.subject.empty() ? test.plan.name : test.plan.subject;
  if (!m.node.empty()) text += ", " + m.node;
  if (!name.empty()) text += ", " + name;
  return text::shortened(text::one_line(text), 120);
}

// The plots of one kind, by key. Lines beyond the bounds are only counted.
class Plots {
 public:
  // Returns the named line in the plot of that key, and creates it if it is new; nullptr if there is no room.
  PlotLine* line(const std::string& key, const std::string& name, const Plot& model, std::size_t& left_out) {
    std::vector<Plot>& parts = plots_[key];
    for (Plot& plot : parts)
      for (PlotLine& line : plot.lines)
        if (line.name == name) return &line;
    if (parts.empty() || parts.back().lines.size() >= kMostLines) {
      if (count_ >= kMostPlots) return ++left_out, nullptr;
      ++count_;
      parts.push_back(model);
    }
    return &parts.back().lines.emplace_back(PlotLine{name, {}});
  }
  Plot* of(const std::string& key, const std::string& line_name) {
    for (Plot& plot : plots_[key])
      if (std::ranges::find(plot.lines, line_name, &PlotLine::name) != plot.lines.end()) return &plot;
    return nullptr;
  }
  std::vector<Plot> take() {
    std::vector<Plot> all;
    for (auto& [key, parts] : plots_)
      for (Plot& plot : parts) all.push_back(std::move(plot));
    return all;
  }

 private:
  std::map<std::string, std::vector<Plot>> plots_;
  std::size_t count_ = 0;
};

PlotAxis value_axis(const judge::JudgedMeasurement& m) {
  return {.title = std::string(name(m.samples.dimension)), .dimension = m.samples.dimension, .unit = m.unit};
}

// Keeps kMostPoints evenly spaced points, including the last one.
std::vector<Point> thinned(std::vector<Point> points) {
  if (points.size() <= kMostPoints) return points;
  std::vector<Point> some;
  for (std::size_t index = 0; index < kMostPoints; ++index)
    some.push_back(points[index * (points.size() - 1) / (kMostPoints - 1)]);
  return some;
}

// Keeps the smallest and largest value of each stretch, so that a dip never disappears.
std::vector<Point> thinned_series(const std::vector<double>& values, double interval) {
  std::vector<Point> points;
  const std::size_t stretch = (values.size() + kMostPoints - 1) / kMostPoints;
  for (std::size_t begin = 0; begin < values.size(); begin += stretch) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = values.begin() + static_cast<std::ptrdiff_t>(std::min(begin + stretch, values.size()));
    auto [low, high] = std::minmax_element(first, last);
    if (low > high) std::swap(low, high);
    const auto add = [&](auto at) {
      points.push_back({interval * static_cast<double>(at - values.begin() + 1), *at});
    };
    add(low);
    if (high != low) add(high);
  }
  return points;
}

// Share of samples at or below each value, as (rank + 0.5) / n: the last value stays below 100 %.
std::vector<Point> distribution_of(std::vector<double> values) {
  std::ranges::sort(values);
  std::vector<Point> points;
  const auto n = static_cast<double>(values.size());
  for (std::size_t rank = 0; rank < values.size(); ++rank)
    points.push_back({values[rank], (static_cast<double>(rank) + 0.5) / n});
  if (points.size() <= kMostPoints) return points;
  std::vector<Point> tail(points.end() - kMostPoints / 4, points.end());
  points.resize(points.size() - tail.size());
  std::vector<Point> some = thinned(std::move(points));
  some.insert(some.end(), tail.begin(), tail.end());
  return some;
}

}  // namespace

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Intervals in which the values are below kOutage of their median.
std::vector<Stretch> outages_of(const std::vector<double>& values, double interval) {
  std::vector<Stretch> outages;
  const double floor = kOutage * median_of(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= floor || floor <= 0) continue;
    const double from = interval * static_cast<double>(i), to = from + interval;
    if (!outages.empty() && outages.back().to >= from)
      outages.back().to = to;
    else
      outages.push_back({from, to});
  }
  // Low values at the beginning and end belong to the load's start and stop.
  const double end = interval * static_cast<double>(values.size());
  std::erase_if(outages,
                [&](const Stretch& each) { return each.from <= 0 || each.to >= end - interval / 2; });
  return outages;
}

// The worst measurements of an expectation, window by window.
struct Course {
  struct Line {
    double margin;
    std::string name;
    std::vector<double> values;
  };
  std::size_t count = 0;
  std::vector<Line> worst;
  std::optional<judge::JudgedMeasurement> model;  // the worst one, without samples

  void add(std::string name, const judge::JudgedMeasurement& m) {
    ++count;
    const double margin = *m.judgement.margin;
    if (worst.size() >= kWorstLines && margin >= worst.back().margin) return;
    const auto place = std::ranges::upper_bound(worst, margin, {}, &Line::margin);
    if (place == worst.begin()) {
      model = m;
      model->samples.values.clear();
    }
    worst.insert(place, {margin, std::move(name), m.samples.values});
    if (worst.size() > kWorstLines) worst.pop_back();
  }
};

class ChartCollector::Collector {
 public:
  void add(const judge::JudgedCase& test) {
    const judge::Attempt* attempt = test.deciding();
    if (attempt == nullptr) return;
    for (const judge::JudgedMeasurement& m : attempt->measurements) {
      add_margin(test, m);
      if (m.samples.values.empty() || !finite(m.samples.values)) continue;
      if (m.axis && m.axis->kind == record::Axis::Kind::kPoint)
        add_curve(test, m);
      else if (m.axis)
        add_series(test, m);
      else if (m.samples.dimension == Dimension::kDataRate && m.samples.values.size() >= kFewestWindows &&
               m.judgement.margin && m.judgement.verdict != judge::Verdict::kRecorded)
        courses_[m.id].add(line_name(test, m, m.detail), m);
      else if (m.samples.dimension == Dimension::kTime && m.samples.values.size() >= kFewestTimes)
        add_distribution(test, m);
    }
  }

  ChartData take() {
    take_margins();
    data_.curves = curves_.take();
    for (const auto& [id, course] : courses_) data_.series.push_back(plot_of(course));
    std::ranges::stable_sort(data_.series, {}, [](const Plot& plot) { return plot.worst_margin; });
    for (Plot& plot : series_.take()) data_.series.push_back(std::move(plot));
    for (std::size_t plot = kMostShown; plot < data_.series.size(); ++plot)
      data_.lines_left_out += data_.series[plot].lines.size();
    if (data_.series.size() > kMostShown) data_.series.resize(kMostShown);
    data_.distributions = distributions_.take();
    for (Plot& plot : data_.curves) finish_curve(plot);
    std::erase_if(data_.curves, is_no_sweep);
    return std::move(data_);
  }

 private:
  void add_margin(const judge::JudgedCase& test, const judge::JudgedMeasurement& m) {
    const judge::Judgement& judgement = m.judgement;
    if (!judgement.margin || !std::isfinite(*judgement.margin) ||
        judgement.verdict == judge::Verdict::kRecorded)
      return;
    const auto found = margins_.find(m.id);
    if (found != margins_.end() && *judgement.margin >= found->second.margin) return;
    const std::string subject = test.plan.subject.empty() ? test.plan.name : test.plan.subject;
    margins_.insert_or_assign(m.id, Margin{text::one_line(text::label(m) + ", " + subject),
                                           text::one_line(text::value_text(m) + " (" + judgement.limit + ")"),
                                           *judgement.margin, judgement.verdict});
  }

  void take_margins() {
    for (auto& [id, margin] : margins_) data_.margins.push_back(std::move(margin));
    std::ranges::stable_sort(data_.margins, {}, &Margin::margin);
    if (data_.margins.size() <= kMostMargins) return;
    data_.margins_left_out = data_.margins.size() - kMostMargins;
    data_.margins.resize(kMostMargins);
  }

  static Plot plot_of(const Course& course) {
    const judge::JudgedMeasurement& m = *course.model;
    Plot plot{.title = course.count > course.worst.size()
                           ? fmt::format("{}: the {} nearest to the limit, of {}", m.id, course.worst.size(),
                                         course.count)
                           : m.id,
              .x = {.title = "window of the measurement", .dimension = Dimension::kCount, .unit = ""},
              .y = value_axis(m),
              .lines = {},
              .limits = {},
              .marginal = {}};
    plot.worst_margin = course.worst.front().margin;
    double windows = 0;
    for (const Course::Line& line : course.worst) {
      plot.lines.push_back({line.name, thinned_series(line.values, 1)});
      windows = std::max(windows, static_cast<double>(line.values.size()));
      for (const Stretch& outage : outages_of(line.values, 1))
        plot.outages.push_back({outage.from + 0.5, outage.to + 0.5});
    }
    for (const double x : {1.0, windows}) {
      add_limit(plot, Side::kLeast, m.judgement.bounds.at_least, x, m);
      add_limit(plot, Side::kMost, m.judgement.bounds.at_most, x, m);
    }
    return plot;
  }

  static std::string limit_text(Side side, double bound, const judge::JudgedMeasurement& m) {
    return fmt::format("{} {}", sign_of(side), text::quantity_text({m.samples.dimension, bound}, m.unit));
  }

  static void add_limit(Plot& plot, Side side, std::optional<double> bound, double x,
                        const judge::JudgedMeasurement& m) {
    if (!bound) return;
    const auto same = std::ranges::find(plot.limits, side, &LimitLine::side);
    LimitLine& line = same == plot.limits.end()
                          ? plot.limits.emplace_back(LimitLine{side, limit_text(side, *bound, m), {}})
                          : *same;
    if (!line.points.empty() && line.points.front().y != *bound)
      line.text = fmt::format("{} the limit of each point", sign_of(side));
    line.points.push_back({x, *bound});
  }

  void add_curve(const judge::JudgedCase& test, const judge::JudgedMeasurement& m) {
    const std::string of = text::one_line(m.axis->of);
    const Quantity x = m.axis->x;
    const std::string key = m.id + '\n' + of, name = line_name(test, m, m.line);
    const Plot model{.title = m.id + " by " + of,
                     .x = {.title = of, .dimension = x.dimension, .unit = {}},
                     .y = value_axis(m),
                     .lines = {},
                     .limits = {},
                     .marginal = {}};
    PlotLine* line = curves_.line(key, name, model, data_.lines_left_out);
    if (line == nullptr || line->points.size() >= kMostPoints) return;
    line->points.push_back({x.value, evaluate(m.statistic, m.samples.values)});
    Plot& plot = *curves_.of(key, name);
    const judge::Bounds& bounds = m.judgement.bounds;
    add_limit(plot, Side::kLeast, bounds.at_least, x.value, m);
    add_limit(plot, Side::kMost, bounds.at_most, x.value, m);
    if (!bounds.marginal) return;
    if (plot.marginal.empty()) plot.marginal.push_back({"marginal", {}});
    plot.marginal.front().points.push_back({x.value, *bounds.marginal});
  }

  static void sort_by_x(std::vector<Point>& points) {
    std::ranges::stable_sort(points, {}, &Point::x);
    const auto same = [](const Point& a, const Point& b) { return a.x == b.x && a.y == b.y; };
    points.erase(std::unique(points.begin(), points.end(), same), points.end());
  }

  static void finish_curve(Plot& plot) {
    double low = INFINITY, high = 0;
    for (PlotLine& line : plot.lines) {
      sort_by_x(line.points);
      for (const Point& point : line.points) low = std::min(low, point.x), high = std::max(high, point.x);
    }
    for (LimitLine& limit : plot.limits) sort_by_x(limit.points);
    for (PlotLine& band : plot.marginal) sort_by_x(band.points);
    plot.x.logarithmic = low > 0 && high / low >= kLogFrom;
  }

  // No sweep: a single x (as in short profiles), or a count or share by size. The tables have these figures.
  static bool is_no_sweep(const Plot& plot) {
    if (plot.y.dimension != Dimension::kDataRate && plot.y.dimension != Dimension::kTime) return true;
    return std::ranges::all_of(plot.lines, [](const PlotLine& line) {
      return line.points.empty() || line.points.front().x == line.points.back().x;
    });
  }

  void add_series(const judge::JudgedCase& test, const judge::JudgedMeasurement& m) {
    const std::string key = test.full_name() + '\n' + m.id;
    const Plot model{
        .title =
            m.id + ": " + text::shortened(test.plan.subject.empty() ? test.plan.name : test.plan.subject, 60),
        .x = {.title = "time from the first interval", .dimension = Dimension::kTime, .unit = "s"},
        .y = value_axis(m),
        .lines = {},
        .limits = {},
        .marginal = {}};
    const std::string name = m.node.empty() ? m.line : m.node + (m.line.empty() ? "" : ", " + m.line);
    PlotLine* line =
        series_.line(key, text::shortened(text::one_line(name), 120), model, data_.lines_left_out);
    if (line != nullptr && line->points.empty()) {
      line->points = thinned_series(m.samples.values, m.axis->x.value);
      Plot& plot = *series_.of(key, line->name);
      if (m.samples.dimension == Dimension::kDataRate)
        for (const Stretch& outage : outages_of(m.samples.values, m.axis->x.value))
          plot.outages.push_back(outage);
    }
  }

  void add_distribution(const judge::JudgedCase& test, const judge::JudgedMeasurement& m) {
    Plot model{.title = "distribution of " + m.id,
               .x = value_axis(m),
               .y = {.title = "share of samples at or below",
                     .dimension = Dimension::kRatio,
                     .unit = "%",
                     .tail = true},
               .lines = {},
               .limits = {},
               .marginal = {}};
    const judge::Bounds& bounds = m.judgement.bounds;
    const std::string statistic(name(m.statistic));
    for (const auto& [side, bound] :
         {std::pair(Side::kLeast, bounds.at_least), std::pair(Side::kMost, bounds.at_most)})
      if (bound)
        model.limits.push_back({side, statistic + " " + limit_text(side, *bound, m), {{*bound, 0}}, true});
    PlotLine* line = distributions_.line(m.id, line_name(test, m, m.detail), model, data_.lines_left_out);
    if (line != nullptr && line->points.empty()) line->points = distribution_of(m.samples.values);
  }

  ChartData data_;
  std::map<std::string, Margin, std::less<>> margins_;  // by id
  Plots curves_, series_, distributions_;
  std::map<std::string, Course> courses_;
};

ChartCollector::ChartCollector() : collector_(std::make_unique<Collector>()) {}
ChartCollector::~ChartCollector() = default;
void ChartCollector::add(const judge::JudgedCase& test) { collector_->add(test); }
ChartData ChartCollector::take() { return collector_->take(); }

ChartData collect_charts(const judge::JudgedRun& run) {
  ChartCollector collector;
  judge::JudgedCase buffer;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases) collector.add(whole(run, test, buffer));
  return collector.take();
}

}  // namespace rigproof::charts
