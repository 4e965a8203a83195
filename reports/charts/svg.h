#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "reports/charts/chart_data.h"
#include "reports/text/markup.h"

namespace rigproof::charts {

// SVG helpers of all charts. Used only in this folder.

inline std::string number(double value) { return fmt::format("{:.1f}", value); }

inline void write_text(text::Markup& page, double x, double y, std::string_view text,
                       std::string_view anchor = "start", std::string_view css = "ink") {
  page.leaf("text", text,
            {{"x", number(x)},
             {"y", number(y)},
             {"text-anchor", anchor},
             {"font-size", "11"},
             {"font-family", "Arial, Liberation Sans, Arimo, Helvetica, sans-serif"},
             {"class", css},
             {"fill", css == "soft" ? "#57606a" : "#1b1f24"}});
}

inline void write_line(text::Markup& page, double x1, double y1, double x2, double y2, std::string_view css,
                       std::string_view stroke, std::string_view width = "1",
                       std::string_view dashes = "none") {
  page.empty("line", {{"x1", number(x1)},
                      {"y1", number(y1)},
                      {"x2", number(x2)},
                      {"y2", number(y2)},
                      {"class", css},
                      {"stroke", stroke},
                      {"stroke-width", width},
                      {"stroke-dasharray", dashes}});
}

struct Tick {
  double value;
  std::string text;
};

// Places values of an axis between two drawing coordinates, and makes its ticks.
class Scale {
 public:
  // From `low` to `high`, widened to whole ticks; `begin` and `end` are drawing coordinates.
  Scale(const PlotAxis& axis, double low, double high, double begin, double end);

  [[nodiscard]] double place(double value) const;
  [[nodiscard]] const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  [[nodiscard]] double position(double value) const;  // on a linear scale
  void make_linear_ticks();
  void make_logarithmic_ticks();
  void make_tail_ticks(double high);
  [[nodiscard]] std::string text(double value) const;

  PlotAxis axis_;
  double low_, high_, begin_, end_;
  std::vector<Tick> ticks_;
};

}  // namespace rigproof::charts
