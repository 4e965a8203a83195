// Which parts of a rig its rates speak against. Catches: a sound rig that is blamed for its noise, a slow part that is
// called by another's name or by several, a suspect that other suspects confirm, and misses that nobody explains but that
// no line tells of. The full simulation is the program blame-simulation.
#include "framework/judge/blame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/simulated_rig.h"
#include "tests/support/run_of_three.h"

namespace rigproof {
namespace {

using judge::Blame;
using judge::PathRate;
using judge::Suspect;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Part = Suspect::Part;
using Way = Suspect::Way;
using Kind = judge::Place::Kind;

constexpr double kNoise = 0.03, kFine = 0.003;

Blame blame_on(const Shape& shape, const std::vector<SlowPart>& slow, double noise = kFine,
               unsigned seed = 7) {
  SimulatedRates simulated(shape, seed);
  return find_suspects(simulated.rig(), simulated.rates(noise, slow));
}

int named_of(int trials, const Shape& shape, const std::vector<SlowPart>& slow) {
  SimulatedRates simulated(shape, 11);
  int named = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Blame blame = find_suspects(simulated.rig(), simulated.rates(kNoise, slow));
    named += are_named(simulated.rig(), blame, slow) ? 1 : 0;
  }
  return named;
}

int blamed_of(int trials, const Shape& shape, double noise) {
  SimulatedRates simulated(shape, 13);
  int blamed = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Blame blame = find_suspects(simulated.rig(), simulated.rates(noise, {}));
    blamed += std::ranges::any_of(blame.suspects, [](const Suspect& one) { return !one.alone; }) ? 1 : 0;
  }
  return blamed;
}

TEST(BlameBySimulation, ASoundRigHasNoSuspects) {
  for (const Shape& shape :
       {Shape{.nodes = 2}, Shape{.nodes = 3}, Shape{.nodes = 5, .ports = 2, .ring = true}})
    EXPECT_EQ(blamed_of(200, shape, 0.05), 0) << shape.nodes;
  EXPECT_EQ(blamed_of(40, {.nodes = 8}, 0.03), 0);
  SimulatedRates few({.nodes = 4, .ports = 2}, 17);
  for (int trial = 0; trial < 200; ++trial)
    EXPECT_THAT(find_suspects(few.rig(), only(Kind::kLinkPath, few.rates(0.05, {}))).suspects, IsEmpty());
  EXPECT_EQ(blamed_of(20, {.nodes = 24, .rounds = 5}, 0.01), 0);
}

TEST(BlameBySimulation, ASlowDownOfTenPercentIsNamed) {
  const SlowPart sends{Part::kNode, Way::kSends, {3, 0, 0}}, receives{Part::kNode, Way::kReceives, {6, 0, 0}};
  const Shape star{.nodes = 8}, ports{.nodes = 8, .ports = 2};
  EXPECT_EQ(named_of(10, star, {sends}), 10);
  EXPECT_EQ(named_of(10, star, {receives}), 10);
  EXPECT_EQ(named_of(10, star, {sends, receives}), 10);
  EXPECT_EQ(named_of(10, star, {{Part::kNode, Way::kBoth, {3, 0, 0}}}), 10);
  EXPECT_EQ(named_of(10, star, {{Part::kHalf, Way::kSends, {3, 0, 1}}}), 10);
  EXPECT_EQ(named_of(5, ports, {{Part::kPort, Way::kBoth, {3, 1, 0}}}), 5);
  EXPECT_EQ(named_of(5, ports, {{Part::kPair, Way::kBoth, {3, 0, 0}, {5, 0, 0}}}), 5);
}

// Rates have a most, and what disturbs one is rare and large: most of these have a value far below all others.
TEST(BlameBySimulation, NoiseOfLongTailsIsRarelyBlamed) {
  int blamed = 0;
  for (const Shape& shape : {Shape{.nodes = 3}, Shape{.nodes = 5}, Shape{.nodes = 8}}) {
    SimulatedRates simulated(shape, 19);
    for (int trial = 0; trial < 150; ++trial)
      blamed += find_suspects(simulated.rig(), simulated.long_tailed_rates(0.03)).suspects.empty() ? 0 : 1;
  }
  EXPECT_LE(blamed, 2) << "of 450";
}

