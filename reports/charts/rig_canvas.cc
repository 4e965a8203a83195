#include "reports/charts/rig_canvas.h"

#include <algorithm>

namespace rigproof::charts {

RigCanvas::RigCanvas(text::Markup& page, const Rig& rig, const RigState& state, double width)
    : page_(page), rig_(rig), state_(state), names_(rig), width_(width) {
  for (const Link& link : rig.links)
    if (link.through) switches_.insert(*link.through);
}

void RigCanvas::write(double x, double y, std::string_view text, const TextStyle& style) {
  page_.leaf("text", text,
             {{"x", number(x)},
              {"y", number(y)},
              {"text-anchor", style.anchor},
              {"font-size", number(style.size)},
              {"font-family", "Arial, Liberation Sans, Arimo, Helvetica, sans-serif"},
              {"font-weight", style.bold ? "bold" : "normal"},
              {"class", style.css},
              {"fill", style.fill}});
}

void RigCanvas::write_on_cell(double x, double y, std::string_view text, Mark mark, TextStyle style) {
  const bool bad = mark >= Mark::kMissed;
  style.css = bad ? "on-bad" : "ink";
  style.fill = bad ? "#ffffff" : "#1b1f24";
  write(x, y, text, style);
}

void RigCanvas::write_mark(double x, double y, Mark mark) {
  if (mark <= Mark::kRecorded) return;
  const figures::Look& look = figures::look_of(mark);
  write(x, y, look.glyph,
        {.anchor = "middle", .css = fmt::format("ink-{}", look.css), .fill = edge_of(mark), .bold = true});
}

void RigCanvas::box(double x, double y, double width, double height, std::string_view css,
                    std::string_view fill, std::string_view stroke, std::string_view dashes, double radius) {
  page_.empty("rect", {{"x", number(x)},
                       {"y", number(y)},
                       {"width", number(width)},
                       {"height", number(height)},
                       {"rx", number(radius)},
                       {"class", css},
                       {"fill", fill},
                       {"stroke", stroke},
                       {"stroke-dasharray", dashes}});
}

void RigCanvas::cable(Spot from, Spot to, Mark mark) {
  page_.empty("line", {{"x1", number(from.x)},
                       {"y1", number(from.y)},
                       {"x2", number(to.x)},
                       {"y2", number(to.y)},
                       {"class", fmt::format("edge-{}", figures::look_of(mark).css)},
                       {"stroke", edge_of(mark)},
                       {"stroke-width", mark >= Mark::kMissed ? "4.5" : "2.5"},
                       {"stroke-dasharray", dashes_of(mark, "6 3")}});
}

std::string RigCanvas::rate(const std::optional<double>& value) const {
  return value ? figures::number_text(*value, state_.unit, Dimension::kDataRate) : "";
}

std::string_view RigCanvas::edge_of(Mark mark) {
  if (mark >= Mark::kMissed) return "#a8320b";
  return mark <= Mark::kRecorded ? "#8c959f" : figures::look_of(mark).ink;
}

std::string_view RigCanvas::dashes_of(Mark mark, std::string_view dashes) {
  return mark > Mark::kGood && mark < Mark::kMissed ? dashes : "none";
}

figures::Mark RigCanvas::worst_of(const RigState::PortState& port) {
  return std::max(port.mark, *std::max_element(port.halves.begin(), port.halves.end()));
}

figures::Mark RigCanvas::worst_of(const RigState::NodeState& node) {
  Mark worst = node.mark;
  for (const RigState::PortState& port : node.ports) worst = std::max(worst, worst_of(port));
  return worst;
}

}  // namespace rigproof::charts
