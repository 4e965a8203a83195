#include "reports/html/report_html.h"

#include <fmt/format.h>

#include <ostream>

#include "reports/html/sections.h"
#include "reports/html/style.h"
#include "reports/text/clean.h"

namespace rigproof {
namespace {

// Nothing is loaded from anywhere and nothing runs, whatever the record's texts say.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

std::string foot_text(const Evidence& evidence) {
  return evidence.hash.empty() ? "not sealed: the record was still being written"
                               : "evidence SHA-256 " + evidence.hash;
}

void write_head(Markup& page, const JudgedRun& run, const Evidence& evidence) {
  const std::string title = fmt::format("Rigproof {}: {}", run.start.id, run.verdict());
  const std::string& stand_in = run.start.stand_in;
  const auto head = page.element("head");
  page.empty("meta", {{"charset", "utf-8"}});
  page.empty("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", kPolicy}});
  page.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  page.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  page.empty("meta", {{"name", "generator"}, {"content", "rigproof " + shortened(run.start.version(), 40)}});
  page.empty("meta", {{"name", "rigproof-evidence"}, {"content", evidence.hash}});
  page.leaf("title", title);
  const auto style = page.element("style");
  page.raw(
      style_sheet({title, stand_in.empty() ? "" : "STAND-IN under test: " + stand_in, foot_text(evidence)}));
}

}  // namespace

void write_report_html(const JudgedRun& run, const Evidence& evidence, std::ostream& out) {
  Markup page(out);
  page.raw("<!DOCTYPE html>\n");
  const auto html = page.element("html", {{"lang", "en"}});
  write_head(page, run, evidence);
  const auto body = page.element("body");
  write_front(page, run, evidence);
  write_findings(page, run);
  write_waivers(page, run);
  write_items(page, run);
  write_charts(page, run);
  write_results(page, run);
  write_limits(page, run);
  write_log(page, run);
  write_signatures(page, run, evidence);
}

}  // namespace rigproof
