// What the first page and the matrices show is taken from the judged run alone: the worst of each expectation, at the
// part of the rig that its case was about. Caught here: a figure that stands at another part, a better figure that hides
// a worse one, a rounding that carries a figure over its limit.
#include "reports/figures/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/charts/charts.h"
#include "tests/support/case_place.h"
#include "tests/support/golden_run.h"

namespace rigproof {
namespace {

using figures::Mark;
using figures::Place;
using testing::ElementsAre;
using testing::HasSubstr;

Rig pair() { return read_rig(toml::Document::parse(golden_rig(), "rig.toml")); }

Place place(const std::string& subject) { return judge::place_of(pair(), place_in(pair(), subject)); }

judge::JudgedMeasurement rate(double value, double margin, judge::Verdict verdict) {
  judge::JudgedMeasurement m = judged("tcp.rate.half", verdict, value, margin);
  m.judgement.bounds = {.at_least = 0.95e9};
  return m;
}

// Runs with one-way cases on the pair's rails.
judge::JudgedRun run_on_pair(const std::vector<Ending>& endings, const std::string& thresholds) {
  Story story(thresholds);
  story.begun().rig_file = record::text_file("rig.toml", golden_rig());
  record::SuitePlanned plan{"tcp", {}};
  for (const Ending& ended : endings)
    plan.cases.push_back({ended.name, "a path", place_in(pair(), ended.name)});
  story.launch().add(plan);
  for (const Ending& ended : endings) story.run(ended);
  return story.done().end().record();
}

std::string limit(const std::string& id, bool headline) {
  return "[[limit]]\nid = \"" + id + "\"\nat_least = \"0.95 Gbit/s\"\nremedy.check = \"look\"\n" +
         (headline ? "headline = true\n" : "") +
         "basis = { kind = \"policy\", source = \"the tests\", reasoning = \"as it is\" }\n";
}

figures::Figures figures_of(const judge::JudgedRun& run, const Rig* rig) {
  figures::Figures all(run, rig);
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases) all.add(test);
  return all;
}

TEST(Places, AreToldFromTheCasesPlan) {
  EXPECT_EQ(place("node_a").kind, Place::Kind::kNode);
  EXPECT_EQ(place("node_b_port0").kind, Place::Kind::kPort);
  const Place half = place("node_b_half1");
  EXPECT_EQ(half.kind, Place::Kind::kHalf);
  EXPECT_EQ(half.from, (HalfRef{1, 0, 1}));
  const Place rail = place("rail1_node_b_to_node_a");
  EXPECT_EQ(rail.kind, Place::Kind::kRailPath);
  EXPECT_FALSE(rail.both_ways);
  EXPECT_EQ(rail.from, (HalfRef{1, 0, 1}));
  EXPECT_EQ(rail.to, (HalfRef{0, 0, 1}));
  EXPECT_EQ(place("cable0_node_a_node_b").kind, Place::Kind::kLinkPath);
  EXPECT_EQ(place("node_a_node_b").kind, Place::Kind::kNodePath);
  EXPECT_EQ(place("x").kind, Place::Kind::kRun);
}

TEST(NodeNames, ThatAreTooLongKeepWhatTellsThemApart) {
  Rig rig = pair();
  rig.nodes[0].name = "dgx-spark-rack17-shelf0-slot-03.example",
  rig.nodes[1].name = "dgx-spark-rack17-shelf1-slot-12.example";
  const figures::NodeNames names(rig);
  EXPECT_EQ(names.of(0, 40), rig.nodes[0].name);
  EXPECT_EQ(names.of(0, 18), "…shelf0-slot-03…");
  EXPECT_EQ(names.of(1, 9), "…-slot-12");
  rig.nodes[1].name = "b";
  EXPECT_EQ(figures::NodeNames(rig).of(0, 9), "….example");
}

// A case that crashed has no figure: without it the line would say that all is well.
TEST(Headlines, CountCasesThatOweAFigureAndHaveNone) {
  const Rig rig = pair();
  const auto lines = figures_of(run_with_a_figure_lacking(), &rig).headlines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].mark, Mark::kGood);
  EXPECT_EQ(lines[0].worst_mark(), Mark::kError);
  EXPECT_EQ(lines[0].owed(), 2u);
  EXPECT_EQ(lines[0].lacking.where, "rail1: node-a -> node-b");
}

