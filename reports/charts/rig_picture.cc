#include <algorithm>

#include "reports/charts/charts.h"
#include "reports/charts/rig_canvas.h"

namespace rigproof::charts {

constexpr std::size_t kWholeOnPaper = 2, kWholeOnScreens = 6;

void write_rig_picture(text::Markup& page, const Rig& rig, const figures::RigState& state) {
  const bool switched =
      std::ranges::any_of(rig.links, [](const Link& link) { return link.through.has_value(); });
  const std::size_t nodes = rig.nodes.size();
  const auto draw_for_screens = nodes <= (switched ? kWholeOnScreens : 2) ? draw_whole_rig
                                : nodes <= kMostNodesWithRates            ? draw_tiles
                                                                          : draw_cells;
  const auto draw_for_paper = nodes <= kWholeOnPaper                ? draw_whole_rig
                              : nodes <= kMostNodesWithRatesOnPaper ? draw_tiles
                                                                    : draw_cells;
  const auto draw = [&](const char* css, const auto& picture, double width) {
    const auto div = page.element("div", {{"class", css}});
    picture(page, rig, state, width);
  };
  const bool alike = draw_for_screens == draw_for_paper;
  draw(alike ? "wide" : "wide on-screen", draw_for_screens, RigCanvas::kWide);
  if (!alike) draw("on-paper", draw_for_paper, RigCanvas::kWide);
  draw("narrow", draw_for_screens, RigCanvas::kNarrow);
}

}  // namespace rigproof::charts
