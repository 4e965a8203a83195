#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "reports/html/sections.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::html {
namespace {

using figures::Headline;
using figures::Mark;

constexpr std::size_t kMostAgainst = 4, kMostFaults = 2, kMostRemedies = 2, kMostClose = 3, kMostSuspects = 4,
                      kMostAdvice = 3;

void write_line(text::Markup& page, Mark mark, const std::string& name, const std::string& text) {
  const figures::Look& look = figures::look_of(mark);
  const auto line = page.element("p", {{"class", fmt::format("against {}", look.css)}});
  page.leaf("b", fmt::format("{} {}", look.glyph, name));
  page.text(" " + text);
}

// Within the limit. Excludes advice, which can be beyond its limit.
bool is_within(const Headline& line) { return line.mark <= Mark::kClose && line.margin.value_or(-1) >= 0; }

void write_against(text::Markup& page, const FirstPage& first, const std::vector<Headline>& headlines) {
  page.leaf("h2", "Worst findings");
  const std::vector<record::Problem> faults = text::run_faults(first.run);
  std::size_t shown = std::min(faults.size(), kMostFaults), lines = shown;
  for (std::size_t i = 0; i < shown; ++i)
    write_line(page, Mark::kError, faults[i].type, text::shortened(text::one_line(faults[i].message), 160));
  for (const auto& line : first.objections.worst()) {
    if (lines++ == kMostAgainst) break;
    const std::string about = line.about == line.name ? "" : ": " + line.about;
    const std::string more =
        line.more == 0 ? "" : fmt::format("; {} more case{}{}", line.more, line.more == 1 ? "" : "s", about);
    write_line(page, line.mark, line.name, line.text + more);
    shown += 1 + line.more;
  }
  const std::size_t all = faults.size() + first.objections.count();
  if (all > shown) page.leaf("p", fmt::format("{} more: see Findings.", all - shown));
  if (all == 0) page.leaf("p", "No findings: no limit was missed, no case is open, no case was waived.");
  std::size_t close = 0;
  for (const Headline& line : headlines)
    if (is_within(line) && line.mark == Mark::kClose && ++close <= kMostClose)
      write_line(page, Mark::kClose, line.title.empty() ? line.id : line.title,
                 fmt::format("{}: {} {}, {} to its limit", line.where, figure_text(line), shown_unit(line),
                             margin_text(line)));
  int voided = 0;
  text::each_void_attempt(first.run, [&](const judge::JudgedCase&, const judge::Attempt&) { ++voided; });
  if (voided > 0)
    page.leaf(
        "p",
        fmt::format("{} attempt{} void and measured again: the machine under the emulated rig was disturbed.",
                    voided, voided == 1 ? " was" : "s were"),
        {{"class", "soft"}});
}

// How far a figure is from its nearest bound: between two bounds as a part of half their distance.
double room_of(const Headline& line) {
  const auto& [least, most] = std::pair(line.bounds.at_least, line.bounds.at_most);
  if (!least || !most || !line.value || *most <= *least) return *line.margin;
  return 2 * std::min(*line.value - *least, *most - *line.value) / (*most - *least);
}

// The lines of a remedy for which the first page has room.
std::string first_lines(const std::vector<std::string>& lines) {
  constexpr std::size_t kMost = 3, kLongest = 110;
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMost); ++i)
    text += (i == 0 ? "" : "\n") + text::shortened(lines[i], kLongest);
  return lines.size() > kMost ? text + fmt::format("\n# {} more: see Findings", lines.size() - kMost) : text;
}

// First one remedy per limit, then the others: further ones of a limit differ only in the device.
std::vector<std::string> shown_remedies(const std::vector<text::RemedyText>& all) {
  std::vector<std::string> shown, others;
  std::set<std::string> limits;
  for (const text::RemedyText& remedy : all)
    (limits.insert(remedy.id).second ? shown : others).push_back(first_lines(remedy.lines));
  shown.insert(shown.end(), others.begin(), others.end());
  shown.resize(std::min(shown.size(), kMostRemedies));
  return shown;
}

