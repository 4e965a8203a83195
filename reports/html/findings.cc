#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/limits/limit_table.h"
#include "reports/html/sections.h"
#include "reports/text/describe.h"
#include "reports/text/verdict_line.h"

namespace rigproof::html {
namespace {

constexpr std::size_t kMostShown = 2000;        // per status; the counts on the first page include all
constexpr std::size_t kMostRemediesInAll = 60;  // each finding has its own
constexpr std::size_t kMostPlaces = 8;          // below a remedy
constexpr std::size_t kMostMisses = 100;        // per case

void write_line(text::Markup& page, std::string_view what, const std::string& text,
                std::string_view css = "told") {
  if (text.empty()) return;
  const auto line = page.element("p", {{"class", css}});
  page.leaf("b", what);
  page.text(text);
}

}  // namespace

std::string label_of(std::string_view what) {
  std::string label(what);
  label.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(label.front())));
  return label + ": ";
}

namespace {

void write_remedy(text::Markup& page, const Remedy& remedy, std::string_view css = "told") {
  for (const auto& [what, step] : steps_of(remedy)) write_line(page, label_of(what), step, css);
}

void write_miss(text::Markup& page, const judge::JudgedMeasurement& missed) {
  const auto item = page.element("li");
  page.text(text::label(missed) + ": " + text::result_text(missed) + " ");
  write_badge(page, missed.judgement.verdict);
  // Hidden on paper: remedies, limits and sources have their own lists there.
  write_line(page, "Reason: ", text::reason_text(missed), "detail");
  write_remedy(page, missed.remedy, "detail");
  write_line(page, "Limit from: ", text::basis_text(missed), "detail");
  write_line(page, "Stated in: ", to_text(missed.limit_where), "detail");
}

void write_reasons(text::Markup& page, const judge::JudgedCase& test) {
  const judge::Attempt* attempt = test.deciding();
  if (attempt == nullptr) return page.leaf("p", test.open_reason());
  const auto missed = text::misses(*attempt);
  const auto list = page.element("ul");
  for (std::size_t miss = 0; miss < std::min(missed.size(), kMostMisses); ++miss)
    write_miss(page, *missed[miss]);
  if (missed.size() > kMostMisses)
    page.leaf("li",
              fmt::format("{} more misses of this case: see journal.jsonl", missed.size() - kMostMisses));
  for (const record::Failure& failure : attempt->failures) page.leaf("li", text::failure_text(failure));
}

void write_finding(text::Markup& page, const text::Metrics& metrics, const judge::JudgedCase& test) {
  const judge::Status status = test.status();
  {
    const auto line = page.element("p");
    write_badge(page, status);
    page.leaf("b", " " + title_of(metrics, test));
    page.leaf("span", " " + test.full_name(), {{"class", "soft"}});
  }
  write_reasons(page, test);
  if (status == judge::Status::kWaived) write_line(page, "Waiver: ", test.waiver);
  if (test.attempts.size() > 1)
    write_line(page,
               "Attempts: ", fmt::format("{}; all of them are listed under results", test.attempts.size()));
}

std::string parameter_of(const judge::JudgedCase& test) {
  const std::string parameter = judge::case_name(test.plan.name).parameter;
  return parameter.empty() ? test.plan.name : parameter;
}

// Texts of the limits that the box's first case states in full.
using StatedLimits = std::set<std::string>;

std::string short_result(const judge::JudgedMeasurement& missed, const StatedLimits& stated) {
  const bool is_stated =
      missed.judgement.verdict == judge::Verdict::kFail && stated.contains(missed.judgement.limit);
  return is_stated ? text::value_text(missed) : text::result_text(missed);
}

// Reasons for a further case of the same test, without the limits that the first case states.
std::string also_text(const judge::JudgedCase& test, const StatedLimits& stated) {
  const judge::Attempt* attempt = test.deciding();
  if (attempt == nullptr) return test.open_reason();
  std::vector<std::string> reasons;
  const auto missed = text::misses(*attempt);
  for (std::size_t miss = 0; miss < std::min(missed.size(), kMostMisses); ++miss)
    reasons.push_back(text::label(*missed[miss]) + ": " + short_result(*missed[miss], stated));
  if (missed.size() > kMostMisses)
    reasons.push_back(fmt::format("{} more misses", missed.size() - kMostMisses));
  for (const record::Failure& failure : attempt->failures) reasons.push_back(text::failure_text(failure));
  if (test.attempts.size() > 1) reasons.push_back(fmt::format("{} attempts", test.attempts.size()));
  if (test.status() == judge::Status::kWaived) reasons.push_back("waiver: " + test.waiver);
  return fmt::format("{}", fmt::join(reasons, "; "));
}

// The box's further cases; subjects with the same reasons share a line.
class AlsoLines {
 public:
  explicit AlsoLines(const judge::JudgedCase& first) {
    if (const judge::Attempt* attempt = first.deciding())
      for (const judge::JudgedMeasurement* missed : text::misses(*attempt))
        stated_.insert(missed->judgement.limit);
  }
  void add(const judge::JudgedCase& test) {
    std::string text = also_text(test, stated_);
    if (!lines_.empty() && lines_.back().second == text)
      lines_.back().first += ", " + parameter_of(test);
    else
      lines_.emplace_back(parameter_of(test), std::move(text));
  }
  void write(text::Markup& page) const {
    for (const auto& [subjects, text] : lines_) {
      const auto line = page.element("p", {{"class", "also"}});
      page.leaf("b", subjects);
      page.text(" " + text);
    }
  }

