#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reports/charts/chart_data.h"
#include "reports/charts/charts.h"
#include "reports/charts/svg.h"
#include "tests/support/chart_run.h"
#include "tests/support/hostile.h"

namespace rigproof {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

std::vector<std::string> texts(const charts::Scale& scale) {
  std::vector<std::string> all;
  for (const charts::Tick& tick : scale.ticks()) all.push_back(tick.text);
  return all;
}

TEST(Charts, ASweepIsACurveWithItsLimitsAndBand) {
  const charts::ChartData data = charts::collect_charts(chart_run().record());
  ASSERT_THAT(data.curves, SizeIs(1));
  const charts::Plot& plot = data.curves.front();
  ASSERT_THAT(plot.lines, SizeIs(2));
  EXPECT_EQ(plot.lines[0].points.front().x, 4096);
  EXPECT_EQ(plot.lines[0].points.size(), 7u);
  EXPECT_TRUE(plot.x.logarithmic);
  ASSERT_THAT(plot.limits, SizeIs(2));
  EXPECT_EQ(plot.limits[0].text, ">= 0.9 Gbit/s");
  EXPECT_EQ(plot.limits[0].points.front().y, 0.9e9);
  ASSERT_THAT(plot.marginal, SizeIs(1));
  EXPECT_EQ(plot.marginal[0].points.front().y, 0.94e9);
}

TEST(Charts, ASeriesKeepsItsDip) {
  const charts::ChartData data = charts::collect_charts(chart_run().record());
  ASSERT_THAT(data.series, SizeIs(1));
  ASSERT_THAT(data.series.front().lines, SizeIs(4));
  EXPECT_EQ(data.series.front().lines.front().name, "node-a, node-a:port0 tx");
  judge::JudgedMeasurement tall = port_series("node-a", "tx");
  tall.samples.values.assign(100'000, 1e9);
  tall.samples.values[77'777] = 1;
  const charts::ChartData thin = charts::collect_charts(run_of({ending("A.B", {good(), tall})}));
  const auto& points = thin.series.front().lines.front().points;
  EXPECT_LE(points.size(), 800u);
  EXPECT_EQ(std::ranges::min(points, {}, &charts::Point::y).y, 1);
}

TEST(Charts, TimesMakeADistributionWithItsLimit) {
  const charts::ChartData data = charts::collect_charts(chart_run().record());
  ASSERT_THAT(data.distributions, SizeIs(1));
  const charts::Plot& plot = data.distributions.front();
  ASSERT_THAT(plot.limits, SizeIs(1));
  EXPECT_EQ(plot.limits.front().text, "p99 <= 300 us");
  EXPECT_TRUE(plot.limits.front().upright);
  EXPECT_GT(plot.lines.front().points.back().y, 0.999);
}

// A rate that fails for one window of five keeps its median: the chart must show it.
TEST(Charts, AnOutageOfARateIsMarkedBesideItsLimit) {
  judge::JudgedMeasurement rate = good();
  rate.judgement.bounds = {.at_least = 0.95e9};
  rate.samples.values = {0.98e9, 0.98e9, 0.001e9, 0.98e9, 0.98e9};
  const charts::ChartData data = charts::collect_charts(run_of({ending("A.B", {rate})}));
  ASSERT_THAT(data.series, SizeIs(1));
  ASSERT_THAT(data.series.front().outages, SizeIs(1));
  EXPECT_EQ(data.series.front().outages.front().from, 2.5);
  EXPECT_EQ(data.series.front().outages.front().to, 3.5);
  ASSERT_THAT(data.series.front().limits, SizeIs(1));
  EXPECT_EQ(data.series.front().limits.front().text, ">= 0.95 Gbit/s");
}

TEST(Charts, MarginsAreTheWorstOfEachLimitWorstFirstAndBounded) {
  std::vector<Ending> many;
  for (int number = 0; number < 100; ++number)
    many.push_back(ending(
        fmt::format("A.B/{}", number),
        {judged(fmt::format("tcp.figure{}", number % 50), judge::Verdict::kPass, 1e9, 0.01 * number)}));
  many.push_back(ending("A.C", {missed()}));
  const charts::ChartData data = charts::collect_charts(run_of(many));
  ASSERT_THAT(data.margins, SizeIs(20));
  EXPECT_EQ(data.margins_left_out, 31u);
  EXPECT_EQ(data.margins.front().margin, -0.463);
  EXPECT_EQ(data.margins[1].margin, 0);
  EXPECT_EQ(data.margins[2].margin, 0.01) << "one of each limit";
  EXPECT_TRUE(std::ranges::is_sorted(data.margins, {}, &charts::Margin::margin));
}

TEST(Charts, LinesBeyondThePagesAreCounted) {
  std::vector<Ending> many;
  for (int number = 0; number < 200; ++number)
    many.push_back(ending(fmt::format("A.B/{}", number), {good(), port_series("node-a", "tx")}));
  const charts::ChartData data = charts::collect_charts(run_of(many));
  EXPECT_THAT(data.series, SizeIs(6));
  EXPECT_EQ(data.lines_left_out, 194u);
}

std::string drawn(const charts::Plot& plot) {
  std::ostringstream out;
  text::Markup page(out);
  write_plot(page, plot);
  return out.str();
}

TEST(Charts, LimitsAreNamedBelowTheLinesWhereTheyHideNothing) {
  const charts::PlotAxis rate{.title = "", .dimension = Dimension::kDataRate, .unit = "Gbit/s"};
  charts::Plot plot{.title = "", .x = rate, .y = rate, .lines = {}, .limits = {}, .marginal = {}};
  plot.lines.push_back({"rail0", {{1, 0.5e9}, {2, 1e9}}});
  for (const auto& [side, text, y] : {std::tuple(charts::LimitLine::Side::kLeast, ">= 0.7 Gbit/s", 0.7e9),
                                      std::tuple(charts::LimitLine::Side::kMost, "<= 1 Gbit/s", 1e9)})
    plot.limits.push_back({side, text, {{1, y}, {2, y}}});
  const std::string svg = drawn(plot), words = "limit &gt;= 0.7 Gbit/s and &lt;= 1 Gbit/s";
  ASSERT_THAT(svg, HasSubstr(words));
  EXPECT_GT(svg.find(words), svg.find(">rail0<"));
}

TEST(Charts, ALimitFarFromWhatWasMeasuredLeavesTheCurveItsRoom) {
  const charts::PlotAxis time{.title = "", .dimension = Dimension::kTime, .unit = "ms"};
  const charts::PlotAxis share{.title = "", .dimension = Dimension::kRatio, .unit = "%", .tail = true};
  charts::Plot plot{.title = "", .x = time, .y = share, .lines = {}, .limits = {}, .marginal = {}};
  plot.lines.push_back({"rail0", {{10e-6, 0}, {40e-6, 0.9}}});
  const auto limit_at = [&](double x) {
    plot.limits = {{charts::LimitLine::Side::kMost, "median <= 5 ms", {{x, 0}}, true}};
    return drawn(plot);
  };
  EXPECT_THAT(limit_at(5e-3), HasSubstr("limit median &lt;= 5 ms (further right)"));
  EXPECT_THAT(limit_at(80e-6), Not(HasSubstr("further right")));
}

TEST(Charts, ALimitThatChangesAlongACurveSaysSo) {
  std::vector<judge::JudgedMeasurement> points;
  for (const double x : {1024.0, 2048.0}) {
    judge::JudgedMeasurement rate = with_axis(good(), record::at(Quantity{Dimension::kDataSize, x}));
    rate.judgement.bounds = {.at_least = x * 1e5, .at_most = 1e9};
    points.push_back(rate);
  }
  const charts::ChartData data = charts::collect_charts(run_of({ending("A.B", points)}));
  ASSERT_THAT(data.curves, SizeIs(1));
  ASSERT_THAT(data.curves.front().limits, SizeIs(2));
  EXPECT_EQ(data.curves.front().limits[0].text, ">= the limit of each point");
  EXPECT_EQ(data.curves.front().limits[1].text, "<= 1 Gbit/s");
  EXPECT_EQ(data.curves.front().limits[1].side, charts::LimitLine::Side::kMost);
}

TEST(Charts, TicksFallOnRoundNumbers) {
  const charts::PlotAxis rate{.title = "", .dimension = Dimension::kDataRate, .unit = "Gbit/s"};
  EXPECT_THAT(
      texts(charts::Scale(rate, 0, 0.93e9, 0, 100)),
      testing::ElementsAre("0 Gbit/s", "0.2 Gbit/s", "0.4 Gbit/s", "0.6 Gbit/s", "0.8 Gbit/s", "1 Gbit/s"));
  const charts::PlotAxis size{
      .title = "", .dimension = Dimension::kDataSize, .unit = "", .logarithmic = true};
  EXPECT_EQ(texts(charts::Scale(size, 1024, 16 << 20, 0, 100)).back(), "16 MiB");
  EXPECT_THAT(
      texts(charts::Scale(size, 512, 65536, 0, 100)),
      testing::ElementsAre("512 B", "1 KiB", "2 KiB", "4 KiB", "8 KiB", "16 KiB", "32 KiB", "64 KiB"));
  const charts::PlotAxis share{.title = "", .dimension = Dimension::kRatio, .unit = "", .tail = true};
  EXPECT_THAT(texts(charts::Scale(share, 0, 0.9995, 0, 100)),
              testing::ElementsAre("0 %", "50 %", "90 %", "99 %", "99.9 %", "99.99 %"));
}

TEST(Charts, PlacesAreInOrder) {
  const charts::Scale scale({.title = "", .dimension = Dimension::kTime, .unit = "us", .logarithmic = true},
                            1e-6, 1e-3, 0, 300);
  EXPECT_NEAR(scale.place(1e-6), 0, 1e-9);
  EXPECT_NEAR(scale.place(1e-5), 100, 1e-6);
  EXPECT_NEAR(scale.place(1e-3), 300, 1e-6);
}

TEST(Charts, OnePointAndEqualValuesDraw) {
  judge::JudgedMeasurement flat = port_series("node-a", "tx");
  flat.samples.values = {0, 0, 0};
  judge::JudgedMeasurement plain = recorded("tcp.sweep");
  plain.samples.values = {5};
  const judge::JudgedMeasurement single = with_axis(plain, record::at(Quantity{Dimension::kDataSize, 1024}));
  const judge::JudgedMeasurement second = with_axis(plain, record::at(Quantity{Dimension::kDataSize, 2048}));
  const charts::ChartData data =
      charts::collect_charts(run_of({ending("A.B", {good(), flat, single, second})}));
  for (const auto& plots : {data.series, data.curves}) {
    std::ostringstream out;
    text::Markup page(out);
    write_plot(page, plots.at(0));
    EXPECT_THAT(out.str(), HasSubstr("</svg>"));
    EXPECT_THAT(out.str(), testing::Not(HasSubstr("nan")));
  }
}

TEST(Charts, OneSizeAloneIsNoSweep) {
  const judge::JudgedMeasurement single =
      with_axis(recorded("tcp.sweep"), record::at(Quantity{Dimension::kDataSize, 1024}));
  EXPECT_THAT(charts::collect_charts(run_of({ending("A.B", {good(), single})})).curves, SizeIs(0));
}

TEST(Charts, AHostileRunMakesNone) {
  const charts::ChartData data = charts::collect_charts(hostile_run());
  EXPECT_THAT(data.curves, SizeIs(0));
  EXPECT_THAT(data.distributions, SizeIs(0));
}

}  // namespace
}  // namespace rigproof