void write_advice(text::Markup& page, const FirstPage& first, const std::vector<Headline>& headlines) {
  const judge::JudgedRun& run = first.run;
  page.leaf("h2", "What to do");
  const std::vector<text::RemedyText> remedies = text::remedies_of(run);
  const std::vector<std::string> shown = shown_remedies(remedies);
  for (const std::string& remedy : shown) page.leaf("pre", remedy);
  if (remedies.size() > shown.size())
    page.leaf("p", fmt::format("{} more: see Findings.", remedies.size() - shown.size()));
  if (remedies.empty()) {
    const Headline* nearest = nullptr;
    for (const Headline& line : headlines)
      if (is_within(line) && (nearest == nullptr || room_of(line) < room_of(*nearest))) nearest = &line;
    const bool waived = text::totals_of(run).waived > 0;
    std::string text =
        run.exit_code() == 0 ? waived ? "No action is needed before a waiver ends. " : "No action is needed. "
        : run.exit_code() == 2 ? "Read the logs in the folder logs, then run again. "
        : run.exit_code() == 3 ? "Provide the items that the findings name as missing, then run again. "
                               : "";
    if (nearest != nullptr)
      text += fmt::format("Nearest to its limit: {}, {}: {} {} (limit {}).",
                          nearest->title.empty() ? nearest->id : nearest->title, nearest->where,
                          figure_text(*nearest), shown_unit(*nearest), nearest->short_limit);
    page.leaf("p", text);
  }
  // With findings there is no room for advice, because the signatures are on the same page.
  const std::size_t advised = text::advice_of(run).size();
  const bool no_room = first.objections.count() > 0 && advised > 0;
  page.leaf("p",
            fmt::format("Nothing was changed on the rig.{}",
                        no_room ? fmt::format(" Advice on {} limit{}: see Findings.", advised,
                                              advised == 1 ? "" : "s")
                                : ""),
            {{"class", "soft"}});
  if (!no_room) write_advised_limits(page, run, kMostAdvice);
}

}  // namespace

// Removes the case's name from its message, because the line begins with the name.
static std::string finding_text(const judge::JudgedCase& test) {
  std::string text = text::headline(test);
  const std::string again = fmt::format("suite {}, case {}, ", test.suite, test.plan.name);
  if (const std::size_t at = text.find(again); at != text.npos) text.erase(at, again.size());
  return text;
}

std::string title_of(const text::Metrics& metrics, const judge::JudgedCase& test) {
  const judge::Attempt* attempt = test.deciding();
  const std::vector<const judge::JudgedMeasurement*> missed =
      attempt == nullptr ? std::vector<const judge::JudgedMeasurement*>() : text::misses(*attempt);
  const std::string title = missed.empty() ? "" : metrics.title_of(missed.front()->id);
  const judge::CaseName name = judge::case_name(test.plan.name);
  const std::string what =
      title.empty() ? fmt::format("{}.{}.{}", test.suite, name.test_class, name.test) : title;
  return text::one_line(test.plan.subject.empty() ? what : what + ", " + test.plan.subject);
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
    lines.push_back({mark, test.because.empty() ? title_of(metrics_, test) : test.because,
                     text::shortened(finding_text(test), 150), std::move(about)});
}

std::vector<Objections::Line> Objections::worst() const {
  std::vector<Line> worst;
  for (auto lines = lines_.rbegin(); lines != lines_.rend(); ++lines)
    for (const Line& line : lines->second)
      if (worst.size() < kMost) worst.push_back(line);
  return worst;
}

// Writes one full-width line per slow part of the rig.
void write_suspects(text::Markup& page, const judge::JudgedRun& run) {
  const std::vector<std::string> lines = text::suspect_lines(run.blame);
  if (lines.empty()) return;
  page.leaf("h2", "Suspects");
  for (std::size_t i = 0; i < std::min(lines.size(), kMostSuspects); ++i) {
    const auto& suspects = run.blame.suspects;  // the last line can be another kind
    const bool failed_none = i < suspects.size() && !suspects[i].alone && suspects[i].missed == 0;
    page.leaf("p", text::shortened(lines[i], 220),
              {{"class", failed_none ? "against near suspect" : "against bad suspect"}});
  }
  if (lines.size() > kMostSuspects)
    page.leaf("p", fmt::format("{} more: see summary.md.", lines.size() - kMostSuspects));
}

void write_worst_findings(text::Markup& page, const FirstPage& first,
                          const std::vector<Headline>& headlines) {
  const auto table = page.element("table", {{"class", "beside"}});
  const auto row = page.element("tr");
  {
    const auto cell = page.element("td");
    write_against(page, first, headlines);
  }
  const auto cell = page.element("td");
  write_advice(page, first, headlines);
}

}  // namespace rigproof::html
