#include "reports/html/report_html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/junit/xmllint.h"
#include "tests/support/chart_run.h"
#include "tests/support/golden.h"
#include "tests/support/golden_run.h"
#include "tests/support/hostile.h"
#include "tests/support/tool.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const manifest::Evidence kEvidence{
    {{"journal.jsonl", std::string(64, 'a')}, {"junit.xml", std::string(64, 'b')}}, std::string(64, 'c')};

std::string html(const judge::JudgedRun& run, const manifest::Evidence& evidence = kEvidence) {
  std::ostringstream out;
  html::write_report_html(run, evidence, out);
  return out.str();
}

// Our HTML closes what it opens, so an XML parser can say whether it is well-formed.
std::string fault_of(const std::string& page) { return has_xmllint() ? xmllint(page) : ""; }

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const auto begin = text.find(from);
  return begin == text.npos ? "" : text.substr(begin, text.find(to, begin) - begin);
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}

std::string limit(const char* id) {
  return fmt::format(
      "[[limit]]\nid = \"{}\"\nat_least = \"0.95 Gbit/s\"\nremedy.check = \"look\"\n"
      "basis = {{ kind = \"policy\", source = \"the tests\", reasoning = \"as it is\" }}\n",
      id);
}

TEST(ReportHtml, LooksAsApproved) { expect_approved("report.html", html(judge::read_run(golden_folder()))); }

TEST(ReportHtml, ChartsLookAsApproved) { expect_approved("charts.html", html(chart_run().record())); }

TEST(ReportHtml, IsWellFormed) {
  for (const judge::JudgedRun& run :
       {golden_run().record(), chart_run().record(), judge::JudgedRun{}, run_of({})})
    EXPECT_EQ(fault_of(html(run)), "");
}

TEST(ReportHtml, HasWhatASignatureNeeds) {
  const std::string page = html(golden_run().record());
  for (const char* part :
       {"Report</th>", "20261120T181500Z-model-rig-4f2a", "Decision rule", "Customer", "Tested by",
        "Reviewed and authorised by", "End of report 20261120T181500Z-model-rig-4f2a"})
    EXPECT_THAT(page, HasSubstr(part));
}

TEST(ReportHtml, EveryPageCarriesTheEvidencesHash) {
  EXPECT_THAT(html(golden_run().record()),
              HasSubstr("@bottom-left{content:\"evidence SHA-256 " + kEvidence.hash));
  EXPECT_THAT(html(golden_run().record(), {}), HasSubstr("@bottom-left{content:\"not sealed"));
}

TEST(ReportHtml, TheManifestIsThere) {
  const std::string page = html(golden_run().record());
  for (const manifest::HashedFile& file : kEvidence.files)
    EXPECT_THAT(page, AllOf(HasSubstr(file.name), HasSubstr(file.sha256)));
}

TEST(ReportHtml, FailuresComeFirstWithTheirRemedyAndSource) {
  const std::string page = html(golden_run().record());
  EXPECT_LT(page.find("<h2>Findings<"), page.find("<h2>Results<"));
  const std::string findings = between(page, "<h2>Findings<", "</section>");
  EXPECT_THAT(findings, AllOf(HasSubstr("Check: </b>\ncheck the link&#39;s rate"),
                              HasSubstr("this rig, 20 runs"), HasSubstr("thresholds/model-rig.toml:12"),
                              HasSubstr("NOT PROVEN"), HasSubstr("1 case did not begin")));
}

// Four halves that miss one limit are one finding: what else is wrong has room beside it.
TEST(ReportHtml, TheFirstPageNamesEachMissedLimitOnce) {
  std::vector<Ending> endings;
  for (const char* half : {"a", "b", "c", "d", "e"})
    endings.push_back(ending(std::string("A.B/") + half, {missed("tcp.rate")}));
  endings.push_back(ending("A.C/a", {missed("tcp.other")}));
  const std::string worst = between(html(run_of(endings)), ">Worst findings<", ">What to do<");
  EXPECT_THAT(worst,
              AllOf(HasSubstr("tcp.A.B, rail0: node-a -&gt; node-b"), HasSubstr("; 4 more cases: tcp.rate"),
                    HasSubstr("tcp.A.C, rail0"), Not(HasSubstr("see Findings"))));
}

