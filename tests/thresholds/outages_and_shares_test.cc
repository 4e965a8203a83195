// Every thresholds file that judges a rate judges how it came to be: traffic that stops for 0.6 s in every 2 s, and a sum
// whose paths carry 177 + 0 or 126 + 44, are red though the median and the sum are right. Catches: a file that forgets a
// limit of a suite, a bound that lets such a rig pass.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "framework/judge/judgement.h"
#include "framework/limits/limit_table.h"
#include "framework/rig/rig.h"
#include "framework/stats/rate_series.h"

namespace rigproof {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Thresholds that judge rates of these suites.
const std::map<std::string, std::vector<std::string>> kSuites = {
    {"dgx-spark-pair", {"tcp", "rdma", "collective", "redundancy"}},
    {"model-rig", {"tcp", "collective", "redundancy"}},
    {"roce-vm-rig", {"rdma", "collective"}}};

bool is_red(const LimitTable& limits, const std::string& id, const SampleSet& samples) {
  const Limit* limit = limits.find(id);
  if (limit == nullptr) throw std::runtime_error("no limit " + id);
  return judge::judge(*limit, samples, {}).verdict == judge::Verdict::kFail;
}
bool is_red(const LimitTable& limits, const std::string& id, Dimension dimension, double value) {
  return is_red(limits, id, SampleSet{dimension, {value}});
}

void for_each_suite(const std::function<void(const LimitTable&, const std::string& suite)>& look) {
  for (const auto& [file, suites] : kSuites)
    for (const Profile profile : {Profile::kSmoke, Profile::kStandard, Profile::kAcceptance}) {
      const LimitTable limits = LimitTable::load(
          {fs::path(RIGPROOF_SOURCE_DIR "/thresholds") / (file + ".toml")}, profile, rig_fact_dimensions());
      for (const std::string& suite : suites) {
        SCOPED_TRACE(fmt::format("{}, profile {}, {}", file, name(profile), suite));
        look(limits, suite);
      }
    }
}

// Intervals of 100 ms, of 10 ms steps, each two seconds' last 0.6 s without a byte.
RateSeries stopped_now_and_then() {
  RateSeries series({.warm_up = 0ms, .window = 10s, .intervals = 100}, {});
  RateSeries::Time at{};
  for (int step = 0; step < 1000; ++step)
    series.add(DataSize::bytes(step % 200 < 140 ? 1000 : 0), at += 10ms);
  return series;
}

// The same with 55 % of the rate in the last 0.7 s of each two seconds.
RateSeries slow_now_and_then() {
  RateSeries series({.warm_up = 0ms, .window = 10s, .intervals = 100}, {});
  RateSeries::Time at{};
  for (int step = 0; step < 1000; ++step)
    series.add(DataSize::bytes(step % 200 < 130 ? 1000 : 550), at += 10ms);
  return series;
}

std::vector<double> shares(double first, double second) {
  const auto path = [](double carried) {
    RateSeries series({.warm_up = 0ms, .window = 1s, .intervals = 1}, {});
    series.add(DataSize::bytes(static_cast<std::uint64_t>(carried * 1e9 / 8)), RateSeries::Time(1s));
    series.may_carry = DataRate::gigabits_per_second(100);
    return series;
  };
  return shares_of(std::vector{path(first), path(second)});
}

TEST(Outages, AreRedThoughTheMedianIsRight) {
  const RateSeries series = stopped_now_and_then();
  ASSERT_NEAR(series.median(), 800'000, 1);
  for_each_suite([&](const LimitTable& limits, const std::string& suite) {
    EXPECT_TRUE(is_red(limits, suite + ".worst_interval", of_median(series.intervals())));
    EXPECT_TRUE(is_red(limits, suite + ".longest_gap", Dimension::kTime, series.longest_gap().count()));
    EXPECT_FALSE(is_red(limits, suite + ".longest_gap", Dimension::kTime, 0.03));
  });
}

// No interval of these is an outage. Catches: a half that is slow for a third of the time.
TEST(Dips, AreRedThoughTheMedianAndTheWorstIntervalAreRight) {
  const RateSeries series = slow_now_and_then();
  ASSERT_NEAR(series.median(), 800'000, 1);
  for (const auto& [file, suites] :
       {std::pair<std::string, std::vector<std::string>>{"dgx-spark-pair", {"tcp", "rdma", "redundancy"}},
        {"model-rig", {"tcp", "redundancy"}}})
    for (const std::string& suite : suites) {
      const LimitTable limits =
          LimitTable::load({fs::path(RIGPROOF_SOURCE_DIR "/thresholds") / (file + ".toml")},
                           Profile::kStandard, rig_fact_dimensions());
      EXPECT_TRUE(is_red(limits, suite + ".worst_interval", of_median(series.intervals()))) << file << suite;
      EXPECT_FALSE(is_red(limits, suite + ".worst_interval",
                          {Dimension::kRatio, {1, 0.98, 1.01, 1, 0.8, 1, 1, 1, 1, 1, 1, 1}}))
          << file << suite;
    }
}

TEST(Shares, OfARightSumAreRed) {
  for_each_suite([&](const LimitTable& limits, const std::string& suite) {
    EXPECT_TRUE(is_red(limits, suite + ".share", Dimension::kRatio, shares(177, 0)[1]));
    EXPECT_TRUE(is_red(limits, suite + ".share", Dimension::kRatio, shares(126, 44)[1]));
    EXPECT_FALSE(is_red(limits, suite + ".share", Dimension::kRatio, shares(92.57, 97.28)[0]));
  });
}

// MPI and NCCL by port and by half: what the suite phy makes of the ports' own counters.
TEST(Shares, OfACollectiveAreRed) {
  for (const char* file : {"dgx-spark-pair", "model-rig"}) {
    const LimitTable limits =
        LimitTable::load({fs::path(RIGPROOF_SOURCE_DIR "/thresholds") / (file + std::string(".toml"))},
                         Profile::kSmoke, rig_fact_dimensions());
    for (const std::string id : {"phy.collective.port_share", "phy.collective.half_share"})
      for (const auto& [first, second] : {std::pair{177.0, 0.0}, std::pair{126.0, 44.0}}) {
        SCOPED_TRACE(fmt::format("{}: {} of {} + {}", file, id, first, second));
        EXPECT_TRUE(is_red(limits, id, Dimension::kRatio, shares(first, second)[0]));
        EXPECT_TRUE(is_red(limits, id, Dimension::kRatio, shares(first, second)[1]));
      }
  }
}

}  // namespace
}  // namespace rigproof
