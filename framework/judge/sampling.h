#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "framework/judge/blame.h"
#include "framework/limits/limit_table.h"
#include "framework/record/events.h"
#include "framework/rig/rig.h"

namespace rigproof::judge {

// Acceptance of a rig of many nodes by a sample of its pairs: each node meets some others only. A node is rejected
// if find_suspects() names it or a part of it, and its rates are lower by at least half of SampleAsked::slower. How
// often that rule rejects a slow node, and how often a sound rig, is measured on simulated rigs. It does not look
// for a fault of one pair alone: most pairs never meet. It holds, too, where all pairs have met.

// The rates of one figure on a sound rig: `of_limit` times one of `parts` and the factors of both nodes.
struct SampledFigure {
  double of_limit = 1;
  std::vector<double> parts;  // one for each rate that was measured
};

// The rates that a sample has: for each its place and the index of its figure.
struct Sample {
  std::vector<PathRate> rates;
  std::vector<SampledFigure> figures;
  // How nodes differ: each drawn for any node, and 1 is the usual one. Empty: they do not.
  std::vector<double> nodes = {};
  double scatter = 0;  // standard deviation of the rates, as parts of their figure's median
};

// The sample that a run would have, with two figures for each rail and direction: a guess from before the run.
inline constexpr double kAssumedScatter = 0.03, kAssumedOfLimit = 1.05;
[[nodiscard]] Sample assumed_sample(const Rig& rig);
// The sample that a run had, from its rates. Those of slow nodes say nothing of the scatter. Nodes that differ hide a slow one
// more than as much scatter of single rates does, so both are told apart: a node's factor is the least-squares solution of
// rate = 1 + a(from) + a(to) + rest, made smaller by as much as `rest` alone would make the nodes seem to differ.
[[nodiscard]] Sample sample_of(std::vector<PathRate> rates, const std::set<std::size_t>& slow = {});

// Decisions of the rule about simulated rigs. The probability to reject such a rig lies above `at_least` with 95 %
// confidence, and below `at_most` with 95 % confidence.
struct Decisions {
  int rigs = 0, rejected = 0;
  double at_least = 0, at_most = 1;
};

// Simulates rigs with one node slower by asked.slower, each time another; rejected: that node. Ends as soon as
// it is clear whether asked.power is reached, after at most 1,000 rigs. The seed is fixed. Uses all CPUs.
[[nodiscard]] Decisions decide_slow_rigs(const Rig& rig, const Sample& sample,
                                         const record::SampleAsked& asked);
// Simulates 400 sound rigs; rejected: any node.
[[nodiscard]] Decisions decide_sound_rigs(const Rig& rig, const Sample& sample,
                                          const record::SampleAsked& asked);

// The smallest number of rounds of pairs that reaches asked.power with an assumed_sample(). 0: no number below
// that of all rounds reaches it, so all pairs have to meet.
[[nodiscard]] int rounds_for(const Rig& rig, unsigned seed, const record::SampleAsked& asked);

// A sentence if the sample is less strict than that of the limits; else empty.
[[nodiscard]] std::string weaker_sample(const record::SampleAsked& asked, const LimitTable& limits);

// The result of a run that was asked for a sample.
struct SampleResult {
  double scatter = 0;
  std::size_t fewest_met = 0, most_met = 0;  // others that a node met
  std::size_t left_out = 0,
              further = 0;          // pairs that did not meet, and those that met to tell suspects apart
  Decisions slow = {}, sound = {};  // simulated with this run's rates
  std::vector<Suspect> rejected = {};
  // So many slow nodes that the others may just be fast: the sample decides about none.
  std::vector<Suspect> slower_group = {};

  // If all pairs have met, there is nothing more to measure: the sample then owes no probability.
  [[nodiscard]] bool falls_short_of(double power) const { return left_out > 0 && !(slow.at_least >= power); }
  [[nodiscard]] bool shows(double power) const { return !falls_short_of(power) && slower_group.empty(); }
};
// nullopt: the run was not asked for a sample, or has no rate with a lower bound that decides. Throws JournalError.
[[nodiscard]] std::optional<SampleResult> result_of_sample(const JudgedRun& run);

}  // namespace rigproof::judge
