#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "reports/history/history.h"
#include "reports/text/markup.h"

namespace rigproof::history {
namespace {

using figures::Mark;

constexpr double kWidth = 980, kHeight = 190, kLeft = 74, kRight = 846, kTop = 24, kBottom = 142;

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--paper:#fff;--good:#0b6b4f;--near:#7d4e00;
--bad:#a8320b;--note:#5b3d8f}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9da7b1;--line:#3d444d;--paper:#0d1117;--good:#56d3a0;
--near:#e3b341;--bad:#ff8a65;--note:#c9b3f5}}
body{background:var(--paper);color:var(--ink);max-width:64rem;margin:1rem auto;padding:0 1rem;
font:14px/1.4 Arial,"Liberation Sans",Arimo,Helvetica,sans-serif}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin:2rem 0 .3rem}h3{font-size:1rem;margin:1.2rem 0 .2rem}
p{margin:.3rem 0}.soft{color:var(--soft)}.moved{border-left:3px solid var(--note);padding-left:.6rem}
table{border-collapse:collapse;width:100%;font-size:.85rem}th,td{text-align:left;padding:.15rem .5rem;vertical-align:top;
border-bottom:1px solid var(--line);overflow-wrap:anywhere}th{color:var(--soft);font-weight:normal}
a{color:inherit}svg{max-width:100%;height:auto;display:block}.wide{overflow-x:auto}
svg text{font-family:Arial,"Liberation Sans",Arimo,Helvetica,sans-serif;font-size:11px;fill:var(--ink)}
svg .soft{fill:var(--soft)}svg .grid{stroke:var(--line)}svg .limit{stroke:var(--bad);stroke-width:1.6;
stroke-dasharray:8 4;fill:none}svg .curve{stroke:var(--soft);stroke-width:1.2;fill:none}svg .change{stroke:var(--note);
stroke-dasharray:2 3}svg .note{fill:var(--note)}svg .good{fill:var(--good)}svg .near{fill:var(--near)}
svg .open{fill:var(--paper);stroke:var(--note);
stroke-width:2}svg .cross{stroke:var(--bad);stroke-width:2.4}svg .ring{stroke:var(--note);stroke-width:2;fill:none}
@media print{body{max-width:none;font-size:9pt}figure,tr{break-inside:avoid}}
figure{margin:.2rem 0 .8rem}
@media screen and (max-width:700px){figure{overflow-x:auto}figure svg{min-width:44rem}}
)css";

constexpr double kIntervals = 3;            // of the vertical axis, about
constexpr double kDay = 76, kMinute = 112;  // width of a date without and with its time
constexpr double kDigit = 6.5, kBetween = 5;

std::string number(double value) { return fmt::format("{:.1f}", value); }

// 1, 2 or 5 times a power of ten.
double step_of(double range) {
  const double rough = range / kIntervals, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power) return factor * power;
  return 10 * power;
}

std::string figure_text(double value, const Curve& curve) {
  return figures::number_text(value, curve.unit, curve.dimension) +
         (curve.unit.empty() || curve.unit == "count" ? "" : " " + curve.unit);
}

std::string change_text(const Change& change) {
  const std::string where =
      change.where.empty() ? "" : fmt::format(" ({})", text::shortened(change.where, 90));
  return fmt::format("{}{}: {} → {}", change.what, where, change.from, change.to);
}

std::string day_of(const Run& run) { return run.started.substr(0, 10); }

// "2026-11-25 02:15"
std::string minute_of(const Run& run) {
  std::string text = run.started.substr(0, 16);
  std::ranges::replace(text, 'T', ' ');
  return text;
}

// Anchor of the table of these runs. Unique, because several rigs and profiles share the page.
std::string runs_anchor(const History& history) { return "runs-" + history.runs.front().id; }

// One figure over all runs.
class CurveChart {
 public:
  CurveChart(text::Markup& page, const History& history, const Curve& curve)
      : page_(page), history_(history), curve_(curve) {
    for (const auto& point : curve.points) {
      if (!point) continue;
      add(point->value);
    }
    const double reach = std::max(high_ - low_, std::abs(high_) * 0.01 + 1e-12);
    // A limit far away would flatten the curve, so it is only named.
    for (const auto& point : curve.points)
      for (const auto& bound :
           {point ? point->bounds.at_least : std::nullopt, point ? point->bounds.at_most : std::nullopt,
            point ? point->bounds.equals : std::nullopt})
        if (bound && *bound > low_ - 4 * reach && *bound < high_ + 4 * reach) wanted_.push_back(*bound);
    for (const double bound : wanted_) add(bound);
    const double room = std::max((high_ - low_) * 0.12, std::abs(high_) * 0.004 + 1e-12);
    // A count that never changed gets no ticks between whole numbers.
    const bool is_one_count = curve.dimension == Dimension::kCount && high_ == low_;
    // More for huge counts: from 2^53 on a double has no next whole number, and the tick loop would never end.
    const double beside = std::max(1.0, std::abs(high_) * 1e-12);
    low_ -= is_one_count ? beside : room, high_ += is_one_count ? beside : room;
    make_ticks();
  }