// A finding is called by what it is about, in the words of the suite.
TEST(ReportHtml, AFindingHasTheTitleOfItsMetric) {
  judge::JudgedRun run = run_of({ending("A.B/a", {missed("tcp.rate")})});
  run.start.declared["tcp"] = {
      {.id = "tcp.rate", .kind = "bit/s", .needs = "", .title = "One half, one way"}};
  const std::string page = html(run);
  for (const char* part : {"Worst findings</h2>", "Findings</h2>"})
    EXPECT_THAT(between(page, part, "</section"),
                HasSubstr("One half, one way, rail0: node-a -&gt; node-b</b>"))
        << part;
}

TEST(ReportHtml, ItsContentsLeadToEachSection) {
  const std::string page = html(golden_run().record());
  const std::string contents = between(page, "<nav", "</nav>"), link = "href=\"#";
  std::size_t links = 0;
  for (auto at = contents.find(link); at != contents.npos; at = contents.find(link, at), ++links) {
    at += link.size();
    const std::string id = contents.substr(at, contents.find('"', at) - at);
    EXPECT_EQ(count_of(page, "<section id=\"" + id + "\""), 1u) << id;
  }
  EXPECT_EQ(links, count_of(page, "<section id=\""));
}

TEST(ReportHtml, LabelsAreOnThePageThatIsSigned) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.start.labels = {{"customer", "Example <Ltd>"}, {"site", "Hall 3"}};
  const std::string front = between(html(run), "<h1>", "<nav");
  EXPECT_THAT(front, AllOf(HasSubstr("<span>site</span>\n Hall 3"),
                           HasSubstr("<b>Accepted by the customer</b>\n: Example &lt;Ltd&gt;")));
}

TEST(ReportHtml, AnEmulatedRigIsNoHardware) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  const std::string words = "role=\"note\">Emulated rig (model): this run does not speak for real hardware.";
  EXPECT_THAT(html(run), HasSubstr(words));
  run.start.rig_kind = "hardware";
  EXPECT_THAT(html(run), Not(HasSubstr("Emulated rig")));
}

// Catches: ERROR above "All cases passed", and failures alone under ERROR.
TEST(ReportHtml, TheBannerSaysThatTheRunItselfHasAProblem) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  EXPECT_THAT(html(run), HasSubstr("All 1 judged cases passed."));
  run.problems.push_back({"interrupted", "stopped by SIGINT"});
  EXPECT_THAT(html(run), HasSubstr("All 1 judged cases passed, but the run itself has 1 problem: see Worst "
                                   "findings."));
  run = run_of({});
  run.problems.push_back({"interrupted", "stopped by SIGINT"});
  EXPECT_THAT(html(run), HasSubstr("No case was judged; the run itself has 1 problem"));
  run = run_of({ending("A.B", {missed()}), ending("A.C", {good()})});
  run.problems.push_back({"interrupted", "stopped by SIGINT"});
  EXPECT_THAT(html(run), HasSubstr("1 of 2 judged cases failed; the run itself has 1 problem: see Worst"));
}

// Catches: "1/2 failed" for a case that ended in an error, "1 are not proven".
TEST(ReportHtml, TheRowOfSuitesTellsErrorsFromFailures) {
  const record::Failure error = failure(record::Failure::Kind::kError, "MpiError", "connection refused");
  const record::Failure skip = failure(record::Failure::Kind::kSkip, "not-proven", "no GPU");
  const auto front = [](const std::vector<Ending>& endings) {
    return between(html(run_of(endings)), "<h1>", ">The figures that count<");
  };
  EXPECT_THAT(front({ending("A.B", {good()}), ending("A.C", {}, {error})}),
              AllOf(HasSubstr("<div>1/2 error</div>"), Not(HasSubstr("failed"))));
  EXPECT_THAT(front({ending("A.B", {missed()}), ending("A.C", {}, {error}), ending("A.D", {}, {skip})}),
              AllOf(HasSubstr("<div>1/3 failed, 1 error</div>"),
                    HasSubstr("1 of 3 judged cases failed, 1 ended in error, 1 is not proven")));
  EXPECT_THAT(front({ending("A.B", {good()}), ending("A.C", {}, {skip})}),
              AllOf(HasSubstr("<div>1/2 not proven</div>"), HasSubstr("1 of 2 judged cases is not proven.")));
}

