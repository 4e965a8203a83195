#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "reports/charts/rig_canvas.h"

namespace rigproof::charts {
namespace {

constexpr std::size_t kInALoop = 20, kInTwoRows = 20;
constexpr double kRoomForRates = 120;  // width of a tile that leaves room for rates at its cables

std::optional<double> lower(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}
std::optional<double> lowest_of(const figures::Rates& rates) { return lower(rates.out, rates.in); }

class Tiles : RigCanvas {
 public:
  using RigCanvas::RigCanvas;

  void draw() {
    if (switches_.empty() && rig_.nodes.size() <= kInALoop)
      draw_loop();
    else
      draw_rows();
  }

 private:
  // A tile shows the node's name, and per port its halves and the lowest rate.
  [[nodiscard]] double tile_height() const {
    std::size_t ports = 1;
    for (const Node& node : rig_.nodes) ports = std::max(ports, node.ports.size());
    return 24 + 17 * static_cast<double>(ports);
  }
  void draw_tile(std::size_t index, double x, double y, double width) {
    const RigState::NodeState& state = state_.nodes[index];
    const Mark worst = worst_of(state);
    box(x, y, width, tile_height(), fmt::format("box edge-{}", figures::look_of(worst).css), "#f6f8fa",
        edge_of(worst), dashes_of(worst, "4 2"));
    write_mark(x + width - 9, y + 15, worst);
    write(x + 6, y + 15, names_.of(index, static_cast<std::size_t>((width - 24) / 6.6)),
          {.size = 11, .bold = true});
    double row = y + 21;
    for (std::size_t port = 0; port < state.ports.size(); ++port, row += 17)
      draw_tile_port(state.ports[port], x + 6, row, width);
  }
  void draw_tile_port(const RigState::PortState& port, double x, double y, double width) {
    double right = x;
    std::optional<double> lowest;
    for (std::size_t half = 0; half < port.halves.size(); ++half, right += 16) {
      const figures::Look& look = figures::look_of(port.halves[half]);
      box(right, y, 14, 14, fmt::format("cell-{}", look.css), look.fill, edge_of(port.halves[half]), "none",
          2);
      write_on_cell(right + 7, y + 11, look.glyph, port.halves[half], {.anchor = "middle", .size = 10});
      lowest = lower(lowest, lowest_of(port.half_rates[half]));
    }
    if (right + 34 < x + width) write(x + width - 12, y + 11, rate(lowest), {.anchor = "end", .size = 10.5});
  }

  // Draws tiles in two rows with the switch between them, or in many rows below the switch.
  void draw_rows() {
    const std::size_t nodes = rig_.nodes.size();
    const bool two = nodes <= kInTwoRows && !is_narrow();
    const std::size_t per_row = two ? (nodes + 1) / 2 : is_narrow() ? 3 : 8;
    const double step = width_ / static_cast<double>(per_row), width = std::min(step - 6, 120.0);
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
      box(1, bar_top, width_ - 2, bar, "box", "#f6f8fa", "#57606a");
      write(width_ / 2, bar_top + 16,
            fitting(fmt::format("{}", fmt::join(switches_, ", ")), static_cast<std::size_t>(width_ / 9)),
            {.anchor = "middle", .size = 12, .bold = true});
    });
  }
  // Draws a node's cables to the switch's bar, one per port.
  void draw_drops(std::size_t node, double x, double width, double from, double to) {
    const auto& ports = state_.nodes[node].ports;
    for (std::size_t port = 0; port < ports.size(); ++port) {
      const double at = x + width * static_cast<double>(port + 1) / static_cast<double>(ports.size() + 1);
      cable({at, from}, {at, to}, worst_of(ports[port]));
      if (width < kRoomForRates) continue;
      write(at + 5, (from + to) / 2 + 4, rate(lowest_of(ports[port].rates)), {.size = 10.5});
    }
  }

