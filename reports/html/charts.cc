#include <fmt/format.h>

#include "reports/charts/plot.h"
#include "reports/html/sections.h"

namespace rigproof {
namespace {

void write_figure(Markup& page, const Plot& plot) {
  const auto figure = page.element("figure");
  page.leaf("figcaption", plot.title);
  write_plot(page, plot);
}

void write_plots(Markup& page, std::string_view title, const std::vector<Plot>& plots) {
  if (plots.empty()) return;
  page.leaf("h3", title);
  for (const Plot& plot : plots) write_figure(page, plot);
}

void write_margins(Markup& page, const ChartData& data) {
  page.leaf("h3", "Margins to the limits, worst first");
  if (data.margins.empty()) return page.leaf("p", "No measurement of this run has a margin.");
  const auto figure = page.element("figure");
  page.leaf("figcaption",
            fmt::format("The {} smallest margins of {}. A margin is the distance to the nearest bound, "
                        "as a share of it; a negative one misses the limit.",
                        data.margins.size(), data.margins.size() + data.margins_left_out));
  write_margin_bars(page, data.margins);
}

}  // namespace

void write_charts(Markup& page, const JudgedRun& run) {
  const auto section = page.element("section");
  page.leaf("h2", "Charts");
  const ChartData data = collect_charts(run);
  write_margins(page, data);
  write_plots(page, "Sweeps", data.curves);
  write_plots(page, "Time series", data.series);
  write_plots(page, "Distributions", data.distributions);
  if (data.lines_left_out > 0)
    page.leaf("p", fmt::format("{} more lines are left to the journal: these pages are full.",
                               data.lines_left_out));
}

}  // namespace rigproof
