#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "reports/charts/charts.h"
#include "reports/html/sections.h"
#include "reports/text/acceptance.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::html {
namespace {

using figures::Headline;
using figures::Mark;

std::string run_time_text(const judge::JudgedRun& run) {
  const std::string day = run.started.substr(0, 10),
                    time = run.started.size() > 16 ? run.started.substr(11, 5) : "";
  return fmt::format("{} {} UTC, {:.0f} s", day, time, text::time_spent(run).total_s);
}

std::string_view glyph_of(const judge::JudgedRun& run) {
  const int code = run.exit_code();
  if (code == 0 && !run.parts().empty()) return "½";  // only a part of a run
  return code == 0 ? "✓" : code == 3 ? "?" : "✗";
}

std::string are(int cases) { return fmt::format("{} {}", cases, cases == 1 ? "is" : "are"); }

// Summary of the cases in words.
std::string cases_text(const text::Totals& totals) {
  const int judged = totals.cases - totals.recorded;
  if (judged == 0) return "No case was judged";
  if (totals.failed + totals.errors > 0) {
    std::string text =
        totals.failed > 0 ? fmt::format("{} of {} judged cases failed", totals.failed, judged) : "";
    if (totals.errors > 0)
      text += totals.failed > 0 ? fmt::format(", {} ended in error", totals.errors)
                                : fmt::format("{} of {} judged cases ended in error", totals.errors, judged);
    return text + (totals.not_proven > 0 ? fmt::format(", {} not proven", are(totals.not_proven)) : "");
  }
  if (totals.not_proven > 0)
    return fmt::format("{} of {} judged cases {} not proven", totals.not_proven, judged,
                       totals.not_proven == 1 ? "is" : "are");
  if (totals.waived > 0)
    return fmt::format("All {} judged cases passed or are waived ({})", judged, totals.waived);
  return fmt::format("All {} judged cases passed", judged);
}

// `problems`: those of the run itself, not of a case.
std::string sentence_of(const text::Totals& totals, std::size_t problems) {
  if (problems == 0) return cases_text(totals) + ".";
  const int judged = totals.cases - totals.recorded;
  const bool all_well = judged > 0 && totals.passed + totals.waived == judged;
  return fmt::format("{}{} the run itself has {} problem{}: see Worst findings.", cases_text(totals),
                     all_well ? ", but" : ";", problems, problems == 1 ? "" : "s");
}

void write_weakened(text::Markup& page, const judge::JudgedRun& run) {
  constexpr std::size_t kMost = 5;
  if (run.weakened.empty()) return;
  page.leaf("b", text::weakened_text(run) + ":");
  for (const Weakened& limit : std::span(run.weakened).first(std::min(run.weakened.size(), kMost)))
    page.leaf("div", text::shortened(text::one_line(to_text(limit)), 300));
  if (run.weakened.size() > kMost)
    page.leaf("div", fmt::format("and {} more: see summary.md", run.weakened.size() - kMost));
}

// File names of the thresholds, without folders.
std::string limits_files(const judge::JudgedRun& run) {
  std::string names;
  for (const record::TextFile& file : run.start.limits)
    names += (names.empty() ? "" : ", ") + file.file.substr(file.file.rfind('/') + 1);
  return names;
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
    if (run.start.asked.profile != "acceptance")
      page.leaf("div", fmt::format("Profile {}: not an acceptance test.", run.start.asked.profile));
    if (const std::string part = text::part_text(run); !part.empty())
      page.leaf("b", "A part only: " + part + ".");
    if (const std::string sample = text::sample_text(run); !sample.empty()) page.leaf("div", sample);
    write_weakened(page, run);
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
  line("Limits", limits_files(run));
  for (const auto& [key, value] : run.start.labels) line(key, value);
  line("By", fmt::format("{} on {}, rigproof {}", run.start.user, run.start.host, run.start.version()));
}

Mark mark_of(const text::Totals& totals, const judge::JudgedSuite& suite) {
  if (!suite.complete() || totals.errors > 0) return Mark::kError;
  if (totals.failed > 0) return Mark::kMissed;
  if (totals.not_proven > 0) return Mark::kNotProven;
  if (totals.waived > 0) return Mark::kWaived;
  return totals.passed > 0 ? Mark::kGood : Mark::kRecorded;
}

// "1/8 failed, 1 error": of the judged cases.
std::string outcome_of(const text::Totals& totals) {
  const int judged = totals.cases - totals.recorded;
  if (totals.failed > 0)
    return fmt::format("{}/{} failed", totals.failed, judged) +
           (totals.errors > 0 ? fmt::format(", {} error{}", totals.errors, totals.errors == 1 ? "" : "s")
                              : "");
  if (totals.errors > 0)
    return fmt::format("{}/{} error{}", totals.errors, judged, totals.errors == 1 ? "" : "s");
  if (totals.not_proven > 0) return fmt::format("{}/{} not proven", totals.not_proven, judged);
  if (totals.waived > 0) return fmt::format("{}/{} waived", totals.waived, judged);
  return fmt::format("{} judged", judged);
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
    page.leaf("div", outcome_of(totals));
  }
}

