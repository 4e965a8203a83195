// The live view's screen: the same state always gives the same lines, none beyond the terminal's edges. Catches bars that
// lie about a share, rates in the wrong row, a line that wraps, cables or the totals lost where there is little room.
#include "reports/terminal/live_frame.h"

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/golden.h"

namespace rigproof {
namespace {

using terminal::LiveCable;
using terminal::LiveState;
using terminal::LiveStyle;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

DataRate gbits(double value) { return DataRate::gigabits_per_second(value); }

LiveCable cable(int link, std::string port, std::string far_end, double tx, double rx) {
  return {.link = "link" + std::to_string(link),
          .port = std::move(port),
          .far_end = std::move(far_end),
          .rate = gbits(200),
          .tx = {gbits(tx), gbits(tx + 12.5)},
          .rx = {gbits(rx), gbits(rx)},
          .no_counters = {}};
}

terminal::LiveRun run() {
  terminal::LiveRun run;
  run.suite = "rdma";
  run.test = "EachRail/WriteRate.FillsTheHalf/rail0_node_a_to_node_b";
  run.phase = "measure";
  run.counts.cases = 321;
  run.counts.ended = 107;
  run.elapsed = std::chrono::seconds(34);
  run.left = std::chrono::seconds(68);
  run.counts.passed = 97, run.counts.recorded = 8, run.counts.failed = 1, run.counts.not_proven = 1;
  for (int i = 1; i <= 4; ++i)
    run.verdicts.push_back(
        {judge::Status::kPassed,
         "PASS         tcp.RailRate.FillsTheHalf/rail" + std::to_string(i) +
             "  tcp.rate.half on node-b: 98.1 Gbit/s (limit >= 85 Gbit/s, margin +15.4 %)"});
  run.verdicts.push_back(
      {judge::Status::kFailed,
       "FAIL         tcp.RailRate.FillsTheHalf/rail5  tcp.rate.half on node-a: 51 Gbit/s (limit "
       ">= 85 Gbit/s, margin -40 %)"});
  return run;
}

LiveState state_of(std::vector<LiveCable> cables) {
  LiveState state;
  state.title = "rig spark-pair (hardware), profile smoke";
  state.run = run();
  state.cables = std::move(cables);
  for (const LiveCable& one : state.cables) {
    if (!one.no_counters.empty()) continue;
    state.tx.now = state.tx.now + one.tx.now, state.tx.peak = state.tx.peak + one.tx.peak;
    state.rx.now = state.rx.now + one.rx.now, state.rx.peak = state.rx.peak + one.rx.peak;
  }
  state.duplex = {state.tx.now + state.rx.now, state.tx.peak + state.rx.peak};
  return state;
}

LiveState one_cable() { return state_of({cable(0, "node-a:port0", "node-b:port0", 82.4, 85.6)}); }
LiveState two_cables() {
  return state_of({cable(0, "node-a:port0", "node-b:port0", 82.4, 85.6),
                   cable(1, "node-a:port1", "node-b:port1", 83.1, 84.8)});
}
// A switch: a cable for each port, one of them unread.
LiveState four_nodes() {
  std::vector<LiveCable> cables;
  for (const char node : {'a', 'b', 'c', 'd'})
    for (const int port : {0, 1})
      cables.push_back(cable(port, "node-" + std::string(1, node) + ":port" + std::to_string(port), "crs804",
                             40 * port, 160));
  cables[5].no_counters =
      "no counters from node-c: ssh: connect to host node-c port 22: Connection timed out";
  return state_of(std::move(cables));
}

// As a terminal shows it: colours are no characters.
std::size_t width_of(const std::string& line) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b')
      i = line.find('m', i);
    else if ((line[i] & 0xc0) != 0x80)
      ++width;
  }
  return width;
}

// The screen with its edges, so that blanks at the end show.
std::string drawn(const LiveState& state, const LiveStyle& style) {
  const auto lines = live_frame(state, style);
  std::string text = fmt::format("{} x {}{}{}\n", style.width, style.height, style.colour ? ", colour" : "",
                                 style.unicode ? "" : ", ASCII");
  for (const std::string& line : lines) text += "[" + line + "]\n";
  EXPECT_LE(lines.size(), style.height) << text;
  for (const std::string& line : lines) EXPECT_LE(width_of(line), style.width) << line;
  return text + "\n";
}

constexpr LiveStyle plain(std::size_t width, std::size_t height = 24) {
  return {.width = width, .height = height, .colour = false, .unicode = true};
}

TEST(LiveFrame, LooksAsApproved) {
  std::string text;
  for (const LiveState& state : {one_cable(), two_cables(), four_nodes()})
    for (const std::size_t width : {40u, 80u, 120u}) text += drawn(state, plain(width));
  text += drawn(four_nodes(), plain(120, 40));
  text += drawn(two_cables(), {.width = 80, .height = 24, .colour = true, .unicode = true});
  text += drawn(two_cables(), {.width = 80, .height = 24, .colour = false, .unicode = false});
  LiveState watched = two_cables();
  watched.run.reset();
  watched.title = "rig spark-pair (hardware)";
  watched.footer = "reading takes 0.2 % of a core on node-a, 0.2 % on node-b; Ctrl-C ends";
  text += drawn(watched, plain(80));
  expect_approved("live_frame.txt", text);
}