  void write() {
    const auto svg = page_.element("svg", {{"viewBox", fmt::format("0 0 {:.0f} {:.0f}", kWidth, kHeight)},
                                           {"role", "img"},
                                           {"aria-label", curve_.id + " over the runs"}});
    write_axes();
    write_changes();
    write_limit(&judge::Bounds::at_least, "≥");
    write_limit(&judge::Bounds::at_most, "≤");
    write_limit(&judge::Bounds::equals, "=");
    write_line();
    for (std::size_t run = 0; run < curve_.points.size(); ++run)
      if (curve_.points[run]) write_point(run);
  }

 private:
  void add(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  [[nodiscard]] double x(std::size_t run) const {
    const double runs = static_cast<double>(history_.runs.size());
    return runs < 2 ? (kLeft + kRight) / 2
                    : kLeft + 16 + (kRight - kLeft - 32) * static_cast<double>(run) / (runs - 1);
  }
  [[nodiscard]] double y(double value) const {
    return kBottom - (kBottom - kTop) * std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);
  }
  void text(double at_x, double at_y, std::string_view words, std::string_view anchor, std::string_view css) {
    page_.leaf("text", words,
               {{"x", number(at_x)}, {"y", number(at_y)}, {"text-anchor", anchor}, {"class", css}});
  }
  void line(double x1, double y1, double x2, double y2, std::string_view css) {
    page_.empty(
        "line",
        {{"x1", number(x1)}, {"y1", number(y1)}, {"x2", number(x2)}, {"y2", number(y2)}, {"class", css}});
  }

  // Ticks are round numbers of the unit; the axis ends at the first and last tick.
  void make_ticks() {
    const Unit* unit = find_unit(curve_.unit);
    const bool fits = unit != nullptr && unit->dimension == curve_.dimension;
    const double scale = fits ? unit->scale : curve_.dimension == Dimension::kRatio ? 0.01 : 1;
    const bool is_count = curve_.dimension == Dimension::kCount;
    const double step = is_count ? std::max(step_of(high_ - low_), 1.0) : step_of((high_ - low_) / scale);
    const double first = std::floor(low_ / scale / step + 1e-9),
                 last = std::ceil(high_ / scale / step - 1e-9);
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
    for (double tick = first; tick <= last; ++tick)
      ticks_.emplace_back(tick * step * scale, fmt::format("{:.{}f}", tick * step + 0.0, decimals));
    low_ = first * step * scale, high_ = last * step * scale;
  }

  void write_axes() {
    for (const auto& [value, words] : ticks_) {
      line(kLeft, y(value), kRight, y(value), "grid");
      text(kLeft - 6, y(value) + 4, words, "end", "soft");
    }
    text(kLeft - 6, 9, curve_.unit, "end", "soft");
    const std::size_t runs = history_.runs.size();
    const auto step_for = [&](double room) {
      return runs < 2 ? 1 : static_cast<std::size_t>(std::max(1.0, std::ceil(room / (x(1) - x(0)))));
    };
    std::size_t step = step_for(kDay);
    for (std::size_t run = 0; run < runs; run += step)
      if (when_of(run, step).size() > day_of(history_.runs[run]).size()) {
        step = step_for(kMinute);
        break;
      }
    for (std::size_t run = 0; run < runs; run += step) {
      line(x(run), kBottom, x(run), kBottom + 4, "grid");
      text(x(run), kBottom + 30, when_of(run, step), "middle", "soft");
    }
  }

