#include <fmt/format.h>

#include "framework/record/files.h"
#include "reports/html/sections.h"
#include "reports/text/verdict_line.h"

namespace rigproof::html {
namespace {

// `{}`: what is added of emulated rigs.
constexpr std::string_view kDecisionRule =
    "A measurement passes when the statistic of its raw samples that its limit names lies within the "
    "limit's bounds, bounds included; nothing is added to or taken from a limit for uncertainty (simple "
    "acceptance). A value that passes within the limit's marginal band is marked MARGINAL. The worst "
    "attempt at a case decides; a repetition cannot improve it. {}What was "
    "skipped or could not be measured is not proven. Values without a limit are RECORDED: listed, not "
    "judged; "
    "a case with nothing else does not count as passed. A limit that is ADVICE is listed with its remedy "
    "when "
    "it is missed or could not be proven, and decides nothing. A missed limit or an unproven case "
    "counts as WAIVED only by a waiver in force that names it, its owner, a reason and an expiry. The "
    "rig is QUALIFIED only when every suite ran to its end, every case passed, is waived or recorded, "
    "and at least one passed. First that applies: ERROR (a run, suite or case that did not end soundly), "
    "NOT QUALIFIED (a limit missed or an assertion failed), NOT PROVEN (something not proven), PARTIAL (the "
    "run leaves out suites or cases: it qualifies no rig), QUALIFIED.";

constexpr std::string_view kOfEmulatedRigs =
    "An attempt is VOID when limits were "
    "missed while other programs used the machine under an emulated rig: it is measured again, "
    "stays in the record, and counts only when no other attempt does; the case is then not proven. ";

std::string decision_rule(const judge::JudgedRun& run) {
  return fmt::format(fmt::runtime(kDecisionRule),
                     run.start.rig_kind == "hardware" ? std::string_view() : kOfEmulatedRigs);
}

std::string file_text(const record::TextFile& file) {
  return fmt::format("{} (SHA-256 {})", file.file, file.sha256);
}

void write_facts(text::Markup& page, const judge::JudgedRun& run) {
  const record::RunStarted& start = run.start;
  const auto table = page.element("table", {{"class", "scope"}});
  const auto row = [&](std::string_view what, std::string_view text) {
    const auto line = page.element("tr");
    page.leaf("th", what, {{"scope", "row"}});
    page.leaf("td", text);
  };
  row("Report", start.id);
  row("Rig", fmt::format("{} ({})", start.rig, start.rig_kind));
  row("Stand-in under test", start.stand_in.empty() ? "none declared" : start.stand_in);
  row("Profile", start.asked.profile);
  if (const std::string part = text::part_text(run); !part.empty()) row("A part of a run", part);
  row("Rig file", file_text(start.rig_file));
  for (const record::TextFile& file : start.limits) row("Thresholds", file_text(file));
  if (start.again)
    row("Judged (UTC)",
        fmt::format("{} by {} on {}", start.again->time, start.again->user, start.again->host));
  row(start.again ? "Measured (UTC)" : "Started (UTC)",
      start.again ? fmt::format("{}, by run {}", run.started, start.again->run) : run.started);
  row("Ended", run.end ? text::time_text(run) : "the run has not ended: its record stops before the end");
  row("Run by", fmt::format("{} on {}", start.user, start.host));
  row("Command", start.command_line);
  row("Method", "Rigproof " + start.version());
  row("Programs", text::programs_text(start));
  row("Customer", "");
}

void write_counts(text::Markup& page, const judge::JudgedRun& run) {
  page.leaf("h3", "Cases by suite");
  const auto scroll = page.element("div", {{"class", "scroll"}});
  const auto table = page.element("table", {{"class", "counts"}});
  write_header_row(page, {"Suite", "Cases", "Passed", "Recorded", "Waived", "Not proven", "Failed", "Errors",
                          "Ended", "Seconds"});
  const auto row = [&](const std::string& name, const text::Totals& totals, std::string_view ended,
                       double seconds) {
    const auto line = page.element("tr");
    page.leaf("td", name);
    for (const int count : {totals.cases, totals.passed, totals.recorded, totals.waived, totals.not_proven,
                            totals.failed, totals.errors})
      page.leaf("td", fmt::to_string(count), {{"class", "number"}});
    page.leaf("td", ended);
    page.leaf("td", fmt::format("{:.1f}", seconds), {{"class", "number"}});
  };
  for (const judge::JudgedSuite& suite : run.suites)
    row(suite.name, text::totals_of(suite), suite.complete() ? "yes" : "NO", suite.seconds);
  row("all", text::totals_of(run), run.end ? "yes" : "NO", text::time_spent(run).total_s);
}

}  // namespace

void write_scope(text::Markup& page, const judge::JudgedRun& run, const manifest::Evidence& evidence) {
  const auto section = page.element("section");
  page.leaf("h2", "Scope");
  page.leaf("p", text::verdict_line(run));
  write_facts(page, run);
  page.leaf("p",
            evidence.hash.empty() ? "Not sealed: the record was still being written when this page was made."
                                  : "Evidence SHA-256 " + evidence.hash,
            {{"class", "hash"}});
  write_counts(page, run);
  page.leaf("h3", "Decision rule");
  page.leaf("p", decision_rule(run));
}

}  // namespace rigproof::html
