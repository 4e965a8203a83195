#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "reports/charts/charts.h"
#include "reports/charts/svg.h"
#include "reports/text/markup.h"

namespace rigproof::charts {
namespace {

using figures::Cell;
using figures::Mark;

constexpr std::size_t kShades = 12, kMostTooltips = 300;
constexpr double kMapWidth = 960, kRowLabels = 110, kColumnLabels = 84, kMapLegend = 44;

struct Colour {
  double red, green, blue;
};
// From good to bad, ever darker.
constexpr std::array kRamp{Colour{226, 240, 233}, Colour{248, 214, 140}, Colour{226, 140, 66},
                           Colour{165, 50, 12}, Colour{66, 16, 6}};

std::string shade_text(std::size_t shade) {
  const double at = static_cast<double>(shade) / (kShades - 1) * (kRamp.size() - 1);
  const auto from = std::min(static_cast<std::size_t>(at), kRamp.size() - 2);
  const double part = at - static_cast<double>(from);
  const auto mixed = [&](double Colour::*channel) {
    return static_cast<int>(std::lround(kRamp[from].*channel * (1 - part) + kRamp[from + 1].*channel * part));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(&Colour::red), mixed(&Colour::green), mixed(&Colour::blue));
}

bool is_missed(const Cell& cell) { return cell.mark >= Mark::kWaived; }

// Shade of a value: the best is lightest, the worst darkest. The limit bounds the scale, so that noise of a sound rig does
// not get the colours of a broken one.
class Shades {
 public:
  explicit Shades(const figures::PairTable& table) : lower_is_better_(table.lower_is_better()) {
    for (const auto& [pair, cell] : table.cells)
      if (cell.value) add(*cell.value);
    const judge::Bounds& bounds = table.bounds;
    if (bounds.at_least && !lower_is_better_) add(*bounds.at_least);
    if (bounds.at_most && lower_is_better_) add(*bounds.at_most);
  }
  [[nodiscard]] std::size_t of(double value) const {
    const double part = high_ > low_ ? (value - low_) / (high_ - low_) : lower_is_better_ ? 0 : 1;
    const double bad = std::clamp(lower_is_better_ ? part : 1 - part, 0.0, 1.0);
    return std::min(static_cast<std::size_t>(bad * kShades), kShades - 1);
  }
  [[nodiscard]] double best() const { return lower_is_better_ ? low_ : high_; }
  [[nodiscard]] double worst() const { return lower_is_better_ ? high_ : low_; }

 private:
  void add(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  bool lower_is_better_;
  double low_ = INFINITY, high_ = -INFINITY;
};

class HeatMap {
 public:
  HeatMap(text::Markup& page, const figures::PairTable& table, const Rig& rig)
      : page_(page), table_(table), names_(rig), shades_(table), nodes_(shown_nodes(table, rig, kMostNodes)) {
    const double count = static_cast<double>(nodes_.size());
    with_figures_ = nodes_.size() <= kFiguresUpTo;
    const double room = (kMapWidth - kRowLabels - 2) / count;
    cell_width_ = with_figures_ ? std::min(room, 58.0) : std::max(std::min(room, 16.0), 8.0);
    cell_height_ = with_figures_ ? 20 : cell_width_;
  }

  void write() {
    const double side = static_cast<double>(nodes_.size());
    const double width = std::max(kRowLabels + side * cell_width_ + 2, 600.0);
    const double height = kColumnLabels + side * cell_height_ + kMapLegend;
    const auto svg = page_.element("svg", {{"viewBox", fmt::format("0 0 {:.0f} {:.0f}", width, height)},
                                           {"width", number(width)},
                                           {"height", number(height)},
                                           {"role", "img"},
                                           {"aria-label", fmt::format("{}, sender by receiver", table_.id)},
                                           {"class", "heat"}});
    write_labels();
    if (with_figures_)
      write_cells();
    else
      write_shades();
    write_legend(height - kMapLegend + 16);
  }

 private:
  static constexpr std::string_view kFont = "Arial, Liberation Sans, Arimo, Helvetica, sans-serif";

  [[nodiscard]] double left(std::size_t column) const {
    return kRowLabels + static_cast<double>(column) * cell_width_;
  }
  [[nodiscard]] double top(std::size_t row) const {
    return kColumnLabels + static_cast<double>(row) * cell_height_;
  }
  [[nodiscard]] const Cell* cell(std::size_t row, std::size_t column) const {
    const auto found = table_.cells.find({nodes_[row], nodes_[column]});
    return row == column || found == table_.cells.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::string figure(double value) const {
    return figures::number_text(value, table_.unit, table_.dimension, table_.bounds);
  }
  [[nodiscard]] std::string name(std::size_t index) const { return names_.of(nodes_[index], 18); }

  void write_labels() {
    const double size = std::min(11.0, std::max(cell_height_ - 1, 6.0));
    const std::string font = number(std::min(size, cell_width_ + 1));
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      page_.leaf("text", name(i),
                 {{"x", number(kRowLabels - 5)},
                  {"y", number(top(i) + cell_height_ / 2 + size * 0.35)},
                  {"text-anchor", "end"},
                  {"font-size", number(size)},
                  {"font-family", kFont},
                  {"class", "ink"},
                  {"fill", "#1b1f24"}});
      const double x = left(i) + cell_width_ / 2 + 3, y = kColumnLabels - 5;
      page_.leaf("text", name(i),
                 {{"x", number(x)},
                  {"y", number(y)},
                  {"transform", fmt::format("rotate(-90 {:.1f} {:.1f})", x, y)},
                  {"font-size", with_figures_ ? number(size) : font},
                  {"font-family", kFont},
                  {"class", "ink"},
                  {"fill", "#1b1f24"}});
    }
    write_text(page_, 2, 12, "sends ↓ receives →", "start", "soft");
  }