TEST(BlameBySimulation, OfThreeNodesASlowDownOfTenPercentIsNamed) {
  EXPECT_GE(named_of(100, {.nodes = 3}, {{Part::kNode, Way::kSends, {1, 0, 0}}}), 98);
  EXPECT_GE(named_of(100, {.nodes = 3}, {{Part::kNode, Way::kReceives, {2, 0, 0}}}), 98);
  EXPECT_GE(named_of(100, {.nodes = 3}, {{Part::kPair, Way::kBoth, {0, 0, 0}, {1, 0, 0}}}), 98);
  EXPECT_GE(named_of(40, {.nodes = 5}, {{Part::kNode, Way::kBoth, {1, 0, 0}}}), 40);
}

TEST(Blame, AFastNodeMakesNoOtherSlow) {
  for (const std::size_t nodes : {3U, 4U, 5U, 8U})
    for (const bool receives : {false, true}) {
      SimulatedRates simulated({.nodes = nodes}, 3);
      std::vector<PathRate> rates = simulated.rates(kFine, {}, 0.9);
      for (PathRate& rate : rates)
        if (rate.place.from.node == 1 || (receives && rate.place.to.node == 1)) rate.of_limit *= 1.3;
      EXPECT_THAT(find_suspects(simulated.rig(), rates).suspects, IsEmpty()) << nodes;
    }
}

// Of the middle of what is sound, whatever part of the rates that is; and of one that is dead, nothing.
TEST(Blame, SharesAreOfTheRatesOfSoundPeers) {
  for (const double carries : {0.5, 0.0}) {
    const Blame blame = blame_on({.nodes = 8}, {{Part::kNode, Way::kBoth, {0, 0, 0}, {}, carries},
                                                {Part::kNode, Way::kBoth, {1, 0, 0}, {}, carries},
                                                {Part::kNode, Way::kBoth, {2, 0, 0}, {}, carries},
                                                {Part::kNode, Way::kBoth, {3, 0, 0}, {}, carries}});
    ASSERT_THAT(blame.suspects, SizeIs(4));
    for (const Suspect& suspect : blame.suspects) EXPECT_NEAR(suspect.share, carries, 0.02);
  }
}

TEST(Blame, SharesAreOfSoundPeersThatMissTheirLimits) {
  SimulatedRates simulated({.nodes = 8}, 3);
  const SlowPart half{Part::kHalf, Way::kSends, {2, 0, 1}, {}, 0.5};
  const Blame blame = find_suspects(simulated.rig(), simulated.rates(kFine, {half}, 1.2));
  ASSERT_THAT(blame.suspects, SizeIs(1));
  EXPECT_NEAR(blame.suspects[0].share, 0.5, 0.02);
}

TEST(Blame, ANodesSendingSideIsConfirmedByTwoThatAreSoundWithEachOther) {
  const Blame blame = blame_on({.nodes = 3}, {{Part::kNode, Way::kSends, {2, 0, 0}, {}, 0.6}});
  ASSERT_THAT(blame.suspects, SizeIs(1));
  const Suspect& suspect = blame.suspects[0];
  EXPECT_EQ(suspect.part, Part::kNode);
  EXPECT_EQ(suspect.way, Way::kSends);
  EXPECT_EQ(suspect.node, "node-2");
  EXPECT_NEAR(suspect.share, 0.6, 0.01);
  EXPECT_THAT(suspect.confirmed_with, ElementsAre("node-0", "node-1"));
  EXPECT_EQ(blame.unexplained, 0U);
  EXPECT_EQ(suspect.missed, blame.missed);
}

// Five of six rates between three nodes touch two slow ones: nobody is left to confirm.
TEST(Blame, ASuspectConfirmsNoSuspect) {
  const Blame blame = blame_on({.nodes = 4}, {{Part::kNode, Way::kBoth, {1, 0, 0}, {}, 0.6},
                                              {Part::kNode, Way::kBoth, {2, 0, 0}, {}, 0.8}});
  ASSERT_THAT(blame.suspects, SizeIs(2));
  for (const Suspect& suspect : blame.suspects)
    EXPECT_THAT(suspect.confirmed_with, ElementsAre("node-0", "node-3"));
}