  // The day, with the time if a neighbouring label shows the same day.
  [[nodiscard]] std::string when_of(std::size_t run, std::size_t step) const {
    const std::string day = day_of(history_.runs[run]);
    const bool again = (run >= step && day_of(history_.runs[run - step]) == day) ||
                       (run + step < history_.runs.size() && day_of(history_.runs[run + step]) == day);
    return again ? minute_of(history_.runs[run]) : day;
  }
  // Numbers changes as in the table. Changes of one run share a line; numbers that would overlap share a label.
  void write_changes() {
    struct Label {
      double from, to;  // of its lines
      std::size_t first, last;
      [[nodiscard]] std::string text() const {
        return first == last ? fmt::to_string(first) : fmt::format("{}-{}", first, last);
      }
      [[nodiscard]] double begin() const { return (from + to) / 2 - reach(); }
      [[nodiscard]] double end() const { return (from + to) / 2 + reach(); }
      [[nodiscard]] double reach() const { return kDigit * static_cast<double>(text().size()) / 2; }
    };
    std::vector<Label> labels;
    std::size_t last = history_.runs.size();
    for (std::size_t i = 0; i < history_.changes.size(); ++i) {
      const std::size_t run = history_.changes[i].run;
      if (run == last) continue;
      last = run;
      std::size_t end = i;
      while (end + 1 < history_.changes.size() && history_.changes[end + 1].run == run) ++end;
      const double at = run == 0 ? x(run) : (x(run) + x(run - 1)) / 2;
      const auto group = page_.element("g");
      std::string words;
      for (std::size_t c = i; c <= end; ++c) words += (c == i ? "" : "; ") + change_text(history_.changes[c]);
      page_.leaf("title", words);
      line(at, kTop, at, kBottom + 4, "change");
      Label label{at, at, i + 1, end + 1};
      while (!labels.empty() && labels.back().end() + kBetween > label.begin()) {
        label.from = labels.back().from, label.first = labels.back().first;
        labels.pop_back();
      }
      labels.push_back(label);
    }
    for (const Label& label : labels)
      text((label.from + label.to) / 2, kBottom + 15, label.text(), "middle", "note");
  }

  void write_limit(std::optional<double> judge::Bounds::*bound, std::string_view sign) {
    std::string points;
    std::optional<double> latest;
    for (std::size_t run = 0; run < curve_.points.size(); ++run) {
      if (!curve_.points[run]) continue;
      const std::optional<double>& value = curve_.points[run]->bounds.*bound;
      if (!value || *value < low_ || *value > high_) continue;
      const double half = history_.runs.size() < 2 ? 40 : (x(1) - x(0)) / 2;
      points += fmt::format("{},{} {},{} ", number(std::max(x(run) - half, kLeft)), number(y(*value)),
                            number(std::min(x(run) + half, kRight)), number(y(*value)));
      latest = value;
    }
    if (!latest) return;
    page_.empty("polyline", {{"points", points}, {"class", "limit"}});
    // Next to the plot, so that it covers nothing.
    const bool lower = bound == &judge::Bounds::at_least;
    text(kRight + 6, y(*latest) + (lower ? 10 : 0), fmt::format("{} {}", sign, figure_text(*latest, curve_)),
         "start", "soft");
  }

  void write_line() {
    std::string points;
    for (std::size_t run = 0; run < curve_.points.size(); ++run)
      if (curve_.points[run])
        points += fmt::format("{},{} ", number(x(run)), number(y(curve_.points[run]->value)));
    page_.empty("polyline", {{"points", points}, {"class", "curve"}});
  }

  // Draws a point that links to the run's report: a dot, a cross if the limit is missed, hollow if not proven or waived,
  // with a ring if the figure moved.
  void write_point(std::size_t run) {
    const Figure& figure = *curve_.points[run];
    const Run& of = history_.runs[run];
    const std::string href = of.link.empty() ? "#" + runs_anchor(history_) : of.link;
    const auto link = page_.element("a", {{"href", href}});
    page_.leaf("title", fmt::format("{} {}: {}, {}", minute_of(of), of.id, figure_text(figure.value, curve_),
                                    figures::look_of(figure.mark).word));
    const double at = x(run), height = y(figure.value);
    const bool is_open = figure.mark == Mark::kNotProven || figure.mark == Mark::kWaived;
    if (figure.mark >= Mark::kWaived && !is_open) {
      line(at - 4, height - 4, at + 4, height + 4, "cross");
      line(at - 4, height + 4, at + 4, height - 4, "cross");
    } else {
      page_.empty("circle", {{"cx", number(at)},
                             {"cy", number(height)},
                             {"r", history_.runs.size() > 40 ? "2.6" : "3.6"},
                             {"class", is_open                       ? "open"
                                       : figure.mark == Mark::kClose ? "near"
                                                                     : "good"}});
    }
    if (std::ranges::find(curve_.moves, run, &Move::run) != curve_.moves.end())
      page_.empty("circle", {{"cx", number(at)}, {"cy", number(height)}, {"r", "8"}, {"class", "ring"}});
  }

