#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "reports/charts/charts.h"
#include "reports/charts/rig_canvas.h"

namespace rigproof::charts {
namespace {

constexpr double kBox = 292, kHalfRow = 24, kHead = 30, kPortGap = 8, kNodeGap = 12;
constexpr double kSwitchWidth = 86, kNarrowSwitchWidth = 43, kSwitchName = 22;
constexpr std::size_t kWholeOnPaper = 2, kWholeOnScreens = 6;  // nodes

double height_of(const Port& port) { return kHalfRow * static_cast<double>(port.halves.size()) + kPortGap; }

double height_of(const Node& node) {
  double height = kHead;
  for (const Port& port : node.ports) height += height_of(port);
  return height + 4;
}

class WholeRig : RigCanvas {
 public:
  using RigCanvas::RigCanvas;

  void draw() {
    const bool switched = !switches_.empty();
    const double first = switched && is_narrow() ? kSwitchName : 1;  // room for the switch's name above
    std::array<double, 2> columns{first, first};
    for (std::size_t node = 0; node < rig_.nodes.size(); ++node) {
      double& column = columns[is_right(node) ? 1 : 0];
      tops_.push_back(column);
      column += height_of(rig_.nodes[node]) + kNodeGap;
    }
    const double height = std::max(columns[0], columns[1]) - kNodeGap + 2;
    svg(height, [&] {
      if (switched) draw_switch(height);
      for (std::size_t node = 0; node < tops_.size(); ++node) draw_node(node, switched);
      if (!switched)
        for (std::size_t link = 0; link < rig_.links.size(); ++link) draw_straight(link);
    });
  }

 private:
  [[nodiscard]] bool is_right(std::size_t node) const { return !is_narrow() && node % 2 == 1; }
  [[nodiscard]] double left_of(std::size_t node) const { return is_right(node) ? width_ - kBox : 0; }
  [[nodiscard]] double switch_left() const {
    return is_narrow() ? width_ - kNarrowSwitchWidth - 1 : (width_ - kSwitchWidth) / 2;
  }

  void draw_switch(double height) {
    const double left = switch_left(), top = is_narrow() ? kSwitchName : 1;
    box(left, top, is_narrow() ? kNarrowSwitchWidth : kSwitchWidth, height - top - 1, "box", "#f6f8fa",
        "#57606a");
    const std::string name =
        switches_.size() == 1 ? *switches_.begin() : fmt::format("{} switches", switches_.size());
    if (is_narrow())
      write(width_ - 1, 14, fitting(name, 14), {.anchor = "end", .size = 12, .bold = true});
    else
      write(width_ / 2, 21, fitting(name, 11), {.anchor = "middle", .size = 13, .bold = true});
  }

  void draw_node(std::size_t index, bool switched) {
    const Node& node = rig_.nodes[index];
    const bool right = is_right(index);
    const double left = left_of(index), top = tops_[index];
    box(left + 0.5, top, kBox - 1, height_of(node), "box", "#f6f8fa", "#d0d7de");
    write(left + (right ? 12 : 46), top + 20, names_.of(index, 18), {.size = 13, .bold = true});
    write_mark(left + (right ? 268 : 18), top + 20, state_.nodes[index].mark);
    for (const auto& [word, x] : {std::pair("out", 196.0), std::pair("in", 242.0)})
      write(left + (right ? 0 : 40) + x, top + 20, word,
            {.anchor = "end", .css = "soft", .fill = "#57606a", .size = 10.5});
    for (std::size_t port = 0; port < node.ports.size(); ++port) draw_port({index, port}, switched);
  }

  void draw_port(PortRef ref, bool switched) {
    const Port& port = rig_.port(ref);
    const RigState::PortState& state = port_state(ref);
    const bool right = is_right(ref.node);
    const double left = left_of(ref.node), middle = plug_height(ref);
    const double top = middle + 1 - kHalfRow * static_cast<double>(port.halves.size()) / 2;
    write(left + (right ? kBox - 8 : 6), middle + 4, fitting(port.name, 7),
          {.anchor = right ? "end" : "start", .css = "soft", .fill = "#57606a", .size = 10.5});
    for (std::size_t half = 0; half < port.halves.size(); ++half)
      draw_half(port.halves[half], state.halves[half], state.half_rates[half], left + (right ? 10 : 46),
                top + kHalfRow * static_cast<double>(half));
    const double plug = right ? left : left + kBox;
    const Mark mark = worst_of(state);
    if (switched) draw_cable(ref, plug, middle);
    box(plug - 4, middle - 8, 8, 16, fmt::format("fill-edge-{}", figures::look_of(mark).css), edge_of(mark),
        "none", "none", 2);
  }

