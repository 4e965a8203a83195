#pragma once

#include <cstddef>

#include "framework/rig/rig.h"
#include "reports/figures/figures.h"
#include "reports/text/markup.h"

namespace rigproof::charts {

// A headline figure from each node (row) to each other (column) as one <svg>: the darker, the worse, in print and to the
// colour-blind as well; what missed its limit has a frame. Up to kFiguresUpTo nodes each cell holds its figure, with
// more its colour alone, a scale and, where it is bad, a tooltip. Of more than kMostNodes nodes those with the worst
// figures are shown, and a line says so.
inline constexpr std::size_t kFiguresUpTo = 20, kMostNodes = 96;
void write_heat_map(text::Markup& page, const figures::PairTable& table, const Rig& rig);

}  // namespace rigproof::charts
