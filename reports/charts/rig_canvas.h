#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "framework/rig/rig.h"
#include "reports/charts/svg.h"
#include "reports/figures/figures.h"
#include "reports/text/markup.h"

namespace rigproof::charts {

struct Spot {
  double x, y;
};
struct TextStyle {
  std::string_view anchor = "start", css = "ink", fill = "#1b1f24";
  double size = 12;
  bool bold = false;
};

// Base of the rig pictures: draws the rig's parts in the colours of their worst verdicts. Used only in this folder.
class RigCanvas {
 public:
  // Widths of pictures for pages and for phones. The text size is the same.
  static constexpr double kWide = 800, kNarrow = 400;

  RigCanvas(text::Markup& page, const Rig& rig, const figures::RigState& state, double width);

 protected:
  using Mark = figures::Mark;
  using RigState = figures::RigState;

  static constexpr TextStyle kSoft{.css = "soft", .fill = "#57606a", .size = 10.5};

  // Draws inside one <svg> of this height.
  template <class Draw>
  void svg(double height, const Draw& draw) {
    const auto svg = page_.element("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                                           {"viewBox", fmt::format("0 0 {} {}", width_, number(height))},
                                           {"width", number(width_)},
                                           {"height", number(height)},
                                           {"class", "rig"},
                                           {"role", "img"}});
    page_.leaf("title", fmt::format("The rig {}: {} nodes, with the worst verdict of every part", rig_.name,
                                    rig_.nodes.size()));
    draw();
  }

  void write(double x, double y, std::string_view text, const TextStyle& style = {});
  void write_on_cell(double x, double y, std::string_view text, Mark mark, TextStyle style = {});
  void write_mark(double x, double y, Mark mark);  // no mark for good
  void box(double x, double y, double width, double height, std::string_view css, std::string_view fill,
           std::string_view stroke, std::string_view dashes = "none", double radius = 5);
  void cable(Spot from, Spot to, Mark mark);
  [[nodiscard]] std::string rate(const std::optional<double>& value) const;
  // Shortens a name to at most `most` bytes, including the dots.
  static std::string fitting(const std::string& name, std::size_t most) {
    const std::string line = text::one_line(name);
    return line.size() <= most ? line : text::shortened(line, most - 3);
  }
  [[nodiscard]] bool is_narrow() const { return width_ < kWide; }
  [[nodiscard]] const RigState::PortState& port_state(PortRef port) const {
    return state_.nodes[port.node].ports[port.port];
  }

  static std::string_view edge_of(Mark mark);
  // Parts that are neither good nor bad have a dashed edge.
  static std::string_view dashes_of(Mark mark, std::string_view dashes);
  static Mark worst_of(const RigState::PortState& port);
  static Mark worst_of(const RigState::NodeState& node);

  text::Markup& page_;
  const Rig& rig_;
  const RigState& state_;
  figures::NodeNames names_;
  std::set<std::string> switches_;
  double width_;
};

// Draws every half of every node with the cables and switches between the nodes; on a phone the nodes are stacked.
void draw_whole_rig(text::Markup& page, const Rig& rig, const figures::RigState& state, double width);

// Draws one tile per node: in rows along the switch, or in a circle with the cables between them (on a phone in two
// columns).
void draw_tiles(text::Markup& page, const Rig& rig, const figures::RigState& state, double width);

// Draws one cell per node.
void draw_cells(text::Markup& page, const Rig& rig, const figures::RigState& state, double width);

}  // namespace rigproof::charts
