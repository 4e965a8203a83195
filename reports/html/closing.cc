#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "framework/judge/power.h"
#include "reports/html/sections.h"
#include "reports/text/describe.h"

namespace rigproof::html {
namespace {

constexpr std::size_t kMostLogLines = 2000;

// One event.
struct LogLine {
  std::string time, text;
  bool plain = false;  // the only attempt at a case, and it passed
};

// Keeps the earliest kMostLogLines lines, and makes few texts for the others.
class Log {
 public:
  void add(const std::string& time, const auto& text, bool plain = false) {
    ++count_;
    if (full_ && time >= lines_[kMostLogLines - 1].time) return;
    lines_.push_back({time, text(), plain});
    if (lines_.size() >= 2 * kMostLogLines) cut();
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  const std::vector<LogLine>& earliest() {
    cut();
    return lines_;
  }

 private:
  void cut() {
    std::ranges::stable_sort(lines_, {}, &LogLine::time);
    full_ = lines_.size() >= kMostLogLines;
    if (full_) lines_.resize(kMostLogLines);
  }

  std::vector<LogLine> lines_;
  std::size_t count_ = 0;
  bool full_ = false;
};

std::string text_of(const judge::JudgedCase& test, const judge::Attempt& attempt) {
  return fmt::format("{}: {} after {:.1f} s (launch {}, iteration {})", test.full_name(),
                     judge::is_void(attempt.failures) ? "void" : text::shown_name(attempt.status),
                     attempt.seconds, attempt.launch, attempt.iteration);
}

Log log_of(const judge::JudgedRun& run) {
  Log log;
  log.add(run.started, [] { return std::string("the run started"); });
  for (const judge::JudgedRun::Resumed& resumed : run.resumed)
    log.add(resumed.time, [&] {
      if (!resumed.by.retested.empty())
        return fmt::format("{} was measured again, for {} on {}", fmt::join(resumed.by.retested, ", "),
                           resumed.by.user, resumed.by.host);
      return fmt::format("the run, stopped since {}, was resumed by {} on {}", resumed.stopped,
                         resumed.by.user, resumed.by.host);
    });
  for (const judge::JudgedSuite& suite : run.suites) {
    log.add(suite.started, [&] { return fmt::format("suite {} started", suite.name); });
    for (const judge::JudgedCase& test : suite.cases)
      for (const judge::Attempt& attempt : test.attempts)
        log.add(
            attempt.started, [&] { return text_of(test, attempt); },
            test.attempts.size() == 1 && test.status() <= judge::Status::kPassed);
  }
  return log;
}

// Ends of launches and other events without a recorded time; listed after the others.
std::vector<std::string> endings_of(const judge::JudgedRun& run) {
  std::vector<std::string> lines;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const record::SuiteEnded& launch : suite.launches)
      lines.push_back(fmt::format("suite {}{}: launch {} {}{}", suite.name,
                                  launch.job == 0 ? "" : fmt::format(", job {}", launch.job), launch.launch,
                                  launch.complete ? "ran to its end" : "broke off",
                                  launch.reason.empty() ? "" : ": " + launch.reason));
  for (const record::Problem& problem : run.problems)
    lines.push_back(fmt::format("problem: {}: {}", problem.type, problem.message));
  lines.push_back(
      run.end ? fmt::format("the run ended after {:.1f} s: exit code {}", run.end->seconds, run.exit_code())
              : "the record stops here: the run has not ended");
  return lines;
}

void write_log_row(text::Markup& page, std::string_view time, const std::string& text,
                   std::string_view css = "other") {
  const auto row = page.element("tr", {{"class", css}});
  page.leaf("td", time);
  page.leaf("td", text);
}

void write_files(text::Markup& page, const manifest::Evidence& evidence) {
  page.leaf("h3", "Manifest of the evidence");
  if (evidence.hash.empty())
    return page.leaf("p", "Not sealed: the record was still being written. `rigproof report DIR` seals it.");
  std::size_t beside = 0;  // facts and logs, possibly very many
  {
    const auto table = page.element("table");
    write_header_row(page, {"File", "SHA-256"});
    for (const manifest::HashedFile& file : evidence.files) {
      if (file.name.find('/') != file.name.npos && ++beside > 0) continue;
      const auto row = page.element("tr");
      page.leaf("td", file.name);
      page.leaf("td", file.sha256, {{"class", "hash"}});
    }
  }
  const auto line = page.element("p");
  page.text(fmt::format("The hash {} covers these lines, ", evidence.hash));
  if (beside > 0)
    page.text(fmt::format("the lines of {} file{} of facts and logs, ", beside, beside == 1 ? "" : "s"));
  page.text(fmt::format("and this page itself. It is printed on every page. To check a folder against it: "));
  page.leaf("code", fmt::format("rigproof verify DIR --evidence {}", evidence.hash));
  page.text(" or, without Rigproof, ");
  page.leaf("code",
            fmt::format("sha256sum -c {0} && (grep -v '  report[.]' {0}; sed s/{1}/$(printf %064d 0)/g {2} | "
                        "sha256sum) | sha256sum",
                        manifest::kManifestName, evidence.hash, manifest::kReportName));
}

}  // namespace

// Only for runs that have ended, because it needs a pass over all samples.
void write_power(text::Markup& page, const judge::JudgedRun& run) {
  if (!run.end) return;
  const auto rows = text::power_rows(judge::power_of(run));
  if (rows.size() < 2) return;
  const auto section = page.section("Would these limits have stopped a slower rig?", "power");
  for (const std::string& note : text::power_notes()) page.leaf("p", note, {{"class", "soft"}});
  const auto table = page.element("table");
  bool first = true;
  for (const auto& cells : rows) {
    const auto row = page.element("tr");
    for (const std::string& cell : cells) page.leaf(first ? "th" : "td", cell);
    first = false;
  }
}

void write_log(text::Markup& page, const judge::JudgedRun& run) {
  const auto section = page.section("Log");
  page.leaf("p",
            "On paper, cases that passed at once are left out: report.html on a screen and journal.jsonl "
            "have them.",
            {{"class", "soft on-paper"}});
  const auto table = page.element("table", {{"class", "log"}});
  write_header_row(page, {"Time (UTC)", "Event"});
  Log log = log_of(run);
  for (const LogLine& line : log.earliest())
    write_log_row(page, line.time, line.text, line.plain ? "plain" : "other");
  if (log.count() > kMostLogLines)
    write_log_row(page, "", fmt::format("{} more lines: see journal.jsonl", log.count() - kMostLogLines));
  for (const std::string& ending : endings_of(run)) write_log_row(page, "", ending);
}

void write_manifest(text::Markup& page, const judge::JudgedRun& run, const manifest::Evidence& evidence) {
  const auto section = page.section("Evidence");
  write_files(page, evidence);
  page.leaf("p", fmt::format("End of report {}", run.start.id), {{"class", "soft"}});
}

}  // namespace rigproof::html