// 24 values, 10 of them slow by one of two causes: either alone leaves more scatter than it takes away.
TEST(Blame, TwoSlowNodesOfFourAreNamedByTheRatesOfTheirPortsAlone) {
  const std::vector<SlowPart> slow{{Part::kNode, Way::kSends, {1, 0, 0}, {}, 0.7},
                                   {Part::kNode, Way::kReceives, {2, 0, 0}, {}, 0.7}};
  SimulatedRates simulated({.nodes = 4, .ports = 2}, 7);
  const Blame blame = find_suspects(simulated.rig(), only(Kind::kLinkPath, simulated.rates(kFine, slow)));
  EXPECT_TRUE(are_named(simulated.rig(), blame, slow));
  EXPECT_EQ(blame.unexplained, 0U);
}

TEST(Blame, MostRatesOfThreeNodesMayBeSlow) {
  const Blame blame = blame_on({.nodes = 3}, {{Part::kNode, Way::kBoth, {1, 0, 0}, {}, 0.5}});
  ASSERT_THAT(blame.suspects, SizeIs(1));
  EXPECT_EQ(blame.suspects[0].node, "node-1");
  EXPECT_THAT(blame.suspects[0].confirmed_with, ElementsAre("node-0", "node-2"));
}

TEST(Blame, APairIsNamedWhereBothAreSoundWithOthers) {
  const Blame blame = blame_on({.nodes = 4}, {{Part::kPair, Way::kBoth, {1, 0, 0}, {3, 0, 0}, 0.7}});
  ASSERT_THAT(blame.suspects, SizeIs(1));
  EXPECT_EQ(blame.suspects[0].part, Part::kPair);
  EXPECT_THAT(blame.suspects[0].confirmed_with, ElementsAre("node-0", "node-2"));
}

TEST(Blame, OneDirectionOfAPairIsAFindingOfItsOwn) {
  const Blame blame = blame_on({.nodes = 4}, {{Part::kPair, Way::kSends, {3, 0, 0}, {1, 0, 0}, 0.7}});
  ASSERT_THAT(blame.suspects, SizeIs(1));
  EXPECT_EQ(blame.suspects[0].way, Way::kSends);
  EXPECT_EQ(blame.suspects[0].node, "node-3");
  EXPECT_EQ(blame.suspects[0].peer, "node-1");
}

// A ring's cable joins two ports that have no other: the rates can't tell the three apart.
TEST(Blame, ACableOfARingIsNotSeparableFromItsPorts) {
  const Blame blame = blame_on({.nodes = 3, .ports = 2, .ring = true},
                               {{Part::kCable, Way::kBoth, {1, 1, 0}, {2, 0, 0}, 0.7}});
  ASSERT_THAT(blame.suspects, SizeIs(1));
  EXPECT_EQ(blame.suspects[0].part, Part::kCable);
  EXPECT_EQ(blame.suspects[0].link, "link1");
  EXPECT_FALSE(blame.suspects[0].separable);
}

TEST(Blame, ANodesOnlyPartnerMakesItAPair) {
  Shape once{.nodes = 8, .rounds = 1};
  SimulatedRates simulated(once, 3);
  std::vector<PathRate> rates = simulated.rates(kFine, {{Part::kNode, Way::kBoth, {2, 0, 0}, {}, 0.6}});
  const Blame blame = find_suspects(simulated.rig(), rates);
  ASSERT_THAT(blame.suspects, SizeIs(1));
  EXPECT_EQ(blame.suspects[0].part, Part::kPair);
  EXPECT_FALSE(blame.suspects[0].separable);
}

TEST(Blame, TwoNodesThatMissAreOnePair) {
  SimulatedRates simulated({.nodes = 2}, 3);
  const Blame blame = find_suspects(
      simulated.rig(), simulated.rates(kFine, {{Part::kPair, Way::kBoth, {0, 0, 0}, {1, 0, 0}, 0.8}}));
  ASSERT_THAT(blame.suspects, SizeIs(1));
  EXPECT_EQ(blame.suspects[0].part, Part::kPair);
  EXPECT_EQ(blame.suspects[0].way, Way::kBoth);
  EXPECT_TRUE(blame.suspects[0].alone);
  EXPECT_FALSE(blame.suspects[0].separable);
  EXPECT_EQ(blame.unexplained, 0U);
}