// Catches: "-46 % to its limit" of a waived miss or of missed advice, "3 judged" for a suite with a waiver.
TEST(ReportHtml, NothingThatMissesItsLimitIsNearToIt) {
  const std::string front =
      between(html(run_of({ending("A.B", {good(), advised()}), ending("A.C", {missed("tcp.old")})},
                          "[[limit]]\nid = \"tcp.old\"\nat_least = \"0.95 Gbit/s\"\nremedy.check = \"r\"\n"
                          "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\n"
                          "[[waiver]]\nlimit = \"tcp.old\"\nreason = \"r\"\nowner = \"Ann\"\n"
                          "expires = \"2026-12-31\"\n")),
              "<h1>", ">Every figure<");
  EXPECT_THAT(front,
              AllOf(HasSubstr("<div>1/2 waived</div>"), HasSubstr("before a waiver ends"),
                    HasSubstr("Nearest to its limit: tcp.rate.half"), Not(HasSubstr("% to its limit"))));
}

TEST(ReportHtml, ARunThatIsNotProvenIsToldWhatToDo) {
  const record::Failure skip = failure(record::Failure::Kind::kSkip, "not-proven", "no GPU");
  EXPECT_THAT(html(run_of({ending("A.B", {good()}), ending("A.C", {}, {skip})})),
              HasSubstr("Provide the items that the findings name as missing, then run again."));
}

TEST(ReportHtml, ASuspectThatFailedNothingIsNotRed) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.blame.suspects.resize(1);
  EXPECT_THAT(html(run), HasSubstr("against near suspect"));
  run.blame.suspects[0].missed = 1;
  EXPECT_THAT(html(run), HasSubstr("against bad suspect"));
}

TEST(ReportHtml, EveryAttemptIsShown) {
  const std::string page = html(golden_run().record());
  EXPECT_THAT(page, AllOf(HasSubstr("attempt 1 of 2 (launch 2, iteration 1)"),
                          HasSubstr("attempt 2 of 2 (launch 2, iteration 2)")));
}

TEST(ReportHtml, AVoidAttemptIsShownAndSaidToBeOne) {
  const record::Failure disturbed =
      failure(record::Failure::Kind::kSkip, std::string(judge::kDisturbed), "30 % of the CPU was elsewhere");
  Ending first = ending("A.B", {missed()}, {disturbed}), second = ending("A.B", {good()});
  second.iteration = 2;
  Story story;
  story.launch().plan({"A.B"}).run(first).run(second).done().end();
  const judge::JudgedRun run = story.record();
  ASSERT_EQ(run.exit_code(), 0);
  const std::string page = html(run);
  EXPECT_THAT(page, AllOf(HasSubstr("Void attempts"), HasSubstr("30 % of the CPU was elsewhere"),
                          HasSubstr("badge near\">VOID</span>"), HasSubstr("attempt 1 of 2"),
                          HasSubstr("0.51 Gbit/s")));
}

TEST(ReportHtml, TheDecisionRuleOfARealRigKnowsNoVoidAttempts) {
  judge::JudgedRun run = golden_run().record();
  EXPECT_THAT(html(run), HasSubstr("An attempt is VOID"));
  run.start.rig_kind = "hardware";
  EXPECT_THAT(html(run), AllOf(HasSubstr("simple acceptance"), Not(HasSubstr("VOID"))));
}

