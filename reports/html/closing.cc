#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/html/sections.h"
#include "reports/text/describe.h"

namespace rigproof {
namespace {

constexpr std::size_t kMostLines = 2000;

struct LogLine {
  std::string time, text;
};

std::vector<LogLine> log_of(const RunRecord& run) {
  std::vector<LogLine> lines{{run.started, "the run started"}};
  for (const SuiteRecord& suite : run.suites) {
    lines.push_back({suite.started, fmt::format("suite {} started", suite.name)});
    for (const CaseRecord& test : suite.cases)
      for (const Attempt& attempt : test.attempts)
        lines.push_back({attempt.started, fmt::format("{}: {} after {:.1f} s (launch {}, iteration {})",
                                                      test.full_name(), name(attempt.status), attempt.seconds,
                                                      attempt.launch, attempt.iteration)});
  }
  std::ranges::stable_sort(lines, {}, &LogLine::time);
  return lines;
}

// What the record holds no time of, behind what it does.
void add_endings(std::vector<LogLine>& lines, const RunRecord& run) {
  for (const SuiteRecord& suite : run.suites)
    for (const SuiteEnded& launch : suite.launches)
      lines.push_back({"", fmt::format("suite {}: launch {} {}{}", suite.name, launch.launch,
                                       launch.complete ? "ran to its end" : "broke off",
                                       launch.reason.empty() ? "" : ": " + launch.reason)});
  for (const Problem& problem : run.problems)
    lines.push_back({"", fmt::format("problem: {}: {}", problem.type, problem.message)});
  lines.push_back({"", run.end ? fmt::format("the run ended after {:.1f} s with exit code {}",
                                             run.end->seconds, run.end->exit_code)
                               : "the record stops here: the run has not ended"});
}

void write_signature(Markup& page, std::string_view role) {
  const auto row = page.element("tr");
  page.leaf("th", role, {{"scope", "row"}});
  for (int cell = 0; cell < 3; ++cell) page.leaf("td", "", {{"class", "signature"}});
}

void write_manifest(Markup& page, const Evidence& evidence) {
  page.leaf("h3", "Manifest of the evidence");
  if (evidence.hash.empty())
    return page.leaf("p", "Not sealed: the record was still being written. `rigproof report DIR` seals it.");
  {
    const auto table = page.element("table");
    write_header_row(page, {"File", "SHA-256"});
    for (const HashedFile& file : evidence.files) {
      const auto row = page.element("tr");
      page.leaf("td", file.name);
      page.leaf("td", file.sha256, {{"class", "hash"}});
    }
  }
  const auto line = page.element("p");
  page.text("These lines, as SHA-256, two spaces and the name, have the SHA-256 ");
  page.leaf("code", evidence.hash);
  page.text(fmt::format(". It stands on every page. Check a folder against it: "));
  page.leaf("code", fmt::format("rigproof verify DIR --evidence {}", evidence.hash));
  page.text(" or, without Rigproof, ");
  page.leaf("code", fmt::format("sha256sum -c {0} && head -n {1} {0} | sha256sum", kManifestName,
                                evidence.files.size()));
}

}  // namespace

void write_log(Markup& page, const RunRecord& run) {
  const auto section = page.element("section");
  page.leaf("h2", "Log");
  std::vector<LogLine> lines = log_of(run);
  const std::size_t dropped = lines.size() > kMostLines ? lines.size() - kMostLines : 0;
  lines.resize(lines.size() - dropped);
  add_endings(lines, run);
  const auto table = page.element("table");
  write_header_row(page, {"Time (UTC)", "Event"});
  for (const LogLine& line : lines) {
    const auto row = page.element("tr");
    page.leaf("td", line.time);
    page.leaf("td", line.text);
  }
  if (dropped == 0) return;
  const auto row = page.element("tr");
  page.leaf("td", "");
  page.leaf("td", fmt::format("{} more attempts: the journal has them", dropped));
}

void write_signatures(Markup& page, const RunRecord& run, const Evidence& evidence) {
  const auto section = page.element("section");
  page.leaf("h2", "Signatures and evidence");
  {
    const auto table = page.element("table");
    write_header_row(page, {"Role", "Name", "Date", "Signature"});
    for (const std::string_view role :
         {"Tested by", "Reviewed and authorised by", "Accepted by the customer"})
      write_signature(page, role);
  }
  write_manifest(page, evidence);
  page.leaf("p", fmt::format("End of report {}", run.start.id), {{"class", "soft"}});
}

}  // namespace rigproof
