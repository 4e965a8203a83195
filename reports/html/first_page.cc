#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "reports/charts/charts.h"
#include "reports/html/sections.h"
#include "reports/text/describe.h"
#include "reports/text/expectations.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::html {
namespace {

using figures::Headline;
using figures::Mark;

constexpr std::size_t kMostRemedies = 3, kMostClose = 3, kMostSuspects = 4, kMostAdvice = 3,
                      kMostAdviceBeside = 1;

std::string run_time_text(const judge::JudgedRun& run) {
  const std::string day = run.started.substr(0, 10),
                    time = run.started.size() > 16 ? run.started.substr(11, 5) : "";
  return fmt::format("{} {} UTC, {:.0f} s", day, time, text::time_spent(run).total_s);
}

std::string_view glyph_of(const judge::JudgedRun& run) {
  const int code = run.exit_code();
  return code == 0 ? "✓" : code == 3 ? "?" : "✗";
}

// `faults`: of the run itself, which no case has.
std::string sentence_of(const text::Totals& totals, std::size_t faults) {
  const int judged = totals.cases - totals.recorded;
  if (faults > 0 && totals.failed + totals.errors + totals.not_proven == 0)
    return fmt::format("Of {} judged cases none failed, but the run has {} fault{}: see Worst findings.",
                       judged, faults, faults == 1 ? "" : "s");
  if (totals.failed + totals.errors > 0)
    return fmt::format("{} of {} judged cases failed{}.", totals.failed + totals.errors, judged,
                       totals.not_proven > 0 ? fmt::format(", {} are not proven", totals.not_proven) : "");
  if (totals.not_proven > 0)
    return fmt::format("{} of {} judged cases are not proven.", totals.not_proven, judged);
  if (totals.waived > 0)
    return fmt::format("All {} judged cases passed or are waived ({}).", judged, totals.waived);
  return fmt::format("All {} judged cases passed.", judged);
}

void write_banner(text::Markup& page, const FirstPage& first) {
  const judge::JudgedRun& run = first.run;
  const auto table = page.element("table", {{"class", fmt::format("verdict {}", colour_of(run))}});
  const auto row = page.element("tr");
  page.leaf("td", glyph_of(run), {{"class", "glyph"}});
  {
    const auto cell = page.element("td");
    page.leaf("strong", text::verdict_words(run));
    page.leaf("div", sentence_of(text::totals_of(run), text::run_faults(run).size()));
    if (const std::string part = text::part_text(run); !part.empty())
      page.leaf("b", "A part only: " + part + ".");
  }
  const auto cell = page.element("td", {{"class", "facts"}});
  const auto line = [&](std::string_view what, const std::string& value) {
    const auto div = page.element("div");
    page.leaf("span", what);
    page.text(" " + text::shortened(value, 70));
  };
  line("Rig", first.rig == nullptr ? fmt::format("{} ({})", run.start.rig, run.start.rig_kind)
                                   : fmt::format("{} ({}), {} nodes", run.start.rig, run.start.rig_kind,
                                                 first.rig->nodes.size()));
  line("Run", run_time_text(run));
  line("Profile", run.start.asked.profile);
  line("Limits", run.start.limits_files().substr(run.start.limits_files().rfind('/') + 1));
  line("By", fmt::format("{} on {}, rigproof {}", run.start.user, run.start.host, run.start.version()));
}

Mark mark_of(const text::Totals& totals, const judge::JudgedSuite& suite) {
  if (!suite.complete() || totals.errors > 0) return Mark::kError;
  if (totals.failed > 0) return Mark::kMissed;
  if (totals.not_proven > 0) return Mark::kNotProven;
  if (totals.waived > 0) return Mark::kWaived;
  return totals.passed > 0 ? Mark::kGood : Mark::kRecorded;
}

void write_suites(text::Markup& page, const judge::JudgedRun& run) {
  if (run.suites.empty() || run.suites.size() > 12) return;
  const auto table = page.element("table", {{"class", "suites"}});
  const auto row = page.element("tr");
  for (const judge::JudgedSuite& suite : run.suites) {
    const text::Totals totals = text::totals_of(suite);
    const Mark mark = mark_of(totals, suite);
    const auto cell = page.element("td", {{"class", figures::look_of(mark).css}});
    page.leaf("b", fmt::format("{} {}", figures::look_of(mark).glyph, suite.name));
    const int red = totals.failed + totals.errors, judged = totals.cases - totals.recorded;
    page.leaf("div", red > 0                 ? fmt::format("{} of {} failed", red, judged)
                     : totals.not_proven > 0 ? fmt::format("{} of {} open", totals.not_proven, judged)
                                             : fmt::format("{} judged", judged));
  }
}

void write_legend(text::Markup& page, const figures::RigState& state) {
  const auto line = page.element("p", {{"class", "soft legend"}});
  for (const Mark mark :
       {Mark::kGood, Mark::kClose, Mark::kMissed, Mark::kNotProven, Mark::kWaived, Mark::kRecorded}) {
    const figures::Look& look = figures::look_of(mark);
    page.leaf("span", look.glyph, {{"class", fmt::format("key cell {}", look.css)}});
    page.text(fmt::format(" {}   ", look.word));
  }
  page.empty("br");
  if (state.nodes.size() > charts::kMostNodesWithRates)
    return page.text("A cell is a node, with its worst verdict; its row begins with the node named.");
  std::string text;
  if (!state.half_rate.empty())
    text += fmt::format("{}: lowest over all peers, at a half: {} ({}).", state.unit, state.half_rate,
                        state.half_limit);
  if (!state.port_rate.empty())
    text += fmt::format(" On a cable: {} ({}).", state.port_rate, state.port_limit);
  page.text(text);
}

// All figures of a line on one axis, with the forbidden ground.
class Strip {
 public:
  Strip(text::Markup& page, const Headline& line) : page_(page), line_(line) {
    for (const double value : line.values) add(value);
    const double high = high_;
    if (line.bounds.at_least) add(*line.bounds.at_least);
    // An upper bound far away (no wire carries more) would hide the figures.
    if (line.bounds.at_most &&
        (!line.bounds.at_least || *line.bounds.at_most < high + 4 * (high - low_ + 1e-12)))
      add(*line.bounds.at_most);
    const double room = (high_ - low_) * 0.15 + 1e-12 + std::abs(high) * 1e-3;
    low_ -= room, high_ += room;
  }