TEST(ReportHtml, AnAttemptThatMeasuredTellsWhatElseWentWrong) {
  Ending first = ending("A.B", {good()}, {failure(record::Failure::Kind::kSkip, "not-proven", "no GPU")});
  Ending second = ending("A.B", {missed()});
  second.iteration = 2;
  Story story;
  story.launch().plan({"A.B"}).run(first).run(second).done().end();
  const std::string results = between(html(story.record()), "<h2>Results<", "</section>");
  EXPECT_THAT(results, AllOf(HasSubstr("not-proven: no GPU"), HasSubstr("badge near\">NOT PROVEN</span>")));
  EXPECT_EQ(results.find("attempt 2 of 2"), results.rfind("attempt 2 of 2"));
}

TEST(ReportHtml, TheFirstPageHasTheAdviceAndSaysThatItIsAPart) {
  judge::JudgedRun run = run_of({ending("A.B", {good(), advised()})});
  run.start.asked.filter = "A.*";
  const std::string front = between(html(run), "<h1>", "<h2>Findings<");
  EXPECT_THAT(front, AllOf(HasSubstr("PARTIAL"), HasSubstr("only cases that match A.*"),
                           HasSubstr(">Advice (no verdict"), HasSubstr("sudo systemctl edit ssh")));
}

TEST(ReportHtml, AWaiverCountsTheCasesThatItWaivesItself) {
  const auto waiver = [](const char* names, const char* reason, const char* expires) {
    return fmt::format("[[waiver]]\n{}\nreason = \"{}\"\nowner = \"Ann\"\nexpires = \"{}\"\n", names, reason,
                       expires);
  };
  const record::Failure skip = failure(record::Failure::Kind::kSkip, "not-proven", "no GPU");
  const judge::JudgedRun run =
      run_of({ending("A.B", {missed("tcp.old")}), ending("A.C", {missed("tcp.old"), missed("tcp.new")}),
              ending("A.D", {missed("tcp.far")}), ending("A.E", {}, {skip}), ending("A.F", {good()})},
             limit("tcp.old") + limit("tcp.new") + limit("tcp.far") +
                 waiver("limit = \"tcp.old\"", "cable", "2026-06-30") +
                 waiver("limit = \"tcp.old\"", "cable", "2026-12-31") +
                 waiver("limit = \"tcp.new\"", "cable", "2026-12-31") +
                 waiver("limit = \"tcp.far\"", "cable 2", "2026-12-31") +
                 waiver("case = \"tcp.A.E\"", "cable", "2026-12-31"));
  std::istringstream lines(between(html(run), "<h2>Waivers<", "</section>"));
  std::vector<std::string> counts;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("<td class=\"number\">")) counts.push_back(between(line, ">", "</td>"));
  EXPECT_THAT(counts, testing::ElementsAre(">0", ">2", ">1", ">1", ">1"));
}

TEST(ReportHtml, AWaiverHasItsOwnerAndExpiry) {
  const judge::JudgedRun run =
      run_of({ending("A.B", {missed("tcp.old")}), ending("A.C", {good()})},
             limit("tcp.old") + limit("tcp.new") +
                 "[[waiver]]\nlimit = \"tcp.old\"\nreason = \"old cable\"\nowner = \"Ann\"\n"
                 "expires = \"2026-12-31\"\n[[waiver]]\nlimit = \"tcp.new\"\nreason = \"past\"\n"
                 "owner = \"Bob\"\nexpires = \"2026-01-31\"\n");
  const std::string waivers = between(html(run), "<h2>Waivers<", "</section>");
  EXPECT_THAT(waivers, AllOf(HasSubstr("Ann"), HasSubstr("2026-12-31"), HasSubstr("in force"),
                             HasSubstr("Bob"), HasSubstr("EXPIRED")));
}

TEST(ReportHtml, AStandInIsOnItsFaceAndOnEveryPage) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.start.stand_in = "the switch is a stand-in";
  const std::string page = html(run);
  EXPECT_THAT(page,
              HasSubstr("class=\"warning\" role=\"note\">STAND-IN under test: the switch is a stand-in"));
  EXPECT_THAT(
      page,
      HasSubstr("@top-right{content:\"STAND-IN under test: the switch is a stand-in. This report does not"));
}