TEST(Places, ThatTheRigDoesNotHaveAreTheRunAsAWhole) {
  using Kind = SubjectPlace::Kind;
  for (const SubjectPlace& strange :
       {SubjectPlace{Kind::kNode, "", {"stranger"}}, SubjectPlace{Kind::kPort, "port9", {"node-a"}},
        SubjectPlace{Kind::kHalf, "half9", {"node-a"}}, SubjectPlace{Kind::kNode, "", {}},
        SubjectPlace{Kind::kRail, "rail9", {"node-a", "node-b"}},
        SubjectPlace{Kind::kLink, "rail0", {"node-a", "node-b"}},
        SubjectPlace{Kind::kRail, "rail0", {"node-a", "stranger"}},
        SubjectPlace{Kind::kNodes, "", {"node-a"}}, SubjectPlace{Kind::kRun, "", {"node-a"}}})
    EXPECT_EQ(judge::place_of(pair(), strange).kind, Place::Kind::kRun) << strange.part;
}

TEST(Places, AFigureOfBothWaysStandsAtTheNodeThatMeasured) {
  const Rig rig = pair();
  const Place both = place("rail1_node_a_node_b");
  EXPECT_EQ(judge::end_of(rig, both, "node-b").from, (HalfRef{1, 0, 1}));
  const Place one = place("rail1_node_a_to_node_b");
  EXPECT_EQ(judge::end_of(rig, one, "node-b").from, (HalfRef{0, 0, 1})) << "one way: its sender";
  const Place all = judge::place_of(rig, {SubjectPlace::Kind::kAllNodes, "", {"node-a"}});
  EXPECT_EQ(judge::end_of(rig, all, "node-b").from, (HalfRef{1, 0, 0}));
}

TEST(Headlines, AreThoseThatTheThresholdsMarkAndTheWorstFigureOfEach) {
  const judge::JudgedRun run =
      run_on_pair({ending("R/A.B/rail0_node_a_to_node_b", {rate(0.99e9, 0.04, judge::Verdict::kPass)}),
                   ending("R/A.B/rail0_node_b_to_node_a", {rate(0.51e9, -0.46, judge::Verdict::kFail)}),
                   ending("R/A.B/rail1_node_a_to_node_b", {rate(0.98e9, 0.03, judge::Verdict::kPass)})},
                  limit("tcp.absent", true) + limit("tcp.rate.half", true) + limit("tcp.other", false));
  const figures::Figures all = figures_of(run, nullptr);
  ASSERT_EQ(all.headlines().size(), 1u);
  const figures::Headline line = all.headlines().front();
  EXPECT_EQ(line.id, "tcp.rate.half");
  EXPECT_EQ(line.value, 0.51e9);
  EXPECT_EQ(line.mark, Mark::kMissed);
  EXPECT_EQ(line.figures, 3u);
  EXPECT_EQ(line.missed, 1u);
  EXPECT_THAT(all.not_measured(), ElementsAre("tcp.absent"));
}

// Catches: "missed" beside a value within the limit that is shown with it.
TEST(Headlines, ShowTheFurtherStatisticThatMissed) {
  const Rig rig = pair();
  const judge::JudgedRun run =
      run_on_pair({ending("R/A.B/rail0_node_a_to_node_b", {missed_mean()})}, limit("tcp.rate.half", true));
  const figures::Figures all = figures_of(run, &rig);
  const figures::Headline line = all.headlines().front();
  EXPECT_EQ(figure_text(line) + " " + shown_unit(line), "mean 0.671 Gbit/s");
  EXPECT_EQ(line.short_limit, ">= 0.85 Gbit/s");
  EXPECT_EQ(line.value, 0.671e9);
  EXPECT_EQ(line.own.value, 0.967e9);
  EXPECT_EQ(all.rig_state().half_limit, "0.950 … 1.050 Gbit/s")
      << "the picture has rates by the limit's own statistic";
  const figures::Cell cell = all.matrices().at(0).rows.at(0).cells.at(0);
  EXPECT_EQ(cell.statistic, "mean");
  EXPECT_EQ(cell.value, 0.671e9);
}

