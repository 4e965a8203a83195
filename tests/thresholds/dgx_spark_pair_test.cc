// The limits for two Sparks against figures that sound and unsound Sparks have shown.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace rigproof