 private:
  StatedLimits stated_;
  std::vector<std::pair<std::string, std::string>> lines_;
};

// Writes one box per test: its first case in full, one line for each other case.
void write_cases(text::Markup& page, const judge::JudgedRun& run, judge::Status status,
                 std::string_view title) {
  struct Box {
    const judge::JudgedSuite* suite;
    std::vector<std::size_t> cases;
  };
  std::vector<Box> boxes;
  std::map<std::array<std::string, 3>, std::size_t> by_test;  // suite, class, test
  std::size_t count = 0;
  for (const judge::JudgedSuite& suite : run.suites)
    for (std::size_t i = 0; i < suite.cases.size(); ++i) {
      const judge::JudgedCase test = suite.cases.at(i);
      if (test.status() != status || text::is_counted_only(run, test) || ++count > kMostShown) continue;
      const judge::CaseName name = judge::case_name(test.plan.name);
      const auto [box, is_new] = by_test.try_emplace({suite.name, name.test_class, name.test}, boxes.size());
      if (is_new) boxes.push_back({&suite, {}});
      boxes[box->second].cases.push_back(i);
    }
  if (count == 0) return;
  page.leaf("h3", title);
  const bool soft = status == judge::Status::kNotProven || status == judge::Status::kWaived;
  const text::Metrics metrics(run.start.declared);
  judge::JudgedCase buffer;
  const auto all = page.element("div", {{"class", "boxes"}});
  for (const Box& box : boxes) {
    const auto div = page.element("div", {{"class", soft ? "finding near" : "finding"}});
    const judge::JudgedCase first = box.suite->cases.at(box.cases.front());
    const judge::JudgedCase& shown = whole(run, first, buffer);
    write_finding(page, metrics, shown);
    AlsoLines others(shown);
    for (std::size_t i = 1; i < box.cases.size(); ++i) {
      const judge::JudgedCase other = box.suite->cases.at(box.cases[i]);
      others.add(whole(run, other, buffer));
    }
    others.write(page);
  }
  if (count > kMostShown)
    page.leaf("p", fmt::format("{} more: see junit.xml and journal.jsonl.", count - kMostShown),
              {{"class", "warning"}});
}

void write_known_faults(text::Markup& page, const judge::JudgedRun& run) {
  if (!run.faults.empty()) page.leaf("h3", "Known faults");
  for (const judge::KnownFault& fault : run.faults) {
    const auto box = page.element("div", {{"class", "finding"}});
    page.leaf("p", text::fault_text(fault));
    write_line(page, "Follows: ", text::followers_text(fault));
    write_remedy(page, fault.remedy);
    write_line(page, "Known from: ", text::basis_text(fault.basis));
    write_line(page, "Stated in: ", to_text(fault.where));
  }
}

void write_run_faults(text::Markup& page, const judge::JudgedRun& run) {
  const std::vector<record::Problem> faults = text::run_faults(run);
  const std::string open = text::not_begun_text(run);
  if (!faults.empty() || !open.empty()) page.leaf("h3", "The run itself");
  if (!open.empty()) page.leaf("p", open);
  for (const record::Problem& fault : faults) {
    const auto box = page.element("div", {{"class", "finding"}});
    const auto line = page.element("p");
    write_badge(page, judge::Status::kError);
    page.leaf("b", " " + fault.type + ": ");
    page.text(fault.message);
  }
}

// Lists the attempts that do not count because the machine was disturbed; the report hides no measurement.
void write_void_attempts(text::Markup& page, const judge::JudgedRun& run) {
  std::vector<std::string> lines;
  std::size_t count = 0;
  text::each_void_attempt(run, [&](const judge::JudgedCase& test, const judge::Attempt& attempt) {
    if (++count > kMostShown) return;
    lines.push_back(fmt::format("{} (launch {}, iteration {}): {}", test.full_name(), attempt.launch,
                                attempt.iteration, text::failure_text(attempt.failures.front())));
  });
  if (count == 0) return;
  page.leaf("h3", "Void attempts: the machine was disturbed, so they were measured again");
  {
    const auto list = page.element("ul", {{"class", "boxes"}});
    for (const std::string& line : lines) page.leaf("li", line);
  }
  if (count > kMostShown) page.leaf("p", fmt::format("{} more: see journal.jsonl.", count - kMostShown));
}

// One remedy for all that missed a limit: each has its own beside its finding, and in summary.md.
struct SharedRemedy {
  std::vector<std::string> lines;
  std::vector<std::string> also;  // the other places
};

std::vector<SharedRemedy> shared_remedies(const judge::JudgedRun& run) {
  std::vector<SharedRemedy> shared;
  std::map<std::string, std::size_t> known;  // by limit
  for (text::RemedyText& remedy : text::remedies_of(run)) {
    const auto [found, is_new] = known.try_emplace(remedy.id, shared.size());
    if (is_new)
      shared.push_back({std::move(remedy.lines), {}});
    else
      shared[found->second].also.push_back(std::move(remedy.place));
  }
  return shared;
}

void write_remedies(text::Markup& page, const judge::JudgedRun& run) {
  std::vector<SharedRemedy> remedies = shared_remedies(run);
  if (remedies.empty()) return;
  page.leaf("h3", "What to do (nothing was changed)");
  const auto list = page.element("ul", {{"class", "boxes"}});
  for (std::size_t i = 0; i < std::min(remedies.size(), kMostRemediesInAll); ++i) {
    const auto item = page.element("li");
    for (const std::string& line : remedies[i].lines) page.leaf("div", line);
    std::vector<std::string>& also = remedies[i].also;
    if (also.empty()) continue;
    const std::size_t more = also.size() - std::min(also.size(), kMostPlaces);
    also.resize(also.size() - more);
    if (more > 0) also.push_back(fmt::format("{} more: see summary.md", more));
    page.leaf("div", fmt::format("Also on: {}", fmt::join(also, "; ")), {{"class", "soft"}});
  }
  if (remedies.size() > kMostRemediesInAll)
    page.leaf("li", fmt::format("{} more: see summary.md", remedies.size() - kMostRemediesInAll));
}

bool is_without_findings(const judge::JudgedRun& run) {
  std::size_t count = text::run_faults(run).size() + run.faults.size() + text::advice_of(run).size();
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases) count += test.status() > judge::Status::kPassed ? 1 : 0;
  text::each_void_attempt(run, [&](const judge::JudgedCase&, const judge::Attempt&) { ++count; });
  return count == 0;
}