  void draw_loop() {
    const double width = rig_.nodes.size() > 10 ? 92 : 124, tile = tile_height();
    const std::vector<Spot> spots = is_narrow() ? in_two_columns(width, tile) : in_a_circle(width, tile);
    double bottom = 0;
    for (const Spot& spot : spots) bottom = std::max(bottom, spot.y + tile / 2);
    svg(bottom + 2, [&] {
      std::map<std::pair<std::size_t, std::size_t>, int> beside;  // several cables between two nodes
      for (const Link& link : rig_.links) draw_chord(link, spots, beside);
      for (std::size_t node = 0; node < spots.size(); ++node)
        draw_tile(node, spots[node].x - width / 2, spots[node].y - tile / 2, width);
    });
  }
  [[nodiscard]] std::vector<Spot> in_a_circle(double width, double tile) const {
    const auto nodes = static_cast<double>(rig_.nodes.size());
    const double ry = nodes <= 4 ? 72 : nodes <= 8 ? 140 : 215;
    const double rx = (width_ / 2 - width / 2 - 2) * (nodes == 3 ? 0.7 : 1);
    std::vector<Spot> spots;
    for (double node = 0; node < nodes; ++node) {
      const double angle = (node / nodes - 0.25) * 2 * std::numbers::pi;
      spots.push_back({width_ / 2 + rx * std::cos(angle), 1 + tile / 2 + ry * (1 + std::sin(angle))});
    }
    return spots;
  }
  // Goes down on the left and up on the right, so that neighbours in the ring stay adjacent.
  [[nodiscard]] std::vector<Spot> in_two_columns(double width, double tile) const {
    const std::size_t nodes = rig_.nodes.size(), left = (nodes + 1) / 2;
    const double step = tile + 34;
    std::vector<Spot> spots;
    for (std::size_t node = 0; node < nodes; ++node) {
      const auto up = static_cast<double>(nodes - 1 - node);
      const double row = node < left ? static_cast<double>(node) : up + (nodes % 2 == 1 ? 0.5 : 0);
      spots.push_back({node < left ? width / 2 + 1 : width_ - width / 2 - 1, 1 + tile / 2 + row * step});
    }
    return spots;
  }
  void draw_chord(const Link& link, const std::vector<Spot>& spots,
                  std::map<std::pair<std::size_t, std::size_t>, int>& beside) {
    const auto [a, b] = std::minmax(link.ports.front(), link.ports.back());
    const int nth = beside[{a.node, b.node}]++;
    const double side = nth == 0 ? 0 : (nth % 2 == 1 ? 1.0 : -1.0) * static_cast<double>((nth + 1) / 2);
    const double aside = side * 48, below = side * 18;  // as wide and as high as a label
    const Spot from{spots[a.node].x + aside, spots[a.node].y + below},
        to{spots[b.node].x + aside, spots[b.node].y + below};
    const Mark mark = std::max(worst_of(port_state(a)), worst_of(port_state(b)));
    cable(from, to, mark);
    const std::optional<double> lowest = lowest_of(port_state(a).rates);
    if (!lowest || (spots.size() > 10 && mark <= Mark::kGood)) return;
    const double x = (from.x + to.x) / 2, y = (from.y + to.y) / 2;
    box(x - 22, y - 9, 44, 18, "paper", "#ffffff", "none");
    write(x, y + 4, rate(lowest), {.anchor = "middle", .size = 11.5});
  }
};

class Cells : RigCanvas {
 public:
  using RigCanvas::RigCanvas;

  // Draws one cell per node. Each row begins with the name of its first node. The matrices have the figures.
  void draw() {
    const std::size_t per_row = is_narrow() ? 10 : 25;
    const double names = 100, cell = 22, step = (width_ - names) / static_cast<double>(per_row);
    const std::size_t nodes = rig_.nodes.size(), rows = (nodes + per_row - 1) / per_row;
    svg(2 + static_cast<double>(rows) * (cell + 4), [&] {
      for (std::size_t node = 0; node < nodes; ++node) {
        const double x = names + step * static_cast<double>(node % per_row),
                     y = 1 + static_cast<double>(node / per_row) * (cell + 4);
        if (node % per_row == 0) write(0, y + 15, names_.of(node, 15), kSoft);
        draw_cell(worst_of(state_.nodes[node]), x, y, step - 4, cell);
      }
    });
  }

 private:
  void draw_cell(Mark mark, double x, double y, double width, double height) {
    const figures::Look& look = figures::look_of(mark);
    box(x, y, width, height, fmt::format("cell-{}", look.css), look.fill, edge_of(mark),
        dashes_of(mark, "4 2"), 3);
    write_on_cell(x + width / 2, y + 15, look.glyph, mark, {.anchor = "middle"});
  }
};

}  // namespace

void draw_cells(text::Markup& page, const Rig& rig, const figures::RigState& state, double width) {
  Cells(page, rig, state, width).draw();
}

void draw_tiles(text::Markup& page, const Rig& rig, const figures::RigState& state, double width) {
  Tiles(page, rig, state, width).draw();
}

}  // namespace rigproof::charts