// By its place on the rig: the text of the case's subject is for people, and is "a path" here.
TEST(Headlines, SayOnWhichRailTheWorstFigureIs) {
  const Rig rig = pair();
  const judge::JudgedRun run =
      run_on_pair({ending("R/A.B/rail1_node_b_to_node_a", {rate(0.51e9, -0.46, judge::Verdict::kFail)})},
                  limit("tcp.rate.half", true));
  const figures::Figures all = figures_of(run, &rig);
  EXPECT_EQ(all.headlines().front().where, "rail1: node-b -> node-a");
  EXPECT_EQ(all.headlines().front().stated_in.line, 12u);
  EXPECT_EQ(figures_of(run, nullptr).headlines().front().where, "a path");
}

TEST(Headlines, OfThresholdsThatMarkNoneAreTheNearestToTheirLimits) {
  const judge::JudgedRun run =
      run_on_pair({ending("R/A.B/rail0_node_a_to_node_b", {good()})}, limit("tcp.rate.half", false));
  const figures::Figures all = figures_of(run, nullptr);
  EXPECT_FALSE(all.is_marked());
  EXPECT_EQ(all.headlines().size(), 1u);
}

TEST(RigState, APathColoursBothEndsAndItsRatesStandAtThem) {
  const Rig rig = pair();
  const judge::JudgedRun run =
      run_on_pair({ending("R/A.B/rail0_node_a_to_node_b", {rate(0.51e9, -0.46, judge::Verdict::kFail)}),
                   ending("R/A.B/rail1_node_a_to_node_b", {rate(0.98e9, 0.03, judge::Verdict::kPass)})},
                  limit("tcp.rate.half", true));
  const figures::RigState state = figures_of(run, &rig).rig_state();
  EXPECT_THAT(state.nodes[0].ports[0].halves, ElementsAre(Mark::kMissed, Mark::kGood));
  EXPECT_THAT(state.nodes[1].ports[0].halves, ElementsAre(Mark::kMissed, Mark::kGood));
  EXPECT_EQ(state.nodes[0].ports[0].half_rates[0].out, 0.51e9);
  EXPECT_EQ(state.nodes[1].ports[0].half_rates[0].in, 0.51e9);
  EXPECT_FALSE(state.nodes[1].ports[0].half_rates[0].out.has_value());
  std::ostringstream out;
  text::Markup page(out);
  charts::write_rig_picture(page, rig, state);
  EXPECT_THAT(out.str(), HasSubstr(">0.510</text>"));
  EXPECT_THAT(out.str(), HasSubstr("cell-bad"));
}

TEST(Matrices, AnExpectationIsARowAndAHalfAColumn) {
  const Rig rig = pair();
  const judge::JudgedRun run =
      run_on_pair({ending("R/A.B/rail0_node_a_to_node_b", {rate(0.97e9, 0.02, judge::Verdict::kPass)}),
                   ending("R/A.C/rail0_node_a_to_node_b", {rate(0.51e9, -0.46, judge::Verdict::kFail)}),
                   ending("R/A.B/rail1_node_b_to_node_a", {rate(0.98e9, 0.03, judge::Verdict::kPass)})},
                  limit("tcp.rate.half", true));
  const auto matrices = figures_of(run, &rig).matrices();
  ASSERT_FALSE(matrices.empty());  // behind it what the judge finds about the run itself
  EXPECT_EQ(matrices[0].kind, Place::Kind::kHalf);
  ASSERT_EQ(matrices[0].columns.size(), 4u);
  ASSERT_EQ(matrices[0].rows.size(), 1u);
  std::vector<Mark> marks;
  for (const figures::Cell& cell : matrices[0].rows[0].cells) marks.push_back(cell.mark);
  EXPECT_THAT(marks, ElementsAre(Mark::kMissed, Mark::kNothing, Mark::kNothing, Mark::kGood));
  EXPECT_EQ(matrices[0].rows[0].cells[0].count, 2);
}

TEST(NumberText, NeverCarriesAFigureOverItsLimit) {
  const judge::Bounds bounds{.at_least = 0.95e9, .at_most = 1.05e9};
  EXPECT_EQ(figures::number_text(0.9412e9, "Gbit/s", Dimension::kDataRate, bounds), "0.941");
  EXPECT_EQ(figures::number_text(0.94996e9, "Gbit/s", Dimension::kDataRate, bounds), "0.94996");
  EXPECT_EQ(figures::number_text(1.05004e9, "Gbit/s", Dimension::kDataRate, bounds), "1.05004");
  EXPECT_EQ(figures::number_text(9000, "B", Dimension::kDataSize), "9000");
}

}  // namespace
}  // namespace rigproof
