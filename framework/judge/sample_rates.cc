// The rates of a sample: assumed before a run, or those that the run had.
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "framework/judge/sampling.h"
#include "framework/rig/subjects.h"
#include "framework/stats/samples.h"

namespace rigproof::judge {
namespace {

constexpr std::size_t kQuantiles = 1000;  // of the assumed scatter

// A rate's distance from its figure's median, as a part of it.
struct Distance {
  std::size_t figure, from, to;
  double value;
};

using ByNode = std::map<std::size_t, double>;

double mean_square(const ByNode& values) {
  double sum = 0;
  for (const auto& [node, value] : values) sum += value * value;
  return sum / static_cast<double>(values.size());
}

// What each node adds to its rates: the smallest least-squares solution, by damped Jacobi steps from zero.
ByNode additions_of(const std::vector<Distance>& distances) {
  constexpr int kSteps = 200;
  ByNode additions, rates;
  for (const Distance& one : distances) {
    for (const std::size_t node : {one.from, one.to}) {
      additions[node] = 0;
      rates[node] += 1;
    }
  }
  for (int step = 0; step < kSteps; ++step) {
    ByNode rest;
    for (const Distance& one : distances) {
      const double left = one.value - additions[one.from] - additions[one.to];
      rest[one.from] += left;
      rest[one.to] += left;
    }
    for (auto& [node, addition] : additions) addition += rest[node] / rates[node] / 2;
  }
  return additions;
}

// Moves how nodes differ from the figures' parts into sample.nodes. Needs at least two rates a node.
void tell_nodes_apart(Sample& sample, const std::vector<Distance>& distances) {
  ByNode additions = additions_of(distances);
  const auto rates = static_cast<double>(distances.size()), nodes = static_cast<double>(additions.size());
  if (rates < 2 * nodes || nodes < 3) return;
  const double mean = std::accumulate(additions.begin(), additions.end(), 0.0,
                                      [](double sum, const auto& of_node) { return sum + of_node.second; }) /
                      nodes;
  for (auto& [node, addition] : additions) addition -= mean;
  // The rest has lost a degree of freedom for each node.
  const double wider = std::sqrt(rates / (rates - nodes));
  double squares = 0;
  for (SampledFigure& figure : sample.figures) figure.parts.clear();
  for (const Distance& one : distances) {
    const double rest = (one.value - 2 * mean - additions[one.from] - additions[one.to]) * wider;
    squares += rest * rest;
    sample.figures[one.figure].parts.push_back(1 + 2 * mean + rest);
  }
  const double differ = mean_square(additions), by_chance = squares / rates / (2 * rates / nodes);
  const double smaller = differ > by_chance ? std::sqrt(1 - by_chance / differ) : 0;
  for (const auto& [node, addition] : additions) sample.nodes.push_back(1 + smaller * addition);
}

}  // namespace

Sample assumed_sample(const Rig& rig) {
  SampledFigure figure{kAssumedOfLimit, {}};
  const boost::math::normal normal(1, kAssumedScatter);
  for (std::size_t i = 0; i < kQuantiles; ++i)
    figure.parts.push_back(
        boost::math::quantile(normal, (static_cast<double>(i) + 0.5) / static_cast<double>(kQuantiles)));
  Sample sample{.rates = {}, .figures = {figure, figure}, .scatter = kAssumedScatter};
  for (const RailPath& path : every_rail_path(rig))
    for (std::size_t index = 0; index < sample.figures.size(); ++index)
      sample.rates.push_back({.place = {Place::Kind::kRailPath, false, path.from, path.to}, .figure = index});
  return sample;
}

Sample sample_of(std::vector<PathRate> rates, const std::set<std::size_t>& slow) {
  const auto is_sound = [&](const PathRate& rate) {
    return !slow.contains(rate.place.from.node) && !slow.contains(rate.place.to.node);
  };
  std::map<std::size_t, std::vector<double>> by_figure;
  for (const PathRate& rate : rates)
    if (is_sound(rate)) by_figure[rate.figure].push_back(rate.of_limit);
  std::erase_if(rates, [&](const PathRate& rate) { return !by_figure.contains(rate.figure); });
  Sample sample{.rates = std::move(rates), .figures = {}};
  std::map<std::size_t, std::size_t> index;
  for (const auto& [figure, values] : by_figure) {
    index.emplace(figure, sample.figures.size());
    sample.figures.push_back({evaluate(Statistic::kMedian, values), {}});
  }
  std::vector<Distance> distances;
  double squares = 0;
  for (PathRate& rate : sample.rates) {
    rate.figure = index.at(rate.figure);
    SampledFigure& figure = sample.figures[rate.figure];
    if (!is_sound(rate)) continue;
    const double part = figure.of_limit > 0 ? rate.of_limit / figure.of_limit : 1;
    figure.parts.push_back(part);
    distances.push_back({rate.figure, rate.place.from.node, rate.place.to.node, part - 1});
    squares += (part - 1) * (part - 1);
  }
  if (!distances.empty()) sample.scatter = std::sqrt(squares / static_cast<double>(distances.size()));
  tell_nodes_apart(sample, distances);
  return sample;
}

}  // namespace rigproof::judge
