#pragma once

#include <cstddef>

#include "framework/rig/rig.h"
#include "reports/charts/chart_data.h"
#include "reports/figures/figures.h"
#include "reports/text/markup.h"

namespace rigproof::charts {

// A headline figure from each node (row) to each other (column) as one <svg>: the darker, the worse, in print and to the
// colour-blind as well; what missed its limit has a frame. Up to kFiguresUpTo nodes each cell holds its figure, with
// more its colour alone, a scale and, where it is bad, a tooltip. Of more than kMostNodes nodes those with the worst
// figures are shown, and a line says so.
inline constexpr std::size_t kFiguresUpTo = 20, kMostNodes = 96;
void write_heat_map(text::Markup& page, const figures::PairTable& table, const Rig& rig);

// Draws a plot as one <svg> with a title and a description for those who can't see it. Lines differ in dashes and
// markers as well as in colour. Colours stand as presentation attributes, with classes for a style sheet.
void write_plot(text::Markup& page, const Plot& plot);

// Draws margins as bars from the line of the limit, one a row, with their figures and verdicts as text.
void write_margin_bars(text::Markup& page, const std::vector<Margin>& margins);

// Of more nodes than this the picture shows a cell each, without rates.
constexpr std::size_t kMostNodesWithRates = 64, kMostNodesWithRatesOnPaper = 20;

// The rig as <svg> from its own description, for pages and screens (in <div class="wide">, or "on-paper" and "on-screen"
// where these differ) and for phones ("narrow"): nodes, ports, halves, cables, switches, each with the colour and the
// glyph of its worst verdict, halves and cables with the rates that were measured on them. Two nodes, and on screens up
// to six through a switch, are drawn with every half; more nodes, and rings, as tiles. Nothing is told by colour alone.
// Colours stand as presentation attributes (WeasyPrint applies no style sheet to SVG), with classes for one.
void write_rig_picture(text::Markup& page, const Rig& rig, const figures::RigState& state);

}  // namespace rigproof::charts
