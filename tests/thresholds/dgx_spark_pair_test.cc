// The limits for two Sparks against figures that sound and unsound Sparks have shown.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "framework/judge/judgement.h"
#include "framework/limits/limit_table.h"
#include "framework/rig/subjects.h"

namespace rigproof {
namespace {

const Rig& sparks() {
  static const Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  return rig;
}

const LimitTable& limits() {
  static const LimitTable table = LimitTable::load({RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-pair.toml"},
                                                   Profile::kStandard, rig_fact_dimensions());
  return table;
}

judge::Verdict verdict(const char* id, Quantity value, const Subject& subject) {
  return judge::judge(*limits().find(id), {value.dimension, {value.value}}, subject.facts()).verdict;
}

Quantity gigabits(double value) { return to_quantity(DataRate::gigabits_per_second(value)); }

TEST(SparkPairLimits, EveryOneCanBeJudgedForEverySubject) {
  for (const auto& [name, subject] : every_subject(sparks())) {
    for (const Limit& limit : limits().limits()) {
      if (limit.rule) continue;  // judges texts, whatever the subject
      EXPECT_NE(verdict(limit.id.c_str(), {limit.dimension, 1}, subject), judge::Verdict::kError)
          << limit.id << " " << name;
    }
  }
}

TEST(SparkPairLimits, AHalfGives98Gigabits) {
  const RailPath rail = every_rail_path(sparks())[0];
  EXPECT_EQ(verdict("tcp.rate.half", gigabits(98), rail), judge::Verdict::kPass);
  EXPECT_EQ(verdict("tcp.rate.half", gigabits(96.2), rail), judge::Verdict::kMarginal);
  EXPECT_EQ(verdict("tcp.rate.half", gigabits(49), rail), judge::Verdict::kFail);
  EXPECT_EQ(verdict("tcp.rate.half", gigabits(190), rail), judge::Verdict::kFail);
}

TEST(SparkPairLimits, APortGives177GigabitsByBothHalves) {
  const PortPath port = every_port_path(sparks())[0];
  EXPECT_EQ(verdict("tcp.rate.port", gigabits(177), port), judge::Verdict::kPass);
  EXPECT_EQ(verdict("tcp.rate.port", gigabits(98), port), judge::Verdict::kFail);
  EXPECT_EQ(verdict("tcp.rate.port", gigabits(199), port), judge::Verdict::kFail);
}

TEST(SparkPairLimits, ASecondCableAddsNothingToTcp) {
  const NodePath node = every_node_path(sparks())[0];
  EXPECT_EQ(verdict("tcp.rate.node", gigabits(171), node), judge::Verdict::kPass);
  EXPECT_EQ(verdict("tcp.rate.node", gigabits(98), node), judge::Verdict::kFail);
}

// A pre-emption of a millisecond in 1,000 messages is no slow link. The mean of these is 2.6 us, above the limit.
TEST(SparkPairLimits, OnePreemptionDoesNotMoveALatency) {
  const RailPath rail = every_rail_path(sparks())[0];
  const auto latency = [&](std::size_t slow, double slow_us) {
    std::vector<double> seconds(1000, 1.6e-6);
    std::fill_n(seconds.begin(), slow, slow_us * 1e-6);
    const SampleSet samples{Dimension::kTime, std::move(seconds)};
    return judge::judge(*limits().find("rdma.write.latency"), samples, rail.facts()).verdict;
  };
  EXPECT_EQ(latency(1, 1000), judge::Verdict::kPass);
  EXPECT_EQ(latency(600, 2.4), judge::Verdict::kFail);
}
// Below five times the median no message is an outlier.
TEST(SparkPairLimits, TwoKindsOfMessageAreNoSoundLatency) {
  const RailPath rail = every_rail_path(sparks())[0];
  const auto latency = [&](std::size_t slow, double times) {
    std::vector<double> seconds(1000, 1.5e-6);
    std::fill_n(seconds.begin(), slow, times * 1.5e-6);
    return judge::judge(*limits().find("rdma.write.latency"), {Dimension::kTime, std::move(seconds)},
                        rail.facts())
        .verdict;
  };
  EXPECT_EQ(latency(490, 4.9), judge::Verdict::kFail);
  EXPECT_EQ(latency(150, 4.9), judge::Verdict::kFail);
  EXPECT_EQ(latency(50, 1.5), judge::Verdict::kPass);
}
// The sources of the rates show means.
TEST(SparkPairLimits, ARateHoldsInTheMeanToo) {
  const RailPath rail = every_rail_path(sparks())[0];
  for (const char* id : {"tcp.rate.half", "rdma.write.rate.half", "rdma.send.rate.half"}) {
    const auto verdict_of = [&](double slow) {
      std::vector<double> rates(20, 100e9);
      std::fill_n(rates.begin(), 9, slow * 1e9);
      return judge::judge(*limits().find(id), {Dimension::kDataRate, std::move(rates)}, rail.facts()).verdict;
    };
    EXPECT_EQ(verdict_of(51), judge::Verdict::kFail) << id;
    EXPECT_EQ(verdict_of(98), judge::Verdict::kPass) << id;
  }
}

TEST(SparkPairLimits, APortThatNegotiated100GigabitsIsAFault) {
  const HalfSubject half = every_half(sparks())[0];
  EXPECT_EQ(verdict("preflight.rate", gigabits(200), half), judge::Verdict::kPass);
  EXPECT_EQ(verdict("preflight.rate", gigabits(100), half), judge::Verdict::kFail);
}

TEST(SparkPairLimits, AnMtuOf1500IsAFault) {
  const HalfSubject half = every_half(sparks())[0];
  EXPECT_EQ(verdict("preflight.mtu", to_quantity(DataSize::bytes(9000)), half), judge::Verdict::kPass);
  EXPECT_EQ(verdict("mtu.path", to_quantity(DataSize::bytes(1500)), half), judge::Verdict::kFail);
  EXPECT_EQ(verdict("phy.packet_size", to_quantity(DataSize::bytes(1518)), half), judge::Verdict::kFail);
  EXPECT_EQ(verdict("phy.packet_size", to_quantity(DataSize::bytes(9018)), half), judge::Verdict::kPass);
}

// What the suites report is held against the framing of the rig file's MTU, so that one limit fits all.
TEST(SparkPairLimits, AnMtuOf1500ThatTheRigFileAsksForIsNone) {
  for (const std::uint64_t mtu : {1500U, 9000U, 9216U}) {
    const Facts facts{{"half.mtu", to_quantity(DataSize::bytes(mtu))}};
    const auto is = [&](const char* id, Quantity value) {
      return judge::judge(*limits().find(id), {value.dimension, {value.value}}, facts).verdict;
    };
    EXPECT_EQ(is("preflight.mtu", to_quantity(DataSize::bytes(mtu))), judge::Verdict::kPass) << mtu;
    EXPECT_EQ(is("phy.packet_size", to_quantity(DataSize::bytes(mtu))), judge::Verdict::kPass) << mtu;
    EXPECT_EQ(is("phy.packet_size", to_quantity(DataSize::bytes(mtu + 4))), judge::Verdict::kPass)
        << mtu << ", with a VLAN tag";
    EXPECT_EQ(is("phy.packet_size", to_quantity(DataSize::bytes(mtu / 10 * 9))), judge::Verdict::kFail)
        << mtu;
    EXPECT_EQ(is("switch.l2mtu", to_quantity(DataSize::bytes(mtu))), judge::Verdict::kPass) << mtu;
    EXPECT_EQ(is("switch.l2mtu", to_quantity(DataSize::bytes(mtu - 1))), judge::Verdict::kFail) << mtu;
  }
}

// Catches: half of the path MTU that a rail of 4200 B has room for, passed; all of it, a fault on a rail of 9500 B.
TEST(SparkPairLimits, RdmasPacketsAreTheLargestThatTheRigFilesMtuHasRoomFor) {
  for (const auto& [mtu, path_mtu] :
       {std::pair(1500U, 1024U), std::pair(2200U, 2048U), std::pair(4200U, 4096U), std::pair(9000U, 4096U),
        std::pair(9500U, 4096U), std::pair(9978U, 4096U)}) {
    const DataSize room = roce_path_mtu(DataSize::bytes(mtu));
    EXPECT_EQ(room, DataSize::bytes(path_mtu)) << mtu;
    const Facts facts{{"half.path_mtu", to_quantity(room)}};
    const auto is = [&](const char* id, std::uint64_t bytes) {
      return judge::judge(*limits().find(id), {Dimension::kDataSize, {static_cast<double>(bytes)}}, facts)
          .verdict;
    };
    EXPECT_EQ(is("preflight.rdma.active_mtu", path_mtu), judge::Verdict::kPass) << mtu;
    EXPECT_EQ(is("preflight.rdma.active_mtu", path_mtu / 2), judge::Verdict::kFail) << mtu;
    EXPECT_EQ(is("rdma.wire_packet", path_mtu + 63), judge::Verdict::kPass) << mtu;
    EXPECT_EQ(is("rdma.wire_packet", path_mtu / 2 + 63), judge::Verdict::kFail) << mtu;
  }
}

TEST(SparkPairLimits, ASwitchPortRunsAtTheRateOfTheRigFile) {
  for (const double rate : {100, 200}) {
    const Facts facts{{"port.rate", gigabits(rate)}};
    const auto is = [&](double value) {
      return judge::judge(*limits().find("switch.rate"), {Dimension::kDataRate, {value * 1e9}}, facts)
          .verdict;
    };
    EXPECT_EQ(is(rate), judge::Verdict::kPass);
    EXPECT_EQ(is(rate / 2), judge::Verdict::kFail);
  }
}

// What sound pairs do without, or the tool itself decides: shown, and no verdict depends on it.
TEST(SparkPairLimits, LeaveToAdviceInWhatSoundPairsDiffer) {
  const LimitTable tuned = LimitTable::load({RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-pair.toml",
                                             RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-tuned.toml"},
                                            Profile::kStandard, rig_fact_dimensions());
  for (const char* id :
       {"preflight.same.kernel", "preflight.same.os", "preflight.same.bios", "preflight.same.nic_firmware",
        "preflight.same.gpu_driver", "preflight.same.cuda", "switch.differences"}) {
    ASSERT_NE(tuned.find(id), nullptr) << id;
    EXPECT_TRUE(limits().find(id)->is_advice()) << id;
    EXPECT_TRUE(tuned.find(id)->is_required()) << id;
  }
  for (const char* id : {"host.steady", "phy.sampler.cpu", "preflight.address.others"}) {
    ASSERT_NE(limits().find(id), nullptr) << id;
    EXPECT_TRUE(limits().find(id)->is_advice()) << id;
  }
}

// Cables of 100 Gbit/s by choice, as the rig file says: what they can't give is asked of them by nobody, what they can by the
// file for them. Of cables of 200 Gbit/s that file asks no less.
TEST(SparkPairLimits, AskOf100GigabitCablesWhatTheyCanGive) {
  const std::vector<std::filesystem::path> both{RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-pair.toml",
                                                RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-100g.toml"};
  std::ifstream file(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_one_cable.toml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"rate = \"100 Gbit/s\"", "rate = \"50 Gbit/s\""},
        {"rate = \"200 Gbit/s\"", "rate = \"100 Gbit/s\""}})
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
      text.replace(at, from.size(), to);
  const Rig rig = read_rig(toml::Document::parse(text, "100g"));
  ASSERT_EQ(rig.port(PortRef{0, 0}).rate, DataRate::gigabits_per_second(100));
  const LimitTable table = LimitTable::load(both, Profile::kAcceptance, rig_fact_dimensions());
  for (const auto& [name, subject] : every_subject(rig))
    for (const Limit& limit : table.limits()) {
      if (limit.rule) continue;
      EXPECT_NE(judge::judge(limit, {limit.dimension, {1.0}}, subject.facts()).verdict,
                judge::Verdict::kError)
          << limit.id << " " << name;
    }
  const auto is = [&](const char* id, double value, double rate) {
    const Facts facts{{"port.rate", gigabits(rate)}, {"node.rate", gigabits(rate)}};
    return judge::judge(*table.find(id), {Dimension::kDataRate, {value * 1e9}}, facts).verdict;
  };
  // What one half alone has of such a cable at most is not near its limit: 92.6 of 100 at path MTU 1024.
  for (const char* id :
       {"rdma.write.rate.half", "rdma.send.rate.half", "tcp.rate.half", "rdma.write.rate.both_ways"}) {
    EXPECT_EQ(is(id, 92.6, 100), judge::Verdict::kPass) << id;
    EXPECT_EQ(is(id, id == std::string_view("rdma.write.rate.both_ways") ? 47 : 79, 100),
              judge::Verdict::kFail)
        << id;
  }
  for (const auto& [id, least] :
       {std::pair("tcp.rate.port", 75), std::pair("tcp.rate.node", 75), std::pair("rdma.write.rate.port", 90),
        std::pair("rdma.write.rate.node", 90), std::pair("collective.nccl.busbw.sendrecv", 80),
        std::pair("collective.nccl.busbw.all_reduce", 64)}) {
    EXPECT_EQ(is(id, least, 100), judge::Verdict::kPass) << id;
    EXPECT_EQ(is(id, least - 1, 100), judge::Verdict::kFail) << id;
    EXPECT_EQ(is(id, 101, 100), judge::Verdict::kFail) << id << ": more than the cable carries";
    const Facts usual{{"port.rate", gigabits(200)}, {"node.rate", gigabits(200)}};
    EXPECT_EQ(is(id, 2 * least - 1, 200), judge::Verdict::kFail) << id;
    EXPECT_EQ(
        judge::judge(*limits().find(id), {Dimension::kDataRate, {(2 * least - 1) * 1e9}}, usual).verdict,
        judge::Verdict::kFail)
        << id;
  }
}

}  // namespace
}  // namespace rigproof
