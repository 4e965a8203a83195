#include <algorithm>
#include <array>
#include <cmath>

#include "reports/charts/charts.h"
#include "reports/charts/svg.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"

namespace rigproof::charts {
namespace {

constexpr double kPlotWidth = 560, kPlotLeft = 86, kPlotRight = 536, kPlotTop = 22, kPlotBottom = 190,
                 kPlotLegend = 16;
constexpr double kFarAway = 4;  // times the measured range: a limit beyond would flatten the curve
constexpr std::string_view kLimitWidth = "2", kLimitDashes = "9 5";
constexpr std::size_t kFewPoints = 40;  // up to this number each point has a marker

struct LineLook {
  std::string_view css, stroke, dashes;
};
constexpr std::array kLineLooks{LineLook{"c0", "#0550ae", "none"}, LineLook{"c1", "#9a3412", "8 4"},
                                LineLook{"c2", "#116329", "2 3"},  LineLook{"c3", "#6639ba", "12 3 2 3"},
                                LineLook{"c4", "#0e7490", "5 2"},  LineLook{"c5", "#7d4e00", "1 5"}};

struct Range {
  double low = INFINITY, high = -INFINITY;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

class Drawing {
 public:
  Drawing(text::Markup& page, const Plot& plot, Range x, Range y)
      : page_(page),
        plot_(plot),
        x_(plot.x, x.low, x.high, kPlotLeft, kPlotRight),
        y_(plot.y, y.low, y.high, kPlotBottom, kPlotTop) {}

  void draw() {
    draw_band();
    for (const Stretch& outage : plot_.outages) draw_outage(outage);
    draw_grid();
    for (const LimitLine& limit : plot_.limits) draw_limit(limit);
    for (std::size_t line = 0; line < plot_.lines.size(); ++line) draw_line(line);
    if (!plot_.limits.empty()) name_limits();
  }

 private:
  void draw_grid() {
    for (const Tick& tick : y_.ticks()) {
      const double y = y_.place(tick.value);
      write_line(page_, kPlotLeft, y, kPlotRight, y, "grid", "#d0d7de");
      write_text(page_, kPlotLeft - 8, y + 4, tick.text, "end", "soft");
    }
    for (const Tick& tick : x_.ticks()) {
      const double x = x_.place(tick.value);
      write_line(page_, x, kPlotBottom, x, kPlotBottom + 5, "axis", "#57606a");
      write_text(page_, x, kPlotBottom + 19, tick.text, "middle", "soft");
    }
    write_line(page_, kPlotLeft, kPlotBottom, kPlotRight, kPlotBottom, "axis", "#57606a");
    write_line(page_, kPlotLeft, kPlotTop, kPlotLeft, kPlotBottom, "axis", "#57606a");
    write_text(page_, (kPlotLeft + kPlotRight) / 2, kPlotBottom + 36, plot_.x.title, "middle", "soft");
    write_text(page_, 2, kPlotTop - 9, plot_.y.title, "start", "soft");
  }

  // Fills the area between the limit and the far edge of its marginal band.
  void draw_band() {
    if (plot_.marginal.empty() || plot_.limits.empty()) return;
    std::string points;
    for (const Point& point : plot_.limits.front().points) points += place(point) + " ";
    const auto& edge = plot_.marginal.front().points;
    for (auto point = edge.rbegin(); point != edge.rend(); ++point) points += place(*point) + " ";
    page_.empty("polygon",
                {{"points", points}, {"class", "band"}, {"fill", "#7d4e00"}, {"fill-opacity", "0.25"}});
  }

  void draw_outage(const Stretch& outage) {
    const double from = std::clamp(x_.place(outage.from), kPlotLeft, kPlotRight),
                 to = std::clamp(x_.place(outage.to), kPlotLeft, kPlotRight);
    page_.empty("rect", {{"x", number(from)},
                         {"y", number(kPlotTop)},
                         {"width", number(std::max(to - from, 1.5))},
                         {"height", number(kPlotBottom - kPlotTop)},
                         {"class", "outage"},
                         {"fill", "#a8320b"},
                         {"fill-opacity", "0.2"}});
    write_text(page_, (from + to) / 2, kPlotTop + 12, "outage", "middle");
  }

  void draw_limit(const LimitLine& limit) {
    const Point first = limit.points.front();
    if (limit.upright) {
      const double x = x_.place(first.x);
      if (x <= kPlotRight)
        write_line(page_, x, kPlotTop, x, kPlotBottom, "limit", "#a8320b", kLimitWidth, kLimitDashes);
      return;
    }
    std::string points;
    for (const Point& point : limit.points) points += place(point) + " ";
    if (limit.points.size() == 1)
      points = fmt::format("{},{} {},{}", kPlotLeft, number(y_.place(first.y)), kPlotRight,
                           number(y_.place(first.y)));
    page_.empty("polyline", {{"points", points},
                             {"class", "limit"},
                             {"fill", "none"},
                             {"stroke", "#a8320b"},
                             {"stroke-width", kLimitWidth},
                             {"stroke-dasharray", kLimitDashes}});
  }

