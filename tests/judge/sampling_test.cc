// Acceptance by a sample of pairs. Catches: a slow node that a sample misses more often than is stated, a sound rig that is
// rejected, a verdict from too few rounds or from rates that scatter too much, a node that is rejected for its neighbour.
#include "framework/judge/sampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "framework/judge/node_verdicts.h"
#include "framework/rig/subjects.h"
#include "framework/rig/write_rig.h"
#include "tests/judge/simulated_rig.h"
#include "tests/support/story.h"

namespace rigproof::judge {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr record::SampleAsked kTenPercent{.slower = 0.10, .power = 0.99};

Rig sampled(std::size_t nodes, int rounds, unsigned seed = 5) {
  Rig rig = simulated_rig({.nodes = nodes});
  keep_rounds(rig, {rounds, seed});
  return rig;
}

// A sample of this rig whose rates scatter by these parts.
Sample sample_with(const Rig& rig, const std::vector<double>& parts) {
  Sample sample = assumed_sample(rig);
  for (SampledFigure& figure : sample.figures) figure.parts = parts;
  return sample;
}
std::vector<double> normal_parts(double deviation) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(1, deviation);
  std::vector<double> parts(2000);
  for (double& part : parts) part = normal(random);
  return parts;
}
// Rates have a most, and rare large disturbances.
std::vector<double> long_tailed_parts(double deviation) {
  std::mt19937 random(1);
  std::exponential_distribution<double> tail;
  std::vector<double> parts(2000);
  for (double& part : parts) part = 1 + deviation * (1 - tail(random));
  return parts;
}

TEST(SampleOfPairs, ThreeRoundsRejectANodeTenPercentSlower) {
  const Rig rig = sampled(16, 3);
  for (const auto& parts : {normal_parts(0.03), long_tailed_parts(0.03)}) {
    const Decisions slow = decide_slow_rigs(rig, sample_with(rig, parts), kTenPercent);
    EXPECT_GE(slow.at_least, 0.99) << slow.rejected << " of " << slow.rigs;
  }
}
TEST(SampleOfPairs, ASoundRigIsNotRejected) {
  const Rig rig = sampled(24, 3);
  const Decisions sound = decide_sound_rigs(rig, sample_with(rig, long_tailed_parts(0.03)), kTenPercent);
  EXPECT_EQ(sound.rejected, 0) << "of " << sound.rigs;
  EXPECT_LT(sound.at_most, 0.01);
}
TEST(SampleOfPairs, OneRoundTellsNoNodeFromItsPartner) {
  const Rig rig = sampled(24, 1);
  const Decisions slow = decide_slow_rigs(rig, assumed_sample(rig), kTenPercent);
  EXPECT_LT(slow.at_most, 0.99);
  EXPECT_LT(slow.rigs, 400) << "it goes on though it is clear";
}
TEST(SampleOfPairs, RatesThatScatterTooMuchHideASlowNode) {
  const Rig rig = sampled(24, 3);
  EXPECT_LT(decide_slow_rigs(rig, sample_with(rig, normal_parts(0.15)), kTenPercent).at_least, 0.99);
}
TEST(SampleOfPairs, TheRoundsAreTheFewestThatReachThePower) {
  const Rig rig = simulated_rig({.nodes = 16});
  const int rounds = rounds_for(rig, 5, kTenPercent);
  ASSERT_GT(rounds, 1);
  EXPECT_LE(rounds, 4);
  const Rig fewer = sampled(16, rounds - 1);
  EXPECT_LT(decide_slow_rigs(fewer, assumed_sample(fewer), kTenPercent).at_least, 0.99);
}
TEST(SampleOfPairs, ARigThatIsTooSmallIsMeasuredWhole) {
  EXPECT_EQ(rounds_for(simulated_rig({.nodes = 2}), 5, kTenPercent), 0);
  EXPECT_EQ(rounds_for(simulated_rig({.nodes = 3}), 5, {.slower = 0.05, .power = 0.995}), 0);
}
TEST(SampleOfPairs, TheScatterIsThatOfItsRates) {
  const Sample sample = sample_of({{.place = {}, .figure = 7, .of_limit = 1.1},
                                   {.place = {}, .figure = 7, .of_limit = 0.9},
                                   {.place = {}, .figure = 7, .of_limit = 1.0},
                                   {.place = {}, .figure = 9, .of_limit = 3.0}});
  EXPECT_NEAR(sample.scatter, std::sqrt(0.02 / 4), 1e-9);
  EXPECT_EQ(sample.figures.size(), 2U);
}

