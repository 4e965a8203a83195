#pragma once

#include "reports/charts/chart_data.h"
#include "reports/text/markup.h"

namespace rigproof::charts {

// Draws a plot as one <svg> with a title and a description for those who can't see it. Lines differ in dashes and
// markers as well as in colour. Colours stand as presentation attributes, with classes for a style sheet.
void write_plot(text::Markup& page, const Plot& plot);

// Draws margins as bars from the line of the limit, one a row, with their figures and verdicts as text.
void write_margin_bars(text::Markup& page, const std::vector<Margin>& margins);

}  // namespace rigproof::charts
