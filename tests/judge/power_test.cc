// The chance that a limit stops a slowed rig, from its own samples. Catches: a slow-down that makes a time shorter, a chance
// that does not grow with the slow-down, certainty that few samples do not give.
#include "framework/judge/power.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/judge/run_judge.h"
#include "tests/support/golden_run.h"

namespace rigproof {
namespace {

using testing::SizeIs;

constexpr const char* kPowerLimits =
    "[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"95 % of half.rate\"\nunit = \"Gbit/s\"\nremedy.check = "
    "\"look\"\nheadline = "
    "true\n"
    "basis = { kind = \"policy\", source = \"the tests\", reasoning = \"as it is\" }\n"
    "[[limit]]\nid = \"tcp.round_trip\"\nat_most = \"105 us\"\nremedy.check = \"look\"\nheadline = true\n"
    "basis = { kind = \"policy\", source = \"the tests\", reasoning = \"as it is\" }\n"
    "[[limit]]\nid = \"tcp.lost\"\nat_most = \"0 count\"\nremedy.check = \"look\"\nheadline = true\n"
    "basis = { kind = \"policy\", source = \"the tests\", reasoning = \"as it is\" }\n"
    "[[limit]]\nid = \"tcp.beside\"\nat_least = \"95 % of half.rate\"\nunit = \"Gbit/s\"\nremedy.check = "
    "\"look\"\n"
    "basis = { kind = \"policy\", source = \"the tests\", reasoning = \"as it is\" }\n";

record::Measured measured(const std::string& id, Dimension dimension, std::vector<double> values) {
  return {.id = id, .node = "node-a", .detail = {}, .samples = {dimension, std::move(values)}};
}

std::vector<judge::LimitPower> power_of(std::vector<record::Measured> all) {
  Story story(kPowerLimits);
  story.begun().rig_file = record::text_file("rig.toml", golden_rig());
  story.begun().limits = {record::text_file("limits.toml", kPowerLimits)};
  const std::string name = "Rail/Rate.Fills/rail0_node_a_to_node_b";
  story.launch().plan({name}).start(name);
  story.add(record::EventBody(record::CaseEnded{.suite = "tcp",
                                                .name = name,
                                                .iteration = 1,
                                                .seconds = 1,
                                                .measuring_s = 1,
                                                .measured = std::move(all),
                                                .failures = {}}));
  story.done().end();
  judge::RunJudge judge;
  for (const record::Event& event : story.events()) judge.add(event);
  return judge::power_of(judge.run());
}
std::vector<judge::LimitPower> power_of(std::vector<double> rates, std::vector<double> times) {
  return power_of({measured("tcp.rate.half", Dimension::kDataRate, std::move(rates)),
                   measured("tcp.round_trip", Dimension::kTime, std::move(times)),
                   measured("tcp.lost", Dimension::kCount, {0}),
                   measured("tcp.beside", Dimension::kDataRate, {0.96e9})});
}

std::vector<double> whole_of(const judge::LimitPower& power) {
  std::vector<double> chances;
  for (const judge::Chance& chance : power.chances) chances.push_back(chance.whole);
  return chances;
}

TEST(Power, OfHeadlineRatesAndTimesOnly) {
  const auto power = power_of({0.98e9}, {100e-6});
  ASSERT_THAT(power, SizeIs(2));
  EXPECT_EQ(power[0].id, "tcp.rate.half");
  EXPECT_EQ(power[0].limit, ">= 0.95 Gbit/s (95 % of half.rate)");
  EXPECT_EQ(power[1].id, "tcp.round_trip");
}

// As it is, by 1, 2, 5, 10 and 20 %.
TEST(Power, ARateBecomesSmallerAndATimeLarger) {
  const auto power = power_of({0.98e9}, {100e-6});
  ASSERT_THAT(power, SizeIs(2));
  EXPECT_THAT(whole_of(power[0]), testing::ElementsAre(0, 0, 0, 1, 1, 1)) << "0.98 x 0.98 = 0.9604";
  EXPECT_THAT(whole_of(power[1]), testing::ElementsAre(0, 0, 0, 0, 1, 1)) << "100 us x 1.05 = 105 us";
}

TEST(Power, ScatterMakesAChanceOfIt) {
  const auto power = power_of({0.93e9, 0.96e9, 0.98e9, 0.99e9, 0.97e9}, {100e-6});
  ASSERT_THAT(power, SizeIs(2));
  const std::vector<double> chances = whole_of(power[0]);
  EXPECT_TRUE(std::ranges::is_sorted(chances));
  EXPECT_GT(chances[2], 0.2) << "the median of five lies at 0.97 x 0.98 = 0.9506, close above the limit";
  EXPECT_LT(chances[2], 0.8);
  EXPECT_EQ(chances[5], 1);
}

TEST(Power, OneFigureLeavesAWideInterval) {
  const auto power = power_of({0.98e9}, {100e-6});
  ASSERT_THAT(power, SizeIs(2));
  EXPECT_EQ(power[0].chances[5].one, 1);
  EXPECT_NEAR(power[0].chances[5].of_one.low, 0.025, 1e-9);
  EXPECT_EQ(power[0].chances[5].of_one.high, 1);
}

// Catches: a rig of hundreds of paths whose weakest is not looked at.
TEST(Power, OfManyFiguresTheNearestToTheirLimitDecide) {
  for (const std::size_t weak : {0U, 299U, 300U, 301U, 599U}) {
    std::vector<record::Measured> many;
    for (std::size_t i = 0; i < 600; ++i) {
      many.push_back(measured("tcp.rate.half", Dimension::kDataRate, {i == weak ? 0.951e9 : 1e9}));
      many.back().detail = std::to_string(i);
    }
    const auto power = power_of(std::move(many));
    ASSERT_THAT(power, SizeIs(1));
    EXPECT_EQ(power[0].figures, 600U);
    EXPECT_THAT(whole_of(power[0]), testing::ElementsAre(0, 1, 1, 1, 1, 1)) << weak;
    EXPECT_NEAR(power[0].chances[1].one, 0, 0.005);
  }
}

// Catches: every second figure left out before there are too many.
TEST(Power, OfFiveHundredFiguresEachCounts) {
  std::vector<record::Measured> many;
  for (std::size_t i = 0; i < 500; ++i) {
    many.push_back(measured("tcp.rate.half", Dimension::kDataRate, {i % 2 == 1 ? 0.951e9 : 1e9}));
    many.back().detail = std::to_string(i);
  }
  const auto power = power_of(std::move(many));
  ASSERT_THAT(power, SizeIs(1));
  EXPECT_EQ(power[0].chances[1].one, 0.5) << "0.951 x 0.99 misses 0.95";
}

TEST(Power, TheSameRecordGivesTheSameNumbers) {
  const auto once = power_of({0.93e9, 0.96e9, 0.98e9, 0.99e9, 0.97e9}, {100e-6});
  const auto again = power_of({0.93e9, 0.96e9, 0.98e9, 0.99e9, 0.97e9}, {100e-6});
  EXPECT_EQ(whole_of(once[0]), whole_of(again[0]));
}

}  // namespace
}  // namespace rigproof
