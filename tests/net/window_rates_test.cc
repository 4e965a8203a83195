#include "fixtures/net/load_window.h"

#include <gmock/gmock.h>

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;
using testing::DoubleNear;
using testing::ElementsAre;

const Clock::time_point kOrigin = Clock::time_point(100s);
const LoadWindow kWindow{.warm_up = 100ms, .window = 200ms, .intervals = 2};

std::vector<double> bytes_per_second(const WindowRates& window) {
  std::vector<double> rates;
  const Samples<DataRate> samples = window.rates();
  for (const DataRate rate : samples.values()) rates.push_back(rate.bytes_per_second());
  return rates;
}

// A message each 30 ms: 3 or 4 end in an interval of 100 ms, and both are the same rate.
TEST(WindowRates, ALumpCountsNeitherTwiceNorHalf) {
  WindowRates window(kWindow, kOrigin);
  for (auto at = 30ms; at < 500ms; at += 30ms) window.add(DataSize::bytes(3000), kOrigin + at);
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(100'000, 1e-3), DoubleNear(100'000, 1e-3)));
}

TEST(WindowRates, WhatComesBeforeOrLaterCountsForWhatItLasts) {
  WindowRates window(kWindow, kOrigin);
  window.add(DataSize::bytes(1'000'000), kOrigin + 50ms);  // before the window
  window.add(DataSize::bytes(1000), kOrigin + 150ms);      // half of its time
  window.add(DataSize::bytes(3000), kOrigin + 450ms);      // 50, 100 and 150 ms of its time
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(10'000, 1e-3), DoubleNear(10'000, 1e-3)));
}

// Catches: the silence behind an early end taken for an outage, and a half interval for a slow one.
TEST(WindowRates, ACutWindowHasItsWholeIntervalsOnly) {
  WindowRates window({.warm_up = 100ms, .window = 10s, .intervals = 100}, kOrigin);
  for (auto at = 30ms; at < 360ms; at += 30ms) window.add(DataSize::bytes(3000), kOrigin + at);
  window.cut(kOrigin + 350ms);
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(100'000, 1e-3), DoubleNear(100'000, 1e-3)));
  const WindowRates* const part = &window;
  EXPECT_EQ(series_of({&part, 1}).longest_gap.count(), 0);
}

TEST(WindowRates, OneMessageSlowerThanTheWindowIsARateToo) {
  WindowRates window(kWindow, kOrigin);
  window.add(DataSize::bytes(8000), kOrigin + 800ms);
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(10'000, 1e-3), DoubleNear(10'000, 1e-3)));
}

TEST(WindowRates, AfterTheLastCompletionNothingWasCarried) {
  WindowRates window(kWindow, kOrigin);
  window.add(DataSize::bytes(2000), kOrigin + 200ms);
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(10'000, 1e-3), 0));
}

// Two completions late and at once: the first has the time that they took, the second none of its own.
TEST(WindowRates, CompletionsAtOnceAreCounted) {
  WindowRates window(kWindow, kOrigin);
  window.add(DataSize::bytes(1), kOrigin + 100ms);
  window.add(DataSize::bytes(1000), kOrigin + 150ms);
  window.add(DataSize::bytes(1000), kOrigin + 150ms);
  EXPECT_THAT(bytes_per_second(window), ElementsAre(DoubleNear(20'000, 1), 0));
}

}  // namespace
}  // namespace rigproof::net
