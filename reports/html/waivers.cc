#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "framework/limits/limit_table.h"
#include "reports/html/sections.h"

namespace rigproof {
namespace {

using UsedWaivers = std::set<const Waiver*>;
using WaiverUses = std::map<const Waiver*, int>;  // how many cases each waives

std::string_view date_of(const JudgedRun& run) {
  return std::string_view(run.start.again ? run.start.again->time : run.started).substr(0, 10);
}

// A void attempt counts only where there is no other.
bool is_waived(const JudgedCase& test, const Attempt& attempt) {
  return attempt.status == Status::kWaived && (!is_void(attempt.failures) || &attempt == test.deciding());
}

WaiverUses uses_of(const JudgedRun& run) {
  WaiverUses uses;
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& test : suite.cases) {
      if (test.status() != Status::kWaived) continue;
      UsedWaivers used;
      for (const Attempt& attempt : test.attempts)
        if (is_waived(test, attempt)) used.insert(attempt.waivers.begin(), attempt.waivers.end());
      for (const Waiver* waiver : used) ++uses[waiver];
    }
  return uses;
}

// A waiver counts on its last day, no longer after it; both are ISO dates.
bool in_force(const Waiver& waiver, const JudgedRun& run) { return date_of(run) <= waiver.expires; }

void write_waiver(Markup& page, const Waiver& waiver, int uses, const JudgedRun& run) {
  const auto row = page.element("tr");
  page.leaf("td", waiver.limit.empty() ? "any" : waiver.limit);
  page.leaf("td", waiver.test.empty() ? "any" : waiver.test);
  page.leaf("td", waiver.owner);
  page.leaf("td", waiver.reason);
  page.leaf("td", waiver.expires);
  page.leaf("td", in_force(waiver, run) ? "in force" : "EXPIRED: waives nothing");
  page.leaf("td", fmt::to_string(uses), {{"class", "number"}});
  page.leaf("td", waiver.where);
}

}  // namespace

void write_waivers(Markup& page, const JudgedRun& run) {
  const auto section = page.element("section");
  page.leaf("h2", "Waivers");
  if (run.limits == nullptr) return page.leaf("p", "The recorded thresholds cannot be read.");
  const std::vector<Waiver>& waivers = run.limits->waivers();
  if (waivers.empty()) return page.leaf("p", "None: the thresholds file holds no waiver.");
  const auto table = page.element("table");
  write_header_row(page, {"Limit", "Case", "Owner", "Reason", "Expires", "On the day of the run",
                          "Cases waived", "Stated in"});
  WaiverUses uses = uses_of(run);
  for (const Waiver& waiver : waivers) write_waiver(page, waiver, uses[&waiver], run);
}

}  // namespace rigproof