  void write() {
    const auto svg = page_.element(
        "svg", {{"viewBox", "0 0 130 16"}, {"width", "130"}, {"height", "16"}, {"class", "strip"}});
    if (line_.bounds.at_least) forbid(0, place(*line_.bounds.at_least));
    if (line_.bounds.at_most && *line_.bounds.at_most < high_) forbid(place(*line_.bounds.at_most), 130);
    page_.empty(
        "line",
        {{"x1", "0"}, {"x2", "130"}, {"y1", "8"}, {"y2", "8"}, {"class", "grid"}, {"stroke", "#d0d7de"}});
    for (const auto& bound : {line_.bounds.at_least, line_.bounds.at_most})
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
    if (line_.value) diamond(place(*line_.value));
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

std::string figure_of(const Headline& line) {
  if (line.yes_or_no) return fmt::format("{} of {}", line.figures - line.missed, line.figures);
  if (!line.text.empty()) return line.text;
  return line.value ? figures::number_text(*line.value, line.unit, line.dimension, line.bounds) : "no value";
}

// "0.95 … 1.05 Gbit/s": one line.
std::string limit_of(const Headline& line) {
  const auto number = [&](double value) { return figures::number_text(value, line.unit, line.dimension); };
  const judge::Bounds& bounds = line.bounds;
  if (bounds.at_least && bounds.at_most)
    return fmt::format("{} … {} {}", number(*bounds.at_least), number(*bounds.at_most), line.unit);
  return line.short_limit;
}

// "derived, line 234"
std::string source_of(const Headline& line) {
  const std::string kind = line.basis == "specification" ? "spec" : line.basis;
  return line.stated_in.line == 0 ? kind : fmt::format("{}, line {}", kind, line.stated_in.line);
}

std::string margin_of(const Headline& line) {
  if (!line.margin) return "–";
  const double percent = *line.margin * 100;
  return std::abs(percent) < 9.95 ? fmt::format("{:+.{}f} %", percent, std::abs(percent) < 0.1 ? 2 : 1)
                                  : fmt::format("{:+.0f} %", percent);
}

void write_headline(text::Markup& page, const Headline& line) {
  const figures::Look& look = figures::look_of(line.mark);
  const auto row = page.element("tr", {{"class", line.mark > Mark::kClose ? "loud" : "quiet"}});
  page.leaf("td", look.glyph, {{"class", fmt::format("cell {}", look.css)}});
  {
    const auto cell = page.element("td");
    const text::Expectation* known = text::expectation_of(line.id);
    page.leaf("b", known == nullptr ? line.id : known->title);
    if (known != nullptr) page.leaf("span", " " + line.id, {{"class", "soft id"}});
  }
  {
    const auto cell = page.element("td", {{"class", "number"}});
    page.leaf("b", figure_of(line));
    page.text(" " + (line.text.empty() && !line.yes_or_no && line.unit != "count" ? line.unit : ""));
  }
  page.leaf("td", line.yes_or_no ? "all" : limit_of(line), {{"class", "bounds"}});
  {
    const auto cell = page.element("td", {{"class", "all"}});
    if (line.margin && line.values.size() > 1)
      Strip(page, line).write();
    else
      page.leaf("span", fmt::format("{} of {}", line.figures - line.missed, line.figures),
                {{"class", "soft"}});
  }
  page.leaf("td", margin_of(line), {{"class", "number"}});
  page.leaf("td", line.where, {{"class", "soft"}});
  page.leaf("td", source_of(line), {{"class", "soft"}});
}

void write_headlines(text::Markup& page, const figures::Figures& figures,
                     const std::vector<Headline>& lines) {
  page.leaf("h2", "The figures that count");
  if (!lines.empty()) {
    const auto table = page.element("table", {{"class", "headlines"}});
    write_header_row(
        page, {"", "Expectation", "Worst", "Limit", "All figures", "Margin", "Worst at", "Limit from"});
    for (const Headline& line : lines) write_headline(page, line);
  }
  std::string note =
      figures.is_marked() ? "" : "The thresholds mark no headline: these are the nearest to their limits. ";
  if (!lines.empty())
    note += fmt::format("Diamond: the worst figure; hatched: beyond the limit. Lines of {}. ",
                        std::filesystem::path(lines.front().stated_in.file).filename().string());
  if (lines.empty()) note = "No limit decided anything in this run. ";
  if (const auto missing = figures.not_measured(); !missing.empty())
    note += fmt::format("Not measured in this run, so nothing is claimed: {}.", fmt::join(missing, ", "));
  page.leaf("p", note, {{"class", "soft"}});
}

void write_line(text::Markup& page, Mark mark, char letter, const std::string& name,
                const std::string& text) {
  const figures::Look& look = figures::look_of(mark);
  const auto line = page.element("p", {{"class", fmt::format("against {}", look.css)}});
  page.leaf("b", letter == 0 ? fmt::format("{} ", look.glyph) : fmt::format("{} {} ", look.glyph, letter));
  page.leaf("b", name);
  page.text(" " + text);
}

void write_against(text::Markup& page, const FirstPage& first, const std::vector<Headline>& headlines) {
  page.leaf("h2", "Worst findings");
  char letter = 'A';
  const std::vector<record::Problem> faults = text::run_faults(first.run);
  for (std::size_t i = 0; i < std::min<std::size_t>(faults.size(), 3); ++i)
    write_line(page, Mark::kError, letter++, faults[i].type,
               text::shortened(text::one_line(faults[i].message), 160));
  const auto lines = first.objections.worst();
  std::size_t shown = std::min<std::size_t>(faults.size(), 3) + lines.size();
  for (const auto& line : lines) {
    const std::string more = line.more == 0 ? ""
                                            : fmt::format("; {} more case{}: {}", line.more,
                                                          line.more == 1 ? "" : "s", line.about);
    write_line(page, line.mark, letter++, line.name, line.text + more);
    shown += line.more;
  }
  const std::size_t all = faults.size() + first.objections.count();
  if (all > shown) page.leaf("p", fmt::format("{} more: see Findings.", all - shown));
  if (all == 0) page.leaf("p", "Nothing: no limit was missed, nothing is open, nothing was waived.");
  std::size_t close = 0;
  for (const Headline& line : headlines)
    if (line.mark == Mark::kClose && ++close <= kMostClose)
      write_line(
          page, Mark::kClose, 0, line.id,
          fmt::format("{}: {} {}, {} to its limit", line.where, figure_of(line), line.unit, margin_of(line)));
  int voided = 0;
  text::each_void_attempt(first.run, [&](const judge::JudgedCase&, const judge::Attempt&) { ++voided; });
  if (voided > 0)
    page.leaf(
        "p",
        fmt::format("{} attempt{} void and measured again: the machine under the emulated rig was disturbed.",
                    voided, voided == 1 ? " was" : "s were"),
        {{"class", "soft"}});
}

// Of each limit one first: another of the same is for another device, and what else is wrong says more.
std::vector<std::string> shown_remedies(const std::vector<text::RemedyLine>& all) {
  std::vector<std::string> shown, others;
  std::set<std::string> limits;
  for (const auto& [id, line] : all) (limits.insert(id).second ? shown : others).push_back(line);
  shown.insert(shown.end(), others.begin(), others.end());
  shown.resize(std::min(shown.size(), kMostRemedies));
  return shown;
}

void write_advice(text::Markup& page, const judge::JudgedRun& run, const std::vector<Headline>& headlines) {
  page.leaf("h2", "What to do");
  const std::vector<text::RemedyLine> remedies = text::remedies_of(run);
  const std::vector<std::string> shown = shown_remedies(remedies);
  for (const std::string& remedy : shown) page.leaf("pre", text::shortened(remedy, 220));
  if (remedies.size() > shown.size())
    page.leaf("p", fmt::format("{} more: see Findings.", remedies.size() - shown.size()));
  if (remedies.empty()) {
    const Headline* nearest = nullptr;
    for (const Headline& line : headlines)
      if (line.margin && (nearest == nullptr || *line.margin < *nearest->margin)) nearest = &line;
    std::string text = run.exit_code() == 0 ? "Nothing to do. " : "";
    if (nearest != nullptr)
      text += fmt::format("Nearest to its limit: {}, {}: {} {} ({}).", nearest->id, nearest->where,
                          figure_of(*nearest), nearest->unit, margin_of(*nearest));
    page.leaf("p", text);
  }
  page.leaf("p", "Nothing was changed on the rig.", {{"class", "soft"}});
}

void write_signatures(text::Markup& page, const FirstPage& first) {
  {
    const auto table = page.element("table", {{"class", "signatures"}});
    const auto row = page.element("tr");
    for (const char* role : {"Tested by", "Reviewed and authorised by", "Accepted by the customer"}) {
      const auto cell = page.element("td");
      page.leaf("b", role);
      page.leaf("div", "Name, date", {{"class", "line"}});
      page.leaf("div", "Signature", {{"class", "line"}});
    }
  }
  const auto line = page.element("p", {{"class", "hash"}});
  if (first.evidence.hash.empty())
    return page.text("Not sealed: the record was still being written when this page was made.");
  page.text("Evidence SHA-256 ");
  page.leaf("code", first.evidence.hash);
  page.text(" Check: ");
  page.leaf("code", "rigproof verify DIR --evidence HASH");
}

// One line for each slow part of the rig, over the whole width.
void write_suspects(text::Markup& page, const judge::JudgedRun& run) {
  const std::vector<std::string> lines = text::suspect_lines(run.blame);
  if (lines.empty()) return;
  page.leaf("h2", "Suspects");
  for (std::size_t i = 0; i < std::min(lines.size(), kMostSuspects); ++i) {
    const auto& suspects = run.blame.suspects;  // the last line can be another
    const bool failed_none = i < suspects.size() && !suspects[i].alone && suspects[i].missed == 0;
    page.leaf("p", text::shortened(lines[i], 220),
              {{"class", failed_none ? "against near suspect" : "against bad suspect"}});
  }
  if (lines.size() > kMostSuspects)
    page.leaf("p", fmt::format("{} more: see summary.md.", lines.size() - kMostSuspects));
}

void write_two_columns(text::Markup& page, const FirstPage& first, const std::vector<Headline>& headlines) {
  const auto table = page.element("table", {{"class", "beside"}});
  const auto row = page.element("tr");
  {
    const auto cell = page.element("td");
    write_against(page, first, headlines);
  }
  const auto cell = page.element("td");
  write_advice(page, first.run, headlines);
  // Beside findings there is room for less of it: the signatures stand on this page.
  write_advised_limits(page, first.run, first.objections.count() > 0 ? kMostAdviceBeside : kMostAdvice);
}

}  // namespace

std::string_view colour_of(const judge::JudgedRun& run) {
  const int code = run.exit_code();
  if (code == 0) return run.parts().empty() ? "good" : "open";
  return code == 3 ? "open" : "bad";
}

void Objections::add(const judge::JudgedCase& test) {
  const Mark mark = figures::mark_of(test.status());
  if (mark <= Mark::kGood) return;
  ++count_;
  std::vector<Line>& lines = lines_[mark];
  std::string about = text::headline_subject(test);
  const auto same = std::ranges::find(lines, about, &Line::about);
  if (same != lines.end())
    ++same->more;
  else if (lines.size() < kMost)
    lines.push_back({mark, test.full_name(), text::shortened(text::headline(test), 150), std::move(about)});
}

std::vector<Objections::Line> Objections::worst() const {
  std::vector<Line> worst;
  for (auto lines = lines_.rbegin(); lines != lines_.rend(); ++lines)
    for (const Line& line : lines->second)
      if (worst.size() < kMost) worst.push_back(line);
  return worst;
}

void write_first_page(text::Markup& page, const FirstPage& first) {
  const judge::JudgedRun& run = first.run;
  const auto section = page.element("section", {{"class", "first"}});
  page.leaf("p", fmt::format("Rigproof qualification report {}", run.start.id), {{"class", "soft"}});
  page.leaf("h1", fmt::format("Rig {}", run.start.rig));
  if (!run.start.stand_in.empty())
    page.leaf("div",
              "STAND-IN under test: " + run.start.stand_in + ". This report does not speak for a real rig.",
              {{"class", "warning"}, {"role", "note"}});
  write_banner(page, first);
  if (const std::string again = text::judged_again_text(run); !again.empty())
    page.leaf("div", again + ".", {{"class", "warning"}, {"role", "note"}});
  write_suites(page, run);
  if (first.rig != nullptr) {
    const figures::RigState state = first.figures.rig_state();
    charts::write_rig_picture(page, *first.rig, state);
    write_legend(page, state);
  }
  const std::vector<Headline> headlines = first.figures.headlines();
  write_headlines(page, first.figures, headlines);
  write_suspects(page, run);
  write_two_columns(page, first, headlines);
  write_signatures(page, first);
}

}  // namespace rigproof::html