// With at most this number of headlines, the picture gets more room on a printed page.
constexpr std::size_t kFewHeadlines = 4;

constexpr const char* kCells =
    "A cell is a node, with its worst verdict; its row begins with the node named.";

void write_legend(text::Markup& page, const figures::RigState& state) {
  const auto line = page.element("p", {{"class", "soft legend"}});
  for (const Mark mark :
       {Mark::kGood, Mark::kClose, Mark::kMissed, Mark::kNotProven, Mark::kWaived, Mark::kRecorded}) {
    const figures::Look& look = figures::look_of(mark);
    {
      const auto entry = page.element("span", {{"class", "entry"}});
      page.leaf("span", look.glyph, {{"class", fmt::format("key cell {}", look.css)}});
      const char* also = mark == Mark::kClose ? ", or advice" : mark == Mark::kMissed ? ", or error" : "";
      page.text(fmt::format(" {}{}", look.word, also));
    }
    page.text("   ");
  }
  page.empty("br");
  if (state.nodes.size() > charts::kMostNodesWithRates) return page.text(kCells);
  if (state.nodes.size() > charts::kMostNodesWithRatesOnPaper) {
    const auto on_paper = page.element("span", {{"class", "on-paper"}});
    page.text(kCells);
    page.empty("br");
  }
  std::string text;
  if (!state.half_rate.empty())
    text += fmt::format("{}: lowest over all peers, at a half: {} ({}).", state.unit, state.half_rate,
                        state.half_limit);
  if (!state.port_rate.empty())
    text += fmt::format(" On a cable: {} ({}).", state.port_rate, state.port_limit);
  page.text(text);
}

void write_signatures(text::Markup& page, const FirstPage& first) {
  {
    const auto table = page.element("table", {{"class", "signatures"}});
    const auto row = page.element("tr");
    constexpr std::string_view kCustomer = "Accepted by the customer";
    const std::map<std::string, std::string>& labels = first.run.start.labels;
    for (const std::string_view role :
         {std::string_view("Tested by"), std::string_view("Reviewed and authorised by"), kCustomer}) {
      const auto cell = page.element("td");
      page.leaf("b", role);
      if (role == kCustomer && labels.contains("customer")) page.text(": " + labels.at("customer"));
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

}  // namespace

std::string caution_of(const judge::JudgedRun& run) {
  return run.start.stand_in.empty()
             ? text::emulated_text(run)
             : fmt::format("STAND-IN under test: {}. This report does not speak for a real rig",
                           run.start.stand_in);
}

std::string_view colour_of(const judge::JudgedRun& run) {
  const int code = run.exit_code();
  if (code == 0) return run.parts().empty() ? "good" : "open";
  return code == 3 ? "open" : "bad";
}

void write_first_page(text::Markup& page, const FirstPage& first) {
  const judge::JudgedRun& run = first.run;
  const auto section = page.element("section", {{"class", "first"}});
  const std::vector<Headline> headlines = first.figures.headlines();
  page.leaf("p", fmt::format("Rigproof qualification report {}", run.start.id), {{"class", "soft"}});
  page.leaf("h1", fmt::format("Rig {}", run.start.rig));
  if (const std::string caution = caution_of(run); !caution.empty())
    page.leaf("div", caution + ".", {{"class", "warning"}, {"role", "note"}});
  write_banner(page, first);
  if (const std::string again = text::judged_again_text(run); !again.empty())
    page.leaf("div", again + ".", {{"class", "warning"}, {"role", "note"}});
  write_suites(page, run);
  if (first.rig != nullptr) {
    const figures::RigState state = first.figures.rig_state();
    {
      const auto room =
          page.element("div", {{"class", headlines.size() <= kFewHeadlines ? "roomy" : "picture"}});
      charts::write_rig_picture(page, *first.rig, state);
    }
    write_legend(page, state);
  }
  write_headlines(page, first.figures, headlines);
  write_suspects(page, run);
  write_worst_findings(page, first, headlines);
  write_signatures(page, first);
}

}  // namespace rigproof::html