TEST(ReportHtml, LimitsThatDoNotApplyStandBesideTheLimits) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  EXPECT_THAT(html(run), Not(HasSubstr("Does not apply on this rig")));
  run.not_applicable = {{"rdma.rate", "thresholds/model-rig.toml:40", "needs <b>"}};
  EXPECT_THAT(between(html(run), "Does not apply on this rig", "</table>"),
              AllOf(HasSubstr("<td>rdma.rate</td>"), HasSubstr("thresholds/model-rig.toml:40"),
                    HasSubstr("needs &lt;b&gt;")));
}

TEST(ReportHtml, TheScopeNamesWhoRanItAndTheBuild) {
  const std::string scope = between(html(golden_run().record()), "class=\"scope\"", "</table>");
  EXPECT_THAT(
      scope, AllOf(HasSubstr("ann on head"), HasSubstr("0.1.0 (commit 4e5f): rigproof, rigproof-suite-tcp")));
}

TEST(ReportHtml, NodesStandBesideEachOther) {
  const std::string items = between(html(golden_run().record()), "Nodes as they were found", "</table>");
  EXPECT_THAT(items, AllOf(HasSubstr("6.1.0-18"), HasSubstr("6.1.0-17"), HasSubstr("differs")));
}

TEST(ReportHtml, ASwitchIsAnItemOfItsOwn) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  run.start.rig_file.text = file_text(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  EXPECT_THAT(html(run), HasSubstr("No switch reported its facts in this run"));
  run.nodes = {{"crs804", {{"", {{"model", "CRS804-4DDQ"}, {"serial", "HX1"}}}}},
               {"node-a", {{"", {{"kernel", "6.1"}}}}}};
  const std::string page = html(run), switches = between(page, "Switches as they were found", "<h3>Ports");
  EXPECT_THAT(switches, AllOf(HasSubstr("HX1"), HasSubstr("CRS804-4DDQ"), Not(HasSubstr("node-a"))));
  EXPECT_THAT(between(page, "Nodes as they were found", "Switches as"), Not(HasSubstr("crs804")));
}

TEST(ReportHtml, NothingHostileBecomesMarkup) {
  const std::string page = html(hostile_run());
  EXPECT_EQ(fault_of(page), "");
  EXPECT_THAT(page,
              AllOf(Not(HasSubstr("<script")), Not(HasSubstr("<img")), Not(HasSubstr("onerror=alert(1)>"))));
  EXPECT_THAT(between(page, "<style>", "</style>"), HasSubstr("@bottom-right"));
  EXPECT_THAT(page, HasSubstr("default-src &#39;none&#39;"));
}

TEST(ReportHtml, ACurveIsDrawnToItsEnd) {
  judge::JudgedMeasurement long_series = port_series("node-a", "tx");
  long_series.samples.values.assign(5000, 1e9);
  const std::string page = html(run_of({ending("A.B", {good(), long_series})}));
  EXPECT_THAT(page, Not(HasSubstr("..\"")));
}

TEST(ReportHtml, AMegabyteOfNameIsCut) {
  const std::string page = html(hostile_run(std::string(1 << 20, 'x')));
  EXPECT_EQ(fault_of(page), "");
  EXPECT_LT(page.size(), 2u << 20);
}

TEST(ReportHtml, EqualValuesWithoutALimitShareARow) {
  std::vector<judge::JudgedMeasurement> measured;
  for (const char* half : {"one", "two", "three"}) {
    measured.push_back(recorded("load.damaged"));
    measured.back().detail = half;
    measured.back().samples.values = {0};
  }
  measured.push_back(good());
  const std::string results = between(html(run_of({ending("A.B", measured)})), "<h2>Results<", "<h2>Log<");
  EXPECT_THAT(results, AllOf(HasSubstr("load.damaged on node-a (one) and at 2 more places: each"),
                             Not(HasSubstr("(two)"))));
  EXPECT_LT(results.find("class=\"judged plain\""), results.find("class=\"aside\""))
      << "what a limit judges comes first";
}

