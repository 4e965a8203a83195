#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "reports/charts/charts.h"
#include "reports/charts/svg.h"
#include "reports/text/markup.h"

namespace rigproof::charts {
namespace {

using figures::look_of;
using figures::Mark;
using figures::RigState;

constexpr double kWidth = 800, kBox = 292, kSwitch = 357, kRow = 24, kHead = 30, kPortGap = 8, kNodeGap = 12;
constexpr std::size_t kDrawnWhole = 6, kOnACircle = 20, kInTwoRows = 20, kTilesARow = 8, kCellsARow = 25;

std::string_view edge_of(Mark mark) {
  if (mark >= Mark::kMissed) return "#a8320b";
  return mark <= Mark::kRecorded ? "#8c959f" : look_of(mark).ink;
}

struct Spot {
  double x, y;
};

struct TextStyle {
  std::string_view anchor = "start", css = "ink", fill = "#1b1f24";
  double size = 12;
  bool bold = false;
};
constexpr TextStyle kSoft{.css = "soft", .fill = "#57606a", .size = 10.5};

class Picture {
 public:
  Picture(text::Markup& page, const Rig& rig, const RigState& state) : page_(page), rig_(rig), state_(state) {
    for (const Link& link : rig.links)
      if (link.through) switches_.insert(*link.through);
  }

  void draw() {
    const std::size_t nodes = rig_.nodes.size();
    if (!switches_.empty() && nodes <= kDrawnWhole)
      draw_whole(true);
    else if (nodes == 2)
      draw_whole(false);
    else if (nodes > kMostNodesWithRates)
      draw_cells();
    else if (!switches_.empty())
      draw_rows();
    else if (nodes <= kOnACircle)
      draw_circle();
    else
      draw_rows();
  }

 private:
  // Everything stands inside one <svg> of this height.
  template <class Draw>
  void svg(double height, const Draw& draw) {
    const auto svg = page_.element("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                                           {"viewBox", fmt::format("0 0 {} {}", kWidth, number(height))},
                                           {"width", number(kWidth)},
                                           {"height", number(height)},
                                           {"class", "rig"},
                                           {"role", "img"}});
    page_.leaf("title", fmt::format("The rig {}: {} nodes, with the worst verdict of every part", rig_.name,
                                    rig_.nodes.size()));
    draw();
  }