  text::Markup& page_;
  const History& history_;
  const Curve& curve_;
  std::vector<double> wanted_;
  std::vector<std::pair<double, std::string>> ticks_;
  double low_ = INFINITY, high_ = -INFINITY;
};

std::string move_text(const History& history, const Curve& curve, const Move& move) {
  const double percent = move.from == 0 ? 0 : (move.to / move.from - 1) * 100;
  std::string text = fmt::format("Moved on {}: {}, before {}{}.", day_of(history.runs[move.run]),
                                 figure_text(move.to, curve), figure_text(move.from, curve),
                                 move.from == 0 ? "" : fmt::format(" ({:+.1f} %)", percent));
  if (move.changes.empty())
    return text + " No change of firmware, driver, kernel, cable or thresholds was recorded before it.";
  text += move.changes.size() == 1 ? " Last change before: " : " Last changes before: ";
  for (const std::size_t index : move.changes) {
    const Change& change = history.changes[index];
    const std::size_t ago = move.run - change.run;
    text += fmt::format(
        "{}{} ({})", index == move.changes.front() ? "" : "; ", change_text(change),
        ago == 0 ? "in this very run" : fmt::format("{} run{} earlier", ago, ago == 1 ? "" : "s"));
  }
  return text + ".";
}

void write_curve(text::Markup& page, const History& history, const Curve& curve) {
  {
    const auto heading = page.element("h3");
    if (!curve.title.empty()) page.text(curve.title + " ");
    page.leaf("span", curve.id, {{"class", "soft"}});
  }
  for (const Move& move : curve.moves) page.leaf("p", move_text(history, curve, move), {{"class", "moved"}});
  const auto figure = page.element("figure");
  CurveChart(page, history, curve).write();
}

void write_head_row(text::Markup& page, std::initializer_list<std::string_view> cells) {
  const auto head = page.element("thead");
  const auto row = page.element("tr");
  for (const std::string_view cell : cells) page.leaf("th", cell, {{"scope", "col"}});
}

void write_changes(text::Markup& page, const History& history) {
  page.leaf("h3", "Changes");
  if (history.changes.empty())
    return page.leaf(
        "p", "No change: firmware, drivers, kernels, cables and thresholds are the same in all runs.");
  const auto table = page.element("table");
  write_head_row(page, {"No", "First seen", "What changed"});
  std::size_t count = 0;
  for (const Change& change : history.changes) {
    const auto row = page.element("tr");
    page.leaf("td", fmt::to_string(++count));
    page.leaf("td", minute_of(history.runs[change.run]));
    page.leaf("td", change_text(change));
  }
}

void write_runs(text::Markup& page, const History& history) {
  page.leaf("h3", "Runs", {{"id", runs_anchor(history)}});
  const auto table = page.element("table");
  write_head_row(page, {"Started", "Run", "Verdict"});
  for (auto run = history.runs.rbegin(); run != history.runs.rend(); ++run) {
    const auto row = page.element("tr");
    page.leaf("td", minute_of(*run));
    {
      const auto cell = page.element("td");
      if (run->link.empty())
        page.text(run->id);
      else
        page.leaf("a", run->id, {{"href", run->link}});
    }
    page.leaf("td", run->verdict);
  }
}

}  // namespace

void write_history_page(const std::vector<History>& histories, std::ostream& out) {
  text::Markup page(out);
  page.raw("<!DOCTYPE html>\n");
  const auto html = page.element("html", {{"lang", "en"}});
  {
    const auto head = page.element("head");
    page.empty("meta", {{"charset", "utf-8"}});
    page.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
    page.empty("meta", {{"http-equiv", "Content-Security-Policy"},
                        {"content", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"}});
    page.leaf("title", "Rigproof history");
    const auto style = page.element("style");
    page.raw(kStyle);
  }
  const auto body = page.element("body");
  page.leaf("h1", "Rigproof history");
  for (const History& history : histories) {
    page.leaf("h2", fmt::format("Rig {}, profile {}: {} run{}, {} to {}", history.rig, history.profile,
                                history.runs.size(), history.runs.size() == 1 ? "" : "s",
                                day_of(history.runs.front()), day_of(history.runs.back())));
    page.leaf("p",
              "Each point is the worst figure of a run and links to its report. Dashed: the limit. Dotted: a "
              "change, by its number. A cross missed its limit, a hollow dot is not proven or waived; a ring "
              "marks a figure that moved.",
              {{"class", "soft"}});
    if (history.curves.empty()) page.leaf("p", "No headline figure was measured.");
    for (const Curve& curve : history.curves) write_curve(page, history, curve);
    write_changes(page, history);
    write_runs(page, history);
  }
}

}  // namespace rigproof::history
