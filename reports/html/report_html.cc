#include "reports/html/report_html.h"

#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <sstream>

#include "reports/html/sections.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"

namespace rigproof::html {
namespace {

// The page loads nothing and runs no script, whatever texts the record contains.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

std::string foot_text(const manifest::Evidence& evidence) {
  return evidence.hash.empty() ? "not sealed: the record was still being written"
                               : "evidence SHA-256 " + evidence.hash;
}

void write_head(text::Markup& page, const judge::JudgedRun& run, const manifest::Evidence& evidence) {
  const std::string title = fmt::format("Rigproof {}: {}", run.start.id, run.verdict());
  const auto head = page.element("head");
  page.empty("meta", {{"charset", "utf-8"}});
  page.empty("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", kPolicy}});
  page.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  page.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  page.empty("meta",
             {{"name", "generator"}, {"content", "rigproof " + text::shortened(run.start.version(), 40)}});
  page.empty("meta", {{"name", "rigproof-evidence"}, {"content", evidence.hash}});
  page.empty("meta", {{"name", "rigproof-verdict"}, {"content", run.verdict()}});
  page.leaf("title", title);
  const auto style = page.element("style");
  page.raw(style_sheet({title, caution_of(run), foot_text(evidence)}));
}

std::string_view word_of(judge::Verdict verdict) {
  switch (verdict) {
    case judge::Verdict::kPass:
      return "PASS";
    case judge::Verdict::kMarginal:
      return "MARGINAL";
    case judge::Verdict::kAdvice:
      return "ADVICE";
    case judge::Verdict::kFail:
      return "FAIL";
    case judge::Verdict::kError:
      return "NOT JUDGED";
    case judge::Verdict::kRecorded:
      return "informative";
  }
  return "NOT JUDGED";
}

std::string_view colour_of(judge::Status status) {
  if (status == judge::Status::kRecorded) return "soft";
  if (status == judge::Status::kPassed) return "good";
  return status == judge::Status::kWaived || status == judge::Status::kNotProven ? "near" : "bad";
}

std::string_view colour_of(judge::Verdict verdict) {
  switch (verdict) {
    case judge::Verdict::kPass:
      return "good";
    case judge::Verdict::kMarginal:
    case judge::Verdict::kAdvice:
      return "near";
    case judge::Verdict::kRecorded:
      return "soft";
    default:
      return "bad";
  }
}

// Data of all cases, gathered in one reading of the journal.
struct Contents {
  Contents(const judge::JudgedRun& run, const Rig* rig) : figures(run, rig), objections(run), limits(run) {
    charts::ChartCollector collector;
    judge::JudgedCase buffer;
    for (const judge::JudgedSuite& suite : run.suites)
      for (const judge::JudgedCase& planned : suite.cases) {
        const judge::JudgedCase& test = whole(run, planned, buffer);
        figures.add(test);
        objections.add(test);
        limits.add(test);
        passed.add(test);
        collector.add(test);
      }
    charts = collector.take();
  }
  figures::Figures figures;
  Objections objections;
  UsedLimits limits;
  PassedTests passed;
  charts::ChartData charts;
};

void write_sections(text::Markup& page, const judge::JudgedRun& run, const Contents& contents, const Rig* rig,
                    const manifest::Evidence& evidence) {
  write_matrices(page, contents.figures);
  write_pair_tables(page, contents.figures, rig);
  write_findings(page, run);
  write_waivers(page, run);
  write_charts(page, contents.charts);
  page.leaf("h1", "Appendix", {{"class", "appendix"}});
  write_scope(page, run, evidence);
  write_items(page, run, rig);
  write_limits(page, run, contents.limits);
  write_power(page, run);
  write_results(page, run, contents.passed);
  write_log(page, run);
  write_manifest(page, run, evidence);
}

// Links to the sections of `rest`, on a screen.
void write_outline(text::Markup& page, const text::Markup& rest) {
  const auto nav = page.element("nav", {{"class", "on-screen"}, {"aria-label", "Contents"}});
  page.leaf("b", "Contents");
  for (const text::Markup::Heading& heading : rest.outline()) {
    page.text("  ");
    page.leaf("a", heading.title, {{"href", "#" + heading.id}});
  }
}

}  // namespace

void write_report_html(const judge::JudgedRun& run, const manifest::Evidence& evidence, std::ostream& out) {
  const std::optional<Rig> rig = judge::rig_of(run.start);
  const Contents contents(run, rig ? &*rig : nullptr);
  text::Markup page(out);
  page.raw("<!DOCTYPE html>\n");
  const auto html = page.element("html", {{"lang", "en"}});
  write_head(page, run, evidence);
  const auto body = page.element("body");
  write_first_page(page, {run, rig ? &*rig : nullptr, contents.figures, contents.objections, evidence});
  std::ostringstream sections;
  text::Markup rest(sections);
  write_sections(rest, run, contents, rig ? &*rig : nullptr, evidence);
  write_outline(page, rest);
  page.raw(sections.view());
}

void write_badge(text::Markup& page, std::string_view word, std::string_view colour_class) {
  page.leaf("span", word, {{"class", "badge " + std::string(colour_class)}});
}

void write_badge(text::Markup& page, judge::Status status) {
  write_badge(page, text::word_of(status), colour_of(status));
}
void write_badge(text::Markup& page, judge::Verdict verdict) {
  write_badge(page, word_of(verdict), colour_of(verdict));
}

void write_badge(text::Markup& page, const judge::Attempt& attempt) {
  if (judge::is_void(attempt.failures))
    write_badge(page, "VOID", "near");
  else
    write_badge(page, attempt.status);
}

void write_header_row(text::Markup& page, std::initializer_list<std::string_view> cells) {
  const auto head = page.element("thead");
  const auto row = page.element("tr");
  for (const std::string_view cell : cells) page.leaf("th", cell, {{"scope", "col"}});
}

}  // namespace rigproof::html