TEST(ReportHtml, FindingsOfOneTestShareABoxAndAllAreTold) {
  const std::string findings =
      between(html(run_of({ending("A.Good", {good()}), ending("Half/A.B/one", {missed()}),
                           ending("Half/A.B/two", {missed()}), ending("Half/A.C/one", {missed()})})),
              "<h2>Findings<", "</section>");
  EXPECT_EQ(count_of(findings, "class=\"finding\""), 2u);
  EXPECT_EQ(count_of(findings, "tcp.rate.half on node-a: 0.51 Gbit/s"), 3u);
  EXPECT_THAT(findings, HasSubstr("class=\"also\"><b>two</b>"));
}

TEST(ReportHtml, SubjectsOfWhichTheSameIsSaidShareALine) {
  const std::string page =
      html(run_of({ending("Half/A.B/one", {missed()}), ending("Half/A.B/two", {missed()}),
                   ending("Half/A.B/three", {missed()})}));
  const std::string findings = between(page, "<h2>Findings<", "</section>");
  EXPECT_EQ(count_of(findings, "tcp.rate.half on node-a: 0.51 Gbit/s"), 2u);
  EXPECT_THAT(findings, HasSubstr("class=\"also\"><b>two, three</b>"));
}

// On paper a line stands for all that passed; what did not stands there whole.
TEST(ReportHtml, PassedCasesOfOneTestShareALineOnPaper) {
  const std::string results =
      between(html(run_of({ending("Half/A.B/one", {good()}), ending("Half/A.B/two", {good()}),
                           ending("Half/A.B/three", {missed()}),
                           ending("Half/A.C/one", {good()},
                                  {failure(record::Failure::Kind::kSkip, "not-proven", "no GPU")})})),
              "<h2>Results<", "<h2>Log<");
  EXPECT_EQ(count_of(results, "class=\"judged plain\""), 2u);
  EXPECT_EQ(count_of(results, "class=\"judged\""), 2u);
  const std::string passed = between(results, "class=\"passed\"", "</table>");
  EXPECT_THAT(passed, AllOf(HasSubstr("<td>Half/A.B</td>"), HasSubstr("<td class=\"number\">2</td>"),
                            Not(HasSubstr("A.C"))));
}

TEST(ReportHtml, ASuiteWhoseCasesAllPassedHasOnlyThoseLinesOnPaper) {
  EXPECT_THAT(html(run_of({ending("A.B", {good()})})), HasSubstr("class=\"results plain\""));
  EXPECT_THAT(html(run_of({ending("A.B", {missed()})})), Not(HasSubstr("class=\"results plain\"")));
}

TEST(ReportHtml, HasNoEmptySections) {
  const std::string page = html(run_of({ending("A.B", {recorded("tcp.rtt")})}));
  for (const char* title : {">Charts<", ">Between the nodes<", ">Suspects<"})
    EXPECT_THAT(page, Not(HasSubstr(title)));
}

TEST(ReportHtml, TheFirstPageHasAFewLinesOfAdviceAndFindingsAll) {
  std::vector<Ending> many{ending("A.Good", {good()})};
  for (int number = 0; number < 9; ++number) {
    judge::JudgedMeasurement advice = advised();
    advice.detail = fmt::to_string(number);
    many.push_back(ending(fmt::format("A.B/{}", number), {advice}));
  }
  const std::string page = html(run_of(many));
  EXPECT_THAT(between(page, "class=\"first\"", ">Every figure<"), HasSubstr("6 more: see Findings"));
  EXPECT_EQ(count_of(between(page, "<h2>Findings<", "</section>"), "preflight.memlock on"), 9u);
}

TEST(ReportHtml, AHugeRunSaysWhatItLeavesOut) {
  std::vector<Ending> many;
  for (int number = 0; number < 30'000; ++number)
    many.push_back(ending(fmt::format("A.B/{}", number), {good()}));
  many.push_back(ending("A.Bad", {missed()}));
  const std::string page = html(run_of(many));
  EXPECT_THAT(page, AllOf(HasSubstr("27000 cases are not shown (page limit)"), HasSubstr("30001 cases"),
                          HasSubstr("tcp.A.Bad")));
}

}  // namespace
}  // namespace rigproof
