#include <algorithm>
#include <cmath>

#include "reports/charts/charts.h"
#include "reports/charts/svg.h"
#include "reports/text/markup.h"

namespace rigproof::charts {
namespace {

constexpr double kBarsWidth = 960, kBarRow = 24, kBarsLeft = 12, kBarsStart = 420, kBarsRight = 690,
                 kBarsTop = 26;

struct BarLook {
  std::string_view css, fill, word;
};
BarLook bar_look_of(judge::Verdict verdict) {
  switch (verdict) {
    case judge::Verdict::kPass:
      return {"good", "#0b6b4f", "pass"};
    case judge::Verdict::kMarginal:
      return {"near", "#7d4e00", "MARGINAL"};
    default:
      return {"bad", "#a8320b", "FAIL"};
  }
}

// Limits the reach to 100 %, because a margin of +400 % would make the others invisible.
double reach_of(const std::vector<Margin>& margins) {
  double reach = 0.02;
  for (const Margin& each : margins) reach = std::max(reach, std::min(std::abs(each.margin), 1.0));
  return reach;
}

class Bars {
 public:
  Bars(text::Markup& page, double reach, bool misses)
      : page_(page),
        zero_(misses ? (kBarsStart + kBarsRight) / 2 : kBarsStart + 10),
        unit_((kBarsRight - zero_) / reach) {}

  void row(const Margin& each, double y) {
    const BarLook look = bar_look_of(each.verdict);
    const double end = std::clamp(zero_ + each.margin * unit_, kBarsStart, kBarsRight);
    write_text(page_, kBarsLeft, y + 10, text::shortened(each.label, 58));
    write_text(page_, kBarsLeft, y + 21, text::shortened(each.result, 58), "start", "soft");
    page_.empty("rect", {{"x", number(std::min(zero_, end))},
                         {"y", number(y + 4)},
                         {"width", number(std::max(std::abs(end - zero_), 1.5))},
                         {"height", "14"},
                         {"class", look.css},
                         {"fill", look.fill}});
    write_text(page_, kBarsRight + 10, y + 15,
               fmt::format("{}  {}", figures::margin_text(each.margin), look.word));
  }
  void limit_line(double bottom) {
    write_text(page_, zero_, kBarsTop - 10, "limit", "middle", "soft");
    write_line(page_, zero_, kBarsTop - 4, zero_, bottom, "axis", "#57606a", "1.5");
  }

 private:
  text::Markup& page_;
  double zero_, unit_;
};

}  // namespace

void write_margin_bars(text::Markup& page, const std::vector<Margin>& margins) {
  const double height = kBarsTop + kBarRow * static_cast<double>(margins.size()) + 8;
  const auto svg = page.element("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                                        {"viewBox", fmt::format("0 0 {} {}", kBarsWidth, height)},
                                        {"width", number(kBarsWidth)},
                                        {"height", number(height)},
                                        {"role", "img"}});
  page.leaf("title", fmt::format("Margins to their limits, worst first: the worst is {} of {}",
                                 figures::margin_text(margins.front().margin), margins.front().label));
  const bool misses = margins.front().margin < 0;
  Bars bars(page, reach_of(margins), misses);
  for (std::size_t row = 0; row < margins.size(); ++row)
    bars.row(margins[row], kBarsTop + kBarRow * static_cast<double>(row));
  bars.limit_line(height - 6);
}

}  // namespace rigproof::charts
