#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "framework/judge/judged_run.h"
#include "framework/units/quantity.h"
#include "reports/terminal/time_left.h"

namespace rigproof::terminal {

// State of a running run, or of an external load: numbers only. live_frame() draws it.

// One direction: the last second, and the highest second so far.
struct LiveRate {
  DataRate now = DataRate::bits_per_second(0), peak = DataRate::bits_per_second(0);
};

// A cable, seen from one of its ports.
struct LiveCable {
  std::string link;     // "link0"
  std::string port;     // "node-a:port0"; TX is what this port sends
  std::string far_end;  // "node-b:port0", or the switch
  DataRate rate;        // full length of the bar
  LiveRate tx, rx;
  std::string no_counters;  // not empty: "no counters from node-a: REASON", and no rates
};

struct LiveVerdict {
  judge::Status status;
  std::string text;  // case_line() without colour
};

// True for a verdict that stays on the screen while passed cases scroll away.
[[nodiscard]] bool stays(const LiveVerdict& verdict);

// Includes iterations, but not void attempts.
struct LiveCounts {
  std::size_t cases = 0, ended = 0;
  std::size_t passed = 0, recorded = 0, waived = 0, not_proven = 0, failed = 0, errors = 0;
  std::vector<SuiteProgress> suites;
};

struct LiveRun {
  std::string suite, test, phase;  // running now; of several the one that began last
  LiveCounts counts;
  std::chrono::seconds elapsed{0};
  std::optional<std::chrono::seconds> left;
  std::vector<LiveVerdict> verdicts;  // newest last
};

struct LiveState {
  std::string title;           // "rig model-rig (model), profile smoke"
  std::optional<LiveRun> run;  // nullopt: only the cables are watched
  std::vector<LiveCable> cables;
  LiveRate tx, rx, duplex;  // of all cables together
  std::string footer;       // the last line; can be empty
};

struct LiveStyle {
  std::size_t width, height;  // of the terminal, in characters
  bool colour, unicode;
};

// The lines of one screen: at most `height`, none wider than `width`, without newlines. If space is short, bars shrink
// first, then each cable gets one line, then cables are left out and counted. Pure.
[[nodiscard]] std::vector<std::string> live_frame(const LiveState& state, const LiveStyle& style);

// "link0  node-a:port0 TX 1.62 Gbit/s (peak 1.96), RX 0.03 Gbit/s (peak 1.87)": one cable for output without a screen.
[[nodiscard]] std::string live_line(const LiveCable& cable);
// "all cables  TX 1.62 Gbit/s (peak 1.96), RX ..., full duplex ...".
[[nodiscard]] std::string live_totals_line(const LiveState& state);

}  // namespace rigproof::terminal