TEST(LiveFrame, StaysInsideOfAnyTerminal) {
  for (const LiveState& state : {one_cable(), two_cables(), four_nodes()})
    for (std::size_t width = 1; width < 130; width += 3)
      for (std::size_t height = 1; height < 40; height += 2)
        for (const bool colour : {false, true})
          drawn(state, {.width = width, .height = height, .colour = colour, .unicode = true});
}

TEST(LiveFrame, ALowScreenHasCablesBeforeVerdictsAndCountsTheOthers) {
  const std::string frame = drawn(four_nodes(), plain(40, 10));
  EXPECT_THAT(frame, AllOf(HasSubstr("[node-a:port0"), HasSubstr("[... 6 more cables: window too low]"),
                           HasSubstr("PEAK"), Not(HasSubstr("PASS"))));
  EXPECT_THAT(drawn(four_nodes(), plain(40, 7)), HasSubstr("[... 8 cables: window too low]"));
}

TEST(LiveFrame, HasNoEscapesWithoutColour) {
  EXPECT_THAT(drawn(four_nodes(), plain(80)), Not(HasSubstr("\x1b")));
}

TEST(LiveFrame, FillsABarByItsShareOfThePort) {
  LiveState state = one_cable();
  const auto cells = [&](double gbit) {
    state.cables[0].tx = {gbits(gbit), gbits(gbit)};
    const auto lines = live_frame(state, {.width = 100, .height = 24, .colour = false, .unicode = false});
    const auto line = std::ranges::find_if(lines, [](const auto& text) { return text.find("TX ") < 40; });
    return std::pair(std::ranges::count(*line, '#'),
                     std::ranges::count(*line, '.') - 2);  // but those of the numbers
  };
  const auto [none, length] = cells(0);
  EXPECT_EQ(none, 0);
  EXPECT_EQ(cells(200), std::pair(length, std::ptrdiff_t{0}));
  EXPECT_EQ(cells(100), std::pair((length + 1) / 2, length / 2));
  EXPECT_EQ(cells(500).first,
            length);  // a counter beyond the port's rate: a full bar, and the number says it
}

// The bar is the share of the time: the slow cases come last.
TEST(LiveFrame, FillsTheBarOfTheRunByTime) {
  LiveState state = state_of({});
  state.run->elapsed = std::chrono::seconds(30);
  state.run->left = std::chrono::seconds(90);
  const std::string bar =
      live_frame(state, LiveStyle{.width = 120, .height = 24, .colour = false, .unicode = false}).at(2);
  EXPECT_EQ(bar.substr(0, 41), std::string(10, '#') + std::string(30, '.') + " ");
}
TEST(LiveFrame, AFailureStaysWhilePassedCasesScrollAway) {
  LiveState state = state_of({});
  state.run->verdicts.insert(state.run->verdicts.begin(), {judge::Status::kFailed, "FAIL         tcp.First"});
  for (int i = 0; i < 50; ++i)
    state.run->verdicts.push_back({judge::Status::kPassed, "PASS         tcp.Later"});
  const auto lines =
      live_frame(state, LiveStyle{.width = 80, .height = 12, .colour = false, .unicode = false});
  EXPECT_THAT(lines, Contains("FAIL         tcp.First"));
  EXPECT_EQ(lines.back(), "PASS         tcp.Later");
}
TEST(LiveFrame, CountsTheCablesThatFindNoRoom) {
  LiveState state = four_nodes();
  const auto lines = live_frame(state, plain(80, 14));
  EXPECT_THAT(lines,
              Contains(testing::MatchesRegex("\\.\\.\\. and [0-9] more cables: make the window higher")));
  EXPECT_THAT(lines, Contains(HasSubstr("full duplex")));
}

TEST(LiveFrame, SaysWhichCountersAreMissing) {
  const auto lines = live_frame(four_nodes(), plain(120, 40));
  EXPECT_THAT(lines, Contains(HasSubstr("node-c:port1  no counters from node-c: ssh: connect")));
  EXPECT_THAT(lines, Contains(HasSubstr("without 1 cable")));
}

TEST(LiveLine, TellsOneCable) {
  EXPECT_EQ(live_line(one_cable().cables[0]),
            "link0  node-a:port0  TX 82.4 Gbit/s (peak 94.9), RX 85.6 Gbit/s (peak 85.6)");
  EXPECT_EQ(live_totals_line(one_cable()),
            "all cables  TX 82.4 Gbit/s (peak 94.9), RX 85.6 Gbit/s (peak 85.6), full duplex 168.0 Gbit/s "
            "(peak 180.5)");
}

}  // namespace
}  // namespace rigproof
