// The limits for any hosts with RoCE NICs, on hosts of other rates than Sparks.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "framework/judge/judgement.h"
#include "framework/limits/limit_table.h"
#include "framework/rig/subjects.h"

namespace rigproof {
namespace {

using judge::Verdict;

LimitTable table_in(const std::string& name) {
  return LimitTable::load({RIGPROOF_SOURCE_DIR "/thresholds/" + name}, Profile::kStandard,
                          rig_fact_dimensions());
}
const LimitTable& host_limits() {
  static const LimitTable table = table_in("roce-hosts.toml");
  return table;
}

// The example rig, with other words.
Rig hosts(const std::vector<std::pair<std::string, std::string>>& words = {}) {
  std::ifstream file(RIGPROOF_SOURCE_DIR "/tests/rig/roce_hosts_pair.toml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const auto& [from, to] : words)
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  return read_rig(toml::Document::parse(text, "hosts.toml"));
}

Verdict verdict_on(const char* id, double gigabits, const Rig& rig) {
  const RailPath rail = every_rail_path(rig).front();
  return judge::judge(*host_limits().find(id), {Dimension::kDataRate, {gigabits * 1e9}}, rail.facts())
      .verdict;
}

// Figures of a pair of 8 x H100 with 400G, of a bond of two ports of 200G, and of a 400G port that carries a quarter.
TEST(RoceHostLimits, JudgeAHalfByItsRateWhateverThatIs) {
  const Rig at400 = hosts();
  EXPECT_EQ(verdict_on("rdma.write.rate.half", 391.8, at400), Verdict::kPass);
  EXPECT_EQ(verdict_on("rdma.write.rate.one_queue_pair", 392.1, at400), Verdict::kPass);
  EXPECT_EQ(verdict_on("rdma.write.rate.half", 101, at400), Verdict::kFail);
  EXPECT_EQ(verdict_on("rdma.write.rate.half", 399, at400), Verdict::kFail) << "more than the wire";
  const Rig at25 = hosts({{"400 Gbit/s", "25 Gbit/s"}});
  EXPECT_EQ(verdict_on("rdma.write.rate.half", 24.4, at25), Verdict::kPass);
  EXPECT_EQ(verdict_on("rdma.write.rate.half", 20, at25), Verdict::kFail);
  EXPECT_EQ(verdict_on("tcp.rate.half", 24.7, at25), Verdict::kPass);
}

// At MTU 1500 the wire has room for 92.6 % of RDMA's payload and 94.1 % of TCP's: 95 % of the rate would fail a sound half.
TEST(RoceHostLimits, FollowTheMtuOfTheRigFile) {
  const Rig usual = hosts({{"9000 B", "1500 B"}, {"400 Gbit/s", "100 Gbit/s"}});
  EXPECT_EQ(verdict_on("rdma.write.rate.half", 92.4, usual), Verdict::kPass);
  EXPECT_EQ(verdict_on("rdma.write.rate.half", 87, usual), Verdict::kFail);
  EXPECT_EQ(verdict_on("tcp.rate.half", 94, usual), Verdict::kPass);
  EXPECT_EQ(verdict_on("tcp.rate.half", 95, usual), Verdict::kFail) << "more than the wire";
  const Rig jumbo = hosts({{"400 Gbit/s", "100 Gbit/s"}});
  EXPECT_EQ(verdict_on("rdma.write.rate.half", 92.4, jumbo), Verdict::kFail) << "path MTU 1024";
}

TEST(RoceHostLimits, BoundNoRateByAFigureOfItsOwn) {
  for (const char* name : {"roce-hosts.toml", "roce-hosts-gpu.toml"}) {
    const LimitTable table = table_in(name);
    for (const Limit& limit : table.limits())
      for (const auto& bound : {limit.at_least, limit.at_most, limit.equals, limit.marginal})
        EXPECT_FALSE(limit.dimension == Dimension::kDataRate && bound &&
                     std::holds_alternative<Quantity>(bound->value))
            << to_text(limit.where) << ": " << limit.id;
  }
}

// What is measured on hardware has a limit in the Sparks' file; without one here it would be an error on other hosts.
TEST(RoceHostLimits, LeaveNothingThatIsMeasuredWithoutALimit) {
  const LimitTable sparks = table_in("dgx-spark-pair.toml");
  for (const Limit& limit : sparks.limits()) {
    const bool is_read = limit.id.starts_with("preflight.") || limit.id.starts_with("switch.") ||
                         limit.id.starts_with("load.");  // a fact or a counter: listed without a limit
    EXPECT_TRUE(is_read || host_limits().find(limit.id) != nullptr) << limit.id;
  }
}

// Catches: a host without a GPU that owes what only a GPU can show. GPUs and a class of service that the rig file states are
// owed: their cases exist on such rigs only.
TEST(RoceHostLimits, RequireNothingOfAGpu) {
  for (const Limit& limit : host_limits().limits()) {
    if (limit.id == "preflight.gpus" || limit.id == "preflight.nccl.class") continue;
    const bool is_of_gpu = limit.id.find("gpu") != std::string::npos ||
                           limit.id.find("nccl") != std::string::npos ||
                           limit.id.find("cuda") != std::string::npos;
    EXPECT_FALSE(is_of_gpu && limit.is_required()) << to_text(limit.where) << ": " << limit.id;
  }
}

}  // namespace
}  // namespace rigproof
