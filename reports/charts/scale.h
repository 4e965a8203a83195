#pragma once

#include <string>
#include <vector>

#include "reports/charts/chart_data.h"

namespace rigproof::charts {

struct Tick {
  double value;
  std::string text;
};

// Where values of an axis lie between two places of the drawing, and where its ticks are.
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
