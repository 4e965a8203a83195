#include "framework/judge/power.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>

#include "framework/judge/judge_case.h"

namespace rigproof::judge {
namespace {

// Figures kept per limit: an even selection (every second, every fourth ...), and those with the least
// margin.
constexpr std::size_t kMostFigures = 500;
constexpr std::size_t kDraws = 4000, kFewest = 10, kMost = 200;  // kDraws per limit; the others per figure
constexpr double kAlpha = 0.05;
constexpr std::uint64_t kSeed = 45;

struct Figure {
  SampleSet samples;
  Facts facts;  // used to resolve its limit
  double margin;
};

bool has_more_margin(const Figure& a, const Figure& b) { return a.margin < b.margin; }

struct Figures {
  std::string limit;                     // the first figure's limit
  std::vector<Figure> figures, nearest;  // nearest: heap by margin, largest first
  std::size_t seen = 0, every = 1;
  std::size_t fewest = 0, most = 0;  // samples per figure

  void add(const JudgedMeasurement& m) {
    const Figure figure{m.samples, m.facts, m.judgement.margin.value_or(0)};
    const std::size_t samples = figure.samples.values.size();
    if (limit.empty()) limit = m.judgement.limit;
    fewest = seen == 0 ? samples : std::min(fewest, samples);
    most = std::max(most, samples);
    add_nearest(figure);
    if (seen++ % every == 0) add_any(figure);
  }

 private:
  void add_nearest(const Figure& figure) {
    nearest.push_back(figure);
    std::ranges::push_heap(nearest, has_more_margin);
    if (nearest.size() <= kMostFigures) return;
    std::ranges::pop_heap(nearest, has_more_margin);
    nearest.pop_back();
  }

  void add_any(const Figure& figure) {
    figures.push_back(figure);
    if (figures.size() <= kMostFigures) return;
    every *= 2;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < figures.size(); i += 2) std::swap(figures[kept++], figures[i]);
    figures.resize(kept);
  }
};

bool is_slowable(const JudgedMeasurement& m) {
  const Dimension dimension = m.samples.dimension;
  const bool kind =
      dimension == Dimension::kDataRate || dimension == Dimension::kTime || dimension == Dimension::kRatio;
  return kind && m.text.empty() && !m.samples.values.empty() && m.judgement.verdict != Verdict::kError &&
         (m.judgement.bounds.at_least || m.judgement.bounds.at_most);
}

// Times, and values with an upper bound only, become larger.
double factor_of(const Limit& limit, double slower) {
  const bool larger = limit.dimension == Dimension::kTime || !limit.at_least;
  return larger ? 1 + slower : 1 - slower;
}

class Experiment {
 public:
  Experiment(const Limit& limit, const Figures& figures) : limit_(limit), figures_(figures) {
    draws_ = std::clamp(kDraws / std::max<std::size_t>(figures_.figures.size(), 1), kFewest, kMost);
  }

  Chance at(double slower) {
    const double factor = factor_of(limit_, slower);
    const std::vector<int> missed = misses(figures_.figures, factor);
    const std::vector<int> of_all = figures_.every == 1 ? missed : misses(figures_.nearest, factor);
    const auto draws = static_cast<double>(draws_), count = static_cast<double>(figures_.figures.size());
    Chance chance{.slower = slower};
    chance.whole = static_cast<double>(std::ranges::count_if(of_all, is_positive)) / draws;
    chance.one = std::accumulate(missed.begin(), missed.end(), 0.0) / (count * draws);
    chance.of_one = share_interval(chance.one * count, count, kAlpha);
    return chance;
  }

 private:
  static bool is_positive(int count) { return count > 0; }

  // Number of figures that miss the limit, per draw.
  std::vector<int> misses(const std::vector<Figure>& figures, double factor) {
    random_.seed(kSeed);  // the same draws for every slow-down: a slower rig never gets a smaller chance
    std::vector<int> missed(draws_, 0);
    for (const Figure& figure : figures)
      for (int& count : missed)
        if (is_missed(figure, factor)) ++count;
    return missed;
  }

  bool is_missed(const Figure& figure, double factor) {
    SampleSet drawn{figure.samples.dimension, {}};
    const std::vector<double>& values = figure.samples.values;
    drawn.values.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      drawn.values.push_back(values[random_() % values.size()] * factor);
    return judge(limit_, drawn, figure.facts).verdict == Verdict::kFail;
  }

  const Limit& limit_;
  const Figures& figures_;
  std::size_t draws_;
  std::mt19937_64 random_;
};

}  // namespace

std::vector<LimitPower> power_of(const JudgedRun& run) {
  std::vector<LimitPower> all;
  if (run.limits == nullptr) return all;
  const bool marked = std::ranges::any_of(run.limits->limits(), &Limit::headline);
  const auto counts = [&](const Limit& limit) { return limit.is_required() && (limit.headline || !marked); };
  std::map<std::string, Figures> by_limit;
  JudgedCase buffer;
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& planned : suite.cases) {
      const JudgedCase& test = whole(run, planned, buffer);
      const Attempt* attempt = test.deciding();
      if (attempt == nullptr || attempt->replaced) continue;
      for (const JudgedMeasurement& m : attempt->measurements) {
        const Limit* limit = run.limits->find(m.id);
        if (limit != nullptr && counts(*limit) && is_slowable(m)) by_limit[m.id].add(m);
      }
    }
  for (const Limit& limit : run.limits->limits()) {
    const auto found = by_limit.find(limit.id);
    if (found == by_limit.end()) continue;
    const Figures& figures = found->second;
    LimitPower power{.id = limit.id,
                     .limit = figures.limit,
                     .where = to_text(limit.where),
                     .figures = figures.seen,
                     .fewest = figures.fewest,
                     .most = figures.most,
                     .chances = {}};
    Experiment experiment(limit, figures);
    for (const double slower : kSlowDowns) power.chances.push_back(experiment.at(slower));
    all.push_back(std::move(power));
  }
  return all;
}

}  // namespace rigproof::judge