  void write_cells() {
    for (std::size_t row = 0; row < nodes_.size(); ++row)
      for (std::size_t column = 0; column < nodes_.size(); ++column)
        if (const Cell* one = cell(row, column)) write_cell(*one, row, column);
  }

  void write_cell(const Cell& one, std::size_t row, std::size_t column) {
    const auto group = page_.element("g");
    page_.leaf("title", tooltip(one, row, column));
    const std::size_t shade = one.value ? shades_.of(*one.value) : kShades - 1;
    const bool missed = is_missed(one);
    page_.empty("rect", {{"x", number(left(column) + 0.5)},
                         {"y", number(top(row) + 0.5)},
                         {"width", number(cell_width_ - 1)},
                         {"height", number(cell_height_ - 1)},
                         {"fill", shade_text(shade)}});
    page_.leaf("text",
               fmt::format("{}{}", missed ? figures::look_of(one.mark).glyph : "",
                           one.value ? figure(*one.value) : figures::kUnread),
               {{"x", number(left(column) + cell_width_ / 2)},
                {"y", number(top(row) + 14)},
                {"text-anchor", "middle"},
                {"font-size", number(std::min(11.0, cell_width_ / 4.6))},
                {"font-weight", missed ? "bold" : "normal"},
                {"font-family", kFont},
                {"fill", shade >= kShades / 2 ? "#ffffff" : "#1b1f24"}});
    if (missed) write_frame(row, column, true);
  }

  [[nodiscard]] std::string tooltip(const Cell& one, std::size_t row, std::size_t column) const {
    return fmt::format("{} to {}: {} {}, {}", name(row), name(column),
                       one.value ? figure(*one.value) : "no value", table_.unit,
                       figures::look_of(one.mark).word);
  }

  // Writes one path per shade: thousands of cells in some kilobytes.
  void write_shades() {
    std::array<std::string, kShades> paths;
    for (std::size_t row = 0; row < nodes_.size(); ++row)
      for (std::size_t column = 0; column < nodes_.size(); ++column)
        if (const Cell* one = cell(row, column))
          paths[one->value ? shades_.of(*one->value) : kShades - 1] +=
              fmt::format("M{0:.1f} {1:.1f}h{2:.1f}v{2:.1f}h-{2:.1f}z", left(column) + 0.25, top(row) + 0.25,
                          cell_width_ - 0.5);
    for (std::size_t shade = 0; shade < kShades; ++shade)
      if (!paths[shade].empty()) page_.empty("path", {{"d", paths[shade]}, {"fill", shade_text(shade)}});
    write_frames();
  }

  // Frames all missed cells, and adds tooltips to bad ones for readers with a mouse.
  void write_frames() {
    std::string frames;
    std::size_t tooltips = 0;
    for (std::size_t row = 0; row < nodes_.size(); ++row)
      for (std::size_t column = 0; column < nodes_.size(); ++column) {
        const Cell* one = cell(row, column);
        if (one == nullptr || one->mark <= Mark::kGood) continue;
        if (is_missed(*one))
          frames += fmt::format("M{0:.1f} {1:.1f}h{2:.1f}v{2:.1f}h-{2:.1f}z", left(column) + 0.7,
                                top(row) + 0.7, cell_width_ - 1.4);
        if (++tooltips > kMostTooltips) continue;
        const auto group = page_.element("g");
        page_.leaf("title", tooltip(*one, row, column));
        write_frame(row, column, false);
      }
    if (frames.empty()) return;
    page_.empty(
        "path",
        {{"d", frames}, {"fill", "none"}, {"class", "bound"}, {"stroke", "#1b1f24"}, {"stroke-width", "1"}});
  }

  void write_frame(std::size_t row, std::size_t column, bool visible) {
    page_.empty("rect", {{"x", number(left(column) + 0.7)},
                         {"y", number(top(row) + 0.7)},
                         {"width", number(cell_width_ - 1.4)},
                         {"height", number(cell_height_ - 1.4)},
                         {"fill", "transparent"},
                         {"class", "bound"},
                         {"stroke", visible ? "#1b1f24" : "none"},
                         {"stroke-width", "1.6"}});
  }

  void write_legend(double y) {
    constexpr double kBar = 16;
    const double x = kRowLabels;
    for (std::size_t shade = 0; shade < kShades; ++shade)
      page_.empty("rect", {{"x", number(x + static_cast<double>(shade) * kBar)},
                           {"y", number(y)},
                           {"width", number(kBar)},
                           {"height", "11"},
                           {"fill", shade_text(shade)},
                           {"class", "grid"},
                           {"stroke", "#d0d7de"},
                           {"stroke-width", "0.5"}});
    const double end = x + kBar * static_cast<double>(kShades);
    write_text(page_, x - 5, y + 9, figure(shades_.best()), "end", "soft");
    write_text(page_, end + 5, y + 9,
               fmt::format("{} {}; framed: its limit is missed", figure(shades_.worst()), table_.unit),
               "start", "soft");
  }

  text::Markup& page_;
  const figures::PairTable& table_;
  figures::NodeNames names_;
  Shades shades_;
  std::vector<std::size_t> nodes_;
  bool with_figures_ = true;
  double cell_width_ = 0, cell_height_ = 0;
};

}  // namespace

void write_heat_map(text::Markup& page, const figures::PairTable& table, const Rig& rig) {
  HeatMap(page, table, rig).write();
  if (rig.nodes.size() > kMostNodes)
    page.leaf("p", fmt::format("{} of {} nodes: those with the worst figures.", kMostNodes, rig.nodes.size()),
              {{"class", "soft"}});
}

}  // namespace rigproof::charts
