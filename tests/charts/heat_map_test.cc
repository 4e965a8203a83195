// A figure from each node to each other. Catches: a scale that is not darker where it is worse (black and white printers, the
// colour-blind), a missed cell without a frame, a picture of many nodes that makes a report too large.
#include "reports/charts/charts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

namespace rigproof {
namespace {

using figures::Mark;
using testing::HasSubstr;
using testing::Not;

Rig rig_of(std::size_t nodes) {
  Rig rig{.name = "r", .kind = "hardware", .stand_in = {}, .nodes = {}, .links = {}, .rails = {}};
  for (std::size_t n = 0; n < nodes; ++n)
    rig.nodes.push_back({.name = fmt::format("node-{}", n), .address = {}, .management = {}, .ports = {}});
  return rig;
}

// Rates from 90 Gbit/s down by 1 Gbit/s a cell; below 85 they miss.
figures::PairTable table_of(std::size_t nodes) {
  figures::PairTable table{"tcp.rate.half",      "Gbit/s", ">= 85 Gbit/s",
                           Dimension::kDataRate, {},       {.at_least = 85e9}};
  double value = 90e9;
  for (std::size_t from = 0; from < nodes; ++from)
    for (std::size_t to = 0; to < nodes; ++to) {
      if (from == to) continue;
      table.cells[{from, to}] = {.mark = value < 85e9 ? Mark::kMissed : Mark::kGood,
                                 .value = value,
                                 .margin = value / 85e9 - 1,
                                 .text = {},
                                 .count = 1};
      value = std::max(value - 1e9, 60e9);
    }
  return table;
}

std::string drawn(const figures::PairTable& table, std::size_t nodes) {
  std::ostringstream out;
  text::Markup page(out);
  charts::write_heat_map(page, table, rig_of(nodes));
  return out.str();
}

// Of the cells, in their order: how light each is to the eye.
std::vector<double> lightness_of(const std::string& svg) {
  std::vector<double> all;
  const std::regex fill("fill=\"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\"( class=\"grid\"|/>| />)");
  for (std::sregex_iterator match(svg.begin(), svg.end(), fill), end; match != end; ++match) {
    const auto channel = [&](std::size_t i) { return std::stoi((*match)[i].str(), nullptr, 16); };
    all.push_back(0.2126 * channel(1) + 0.7152 * channel(2) + 0.0722 * channel(3));
  }
  return all;
}

TEST(HeatMap, IsDarkerWhereItIsWorse) {
  const std::string svg = drawn(table_of(4), 4);
  const std::vector<double> lightness = lightness_of(svg);
  ASSERT_GE(lightness.size(), 12U + 12U) << "cells and the scale";
  EXPECT_TRUE(std::is_sorted(lightness.rbegin() + 12, lightness.rend())) << "cells";
  EXPECT_TRUE(std::is_sorted(lightness.rbegin(), lightness.rbegin() + 12)) << "the scale";
  EXPECT_GT(lightness.front(), 230);
  EXPECT_LT(lightness[11], 60);
}

TEST(HeatMap, OfATimeTheLargestIsDark) {
  figures::PairTable table = table_of(3);
  table.dimension = Dimension::kTime;
  table.bounds = {.at_most = 100e9};
  const std::vector<double> lightness = lightness_of(drawn(table, 3));
  ASSERT_GE(lightness.size(), 6U);
  EXPECT_LT(lightness[0], lightness[5]);
}

TEST(HeatMap, OfFewNodesShowsFiguresAndFramesWhatIsMissed) {
  const std::string svg = drawn(table_of(4), 4);
  EXPECT_THAT(svg, HasSubstr(">90.00<"));
  EXPECT_THAT(svg, HasSubstr(">✗84.00<"));
  EXPECT_THAT(svg, HasSubstr("<title>node-0 to node-1: 90.00 Gbit/s, within its limit</title>"));
}

TEST(HeatMap, OfManyNodesStaysSmall) {
  const std::string svg = drawn(table_of(64), 64);
  EXPECT_LT(svg.size(), 400'000U);
  EXPECT_THAT(svg, Not(HasSubstr("✗"))) << "no figures";
  EXPECT_THAT(svg, HasSubstr("node-63"));
}

TEST(HeatMap, OfTooManyNodesShowsTheWorst) {
  figures::PairTable table = table_of(200);
  for (auto& [pair, cell] : table.cells) cell.mark = Mark::kGood, cell.margin = 0.1;
  table.cells[{150, 199}].mark = Mark::kMissed;
  const std::string svg = drawn(table, 200);
  EXPECT_THAT(svg, HasSubstr(">node-150<"));
  EXPECT_THAT(svg, HasSubstr(">node-199<"));
  EXPECT_THAT(svg, Not(HasSubstr(">node-149<")));
  EXPECT_THAT(svg, HasSubstr("96 of 200 nodes"));
}

}  // namespace
}  // namespace rigproof