  void write(double x, double y, std::string_view text, const TextStyle& style = {}) {
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
  void box(double x, double y, double width, double height, std::string_view css, std::string_view fill,
           std::string_view stroke, std::string_view dashes = "none", double radius = 5) {
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
  void cable(Spot from, Spot to, Mark mark) {
    page_.empty("line", {{"x1", number(from.x)},
                         {"y1", number(from.y)},
                         {"x2", number(to.x)},
                         {"y2", number(to.y)},
                         {"class", fmt::format("edge-{}", look_of(mark).css)},
                         {"stroke", edge_of(mark)},
                         {"stroke-width", mark >= Mark::kMissed ? "4.5" : "2.5"},
                         {"stroke-dasharray", mark > Mark::kGood && mark < Mark::kMissed ? "6 3" : "none"}});
  }

  [[nodiscard]] std::string rate(const std::optional<double>& value) const {
    return value ? figures::number_text(*value, state_.unit, Dimension::kDataRate) : "";
  }
  static Mark port_mark(const RigState::PortState& port) {
    return std::max(port.mark, *std::max_element(port.halves.begin(), port.halves.end()));
  }

  [[nodiscard]] static double height_of(const Port& port) {
    return kRow * static_cast<double>(port.halves.size()) + kPortGap;
  }
  [[nodiscard]] static double height_of(const Node& node) {
    double height = kHead;
    for (const Port& port : node.ports) height += height_of(port);
    return height + 4;
  }

  // Nodes left and right, what joins them in the middle.
  void draw_whole(bool switched) {
    double sides[2] = {1, 1};
    std::vector<double> tops;
    for (std::size_t node = 0; node < rig_.nodes.size(); ++node) {
      double& side = sides[node % 2];
      tops.push_back(side);
      side += height_of(rig_.nodes[node]) + kNodeGap;
    }
    const double height = std::max(sides[0], sides[1]) - kNodeGap + 2;
    svg(height, [&] {
      if (switched) draw_switch(height);
      for (std::size_t node = 0; node < tops.size(); ++node)
        draw_node(node, tops[node], node % 2 == 1, switched);
      if (!switched) draw_straight(tops);
    });
  }

  void draw_switch(double height) {
    box(kSwitch, 1, kWidth - 2 * kSwitch, height - 2, "box", "#f6f8fa", "#57606a");
    const std::string name =
        switches_.size() == 1 ? *switches_.begin() : fmt::format("{} switches", switches_.size());
    write(kWidth / 2, 21, text::shortened(name, 11), {.anchor = "middle", .size = 13, .bold = true});
  }

  void draw_node(std::size_t index, double top, bool right, bool switched) {
    const Node& node = rig_.nodes[index];
    const RigState::NodeState& state = state_.nodes[index];
    const double left = right ? kWidth - kBox : 0;
    box(left + 0.5, top, kBox - 1, height_of(node), "box", "#f6f8fa", "#d0d7de");
    const double name = left + (right ? 12 : 46);
    write(name, top + 20, text::shortened(node.name, 18), {.size = 13, .bold = true});
    write_mark(left + (right ? 268 : 18), top + 20, state.mark);
    for (const auto& [word, x] : {std::pair("out", 196.0), std::pair("in", 242.0)})
      write(left + (right ? 0 : 40) + x, top + 20, word,
            {.anchor = "end", .css = "soft", .fill = "#57606a", .size = 10.5});
    double y = top + kHead;
    for (std::size_t port = 0; port < node.ports.size(); ++port) {
      draw_port({index, port}, left, y, right, switched);
      y += height_of(node.ports[port]);
    }
  }

  void draw_port(PortRef ref, double left, double y, bool right, bool switched) {
    const Port& port = rig_.port(ref);
    const RigState::PortState& state = state_.nodes[ref.node].ports[ref.port];
    const double height = kRow * static_cast<double>(port.halves.size());
    const double middle = y + height / 2 - 1;
    write(left + (right ? kBox - 8 : 6), middle + 4, text::shortened(port.name, 7),
          {.anchor = right ? "end" : "start", .css = "soft", .fill = "#57606a", .size = 10.5});
    for (std::size_t half = 0; half < port.halves.size(); ++half)
      draw_half(port.halves[half], state.halves[half], state.half_rates[half], left + (right ? 10 : 46),
                y + kRow * static_cast<double>(half));
    const double plug = right ? left : left + kBox;
    const Mark mark = port_mark(state);
    if (switched) draw_cable(ref, plug, middle, right, state);
    box(plug - 4, middle - 8, 8, 16, fmt::format("fill-edge-{}", look_of(mark).css), edge_of(mark), "none",
        "none", 2);
  }

  void draw_half(const Half& half, Mark mark, const figures::Rates& rates, double x, double y) {
    const figures::Look& look = look_of(mark);
    const bool dashed = mark > Mark::kGood && mark < Mark::kMissed;
    box(x, y, 236, kRow - 2, fmt::format("cell-{}", look.css), look.fill,
        dashed ? look.ink : std::string_view("none"), dashed ? "4 2" : "none", 3);
    const TextStyle ink{.css = fmt_css(mark),
                        .fill = mark >= Mark::kMissed ? "#ffffff" : "#1b1f24",
                        .bold = mark >= Mark::kMissed};
    write_mark(x + 12, y + 16, mark, true);
    write(x + 24, y + 16, text::shortened(half.netdev, 15), ink);
    TextStyle figure = ink;
    figure.anchor = "end";
    write(x + 186, y + 16, rate(rates.out), figure);
    write(x + 231, y + 16, rate(rates.in), figure);
  }
  static std::string_view fmt_css(Mark mark) { return mark >= Mark::kMissed ? "on-bad" : "ink"; }

  void write_mark(double x, double y, Mark mark, bool on_cell = false) {
    if (mark <= Mark::kRecorded) return;
    const bool white = on_cell && mark >= Mark::kMissed;
    write(x, y, look_of(mark).glyph,
          {.anchor = "middle",
           .css = white ? "on-bad" : fmt::format("ink-{}", look_of(mark).css),
           .fill = white ? std::string_view("#ffffff") : edge_of(mark),
           .bold = true});
  }

  void draw_cable(PortRef ref, double plug, double y, bool right, const RigState::PortState& state) {
    const Link& link = rig_.link_of(ref);
    if (!link.through) return;
    const double end = right ? kWidth - kSwitch : kSwitch;
    cable({plug, y}, {end, y}, port_mark(state));
    label_cable((plug + end) / 2, y, right ? state.rates.in : state.rates.out,
                right ? state.rates.out : state.rates.in);
    // Both sides' labels meet in the middle: the names of several switches stand above one another.
    const bool several = switches_.size() > 1;
    write(right ? end - 6 : end + 6, y + (several ? right ? 11 : -2 : 4),
          text::shortened(several ? *link.through : link.name, several ? 13 : 7),
          {.anchor = right ? "end" : "start", .css = "soft", .fill = "#57606a", .size = 10});
  }

  // The rate to the right above the cable, to the left below it.
  void label_cable(double x, double y, const std::optional<double>& there,
                   const std::optional<double>& back) {
    const TextStyle middle{.anchor = "middle", .size = 11.5};
    if (there) write(x, y - 6, "→ " + rate(there), middle);
    if (back) write(x, y + 15, "← " + rate(back), middle);
  }

  [[nodiscard]] double plug_height(PortRef ref, const std::vector<double>& tops) const {
    double y = tops[ref.node] + kHead;
    const Node& node = rig_.nodes[ref.node];
    for (std::size_t port = 0; port < ref.port; ++port) y += height_of(node.ports[port]);
    return y + kRow * static_cast<double>(node.ports[ref.port].halves.size()) / 2 - 1;
  }

  // Cables between two nodes.
  void draw_straight(const std::vector<double>& tops) {
    for (const Link& link : rig_.links) {
      const PortRef a = link.ports.front(), b = link.ports.back();
      const Spot from{kBox + 4, plug_height(a, tops)}, to{kWidth - kBox - 4, plug_height(b, tops)};
      const RigState::PortState& left = state_.nodes[a.node].ports[a.port];
      const RigState::PortState& right = state_.nodes[b.node].ports[b.port];
      cable(from, to, std::max(port_mark(left), port_mark(right)));
      const double y = (from.y + to.y) / 2;
      label_cable(kWidth / 2, y, left.rates.out, right.rates.out);
      write(kBox + 30, y - 5, text::shortened(link.name, 12), kSoft);
    }
  }

  // A node as a tile: its name, and for each port its halves and the lowest rate.
  [[nodiscard]] double tile_height() const {
    std::size_t ports = 1;
    for (const Node& node : rig_.nodes) ports = std::max(ports, node.ports.size());
    return 24 + 17 * static_cast<double>(ports);
  }
  void draw_tile(std::size_t index, double x, double y, double width) {
    const Node& node = rig_.nodes[index];
    const RigState::NodeState& state = state_.nodes[index];
    const Mark worst = worst_of(state);
    const bool dashed = worst > Mark::kGood && worst < Mark::kMissed;
    box(x, y, width, tile_height(), fmt::format("box edge-{}", look_of(worst).css), "#f6f8fa", edge_of(worst),
        dashed ? "4 2" : "none");
    write_mark(x + width - 9, y + 15, worst);
    write(x + 6, y + 15, text::shortened(node.name, static_cast<std::size_t>((width - 24) / 6.6)),
          {.size = 11, .bold = true});
    double row = y + 21;
    for (std::size_t port = 0; port < state.ports.size(); ++port, row += 17)
      draw_tile_port(state.ports[port], x + 6, row, width);
  }
  void draw_tile_port(const RigState::PortState& port, double x, double y, double width) {
    double right = x;
    std::optional<double> lowest;
    for (std::size_t half = 0; half < port.halves.size(); ++half, right += 16) {
      const figures::Look& look = look_of(port.halves[half]);
      box(right, y, 14, 14, fmt::format("cell-{}", look.css), look.fill, edge_of(port.halves[half]), "none",
          2);
      write(right + 7, y + 11, look.glyph,
            {.anchor = "middle",
             .css = fmt_css(port.halves[half]),
             .fill = port.halves[half] >= Mark::kMissed ? "#ffffff" : "#1b1f24",
             .size = 10});
      for (const auto& rate : {port.half_rates[half].out, port.half_rates[half].in})
        if (rate && (!lowest || *rate < *lowest)) lowest = rate;
    }
    if (right + 34 < x + width) write(x + width - 12, y + 11, rate(lowest), {.anchor = "end", .size = 10.5});
  }

  static Mark worst_of(const RigState::NodeState& node) {
    Mark worst = node.mark;
    for (const RigState::PortState& port : node.ports) worst = std::max(worst, port_mark(port));
    return worst;
  }

  // Too many for tiles: a cell a node, and at the left the name of each row's first. The matrices have their figures.
  void draw_cells() {
    constexpr double kNames = 100, kCell = 22, kStep = (kWidth - kNames) / static_cast<double>(kCellsARow);
    const std::size_t nodes = rig_.nodes.size(), rows = (nodes + kCellsARow - 1) / kCellsARow;
    svg(2 + static_cast<double>(rows) * (kCell + 4), [&] {
      for (std::size_t node = 0; node < nodes; ++node) {
        const std::size_t column = node % kCellsARow;
        const double x = kNames + kStep * static_cast<double>(column),
                     y = 1 + static_cast<double>(node / kCellsARow) * (kCell + 4);
        if (column == 0) write(0, y + 15, text::shortened(rig_.nodes[node].name, 15), kSoft);
        draw_cell(worst_of(state_.nodes[node]), x, y, kStep - 4, kCell);
      }
    });
  }
  void draw_cell(Mark mark, double x, double y, double width, double height) {
    const figures::Look& look = look_of(mark);
    const bool dashed = mark > Mark::kGood && mark < Mark::kMissed;
    box(x, y, width, height, fmt::format("cell-{}", look.css), look.fill, edge_of(mark),
        dashed ? "4 2" : "none", 3);
    write(x + width / 2, y + 15, look.glyph,
          {.anchor = "middle", .css = fmt_css(mark), .fill = mark >= Mark::kMissed ? "#ffffff" : "#1b1f24"});
  }

  // Tiles in rows with the switch between them (up to kInTwoRows nodes) or above them.
  void draw_rows() {
    const std::size_t nodes = rig_.nodes.size();
    const bool two = nodes <= kInTwoRows;
    const std::size_t per_row = two ? (nodes + 1) / 2 : kTilesARow;
    const double step = kWidth / static_cast<double>(per_row), width = std::min(step - 6, 120.0);
    const double tile = tile_height(), bar = 24, gap = two ? 26 : 8;
    const auto rows = static_cast<double>((nodes + per_row - 1) / per_row);
    const double height = 2 + rows * (tile + gap) + (switches_.empty() ? 0 : bar + (two ? 0 : gap));
    svg(height, [&] {
      const double bar_top = two ? 1 + tile + gap : 1;
      for (std::size_t node = 0; node < nodes; ++node) {
        const std::size_t row = node / per_row;
        const double x = step * static_cast<double>(node % per_row) + (step - width) / 2;
        const double top =
            two ? (row == 0 ? 1 : bar_top + bar + gap)
                : 1 + (switches_.empty() ? 0 : bar + gap) + static_cast<double>(row) * (tile + gap);
        if (two && !switches_.empty())
          draw_drops(node, x, width, row == 0 ? top + tile : top, row == 0 ? bar_top : bar_top + bar);
        draw_tile(node, x, top, width);
      }
      if (switches_.empty()) return;
      box(1, bar_top, kWidth - 2, bar, "box", "#f6f8fa", "#57606a");
      write(kWidth / 2, bar_top + 16, text::shortened(fmt::format("{}", fmt::join(switches_, ", ")), 90),
            {.anchor = "middle", .size = 12, .bold = true});
    });
  }
  // A node's cables to the switch's bar, one a port.
  void draw_drops(std::size_t node, double x, double width, double from, double to) {
    const auto& ports = state_.nodes[node].ports;
    for (std::size_t port = 0; port < ports.size(); ++port) {
      const double at = x + width * static_cast<double>(port + 1) / static_cast<double>(ports.size() + 1);
      cable({at, from}, {at, to}, port_mark(ports[port]));
    }
  }

  // Tiles on an ellipse, with the cables between them.
  void draw_circle() {
    const std::size_t nodes = rig_.nodes.size();
    const double width = nodes > 10 ? 92 : 124, tile = tile_height();
    const double ry = nodes <= 4 ? 95 : nodes <= 8 ? 140 : 215, rx = kWidth / 2 - width / 2 - 2;
    const double height = 2 * ry + tile + 4;
    std::vector<Spot> spots;
    for (std::size_t node = 0; node < nodes; ++node) {
      const double angle =
          (static_cast<double>(node) / static_cast<double>(nodes) - 0.25) * 2 * std::numbers::pi;
      spots.push_back(
          {kWidth / 2 + rx * (nodes == 3 ? 0.7 : 1) * std::cos(angle), height / 2 + ry * std::sin(angle)});
    }
    svg(height, [&] {
      std::map<std::pair<std::size_t, std::size_t>, int> beside;  // several cables between two nodes
      for (const Link& link : rig_.links) draw_chord(link, spots, beside);
      for (std::size_t node = 0; node < nodes; ++node)
        draw_tile(node, spots[node].x - width / 2, spots[node].y - tile / 2, width);
    });
  }
  void draw_chord(const Link& link, const std::vector<Spot>& spots,
                  std::map<std::pair<std::size_t, std::size_t>, int>& beside) {
    const PortRef a = link.ports.front(), b = link.ports.back();
    const int nth = beside[{a.node, b.node}]++;
    const double shift = nth == 0 ? 0 : (nth % 2 == 1 ? 16.0 : -16.0) * static_cast<double>((nth + 1) / 2);
    const Spot from{spots[a.node].x + shift, spots[a.node].y + shift},
        to{spots[b.node].x + shift, spots[b.node].y + shift};
    const RigState::PortState& one = state_.nodes[a.node].ports[a.port];
    const RigState::PortState& other = state_.nodes[b.node].ports[b.port];
    const Mark mark = std::max(port_mark(one), port_mark(other));
    cable(from, to, mark);
    std::optional<double> lowest;
    for (const auto& rate : {one.rates.out, one.rates.in})
      if (rate && (!lowest || *rate < *lowest)) lowest = rate;
    if (!lowest || (spots.size() > 10 && mark <= Mark::kGood)) return;
    const double x = (from.x + to.x) / 2, y = (from.y + to.y) / 2;
    box(x - 22, y - 9, 44, 18, "paper", "#ffffff", "none");
    write(x, y + 4, rate(lowest), {.anchor = "middle", .size = 11.5});
  }

  text::Markup& page_;
  const Rig& rig_;
  const RigState& state_;
  std::set<std::string> switches_;
};

}  // namespace

void write_rig_picture(text::Markup& page, const Rig& rig, const figures::RigState& state) {
  Picture(page, rig, state).draw();
}

}  // namespace rigproof::charts
