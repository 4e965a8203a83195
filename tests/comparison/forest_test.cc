#include "reports/comparison/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reports/markdown/summary.h"
#include "reports/terminal/terminal.h"
#include "reports/text/describe.h"
#include "tests/compare/runs.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string page_of(const compare::Comparison& comparison) {
  std::ostringstream out;
  comparison::write_forest(comparison, out);
  return out.str();
}
std::string summary_of(const compare::Comparison& comparison) {
  std::ostringstream out;
  markdown::write_comparison_summary(comparison, out);
  return out.str();
}

std::string table_of(const compare::Comparison& comparison) {
  std::ostringstream out;
  terminal::write_comparison_table(comparison, out);
  return out.str();
}

compare::Comparison worse() { return compared(runs("a", 1e9), runs("b", 0.95e9)); }

// What someone hostile could put into every field of a journal.
compare::Comparison hostile() {
  const std::string text =
      "<script>alert(1)</script>\" onload='x' ]]> \xff\x1b[31m |`@all` " + std::string(1 << 20, 'x');
  compare::Comparison comparison = worse();
  comparison.rig = comparison.profile = comparison.thresholds_file = text;
  comparison.notes = {text};
  for (compare::ComparedRun& run : comparison.candidate) run = {text, text, text, text};
  compare::ComparedMeasurement& m = comparison.measurements[0];
  m.test = m.id = m.node = m.detail = m.unit = m.limit = m.reason = text;
  return comparison;
}

TEST(Forest, DrawsTheChangeAndSaysItInWords) {
  EXPECT_THAT(page_of(worse()), AllOf(HasSubstr("<svg"), HasSubstr("regressed"), HasSubstr("-5.00 %"),
                                      HasSubstr("2 % of base"), HasSubstr("role=\"img\"")));
}
// Catches: a verdict that only its words tell, names that leave a narrow screen no room for the plot.
TEST(Forest, HasTheSignOfTheVerdictAndFitsANarrowScreen) {
  EXPECT_THAT(page_of(worse()), AllOf(HasSubstr("<h1 class=\"worse\">✗ WORSE</h1>"),
                                      HasSubstr("viewBox=\"0 0 546 "), HasSubstr("max-width: 100%")));
}
// A printer cuts a picture that is taller than a page.
TEST(Forest, IsInPiecesThatFitOnAPage) {
  compare::Comparison comparison = worse();
  const compare::ComparedMeasurement one = comparison.measurements.at(0);
  comparison.measurements.assign(40, one);
  EXPECT_THAT(page_of(comparison), testing::ContainsRegex("(<svg[^\001]*){3}"));
  EXPECT_THAT(page_of(comparison), Not(testing::ContainsRegex("(<svg[^\001]*){4}")));
}
TEST(Forest, NeedsNothingFromOutside) {
  EXPECT_THAT(page_of(worse()), Not(ContainsRegex("<script|<link|src=|url\\(|@import")));
}
TEST(Forest, NothingExecutesInIt) {
  EXPECT_THAT(page_of(hostile()),
              Not(AnyOf(HasSubstr("<script"), HasSubstr("onload='"), HasSubstr("\x1b"), HasSubstr("\xff"))));
}
TEST(Forest, StaysSmallWhateverTheNames) { EXPECT_LT(page_of(hostile()).size(), 200'000u); }
TEST(Forest, WithoutAChangeToDrawThereIsTheTable) {
  const auto page = page_of(compared(runs("a", 1e9), {run("b", {})}));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<svg")), HasSubstr("missing")));
}
TEST(ComparisonSummary, IsATableWithTheVerdictFirst) {
  EXPECT_THAT(summary_of(worse()), AllOf(testing::StartsWith("# WORSE\n"), HasSubstr("| regressed | "),
                                         HasSubstr("| base | a-0 |")));
}
TEST(ComparisonSummary, ShowsHostileTextLiterally) {
  EXPECT_THAT(summary_of(hostile()), Not(AnyOf(HasSubstr("<script"), HasSubstr("@all"), HasSubstr("\x1b"))));
}
TEST(ComparisonTable, EndsWithTheVerdict) {
  EXPECT_THAT(table_of(worse()),
              ContainsRegex("WORSE: rig model-rig \\(model\\), profile smoke: 7 base runs, 7 candidate runs; "
                            "1 comparison: 1 regressed\n$"));
}
std::string screen_of(const compare::Comparison& comparison) {
  std::ostringstream out;
  terminal::write_comparison_screen(text::comparison_line(comparison), comparison, "--all", out);
  return out.str();
}
// The worst of sixty figures, of which the names are long.
TEST(ComparisonScreen, IsOneScreenWithTheVerdictWhyAndWhatChangedOnTop) {
  std::vector<compare::RunToCompare> base, candidate;
  for (int i = 0; i < 7; ++i) {
    std::vector<Ending> before, after;
    for (int figure = 0; figure < 60; ++figure) {
      const std::string name = fmt::format("Rail.Fills/{}{}", std::string(300, 'r'), figure);
      before.push_back(ending(name, {rate(1e9 + 1e4 * i)}));
      after.push_back(ending(name, {rate((figure == 41 ? 0.8e9 : 0.9e9) + 1e4 * i)}));
    }
    base.push_back(run(fmt::format("a-{}", i), before));
    candidate.push_back(run(fmt::format("b-{}", i), after));
    for (auto* side : {&base, &candidate})
      side->back().record.nodes["node-a"][""]["kernel"] = side == &base ? "6.11" : "6.14";
  }
  const std::string screen = screen_of(compared(base, candidate));
  EXPECT_LE(std::count(screen.begin(), screen.end(), '\n'), 20);
  EXPECT_THAT(screen,
              ContainsRegex("^WORSE: [^\n]*\nwhy: tcp.rate.half [^\n]*\nchanged: kernel 6.11 -> 6.14 on "
                            "node-a\n\n[^\n]*\nregressed  -20.0[^\n]*\nregressed  -10.0"));
  std::istringstream lines(screen);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 250u) << line;
}
TEST(ComparisonScreen, KeepsTheTerminalCleanAndShort) {
  const std::string screen = screen_of(hostile());
  EXPECT_THAT(screen, Not(AnyOf(HasSubstr("\x1b"), HasSubstr("\xff"))));
  EXPECT_LT(screen.size(), 5'000u);
}
TEST(ComparisonTable, KeepsTheTerminalClean) {
  EXPECT_THAT(table_of(hostile()), Not(AnyOf(HasSubstr("\x1b"), HasSubstr("\xff"))));
}

}  // namespace
}  // namespace rigproof