// Each rate of a rig whose nodes and rates differ by these deviations.
std::vector<PathRate> rates_of_nodes(const Rig& rig, double of_nodes, double of_rates, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> nodes;
  for (std::size_t n = 0; n < rig.nodes.size(); ++n) nodes.push_back(1 + of_nodes * normal(random));
  std::vector<PathRate> rates = assumed_sample(rig).rates;
  for (PathRate& rate : rates)
    rate.of_limit =
        1.2 * nodes[rate.place.from.node] * nodes[rate.place.to.node] * (1 + of_rates * normal(random));
  return rates;
}
double deviation_of(const std::vector<double>& factors) {
  double squares = 0;
  for (const double factor : factors) squares += (factor - 1) * (factor - 1);
  return factors.empty() ? 0 : std::sqrt(squares / static_cast<double>(factors.size()));
}
TEST(SampleOfPairs, TellsHowNodesDifferFromHowRatesScatter) {
  const Rig rig = sampled(48, 3);
  const Sample different = sample_of(rates_of_nodes(rig, 0.02, 0.005, 1));
  EXPECT_NEAR(deviation_of(different.nodes), 0.02, 0.006);
  EXPECT_NEAR(deviation_of(different.figures[0].parts), 0.005, 0.002);
  EXPECT_NEAR(different.scatter, 0.0287, 0.006);
  const Sample alike = sample_of(rates_of_nodes(rig, 0, 0.03, 1));
  EXPECT_LT(deviation_of(alike.nodes), 0.008);
  EXPECT_NEAR(deviation_of(alike.figures[0].parts), 0.03, 0.005);
}
// Nodes that differ by 3 % hide one that is 10 % slower in two of five rigs, though the same scatter of single rates hides
// none (found by simulating whole rigs).
TEST(SampleOfPairs, StatesNoPowerThatDifferentNodesDoNotHave) {
  const Rig rig = sampled(16, 3);
  for (unsigned seed = 1; seed <= 3; ++seed)
    EXPECT_LT(decide_slow_rigs(rig, sample_of(rates_of_nodes(rig, 0.03, 0.005, seed)), kTenPercent).at_least,
              0.97)
        << seed;
  const Decisions alike = decide_slow_rigs(rig, sample_of(rates_of_nodes(rig, 0.003, 0.02, 1)), kTenPercent);
  EXPECT_GE(alike.at_least, 0.99) << alike.rejected << " of " << alike.rigs;
}
TEST(SampleOfPairs, FindsHalfOfWhatItWasAskedFor) {
  const Rig rig = sampled(16, 3);
  std::vector<PathRate> rates = rates_of_nodes(rig, 0, 0.002, 1);
  for (PathRate& rate : rates)
    if (rate.place.from.node == 4 || rate.place.to.node == 4) rate.of_limit *= 0.96;
  EXPECT_EQ(find_suspects(rig, rates).suspects.size(), 0U);
  ASSERT_EQ(find_suspects(rig, rates, 0.05).suspects.size(), 1U);
  EXPECT_EQ(find_suspects(rig, rates, 0.05).suspects[0].node, "node-4");
}

TEST(SampleOfPairs, SaysWhereItIsLessStrictThanTheLimits) {
  const auto limits = LimitTable::read(
      {toml::Document::parse(
          "[sampling]\nnames = '10 % of a node'\n[[limit]]\nid = 'a'\nenforce = 'informative'\n"
          "unit = '%'\n",
          "farm.toml")},
      Profile::kSmoke, rig_fact_dimensions());
  EXPECT_EQ(weaker_sample({.slower = 0.1, .power = 0.99}, limits), "");
  EXPECT_EQ(weaker_sample({.slower = 0.05, .power = 0.995}, limits), "");
  EXPECT_THAT(weaker_sample({.slower = 0.2, .power = 0.99}, limits), testing::HasSubstr("farm.toml:1"));
  EXPECT_NE(weaker_sample({.slower = 0.1, .power = 0.9}, limits), "");
}