  void draw_half(const Half& half, Mark mark, const figures::Rates& rates, double x, double y) {
    const figures::Look& look = figures::look_of(mark);
    const std::string_view dashes = dashes_of(mark, "4 2");
    box(x, y, 236, kHalfRow - 2, fmt::format("cell-{}", look.css), look.fill,
        dashes == "none" ? std::string_view("none") : look.ink, dashes, 3);
    const bool bad = mark >= Mark::kMissed;
    if (bad)
      write_on_cell(x + 12, y + 16, look.glyph, mark, {.anchor = "middle", .bold = true});
    else
      write_mark(x + 12, y + 16, mark);
    write_on_cell(x + 24, y + 16, fitting(half.netdev, 15), mark, {.bold = bad});
    write_on_cell(x + 186, y + 16, rate(rates.out), mark, {.anchor = "end", .bold = bad});
    write_on_cell(x + 231, y + 16, rate(rates.in), mark, {.anchor = "end", .bold = bad});
  }

  // Draws a cable from a plug to the switch, with the name of the switch's end.
  void draw_cable(PortRef ref, double plug, double y) {
    const Link& link = rig_.link_of(ref);
    if (!link.through) return;
    const bool right = is_right(ref.node);
    const figures::Rates& rates = port_state(ref).rates;
    const double end = right ? switch_left() + kSwitchWidth : switch_left();
    cable({plug, y}, {end, y}, worst_of(port_state(ref)));
    label_cable((plug + end) / 2, y, right ? rates.in : rates.out, right ? rates.out : rates.in);
    // The labels of both sides meet in the middle, so with several switches their names are staggered.
    const bool several = switches_.size() > 1, staggered = several && !is_narrow();
    write(right ? end - 6 : end + 6, y + (staggered ? right ? 11 : -2 : 4),
          fitting(several ? *link.through : link.name, staggered ? 13 : 7),
          {.anchor = right ? "end" : "start",
           .css = "soft",
           .fill = "#57606a",
           .size = is_narrow() ? 9.0 : 10.0});
  }

  // Writes the rate to the right above the cable, the rate to the left below.
  void label_cable(double x, double y, const std::optional<double>& there,
                   const std::optional<double>& back) {
    const TextStyle middle{.anchor = "middle", .size = 11.5};
    if (there) write(x, y - 6, "→ " + rate(there), middle);
    if (back) write(x, y + 15, "← " + rate(back), middle);
  }

  [[nodiscard]] double plug_height(PortRef ref) const {
    double y = tops_[ref.node] + kHead;
    const Node& node = rig_.nodes[ref.node];
    for (std::size_t port = 0; port < ref.port; ++port) y += height_of(node.ports[port]);
    return y + kHalfRow * static_cast<double>(node.ports[ref.port].halves.size()) / 2 - 1;
  }

  // Draws a cable between the two nodes.
  void draw_straight(std::size_t number) {
    const Link& link = rig_.links[number];
    const auto [a, b] = std::minmax(link.ports.front(), link.ports.back());
    const Mark mark = std::max(worst_of(port_state(a)), worst_of(port_state(b)));
    const double from = plug_height(a), to = plug_height(b);
    const std::string name = fitting(link.name, is_narrow() ? 10 : 12);
    if (is_narrow()) {
      const double turn = width_ - 8 - 14 * static_cast<double>(number);
      cable({kBox + 4, from}, {turn, from}, mark);
      cable({turn, from}, {turn, to}, mark);
      cable({turn, to}, {kBox + 4, to}, mark);
      label_cable(kBox + 32, from, port_state(a).rates.out, port_state(b).rates.out);
      return write(kBox + 8, to - 5, name, kSoft);
    }
    cable({kBox + 4, from}, {width_ - kBox - 4, to}, mark);
    label_cable(width_ / 2, (from + to) / 2, port_state(a).rates.out, port_state(b).rates.out);
    write(kBox + 30, (from + to) / 2 - 5, name, kSoft);
  }

  std::vector<double> tops_;  // of the nodes
};

}  // namespace

void draw_whole_rig(text::Markup& page, const Rig& rig, const figures::RigState& state, double width) {
  WholeRig(page, rig, state, width).draw();
}

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