TEST(Blame, OfTwoNodesTheSlowDirectionIsNamed) {
  SimulatedRates simulated({.nodes = 2}, 3);
  const Blame blame = find_suspects(
      simulated.rig(), simulated.rates(kFine, {{Part::kPair, Way::kSends, {1, 0, 0}, {0, 0, 0}, 0.8}}));
  ASSERT_THAT(blame.suspects, SizeIs(1));
  EXPECT_EQ(blame.suspects[0].part, Part::kPair);
  EXPECT_EQ(blame.suspects[0].way, Way::kSends);
  EXPECT_EQ(blame.suspects[0].node, "node-1");
  EXPECT_FALSE(blame.suspects[0].separable);
}

TEST(Blame, WhatIsSlowEverywhereHasNoSuspect) {
  SimulatedRates simulated({.nodes = 6}, 3);
  const Blame blame = find_suspects(simulated.rig(), simulated.rates(kFine, {}, 1.2));
  EXPECT_THAT(blame.suspects, IsEmpty());
  EXPECT_GT(blame.missed, 100U);
  EXPECT_EQ(blame.unexplained, blame.missed);
}

TEST(Blame, WithinTheLimitsOnlyWhatIsMuchSlowerIsASuspect) {
  SimulatedRates simulated({.nodes = 6}, 3);
  const auto suspects = [&](double carries) {
    return find_suspects(simulated.rig(),
                         simulated.rates(kFine, {{Part::kNode, Way::kSends, {2, 0, 0}, {}, carries}}, 0.5))
        .suspects;
  };
  EXPECT_THAT(suspects(0.96), IsEmpty());
  ASSERT_THAT(suspects(0.9), SizeIs(1));
  EXPECT_EQ(suspects(0.9)[0].missed, 0U);
}

// 4 % slower: a finding from half of the limits missed on.
TEST(Blame, OfALittleSlowPartHalfOfItsRatesMustMiss) {
  SimulatedRates simulated({.nodes = 8}, 3);
  const HalfRef slow{2, 0, 1};
  std::vector<PathRate> rates =
      only(Kind::kRailPath, simulated.rates(kFine, {{Part::kHalf, Way::kSends, slow, {}, 0.96}}, 0.5));
  std::vector<PathRate*> of_it;
  for (PathRate& rate : rates)
    if (rate.place.from == slow) of_it.push_back(&rate);
  ASSERT_EQ(of_it.size() % 2, 0U) << of_it.size();
  const auto suspects_with = [&](std::size_t missed) {
    for (std::size_t i = 0; i < of_it.size(); ++i) of_it[i]->missed = i < missed;
    return find_suspects(simulated.rig(), rates).suspects;
  };
  EXPECT_THAT(suspects_with(of_it.size() / 2), SizeIs(1));
  EXPECT_THAT(suspects_with(of_it.size() / 2 - 1), IsEmpty());
}

TEST(Blame, ADeadPathHidesNoOther) {
  SimulatedRates simulated({.nodes = 8}, 3);
  std::vector<PathRate> rates = simulated.rates(kFine, {{Part::kHalf, Way::kSends, {2, 0, 1}, {}, 0.8}});
  for (PathRate& rate : rates)
    if (rate.place.from.node == 5 && rate.place.to.node == 6) rate.of_limit = 0, rate.missed = true;
  const Blame blame = find_suspects(simulated.rig(), rates);
  ASSERT_THAT(blame.suspects, SizeIs(2));
  EXPECT_EQ(blame.suspects[0].netdev, "eth1");
  EXPECT_EQ(blame.suspects[1].peer, "node-6");
}

// Catches: a miss on one half explained by the port's other half.
TEST(Blame, ASlowHalfExplainsNoMissOnTheOther) {
  SimulatedRates simulated({.nodes = 8}, 3);
  std::vector<PathRate> rates = simulated.rates(kFine, {{Part::kHalf, Way::kSends, {2, 0, 1}, {}, 0.8}});
  const auto other = std::ranges::find_if(rates, [](const PathRate& rate) {
    return rate.place.kind == Kind::kRailPath && rate.place.from == HalfRef{2, 0, 0};
  });
  ASSERT_NE(other, rates.end());
  other->missed = true;
  const Blame blame = find_suspects(simulated.rig(), rates);
  ASSERT_THAT(blame.suspects, SizeIs(1));
  EXPECT_EQ(blame.suspects[0].missed, blame.missed - 1);
  EXPECT_EQ(blame.unexplained, 1U);
}