// A run over three rounds of pairs of twelve nodes.
class SampledRun : public testing::Test {
 protected:
  SampledRun() : whole_(simulated_rig({.nodes = 12})), rig_(whole_) {
    for (std::size_t n = 0; n < whole_.nodes.size(); ++n) {
      Node& node = whole_.nodes[n];
      node.address = fmt::format("192.0.2.{}", n + 1);
      node.management = "mgmt0";
      node.ports[0].counters->device = "eth0";
      for (Half& half : node.ports[0].halves)
        half.address = fmt::format("198.18.{}.{}", half.netdev.substr(3), n + 1);
    }
    rig_ = whole_;
    left_out_ = keep_rounds(rig_, {3, 5});
    begin();
  }

  void begin() {
    record::RunStarted& begun = story_.begun();
    begun.rig_file = record::text_file("rig.toml", rig_file_text(whole_));
    (void)read_rig(toml::Document::parse(begun.rig_file.text, "rig.toml"));
    begun.asked.rounds = 3;
    begun.asked.seed = 5;
    begun.asked.pairs_left_out = static_cast<int>(left_out_);
    begun.asked.sample = kTenPercent;
  }

  void measure_all_pairs() {
    rig_ = whole_;
    story_.begun().asked.pairs_left_out = 0;
  }

  // Each rate in Gbit/s is what `carries` says for the nodes of its path.
  JudgedRun run(const std::function<double(std::size_t from, std::size_t to)>& carries) {
    Story story = story_;
    std::vector<Ending> endings;
    std::vector<std::string> names;
    for (const RailPath& path : every_rail_path(rig_)) {
      const double rate = carries(path.from.node, path.to.node);
      const bool misses = rate < kLimit;
      JudgedMeasurement measured =
          judged("tcp.rate.half", misses ? Verdict::kFail : Verdict::kPass, rate * 1e9, rate / kLimit - 1);
      measured.judgement.bounds = {.at_least = kLimit * 1e9};
      measured.node = rig_.nodes[path.to.node].name;
      endings.push_back(ending("RailRate.FillsTheHalf/" + path.name(), {measured}));
      names.push_back(endings.back().name);
    }
    story.launch();
    record::SuitePlanned plan{"tcp", {}, {{.name = "RailRate.FillsTheHalf", .owes = {}, .may = {}}}};
    for (const RailPath& path : every_rail_path(rig_))
      plan.cases.push_back({"RailRate.FillsTheHalf/" + path.name(), "", path.place(rig_), 0});
    story.add(plan);
    for (const Ending& ended : endings) story.run(ended);
    return story.done().end().record();
  }
  // About 1 % of scatter.
  double noisy(double rate) { return rate * (1 + 0.01 * normal_(random_)); }

  static constexpr double kLimit = 80;
  Rig whole_, rig_;
  std::size_t left_out_ = 0;
  Story story_{at_least("tcp.rate.half", "80 Gbit/s")};

 private:
  static std::string at_least(const std::string& id, const std::string& bound) {
    return "[[limit]]\nid = \"" + id + "\"\nat_least = \"" + bound +
           "\"\nbasis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";
  }
  std::mt19937 random_{3};
  std::normal_distribution<double> normal_;
};

