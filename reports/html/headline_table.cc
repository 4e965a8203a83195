#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/html/sections.h"
#include "reports/text/markup.h"

namespace rigproof::html {
namespace {

using figures::Headline;
using figures::Mark;

// All figures of a headline on one axis, with the range beyond its limit.
class Strip {
 public:
  Strip(text::Markup& page, const Headline& line) : page_(page), line_(line) {
    for (const double value : line.values) add(value);
    const double high = high_;
    if (line.own.bounds.at_least) add(*line.own.bounds.at_least);
    // An upper bound far away (wire rate) would hide the figures.
    if (line.own.bounds.at_most &&
        (!line.own.bounds.at_least || *line.own.bounds.at_most < high + 4 * (high - low_ + 1e-12)))
      add(*line.own.bounds.at_most);
    const double room = (high_ - low_) * 0.15 + 1e-12 + std::abs(high) * 1e-3;
    low_ -= room, high_ += room;
  }

  void write() {
    const auto svg = page_.element(
        "svg", {{"viewBox", "0 0 130 16"}, {"width", "130"}, {"height", "16"}, {"class", "strip"}});
    if (line_.own.bounds.at_least) forbid(0, place(*line_.own.bounds.at_least));
    if (line_.own.bounds.at_most && *line_.own.bounds.at_most < high_)
      forbid(place(*line_.own.bounds.at_most), 130);
    page_.empty(
        "line",
        {{"x1", "0"}, {"x2", "130"}, {"y1", "8"}, {"y2", "8"}, {"class", "grid"}, {"stroke", "#d0d7de"}});
    for (const auto& bound : {line_.own.bounds.at_least, line_.own.bounds.at_most})
      if (bound && *bound > low_ && *bound < high_)
        page_.empty("line", {{"x1", number(place(*bound))},
                             {"x2", number(place(*bound))},
                             {"y1", "1"},
                             {"y2", "15"},
                             {"class", "bound"},
                             {"stroke", "#1b1f24"},
                             {"stroke-width", "1.6"}});
    for (const double value : line_.values)
      page_.empty("circle", {{"cx", number(place(value))},
                             {"cy", "8"},
                             {"r", "2"},
                             {"class", "dot"},
                             {"fill", "#57606a"},
                             {"fill-opacity", "0.55"}});
    if (line_.own.value) diamond(place(*line_.own.value));
  }

 private:
  static std::string number(double value) { return fmt::format("{:.1f}", value); }
  void add(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  [[nodiscard]] double place(double value) const {
    return std::clamp((value - low_) / (high_ - low_), 0.0, 1.0) * 130;
  }
  void forbid(double from, double to) {
    for (double x = from; x + 3 <= to; x += 4)
      page_.empty("line", {{"x1", number(x)},
                           {"x2", number(x + 3)},
                           {"y1", "13"},
                           {"y2", "3"},
                           {"class", "axis"},
                           {"stroke", "#8c959f"},
                           {"stroke-width", "0.7"}});
  }
  void diamond(double x) {
    const figures::Look& look = figures::look_of(line_.mark);
    page_.empty("polygon",
                {{"points", fmt::format("{0},3 {1},8 {0},13 {2},8", number(x), number(x + 4), number(x - 4))},
                 {"class", fmt::format("fill-edge-{}", look.css)},
                 {"fill", line_.mark >= Mark::kMissed ? "#a8320b" : look.ink}});
  }
  text::Markup& page_;
  const Headline& line_;
  double low_ = INFINITY, high_ = -INFINITY;
};

// "derived, 234": kind of source, and line in the thresholds file.
std::string source_of(const Headline& line) {
  const std::string kind = line.basis == "specification" ? "spec" : line.basis;
  return line.stated_in.line == 0 ? kind : fmt::format("{}, {}", kind, line.stated_in.line);
}

void write_headline(text::Markup& page, const Headline& line) {
  const figures::Look& look = figures::look_of(line.worst_mark());
  const auto row = page.element("tr", {{"class", line.worst_mark() > Mark::kClose ? "loud" : "quiet"}});
  page.leaf("td", look.glyph, {{"class", fmt::format("cell {}", look.css)}});
  {
    const auto cell = page.element("td");
    page.leaf("b", line.title.empty() ? line.id : line.title);
    if (!line.title.empty()) page.leaf("span", " " + line.id, {{"class", "soft id"}});
  }
  {
    const auto cell = page.element("td", {{"class", "number"}});
    page.leaf("b", figure_text(line));
    page.text(" " + shown_unit(line));
  }
  page.leaf("td", line.yes_or_no ? "all" : line.short_limit, {{"class", "bounds"}});
  {
    const auto cell = page.element("td", {{"class", "all"}});
    // The strip is of the limit's own statistic: it cannot show the miss of another one.
    if (line.margin && line.values.size() > 1 && !line.misses_further())
      Strip(page, line).write();
    else
      page.leaf("span", fmt::format("{} of {}", line.figures - line.missed, line.owed()),
                {{"class", "soft"}});
  }
  page.leaf("td", margin_text(line), {{"class", "number"}});
  {
    const auto cell = page.element("td", {{"class", "soft"}});
    page.text(line.where);
    if (const std::string lacking = lacking_text(line); !lacking.empty()) page.leaf("div", lacking);
  }
  page.leaf("td", source_of(line), {{"class", "soft"}});
}

}  // namespace

std::string margin_text(const Headline& line) {
  return line.margin ? figures::margin_text(*line.margin) : "–";
}

void write_headlines(text::Markup& page, const figures::Figures& figures,
                     const std::vector<Headline>& lines) {
  page.leaf("h2", "The figures that count");
  if (!lines.empty()) {
    const auto table = page.element("table", {{"class", "headlines"}});
    write_header_row(
        page, {"", "Expectation", "Worst", "Limit", "All figures", "Margin", "Worst at", "Source, line"});
    for (const Headline& line : lines) write_headline(page, line);
  }
  std::string note =
      figures.is_marked() ? "" : "The thresholds mark no headline: these are the nearest to their limits. ";
  if (!lines.empty())
    note += fmt::format("Diamond: the worst figure; hatched: beyond the limit. Lines of {}. ",
                        std::filesystem::path(lines.front().stated_in.file).filename().string());
  if (lines.empty()) note = "No limit decided anything in this run. ";
  if (const auto missing = figures.not_measured(); !missing.empty())
    note += fmt::format("Not measured in this run: {}.", fmt::join(missing, ", "));
  page.leaf("p", note, {{"class", "soft"}});
}

}  // namespace rigproof::html
