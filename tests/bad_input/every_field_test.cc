// Every text of every kind of event, one after the other, made hostile: markup, controls, invalid UTF-8, a megabyte. All
// reports stay well-formed, and what does not fit together is named. Catches: a field that some report writes as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "framework/record/journal.h"
#include "reports/html/report_html.h"
#include "reports/junit/junit.h"
#include "reports/markdown/summary.h"
#include "reports/ocp/ocp.h"
#include "reports/openmetrics/openmetrics.h"
#include "reports/terminal/terminal.h"
#include "tests/bad_input/well_formed.h"
#include "tests/support/every_event.h"
#include "tests/support/every_text.h"
#include "tests/support/hostile.h"

namespace rigproof {
namespace {

// The paths of all texts, as often as there are such texts.
std::vector<std::string> all_paths() {
  std::vector<std::string> paths;
  EveryText texts([&](const std::string& path, std::string&) { paths.push_back(path); });
  for (record::Event event : every_event()) texts.in(event.body);
  return paths;
}

// The run with its n-th text replaced. As a journal would bring it: written, and read back.
judge::JudgedRun run_with(std::size_t n, const std::string& hostile) {
  std::size_t seen = 0;
  EveryText texts([&](const std::string&, std::string& text) {
    if (seen++ == n) text = hostile;
  });
  judge::RunJudge judge;
  for (record::Event event : every_event()) {
    texts.in(event.body);
    judge.add(record::decode(encode(event)));
  }
  return std::move(judge).take();
}

class EveryReport {
 public:
  void check(const judge::JudgedRun& run, const std::string& path) {
    xml_.add(written([&](auto& out) { junit::write_junit(run, out); }), path);
    xml_.add(written([&](auto& out) { html::write_report_html(run, {}, out); }), path);
    strict_.add(written([&](auto& out) { junit::write_junit(run, out, junit::JunitProfile::kStrict); }),
                path);
    std::istringstream ocp(written([&](auto& out) { ocp::write_ocp(run, out); }));
    for (std::string line; std::getline(ocp, line);)
      EXPECT_TRUE(nlohmann::json::accept(line)) << path << ": " << line.substr(0, 300);
    const std::string metrics = written([&](auto& out) { openmetrics::write_metrics(run, out); });
    EXPECT_TRUE(is_printable(metrics)) << path;
    EXPECT_TRUE(metrics.ends_with("# EOF\n")) << path;
    EXPECT_TRUE(is_printable(written([&](auto& out) { markdown::write_summary(run, out); }))) << path;
    EXPECT_TRUE(is_printable(verdict_table(run, terminal::Colour::kOff))) << path;
    EXPECT_NE(run.exit_code(), 0) << path;  // the run itself has errors, whatever its texts say
  }
  void conclude() {
    xml_.expect_well_formed();
    strict_.expect_well_formed("--schema " RIGPROOF_SOURCE_DIR "/tests/junit/junit-10.xsd");
  }

 private:
  XmlFiles xml_, strict_;
};

TEST(EveryField, IsReached) {
  const std::vector<std::string> paths = all_paths();
  for (const char* path : {"run_started.rig_file.text",
                           "run_started.limits.text",
                           "run_started.asked.suites",
                           "run_started.programs.commit",
                           "run_started.declared.needs",
                           "run_started.again.user",
                           "suite_planned.cases.nodes",
                           "suite_planned.tests.owes",
                           "suite_planned.observes",
                           "node_seen.facts",
                           "node_seen.facts (a key)",
                           "observed.subject",
                           "observed.unread",
                           "phase_started.phase",
                           "case_ended.measured.text",
                           "case_ended.measured.about (a key)",
                           "case_ended.measured.axis.of",
                           "case_ended.notes",
                           "case_ended.failures.where",
                           "suite_ended.reason",
                           "problem.message"})
    EXPECT_THAT(paths, testing::Contains(path));
}

TEST(EveryField, HostileTextLeavesReportsWellFormed) {
  EveryReport reports;
  const std::vector<std::string> paths = all_paths();
  for (std::size_t n = 0; n < paths.size(); ++n) reports.check(run_with(n, hostile_text()), paths[n]);
  reports.conclude();
}

TEST(EveryField, AMegabyteLeavesReportsWellFormed) {
  EveryReport reports;
  const std::vector<std::string> paths = all_paths();
  std::set<std::string> seen;
  for (std::size_t n = 0; n < paths.size(); ++n)
    if (seen.insert(paths[n]).second)
      reports.check(run_with(n, "<" + std::string(1 << 20, 'x') + "<\xC3"), paths[n]);
  reports.conclude();
}

TEST(EveryField, EmptyTextLeavesReportsWellFormed) {
  EveryReport reports;
  const std::vector<std::string> paths = all_paths();
  for (std::size_t n = 0; n < paths.size(); ++n) reports.check(run_with(n, ""), paths[n]);
  reports.conclude();
}

}  // namespace
}  // namespace rigproof