TEST_F(SampledRun, OfASoundRigQualifiesItBySampling) {
  const JudgedRun judged = run([&](std::size_t, std::size_t) { return noisy(95); });
  EXPECT_EQ(judged.verdict(), "QUALIFIED by sampling");
  EXPECT_EQ(judged.exit_code(), 0);
  ASSERT_TRUE(judged.sample);
  EXPECT_EQ(judged.sample->most_met, 3U);
  EXPECT_GE(judged.sample->slow.at_least, 0.99);
  for (const NodeVerdict& node : verdicts_of_nodes(judged)) {
    EXPECT_EQ(node.acceptance, Acceptance::kAccepted) << node.node << ": " << node.why;
    EXPECT_EQ(node.met, 3U);
  }
}
// The limits alone would pass it.
TEST_F(SampledRun, RejectsANodeThatIsSlowThoughItMeetsItsLimits) {
  const JudgedRun judged =
      run([&](std::size_t from, std::size_t to) { return noisy(from == 4 || to == 4 ? 85.5 : 95); });
  EXPECT_EQ(judged.verdict(), "NOT QUALIFIED");
  for (const NodeVerdict& node : verdicts_of_nodes(judged))
    EXPECT_EQ(node.acceptance, node.node == "node-4" ? Acceptance::kRejected : Acceptance::kAccepted)
        << node.node << ": " << node.why;
}
// A third of the nodes is 11 % slower, and no limit misses it: nobody is accepted as if the others had been looked at.
TEST_F(SampledRun, DecidesNothingAboutTwoGroupsOfNodes) {
  const JudgedRun judged =
      run([&](std::size_t from, std::size_t to) { return noisy(std::min(from, to) < 4 ? 85 : 95); });
  EXPECT_EQ(judged.verdict(), "NOT PROVEN");
  for (const NodeVerdict& node : verdicts_of_nodes(judged))
    EXPECT_EQ(node.acceptance, Acceptance::kNotProven) << node.node << ": " << node.why;
}
TEST_F(SampledRun, ANodeIsNotRejectedForItsSlowPartners) {
  const JudgedRun judged =
      run([&](std::size_t from, std::size_t to) { return noisy(from == 4 || to == 4 ? 60 : 95); });
  for (const NodeVerdict& node : verdicts_of_nodes(judged))
    EXPECT_EQ(node.acceptance, node.node == "node-4" ? Acceptance::kRejected : Acceptance::kAccepted)
        << node.node << ": " << node.why;
}
TEST_F(SampledRun, IsNotProvenWhereItsRatesScatterTooMuch) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> part(0.85, 1.15);
  const JudgedRun judged = run([&](std::size_t, std::size_t) { return 120 * part(random); });
  EXPECT_EQ(judged.verdict(), "NOT PROVEN");
}
// More rounds than a rig has: every pair meets, and the rule holds all the same.
TEST_F(SampledRun, OfAllPairsRejectsASlowNode) {
  measure_all_pairs();
  const auto one_slow = [&](std::size_t from, std::size_t to) {
    return noisy(from == 4 || to == 4 ? 85 : 95);
  };
  EXPECT_EQ(run(one_slow).verdict(), "NOT QUALIFIED");
}
TEST_F(SampledRun, OfAllPairsIsNoSample) {
  measure_all_pairs();
  EXPECT_EQ(run([&](std::size_t, std::size_t) { return noisy(95); }).verdict(), "QUALIFIED");
}
TEST_F(SampledRun, IsNotProvenForAPowerThatIsNoNumber) {
  story_.begun().asked.sample.power = std::nan("");
  EXPECT_EQ(run([&](std::size_t, std::size_t) { return noisy(95); }).verdict(), "NOT PROVEN");
}
TEST_F(SampledRun, IsAPartWhereNoRateHasALowerBound) {
  story_ = Story("[[limit]]\nid = \"tcp.rate.half\"\nenforce = \"informative\"\nunit = \"Gbit/s\"\n");
  begin();
  EXPECT_EQ(run([&](std::size_t, std::size_t) { return noisy(95); }).verdict(), "PARTIAL");
}
TEST_F(SampledRun, IsAPartWhereNoSampleWasAskedFor) {
  story_.begun().asked.sample = {};
  EXPECT_EQ(run([&](std::size_t, std::size_t) { return noisy(95); }).verdict(), "PARTIAL");
}
TEST_F(SampledRun, StaysAPartWhereMoreIsLeftOut) {
  story_.begun().asked.filter = "RailRate*";
  EXPECT_EQ(run([&](std::size_t, std::size_t) { return noisy(95); }).verdict(), "PARTIAL");
}

}  // namespace
}  // namespace rigproof::judge
