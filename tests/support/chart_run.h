#pragma once

#include <chrono>
#include <cmath>

#include "tests/support/story.h"

namespace rigproof {

inline constexpr const char* kChartLimits = R"(
[[limit]]
id = "tcp.rate.sweep"
at_least = "0.9 Gbit/s"
at_most = "1.05 Gbit/s"
marginal = "0.94 Gbit/s"
basis = { kind = "measured", source = "this rig, 20 runs", quote = "0.978 Gbit/s from 64 KiB on" }
remedy.check = "look at the small sizes first"

[[limit]]
id = "tcp.round_trip"
at_most = "300 us"
statistic = "p99"
basis = { kind = "policy", source = "the tests", quote = "under 300 us" }
remedy.check = "look for a CPU in a deep idle state"
)";

inline judge::JudgedMeasurement sweep_point(const std::string& node, int power) {
  const double size = std::pow(2, power), rate = 1e9 * size / (size + 6000);
  const bool good = rate >= 0.9e9;
  judge::JudgedMeasurement m =
      judged("tcp.rate.sweep", good ? judge::Verdict::kPass : judge::Verdict::kFail, rate, rate / 0.9e9 - 1);
  m.node = node;
  m = with_axis(std::move(m), record::at(Quantity{Dimension::kDataSize, size}));
  m.samples.values = {rate * 0.99, rate, rate * 1.01};
  m.judgement.limit = ">= 0.9 Gbit/s and <= 1.05 Gbit/s";
  m.judgement.bounds = {.at_least = 0.9e9, .at_most = 1.05e9, .marginal = 0.94e9};
  m.judgement.reason = good ? "" : "misses";
  return m;
}

inline judge::JudgedMeasurement port_series(const std::string& node, const std::string& way) {
  judge::JudgedMeasurement m = recorded("phy.rate");
  m.node = node;
  m.detail = node + ":port0 " + way;
  m = with_axis(std::move(m), record::every(std::chrono::milliseconds(100)));
  m.samples.values.clear();
  for (int tick = 0; tick < 60; ++tick)
    m.samples.values.push_back(tick > 20 && tick < 24 && way == "tx" ? 0.2e9 : 1.9e9 + 3e7 * std::sin(tick));
  return m;
}

inline judge::JudgedMeasurement round_trips(const std::string& node) {
  judge::JudgedMeasurement m = judged("tcp.round_trip", judge::Verdict::kPass, 180e-6, 0.4);
  m.node = node;
  m.samples = {Dimension::kTime, {}};
  m.unit = "us";
  m.statistic = Statistic::kP99;
  m.judgement.limit = "<= 300 us";
  m.judgement.bounds = {.at_most = 300e-6};
  for (int probe = 1; probe < 1000; ++probe)
    m.samples.values.push_back(80e-6 - 15e-6 * std::log(1 - probe / 1000.0) + (node == "node-b" ? 6e-6 : 0));
  return m;
}

// A run with all that a chart can be made of.
inline Story chart_run() {
  Story story(kChartLimits);
  story.launch().plan({"Rail/Sweep.Fills/rail0", "Port/Bytes.Agree/port0", "Rail/RoundTrip.IsQuick/rail0"});
  std::vector<judge::JudgedMeasurement> sweep;
  for (const char* node : {"node-a", "node-b"})
    for (int power = node == std::string("node-a") ? 12 : 14; power <= 24; power += 2)
      sweep.push_back(sweep_point(node, power));
  story.run(ending("Rail/Sweep.Fills/rail0", sweep));
  story.run(
      ending("Port/Bytes.Agree/port0", {good(), port_series("node-a", "tx"), port_series("node-a", "rx"),
                                        port_series("node-b", "tx"), port_series("node-b", "rx")}));
  story.run(ending("Rail/RoundTrip.IsQuick/rail0", {round_trips("node-a"), round_trips("node-b")}));
  return std::move(story.done().add(record::RunEnded{30}));
}

}  // namespace rigproof
