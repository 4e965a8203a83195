#pragma once

#include <cstddef>

#include "framework/rig/rig.h"
#include "reports/charts/chart_data.h"
#include "reports/figures/figures.h"
#include "reports/text/markup.h"

namespace rigproof::charts {

// Draws a headline figure from each node (row) to each other node (column) as one <svg>. Darker is worse, also in print and
// for colour-blind readers; missed limits have a frame. Up to kFiguresUpTo nodes cells show figures; beyond, only colours
// with a scale, and tooltips at bad cells. Beyond kMostNodes nodes it shows the nodes with the worst figures, and says so.
inline constexpr std::size_t kFiguresUpTo = 20, kMostNodes = 96;
void write_heat_map(text::Markup& page, const figures::PairTable& table, const Rig& rig);

// Draws a plot as one <svg> with title and description for screen readers. Lines differ in dashes and markers as well as
// colour. Colours are presentation attributes, with classes for a style sheet.
void write_plot(text::Markup& page, const Plot& plot);

// Draws margins as bars from the limit's line, one per row, with figures and verdicts as text.
void write_margin_bars(text::Markup& page, const std::vector<Margin>& margins);

// With more nodes the picture has one cell per node, without rates.
constexpr std::size_t kMostNodesWithRates = 64, kMostNodesWithRatesOnPaper = 20;

// Draws the rig as <svg> from its description: for screens and paper (<div class="wide">, or "on-paper" and "on-screen" if
// these differ) and for phones ("narrow"). Nodes, ports, halves, cables and switches have the colour and glyph of their
// worst verdict; halves and cables also show measured rates. Two nodes, and on screens up to six on a switch, show every
// half; larger rigs and rings are tiles. Colour is never the only sign. Colours are presentation attributes with classes,
// because WeasyPrint applies no style sheet to SVG.
void write_rig_picture(text::Markup& page, const Rig& rig, const figures::RigState& state);

}  // namespace rigproof::charts
