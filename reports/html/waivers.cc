#include <fmt/format.h>

#include <string>

#include "framework/limits/waivers.h"
#include "reports/html/sections.h"

namespace rigproof {
namespace {

int uses_of(const Waiver& waiver, const RunRecord& run) {
  int uses = 0;
  const std::string mark = fmt::format("by {}: {}", waiver.owner, waiver.reason);
  for (const SuiteRecord& suite : run.suites)
    for (const CaseRecord& test : suite.cases)
      uses += test.status() == Status::kWaived && test.waiver.find(mark) != std::string::npos ? 1 : 0;
  return uses;
}

// A waiver counts on its last day, no longer after it; both are ISO dates.
bool in_force(const Waiver& waiver, const RunRecord& run) {
  return std::string_view(run.started).substr(0, 10) <= waiver.expires;
}

void write_waiver(Markup& page, const Waiver& waiver, const RunRecord& run) {
  const auto row = page.element("tr");
  page.leaf("td", waiver.limit.empty() ? "any" : waiver.limit);
  page.leaf("td", waiver.test.empty() ? "any" : waiver.test);
  page.leaf("td", waiver.owner);
  page.leaf("td", waiver.reason);
  page.leaf("td", waiver.expires);
  page.leaf("td", in_force(waiver, run) ? "in force" : "EXPIRED: waives nothing");
  page.leaf("td", fmt::to_string(uses_of(waiver, run)), {{"class", "number"}});
  page.leaf("td", waiver.where);
}

}  // namespace

void write_waivers(Markup& page, const RunRecord& run) {
  const auto section = page.element("section");
  page.leaf("h2", "Waivers");
  std::vector<Waiver> waivers;
  try {
    waivers = read_waivers(toml::Document::parse(run.start.thresholds_text, run.start.thresholds_file));
  } catch (const toml::InputError& error) {
    return page.leaf("p", fmt::format("The recorded thresholds cannot be read: {}", error.what()));
  }
  if (waivers.empty()) return page.leaf("p", "None: the thresholds file holds no waiver.");
  const auto table = page.element("table");
  write_header_row(page, {"Limit", "Case", "Owner", "Reason", "Expires", "On the day of the run",
                          "Cases waived", "Stated in"});
  for (const Waiver& waiver : waivers) write_waiver(page, waiver, run);
}

}  // namespace rigproof
