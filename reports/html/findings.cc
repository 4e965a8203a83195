#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "framework/limits/limit_table.h"
#include "reports/html/sections.h"
#include "reports/text/describe.h"

namespace rigproof {
namespace {

constexpr int kMostShown = 2000;          // of one status; the counts on the front are of all
constexpr std::size_t kMostMisses = 100;  // of one case

void write_line(Markup& page, std::string_view what, const std::string& text) {
  if (text.empty()) return;
  const auto line = page.element("p");
  page.leaf("b", what);
  page.text(text);
}

void write_miss(Markup& page, const JudgedMeasurement& missed) {
  const auto item = page.element("li");
  page.text(label(missed) + ": " + result_text(missed) + " ");
  write_badge(page, missed.judgement.verdict);
  write_line(page, "Reason: ", reason_text(missed));
  write_line(page, "Remedy: ", missed.remedy);
  write_line(page, "Limit from: ", basis_text(missed));
  write_line(page, "Stated in: ", missed.limit_where);
}

void write_reasons(Markup& page, const JudgedCase& test) {
  const Attempt* attempt = test.deciding();
  if (attempt == nullptr) return page.leaf("p", test.open_reason());
  const auto missed = misses(*attempt);
  const auto list = page.element("ul");
  for (std::size_t miss = 0; miss < std::min(missed.size(), kMostMisses); ++miss)
    write_miss(page, *missed[miss]);
  if (missed.size() > kMostMisses)
    page.leaf("li",
              fmt::format("{} more misses of this case: see journal.jsonl", missed.size() - kMostMisses));
  for (const Failure& failure : attempt->failures) page.leaf("li", failure_text(failure));
}

void write_finding(Markup& page, const JudgedCase& test) {
  const Status status = test.status();
  const bool soft = status == Status::kNotProven || status == Status::kWaived;
  const auto box = page.element("div", {{"class", soft ? "finding near" : "finding"}});
  {
    const auto line = page.element("p");
    write_badge(page, status);
    page.leaf("b", " " + test.full_name());
    page.text(test.plan.subject.empty() ? "" : " (" + test.plan.subject + ")");
  }
  write_reasons(page, test);
  if (status == Status::kWaived) write_line(page, "Waiver: ", test.waiver);
  if (test.attempts.size() > 1)
    write_line(page,
               "Attempts: ", fmt::format("{}; all of them are listed under results", test.attempts.size()));
}

int write_cases(Markup& page, const JudgedRun& run, Status status, std::string_view title) {
  int count = 0;
  JudgedCase buffer;
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& test : suite.cases) {
      if (test.status() != status) continue;
      if (++count == 1) page.leaf("h3", title);
      if (count <= kMostShown) write_finding(page, whole(run, test, buffer));
    }
  if (count > kMostShown)
    page.leaf("p", fmt::format("{} more: see junit.xml and journal.jsonl.", count - kMostShown),
              {{"class", "warning"}});
  return count;
}

int write_run_faults(Markup& page, const JudgedRun& run) {
  const std::vector<Problem> faults = run_faults(run);
  if (!faults.empty()) page.leaf("h3", "The run itself");
  for (const Problem& fault : faults) {
    const auto box = page.element("div", {{"class", "finding"}});
    const auto line = page.element("p");
    write_badge(page, Status::kError);
    page.leaf("b", " " + fault.type + ": ");
    page.text(fault.message);
  }
  return static_cast<int>(faults.size());
}

// Attempts that do not count because the machine was disturbed: nothing that was measured is kept back.
void write_void_attempts(Markup& page, const JudgedRun& run) {
  int count = 0;
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& test : suite.cases)
      for (const Attempt& attempt : test.attempts) {
        if (!is_void(attempt.failures)) continue;
        if (++count == 1)
          page.leaf("h3", "Void attempts: the machine was disturbed, so they were measured again");
        if (count > kMostShown) continue;
        const auto line = page.element("p");
        write_badge(page, attempt);
        page.leaf("b", fmt::format(" {} (launch {}, iteration {}): ", test.full_name(), attempt.launch,
                                   attempt.iteration));
        page.text(failure_text(attempt.failures.front()));
      }
  if (count > kMostShown) page.leaf("p", fmt::format("{} more: see journal.jsonl.", count - kMostShown));
}

void write_remedies(Markup& page, const JudgedRun& run) {
  const std::vector<std::string> remedies = remedies_of(run);
  if (remedies.empty()) return;
  page.leaf("h3", "What to do (nothing was changed)");
  const auto list = page.element("ul");
  for (std::size_t line = 0; line < std::min<std::size_t>(remedies.size(), kMostShown); ++line)
    page.leaf("li", remedies[line]);
  if (remedies.size() > kMostShown)
    page.leaf("li", fmt::format("{} more: see summary.md", remedies.size() - kMostShown));
}

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

void write_findings(Markup& page, const JudgedRun& run) {
  const auto section = page.element("section");
  page.leaf("h2", "Findings");
  int count = write_run_faults(page, run);
  count += write_cases(page, run, Status::kError, "Errors");
  count += write_cases(page, run, Status::kFailed, "Failed");
  count += write_cases(page, run, Status::kNotProven, "Not proven: skipped, or it could not be measured");
  count += write_cases(page, run, Status::kWaived,
                       "Waived: failed or not proven, and covered by a waiver in force");
  if (count == 0) page.leaf("p", "Nothing: every case of this run passed, or was only recorded.");
  write_remedies(page, run);
  write_void_attempts(page, run);
}

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
