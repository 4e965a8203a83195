#pragma once

#include "framework/rig/rig.h"
#include "reports/figures/figures.h"
#include "reports/text/markup.h"

namespace rigproof::charts {

// The rig as one <svg> from its own description: nodes, ports, halves, cables, switches, each with the colour and the
// glyph of its worst verdict, halves and cables with the rates that were measured on them. Through a switch up to six
// nodes, and two nodes by cables, are drawn with every half; more nodes, and rings, as tiles. Nothing is told by colour
// alone. Colours stand as presentation attributes (WeasyPrint applies no style sheet to SVG), with classes for one.
void write_rig_picture(text::Markup& page, const Rig& rig, const figures::RigState& state);

}  // namespace rigproof::charts