// The rates from one slow node to another count for the first of them.
TEST(Blame, AMissCountsForOneSuspectOnly) {
  const Blame blame = blame_on({.nodes = 8}, {{Part::kNode, Way::kSends, {3, 0, 0}, {}, 0.7},
                                              {Part::kNode, Way::kReceives, {6, 0, 0}, {}, 0.7}});
  ASSERT_THAT(blame.suspects, SizeIs(2));
  EXPECT_EQ(blame.unexplained, 0U);
  EXPECT_EQ(blame.suspects[0].missed + blame.suspects[1].missed, blame.missed);
}

// Catches: the interface of another switch, or none.
TEST(Blame, APortIsNamedWithItsInterfaceOfTheSwitch) {
  SimulatedRates simulated({.nodes = 6, .ports = 2}, 3);
  Rig rig = simulated.rig();
  for (const char* name : {"other", "switch"}) {
    rig.switches.emplace_back().name = name;
    rig.switches.back().ports.push_back({.at = {4, 1}, .interface = std::string(name) + "-1"});
  }
  const Blame blame =
      find_suspects(rig, simulated.rates(kFine, {{Part::kPort, Way::kSends, {4, 1, 0}, {}, 0.5}}));
  ASSERT_THAT(blame.suspects, SizeIs(1));
  EXPECT_EQ(blame.suspects[0].interface, "switch-1");
}

// A port at one half's rate shows only where both halves send at once.
TEST(Blame, APortIsNamedByWhatItsHalvesCarryTogether) {
  SimulatedRates simulated({.nodes = 6, .ports = 2}, 3);
  std::vector<PathRate> rates = simulated.rates(kFine, {});
  for (PathRate& rate : rates)
    if (rate.place.kind == Kind::kLinkPath && rate.place.from.node == 4 && rate.place.from.port == 1)
      rate.of_limit /= 2, rate.missed = true;
  const Blame blame = find_suspects(simulated.rig(), rates);
  ASSERT_THAT(blame.suspects, SizeIs(1));
  EXPECT_EQ(blame.suspects[0].part, Part::kPort);
  EXPECT_EQ(blame.suspects[0].way, Way::kSends);
  EXPECT_EQ(blame.suspects[0].port, "port1");
  EXPECT_EQ(blame.suspects[0].through, "switch");
}

TEST(Blame, RatesOfASlowerKindOfPathAreNotBlamedForIt) {
  SimulatedRates simulated({.nodes = 6}, 3);
  std::vector<PathRate> rates = simulated.rates(kFine, {});
  for (PathRate& rate : rates)
    if (rate.figure == 1) rate.of_limit *= 0.7;  // RDMA everywhere
  EXPECT_THAT(find_suspects(simulated.rig(), rates).suspects, IsEmpty());
}

TEST(Blame, NothingMeasuredIsNothing) {
  SimulatedRates simulated({.nodes = 3}, 3);
  const Blame blame = judge::find_suspects(simulated.rig(), {});
  EXPECT_THAT(blame.suspects, IsEmpty());
  EXPECT_EQ(blame.rates, 0U);
}

TEST(BlameOfARun, IsPartOfItsJudgement) {
  const judge::JudgedRun run = run_of_three(60e9);
  EXPECT_EQ(run.exit_code(), 1);
  ASSERT_THAT(run.blame.suspects, SizeIs(1));
  EXPECT_EQ(run.blame.suspects[0].node, "node-c");
  EXPECT_EQ(run.blame.suspects[0].way, Way::kSends);
  EXPECT_EQ(run.blame.missed, 2U);
  EXPECT_THAT(run.blame.suspects[0].confirmed_with, ElementsAre("node-a", "node-b"));
}

TEST(BlameOfARun, OfASoundOneIsEmpty) {
  const judge::JudgedRun run = run_of_three(97.9e9);
  EXPECT_THAT(run.blame.suspects, IsEmpty());
  EXPECT_EQ(run.blame.rates, 6U);
}

}  // namespace
}  // namespace rigproof