  // Names the limits below the legend's lines, because texts inside the plot would cover them.
  void name_limits() {
    const double y = legend_place(plot_.lines.size());
    write_line(page_, kPlotLeft, y, kPlotLeft + 46, y, "limit", "#a8320b", kLimitWidth, kLimitDashes);
    std::string words;
    for (const LimitLine& limit : plot_.limits) {
      const bool beyond = limit.upright && x_.place(limit.points.front().x) > kPlotRight;
      words += fmt::format("{} {}{}", words.empty() ? "limit" : " and", limit.text,
                           beyond ? " (further right)" : "");
    }
    write_text(page_, kPlotLeft + 56, y + 4, text::shortened(words, 72));
  }

  void draw_line(std::size_t index) {
    const PlotLine& line = plot_.lines[index];
    const LineLook& look = kLineLooks[index % kLineLooks.size()];
    std::string points;
    for (const Point& point : line.points) points += place(point) + " ";
    page_.empty("polyline", {{"points", points},
                             {"class", std::string("line ") + std::string(look.css)},
                             {"fill", "none"},
                             {"stroke", look.stroke},
                             {"stroke-width", "2"},
                             {"stroke-dasharray", look.dashes}});
    if (line.points.size() <= kFewPoints)
      for (const Point& point : line.points) draw_marker(index, x_.place(point.x), y_.place(point.y));
    draw_legend(index);
  }

  void draw_marker(std::size_t index, double x, double y) {
    const LineLook& look = kLineLooks[index % kLineLooks.size()];
    const std::string css = std::string("mark ") + std::string(look.css);
    if (index % 2 == 0)
      page_.empty(
          "circle",
          {{"cx", number(x)}, {"cy", number(y)}, {"r", "3.5"}, {"class", css}, {"fill", look.stroke}});
    else
      page_.empty("rect", {{"x", number(x - 3.5)},
                           {"y", number(y - 3.5)},
                           {"width", "7"},
                           {"height", "7"},
                           {"class", css},
                           {"fill", look.stroke}});
  }

  void draw_legend(std::size_t index) {
    const LineLook& look = kLineLooks[index % kLineLooks.size()];
    const double y = legend_place(index);
    write_line(page_, kPlotLeft, y, kPlotLeft + 46, y, std::string("line ") + std::string(look.css),
               look.stroke, "2", look.dashes);
    draw_marker(index, kPlotLeft + 23, y);
    write_text(page_, kPlotLeft + 56, y + 4, text::shortened(plot_.lines[index].name, 72));
  }

  [[nodiscard]] static double legend_place(std::size_t index) {
    return kPlotBottom + 54 + kPlotLegend * static_cast<double>(index);
  }
  [[nodiscard]] std::string place(const Point& point) const {
    return number(x_.place(point.x)) + "," + number(y_.place(point.y));
  }

  text::Markup& page_;
  const Plot& plot_;
  Scale x_, y_;
};

std::string description(const Plot& plot) {
  std::string text;
  for (const PlotLine& line : plot.lines) {
    Range y;
    for (const Point& point : line.points) y.add(plot.y.tail ? point.x : point.y);
    const PlotAxis& axis = plot.y.tail ? plot.x : plot.y;
    text += fmt::format("{}: {} points from {} to {}. ", line.name, line.points.size(),
                        text::quantity_text({axis.dimension, y.low}, axis.unit),
                        text::quantity_text({axis.dimension, y.high}, axis.unit));
  }
  for (const LimitLine& limit : plot.limits) text += "Limit " + limit.text + ". ";
  return text;
}

}  // namespace

void write_plot(text::Markup& page, const Plot& plot) {
  Range x, y;
  if (!plot.x.logarithmic && plot.x.dimension != Dimension::kTime) x.add(0);
  for (const PlotLine& line : plot.lines)
    for (const Point& point : line.points) x.add(point.x), y.add(point.y);
  const double far = x.high * kFarAway;
  for (const LimitLine& limit : plot.limits)
    for (const Point& point : limit.points)
      if (!limit.upright)
        y.add(point.y);
      else if (point.x < far)
        x.add(point.x);
  if (!plot.y.logarithmic && !plot.y.tail) y.add(0);
  if (plot.y.dimension != Dimension::kTime && !plot.y.tail) y.add(y.high * 1.06);  // room above
  const std::size_t legend = plot.lines.size() + (plot.limits.empty() ? 0 : 1);
  const double height = kPlotBottom + 50 + kPlotLegend * static_cast<double>(legend);
  const auto svg = page.element("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                                        {"viewBox", fmt::format("0 0 {} {}", kPlotWidth, height)},
                                        {"width", number(kPlotWidth)},
                                        {"height", number(height)},
                                        {"role", "img"}});
  page.leaf("title", plot.title);
  page.leaf("desc", description(plot));
  Drawing(page, plot, x, y).draw();
}

}  // namespace rigproof::charts
