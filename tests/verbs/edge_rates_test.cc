#include "fixtures/verbs/edge_rates.h"

#include <gtest/gtest.h>

namespace rigproof {
namespace {

using namespace std::chrono_literals;

const Clock::time_point kOrigin = Clock::time_point(100s);
const RdmaWindow kWindow{.warm_up = 100ms, .window = 200ms, .intervals = 2};

std::vector<double> bytes_per_second(const EdgeRates& edges) {
  std::vector<double> rates;
  const Samples<DataRate> samples = edges.rates();
  for (const DataRate rate : samples.values()) rates.push_back(rate.bytes_per_second());
  return rates;
}

// A message each 30 ms: 3 or 4 end in an interval of 100 ms, and both are the same rate.
TEST(EdgeRates, ALumpCountsNeitherTwiceNorHalf) {
  EdgeRates edges(kWindow, kOrigin);
  for (auto at = 30ms; at < 500ms; at += 30ms) edges.add(DataSize::bytes(3000), kOrigin + at);
  for (const double rate : bytes_per_second(edges)) EXPECT_NEAR(rate, 100'000, 1e-6);
  EXPECT_NEAR(edges.mean().bytes_per_second(), 100'000, 1e-6);
}

TEST(EdgeRates, WarmUpAndWhatComesLateCountNothing) {
  EdgeRates edges(kWindow, kOrigin);
  edges.add(DataSize::bytes(1'000'000), kOrigin + 50ms);
  edges.add(DataSize::bytes(1'000'000), kOrigin + 300ms);
  EXPECT_EQ(bytes_per_second(edges), (std::vector<double>{0, 0}));
  EXPECT_EQ(edges.mean().bits_per_second(), 0);
}

TEST(EdgeRates, AnIntervalWithoutACompletionIsZeroAndTheNextPaysForIt) {
  EdgeRates edges(kWindow, kOrigin);
  edges.add(DataSize::bytes(1), kOrigin + 100ms - 1ns);
  edges.add(DataSize::bytes(2000), kOrigin + 250ms);
  const auto rates = bytes_per_second(edges);
  EXPECT_EQ(rates[0], 0);
  EXPECT_NEAR(rates[1], 2000 / 0.150, 1);
}

}  // namespace
}  // namespace rigproof
