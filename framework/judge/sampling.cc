#include "framework/judge/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <random>
#include <thread>

#include "framework/judge/judged_run.h"
#include "framework/rig/subjects.h"
#include "framework/stats/samples.h"

namespace rigproof::judge {
namespace {

constexpr double kOneInTwenty = 0.05;

bool ends_at(const Place& place, std::size_t node) {
  return place.from.node == node || place.to.node == node;
}

// One rig: factors drawn again for each node and rates for each place, lower by `slower` where they begin or end at `slow`.
std::vector<PathRate> draw(const Sample& sample, std::mt19937_64& random, std::size_t nodes,
                           std::optional<std::size_t> slow, double slower) {
  std::vector<double> factors(nodes, 1);
  if (!sample.nodes.empty())
    for (double& factor : factors) factor = sample.nodes[random() % sample.nodes.size()];
  std::vector<PathRate> rates = sample.rates;
  for (PathRate& rate : rates) {
    const SampledFigure& figure = sample.figures[rate.figure];
    rate.of_limit = figure.of_limit * figure.parts[random() % figure.parts.size()] *
                    factors[rate.place.from.node] * factors[rate.place.to.node];
    if (slow && ends_at(rate.place, *slow)) rate.of_limit *= 1 - slower;
    rate.missed = rate.of_limit < 1;
  }
  return rates;
}

std::vector<Suspect> slow_nodes_among(const std::vector<Suspect>& suspects, double slower) {
  std::vector<Suspect> slow;
  std::ranges::copy_if(suspects, std::back_inserter(slow), [&](const Suspect& suspect) {
    return !suspect.alone && suspect.part >= Suspect::Part::kNode && suspect.share <= 1 - slower / 2;
  });
  return slow;
}
std::vector<Suspect> rejected_by(const Blame& blame, double slower) {
  return slow_nodes_among(blame.suspects, slower);
}

// The number of rigs in [first, last) that are rejected. Each rig is a pure function of its number.
int count_rejected(int first, int last, const std::function<bool(int)>& is_rejected) {
  const int workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::future<int>> counts;
  for (int worker = 0; worker < workers; ++worker)
    counts.push_back(std::async(std::launch::async, [=, &is_rejected] {
      int rejected = 0;
      for (int rig = first + worker; rig < last; rig += workers) rejected += is_rejected(rig) ? 1 : 0;
      return rejected;
    }));
  int sum = 0;
  for (std::future<int>& count : counts) sum += count.get();
  return sum;
}

// `power`: simulates no more rigs once it is clear on which side of it the probability lies; 0: all of them. Two looks
// may decide for it, so each has half of the error.
Decisions decide(std::initializer_list<int> looks, double power,
                 const std::function<bool(int)>& is_rejected) {
  Decisions all;
  for (const int rigs : looks) {
    all.rejected += count_rejected(all.rigs, rigs, is_rejected);
    all.rigs = rigs;
    const ShareInterval share = share_interval(all.rejected, all.rigs, kOneInTwenty);
    all.at_least = share.low;
    all.at_most = share.high;
    const bool may_decide = rigs >= 400;
    if (power > 0 && (all.at_most < power || (may_decide && all.at_least >= power))) break;
  }
  return all;
}

}  // namespace

Decisions decide_slow_rigs(const Rig& rig, const Sample& sample, const record::SampleAsked& asked) {
  return decide({20, 100, 400, 1000}, asked.power, [&](int trial) {
    std::mt19937_64 random(static_cast<std::uint64_t>(trial));
    const std::size_t slow = random() % rig.nodes.size();
    const Blame blame =
        find_suspects(rig, draw(sample, random, rig.nodes.size(), slow, asked.slower), asked.slower);
    return std::ranges::any_of(rejected_by(blame, asked.slower),
                               [&](const Suspect& suspect) { return suspect.node == rig.nodes[slow].name; });
  });
}

Decisions decide_sound_rigs(const Rig& rig, const Sample& sample, const record::SampleAsked& asked) {
  return decide({400}, 0, [&](int trial) {
    std::mt19937_64 random(static_cast<std::uint64_t>(trial));
    const Blame blame = find_suspects(rig, draw(sample, random, rig.nodes.size(), {}, 0), asked.slower);
    return !rejected_by(blame, asked.slower).empty();
  });
}

int rounds_for(const Rig& rig, unsigned seed, const record::SampleAsked& asked) {
  const auto suffice = [&](int rounds) {
    Rig sampled = rig;
    return keep_rounds(sampled, {rounds, seed}) == 0 ||
           decide_slow_rigs(sampled, assumed_sample(sampled), asked).at_least >= asked.power;
  };
  int most = 1;  // doubled until it is enough, then narrowed down
  while (!suffice(most)) most *= 2;
  int fewer = most / 2;
  while (most - fewer > 1) {
    const int middle = fewer + (most - fewer) / 2;
    (suffice(middle) ? most : fewer) = middle;
  }
  Rig sampled = rig;
  return keep_rounds(sampled, {most, seed}) > 0 ? most : 0;
}

std::string weaker_sample(const record::SampleAsked& asked, const LimitTable& limits) {
  const auto& wanted = limits.sampling();
  if (!wanted || (asked.slower <= wanted->slower && asked.power >= wanted->power)) return {};
  return fmt::format(
      "the command asked for a sample that rejects {:g} % of a node with {:g} %, which is less than the {:g} "
      "% with "
      "{:g} % of {}",
      100 * asked.slower, 100 * asked.power, 100 * wanted->slower, 100 * wanted->power, wanted->where);
}

std::optional<SampleResult> result_of_sample(const JudgedRun& run) {
  const record::SampleAsked& asked = run.start.asked.sample;
  const std::optional<Rig> rig = rig_of(run.start);
  if (!(asked.slower > 0) || !rig) return {};
  std::vector<PathRate> rates = rates_of(run, *rig);
  if (rates.empty()) return {};
  SampleResult result{.rejected = rejected_by(run.blame, asked.slower),
                      .slower_group = slow_nodes_among(run.blame.slower_group, asked.slower)};
  std::set<std::size_t> slow;
  for (const Suspect& suspect : result.rejected) slow.insert(*rig->find_node(suspect.node));
  const Sample sample = sample_of(std::move(rates), slow);
  result.scatter = sample.scatter;
  std::vector<std::set<std::size_t>> met(rig->nodes.size());
  for (const PathRate& rate : sample.rates) {
    met[rate.place.from.node].insert(rate.place.to.node);
    met[rate.place.to.node].insert(rate.place.from.node);
  }
  const auto [fewest, most] = std::ranges::minmax_element(met, {}, &std::set<std::size_t>::size);
  result.fewest_met = fewest->size();
  result.most_met = most->size();
  const std::size_t pairs =
      std::accumulate(met.begin(), met.end(), std::size_t{0},
                      [](std::size_t sum, const auto& others) { return sum + others.size(); }) /
      2;
  const std::size_t all = count_pairs(*rig),
                    planned = all - static_cast<std::size_t>(run.start.asked.pairs_left_out);
  result.left_out = all - pairs;
  result.further = pairs - std::min(pairs, planned);
  if (sample.rates.empty()) return result;
  result.slow = decide_slow_rigs(*rig, sample, asked);
  result.sound = decide_sound_rigs(*rig, sample, asked);
  return result;
}

}  // namespace rigproof::judge