using UsedWaivers = std::set<const Waiver*>;
using WaiverUses = std::map<const Waiver*, int>;  // number of cases that each one waives

// A void attempt counts only if the case has no other.
bool is_waived(const judge::JudgedCase& test, const judge::Attempt& attempt) {
  return attempt.status == judge::Status::kWaived &&
         (!judge::is_void(attempt.failures) || &attempt == test.deciding());
}

WaiverUses uses_of(const judge::JudgedRun& run) {
  WaiverUses uses;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases) {
      if (test.status() != judge::Status::kWaived) continue;
      UsedWaivers used;
      for (const judge::Attempt& attempt : test.attempts)
        if (is_waived(test, attempt)) used.insert(attempt.waivers.begin(), attempt.waivers.end());
      for (const Waiver* waiver : used) ++uses[waiver];
    }
  return uses;
}

std::string state_of(const Waiver& waiver, const judge::JudgedRun& run) {
  if (waiver.is_expired(run.waivers_on)) return "EXPIRED: waives nothing";
  if (!waiver.is_too_long(run.waivers_on)) return "in force";
  return fmt::format("ends more than {} days after the run: waives nothing", kLongestWaiver);
}

void write_waiver(text::Markup& page, const Waiver& waiver, int uses, const judge::JudgedRun& run) {
  const auto row = page.element("tr");
  page.leaf("td", waiver.limit.empty() ? "any" : waiver.limit);
  page.leaf("td", waiver.test.empty() ? "any" : waiver.test);
  page.leaf("td", waiver.owner);
  page.leaf("td", waiver.reason);
  page.leaf("td", waiver.expires);
  page.leaf("td", state_of(waiver, run));
  page.leaf("td", fmt::to_string(uses), {{"class", "number"}});
  page.leaf("td", waiver.where);
}

}  // namespace

