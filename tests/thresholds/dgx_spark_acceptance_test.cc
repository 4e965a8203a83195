// The figures that an acceptance requires: pairs that published them pass, and pairs that are sound by dgx-spark-pair.toml and
// did not reach them fail.
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "framework/judge/judgement.h"
#include "framework/limits/limit_table.h"
#include "framework/limits/weakened.h"
#include "framework/rig/subjects.h"

namespace rigproof {
namespace {

LimitTable loaded(const std::vector<std::filesystem::path>& files) {
  return LimitTable::load(files, Profile::kAcceptance, rig_fact_dimensions());
}

const std::filesystem::path kPair = RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-pair.toml";
const std::filesystem::path kAcceptance = RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-acceptance.toml";

Quantity rate(double gigabits) { return to_quantity(DataRate::gigabits_per_second(gigabits)); }
Quantity busbw(double gigabytes) { return rate(8 * gigabytes); }
Quantity microseconds(double value) { return {Dimension::kTime, value * 1e-6}; }

struct Required {
  const char* id;
  Quantity reached, missed;
};

TEST(SparkAcceptance, RequiresWhatTunedPairsHavePublished) {
  const Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  const LimitTable pair = loaded({kPair}), acceptance = loaded({kPair, kAcceptance});
  const Facts facts = every_port_path(rig)[0].facts();
  for (const auto& [id, reached, missed] :
       std::vector<Required>{{"tcp.round_trip", microseconds(282), microseconds(1100)},
                             {"tcp.rate.port", rate(177), rate(160)},
                             {"tcp.rate.node", rate(171), rate(160)},
                             {"rdma.write.latency.switched", microseconds(1.9), microseconds(2.5)},
                             {"rdma.write.rate.port", rate(196.1), rate(185.2)},
                             {"rdma.write.rate.node", rate(192), rate(185.2)},
                             {"rdma.cpu_busy", {Dimension::kRatio, 0.0507}, {Dimension::kRatio, 0.1}},
                             {"collective.nccl.busbw.all_gather", busbw(16), busbw(15.2)},
                             {"collective.nccl.busbw.all_gather.large", busbw(22.16), busbw(18.94)},
                             {"collective.nccl.busbw.all_reduce.large", busbw(23.75), busbw(21.95)},
                             {"phy.collective.nccl_peak", rate(84), rate(70)}}) {
    const auto judged_by = [&, &id = id](const LimitTable& limits, Quantity value) {
      return judge::judge(*limits.find(id), {value.dimension, {value.value}}, facts).verdict;
    };
    EXPECT_EQ(judged_by(acceptance, reached), judge::Verdict::kPass) << id;
    EXPECT_EQ(judged_by(acceptance, missed), judge::Verdict::kFail) << id;
    EXPECT_NE(judged_by(pair, missed), judge::Verdict::kFail) << id << " is no fault of a sound pair";
  }
}

// t_avg of ib_write_lat is a mean: slow messages that leave the median as it is count.
TEST(SparkAcceptance, TakesTheMeanOfALatency) {
  SampleSet samples{Dimension::kTime, std::vector<double>(96, 1.9e-6)};
  samples.values.insert(samples.values.end(), 4, 9e-6);
  const auto judged_by = [&](const std::vector<std::filesystem::path>& files) {
    return judge::judge(*loaded(files).find("rdma.write.latency"), samples, {}).verdict;
  };
  EXPECT_EQ(judged_by({kPair}), judge::Verdict::kPass);
  EXPECT_EQ(judged_by({kPair, kAcceptance}), judge::Verdict::kFail);
}

TEST(SparkAcceptance, WeakensNothing) {
  const Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  for (const Weakened& one :
       weakened_limits({toml::Document::load(kPair), toml::Document::load(kAcceptance)}, Profile::kAcceptance,
                       rig_fact_dimensions(), {every_port_path(rig)[0].facts()}))
    ADD_FAILURE() << to_text(one);
}

}  // namespace
}  // namespace rigproof
