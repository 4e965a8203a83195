#include "reports/markdown/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/text/markup.h"
#include "tests/support/golden.h"
#include "tests/support/golden_run.h"
#include "tests/support/run_of_three.h"

namespace rigproof {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string summary(const judge::JudgedRun& run) {
  std::ostringstream out;
  markdown::write_summary(run, out);
  return out.str();
}

TEST(Summary, LooksAsApproved) { expect_approved("summary.md", summary(judge::read_run(golden_folder()))); }

TEST(Summary, BeginsWithTheVerdict) {
  EXPECT_THAT(summary(run_of({ending("A.B", {good()})})), StartsWith("# QUALIFIED\n"));
  EXPECT_THAT(summary(run_of({ending("A.B", {missed()})})), StartsWith("# NOT QUALIFIED\n"));
}

TEST(Summary, NamesTheSuspectAndShowsEachNodeToEachOther) {
  const std::string text = summary(run_of_three(60e9));
  EXPECT_THAT(text,
              HasSubstr("## Suspects\n\nFrom the rates between nodes.\n\n- node-c, sending side: 61 % of its "
                        "peers'; confirmed with node-a and node-b\n"));
  EXPECT_THAT(text, HasSubstr("| node-a |  | 98.00 | 98.00 |\n"));
  EXPECT_THAT(text, HasSubstr("| node-c | **✗ 60.00** | **✗ 60.00** |  |\n"));
  EXPECT_THAT(summary(run_of_three(98e9)), Not(HasSubstr("Suspects")));
}

// Catches: a cross beside a value that meets its limit, at a path that is good.
TEST(Summary, SaysWhereAFigureIsLacking) {
  EXPECT_THAT(summary(run_with_a_figure_lacking()),
              HasSubstr("; 1 case without a figure: rail1: node-a -&gt; node-b |\n"));
}

// A table of figures has room for 12 nodes; a map has every pair.
TEST(Summary, ShowsEveryPairOfManyNodesAsOneCharacter) {
  const std::string text = summary(run_of_star(20, 60e9));
  EXPECT_THAT(text, HasSubstr("limit &gt;= 95 Gbit/s\n\n```text\n                     11111111112\n"));
  EXPECT_THAT(text, HasSubstr("from \\ to   12345678901234567890\n"
                              "  1 node-a  -...................\n"
                              "  2 node-b  .-..................\n"
                              "  3 node-c  66-66666666666666666\n"));
  EXPECT_THAT(text, HasSubstr(" 20 node-t  ...................-\n\n. within the limit"));
  EXPECT_THAT(text, Not(HasSubstr("| from")));
}

TEST(Summary, TellsOfAStandInInItsFirstLines) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.start.stand_in = "the switch is a stand-in";
  EXPECT_THAT(summary(run).substr(0, 300), HasSubstr("STAND-IN under test: the switch is a stand-in"));
}

TEST(Summary, ListsTheAdviceAndWhatIsAPart) {
  judge::JudgedRun run = run_of({ending("A.B", {good(), advised()})});
  run.start.asked.filter = "A.*";
  EXPECT_THAT(summary(run), StartsWith("# PARTIAL\n"));
  EXPECT_THAT(summary(run), HasSubstr("\n## Advice\n"));
  EXPECT_THAT(summary(run),
              HasSubstr("\n      sudo systemctl edit ssh   # node-a: fix\n      # node-a: LimitMEMLOCK\n"));
}

TEST(Summary, FailuresComeBeforeFigures) {
  const std::string text = summary(run_of({ending("A.B", {good()}), ending("A.C", {missed()})}));
  EXPECT_LT(text.find("## Failed"), text.find("## The figures that count"));
  EXPECT_THAT(text, HasSubstr("check: check the link's rate"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "| ✗ | tcp.rate.half | 0.510 Gbit/s | &gt;= 0.95 Gbit/s | 1 of 2 | rail0: node-a -&gt; node-b |"));
}

TEST(Summary, ListsTheLimitsThatDoNotApply) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  EXPECT_THAT(summary(run), Not(HasSubstr("Does not apply")));
  run.not_applicable = {{"rdma.rate", "t.toml:4", "needs a|b"}};
  EXPECT_THAT(summary(run),
              HasSubstr("## Does not apply on this rig\n\n| Limit | Stated in | Why |\n|---|---|---|\n"
                        "| rdma.rate | t.toml:4 | needs a&#124;b |\n"));
}

TEST(Summary, HostileTextStaysText) {
  EXPECT_EQ(text::markdown("<img>|`x`|@all"), "&lt;img&gt;&#124;\\`x\\`&#124;@<!-- -->all");
  EXPECT_EQ(text::markdown("a\n# b"), "a \\# b");
  EXPECT_EQ(text::markdown("[x](y) *b* __c__"), "\\[x\\](y) \\*b\\* \\_\\_c\\_\\_");
  const std::string text = summary(run_of({ending("<script>|\n## x", {missed("<b>\n|")})}));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_THAT(text, Not(HasSubstr("\n## x")));
}

// GitHub looks for these after it has read the Markdown (github/cmark-gfm issues 181 and 267).
TEST(Summary, NothingBecomesAMentionAnIssueOrAnEmoji) {
  EXPECT_EQ(text::markdown("has MAC b0:de:ad:4a:47:ce"), "has MAC b0:<!-- -->de:<!-- -->ad:<!-- -->4a:47:ce");
  EXPECT_EQ(text::markdown("fe80::1234:1"), "fe80::<!-- -->1234:1");
  EXPECT_EQ(text::markdown("0000:01:00.0 at 18:15:02, node-a:port0"),
            "0000:01:00.0 at 18:15:02, node-a:port0");
  EXPECT_EQ(text::markdown("ann@node-a #12 # 12"), "ann@<!-- -->node-a \\#<!-- -->12 \\# 12");
}

// In an address that GitHub finds by itself a backslash before _ or # is a part of it, and of its link.
TEST(Summary, WebAddressesStayWhatTheyAre) {
  EXPECT_EQ(text::markdown("see https://a.example/x_y?b=1&c#top_1, page_2"),
            "see <https://a.example/x_y?b=1&c#top_1>, page\\_2");
  EXPECT_EQ(text::markdown("(http://a.example/x_y)"), "(<http://a.example/x_y>)");
  EXPECT_EQ(text::markdown("http://a.example/x_(y)"), "<http://a.example/x_(y)>");
  EXPECT_EQ(text::markdown("http://a.example/<b>|x_"), "<http://a.example/>&lt;b&gt;&#124;x\\_");
  EXPECT_EQ(text::markdown("https://"), "https://");
}

TEST(Summary, FitsAPageAndSaysWhatItLeftOut) {
  std::vector<Ending> many{ending("A.C", {missed(std::string(50'000, 'x'))})};
  for (int number = 0; number < 2000; ++number)
    many.push_back(ending("A.B/" + std::to_string(number), {missed()}));
  const std::string text = summary(run_of(many));
  EXPECT_LT(text.size(), 200'000u);
  EXPECT_THAT(text, HasSubstr("more entries left out"));
  for (const char* part : {"## What to do", "## Failed", "## The figures that count"})
    EXPECT_THAT(text, HasSubstr(part));
}

}  // namespace
}  // namespace rigproof