void write_findings(text::Markup& page, const judge::JudgedRun& run) {
  if (is_without_findings(run)) return;
  const auto section = page.section("Findings");
  write_run_faults(page, run);
  write_known_faults(page, run);
  write_cases(page, run, judge::Status::kError, "Errors");
  write_cases(page, run, judge::Status::kFailed, "Failed");
  write_cases(page, run, judge::Status::kNotProven, "Not proven: skipped, or it could not be measured");
  write_cases(page, run, judge::Status::kWaived,
              "Waived: failed or not proven, and covered by a waiver in force");
  write_remedies(page, run);
  write_advised_limits(page, run, kMostShown);
  write_void_attempts(page, run);
}

void write_advised_limits(text::Markup& page, const judge::JudgedRun& run, std::size_t most) {
  const std::vector<text::Advice> list = text::advice_of(run);
  if (list.empty()) return;
  page.leaf("h3", "Advice (no verdict depends on it)");
  const auto items = page.element("ul", {{"class", most < kMostShown ? "few" : "boxes"}});
  for (std::size_t i = 0; i < std::min(list.size(), most); ++i) {
    const auto item = page.element("li");
    page.text(list[i].found);
    write_remedy(page, list[i].remedy);
  }
  if (list.size() > most)
    page.leaf("li", fmt::format("{} more: see {}", list.size() - most,
                                most < kMostShown ? "Findings" : "summary.md"));
}

void write_waivers(text::Markup& page, const judge::JudgedRun& run) {
  if (run.limits != nullptr && run.limits->waivers().empty()) return;
  const auto section = page.section("Waivers");
  if (run.limits == nullptr) return page.leaf("p", "The recorded thresholds cannot be read.");
  const std::vector<Waiver>& waivers = run.limits->waivers();
  const auto scroll = page.element("div", {{"class", "scroll"}});
  const auto table = page.element("table");
  write_header_row(page, {"Limit", "Case", "Owner", "Reason", "Expires", "On the day of the run",
                          "Cases waived", "Stated in"});
  WaiverUses uses = uses_of(run);
  for (const Waiver& waiver : waivers) write_waiver(page, waiver, uses[&waiver], run);
}

}  // namespace rigproof::html
