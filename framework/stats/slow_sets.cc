#include "framework/stats/slow_sets.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "framework/stats/samples.h"

namespace rigproof::inline stats {
namespace {

constexpr std::size_t kMostSets = 64, kManyValues = 40, kManySets = 8;
constexpr std::size_t kLookAhead = 3;  // one fault can hide another: scatter falls when both are found
constexpr double kToDeviation = 1.4826, kEfficiency = 0.37;  // factors for the median absolute deviation
// kShuffled: number of values in all shuffles together.
constexpr std::size_t kShuffled = 1'000'000, kFewestShuffles = 100, kMostShuffles = 2000;
constexpr double kGap = 10, kFarErrors = 1e-3;
constexpr std::size_t kFewBeside = 20;  // with fewer values below the centre, a single one is no evidence
constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

double median_of(const std::vector<double>& values) { return evaluate(Statistic::kMedian, values); }

double robust_deviation(std::vector<double> deviations) {
  for (double& deviation : deviations) deviation = std::abs(deviation);
  return kToDeviation * median_of(deviations);
}

struct Sums {
  double count = 0, sum = 0;
  void add(double value) { ++count, sum += value; }
  [[nodiscard]] double mean() const { return sum / count; }
};

// Depth of a set below the rest. The variance of `depth` is the variance of one value / `information`.
struct Effect {
  double depth = 0, information = 0;
  [[nodiscard]] double gain() const { return depth > 0 ? depth * depth * information : 0; }
  [[nodiscard]] double size() const { return depth * std::sqrt(information); }
};

struct Scatter {
  double deviation, freedom;
};

class Search {
 public:
  Search(const std::vector<GroupedValue>& values, const std::vector<ValueSet>& sets, double least_depth)
      : values_(values), sets_(sets), least_depth_(least_depth), owner_(values.size(), kNobody) {
    for (const GroupedValue& value : values) groups_ = std::max(groups_, value.group + 1);
    weights_.assign(groups_, 1.0);
    scratch_.resize(groups_);
    weigh();
  }

  std::vector<SlowSet> run() {
    select();
    weigh();  // now with the scatter of sound values
    select();
    drop_outliers();
    std::vector<SlowSet> found;
    for (std::size_t i = 0; i < chosen_.size(); ++i) found.push_back(told(i));
    return found;
  }

 private:
  // Groups with large scatter weigh less. A group of few values takes the usual scatter.
  void weigh() {
    std::vector<std::vector<double>> of_group(groups_);
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (owner_[i] == kNobody) of_group[values_[i].group].push_back(values_[i].value);
    std::vector<double> scatters(groups_, 0.0), known;
    for (std::size_t g = 0; g < groups_; ++g) {
      if (of_group[g].size() < kManyValues) continue;
      const double middle = median_of(of_group[g]);
      for (double& value : of_group[g]) value -= middle;
      scatters[g] = std::max(robust_deviation(std::move(of_group[g])), 1e-4);
      known.push_back(scatters[g]);
    }
    if (known.empty()) return;
    const double usual = median_of(known);
    for (std::size_t g = 0; g < groups_; ++g) {
      const double scatter = scatters[g] == 0 ? usual : scatters[g];
      weights_[g] = usual * usual / (scatter * scatter);
    }
  }

  void select() {
    chosen_.clear();
    owner_.assign(values_.size(), kNobody);
    std::vector<std::size_t> accepted;
    std::size_t failed = 0;
    const std::size_t most = std::min(kMostSets, values_.size() / 2);
    while (chosen_.size() < most && failed <= kLookAhead) {
      const auto best = best_set();
      if (!best) break;
      take(*best);
      if (chosen_.size() > 1) exchange();
      failed = all_stand_out(failed + 1) ? 0 : failed + 1;
      if (failed == 0) accepted = chosen_;
    }
    choose(accepted);
  }

  void choose(const std::vector<std::size_t>& sets) {
    chosen_.clear();
    owner_.assign(values_.size(), kNobody);
    for (const std::size_t set : sets) take(set);
  }

  void take(std::size_t set) {
    for (const std::uint32_t i : sets_[set].members)
      if (owner_[i] == kNobody) owner_[i] = static_cast<std::uint32_t>(set);
    chosen_.push_back(set);
  }

  void release(std::size_t index) {
    const std::size_t set = chosen_[index];
    chosen_.erase(chosen_.begin() + static_cast<std::ptrdiff_t>(index));
    for (const std::uint32_t i : sets_[set].members)
      if (owner_[i] == set) owner_[i] = kNobody;
    for (const std::size_t other : chosen_)
      for (const std::uint32_t i : sets_[other].members)
        if (owner_[i] == kNobody) owner_[i] = static_cast<std::uint32_t>(other);
  }

  // Replaces earlier choices that are no longer the best.
  void exchange() {
    for (std::size_t i = 0; i < chosen_.size();) {
      const std::size_t set = chosen_[i];
      release(i);
      const auto best = best_set();
      if (best && *best != set && effect(*best).gain() > effect(set).gain() * (1 + 1e-9)) {
        take(*best);
        i = chosen_.size();  // one replacement at a time
      } else {
        take(set);
        std::rotate(chosen_.begin() + static_cast<std::ptrdiff_t>(i), chosen_.end() - 1, chosen_.end());
        ++i;
      }
    }
  }

  void sum_up() {
    totals_.assign(groups_, {});
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (owner_[i] == kNobody) totals_[values_[i].group].add(values_[i].value);
  }

  // Effect among the values that no chosen set explains. Call sum_up() before.
  Effect effect_now(std::size_t set) {
    touched_.clear();
    for (const std::uint32_t i : sets_[set].members) {
      if (owner_[i] != kNobody) continue;
      const std::size_t group = values_[i].group;
      if (scratch_[group].count == 0) touched_.push_back(group);
      scratch_[group].add(values_[i].value);
    }
    Effect effect;
    double weighed = 0;
    for (const std::size_t group : touched_) {
      const Sums in = scratch_[group];
      scratch_[group] = {};
      const Sums out{totals_[group].count - in.count, totals_[group].sum - in.sum};
      if (out.count == 0) continue;
      const double information = weights_[group] * in.count * out.count / (in.count + out.count);
      effect.information += information;
      weighed += information * (out.mean() - in.mean());
    }
    if (effect.information > 0) effect.depth = weighed / effect.information;
    return effect;
  }
  Effect effect(std::size_t set) {
    sum_up();
    return effect_now(set);
  }

  std::optional<std::size_t> best_set() {
    sum_up();
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t set = 0; set < sets_.size(); ++set)
      if (const double gain = effect_now(set).gain(); gain > most * (1 + 1e-9)) {
        most = gain;
        best = set;
      }
    return best;
  }

  // Scatter about the fit: least squares, unless sets not yet found inflate it; then a robust estimate.
  Scatter scatter() {
    sum_up();
    std::vector<std::vector<double>> sound(groups_);
    double squares = 0, groups = 0;
    std::vector<double> depth_of(sets_.size(), 0.0);
    for (std::size_t i = 0; i < chosen_.size(); ++i) depth_of[chosen_[i]] = depth(i);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::size_t group = values_[i].group;
      if (totals_[group].count == 0) continue;
      double residual = values_[i].value - totals_[group].mean();
      if (owner_[i] != kNobody) residual += depth_of[owner_[i]];
      squares += weights_[group] * residual * residual;
      if (owner_[i] == kNobody) sound[group].push_back(values_[i].value);
    }
    std::vector<double> deviations;
    for (std::size_t g = 0; g < groups_; ++g) {
      if (sound[g].empty()) continue;
      ++groups;
      const double middle = median_of(sound[g]);
      for (const double value : sound[g]) deviations.push_back((value - middle) * std::sqrt(weights_[g]));
    }
    const double freedom = static_cast<double>(values_.size()) - groups - static_cast<double>(chosen_.size());
    if (freedom < 1) return {std::numeric_limits<double>::infinity(), 1};
    const Scatter plain{std::sqrt(squares / freedom), freedom};
    if (deviations.size() < kManyValues) return plain;
    const Scatter robust{robust_deviation(std::move(deviations)), kEfficiency * freedom};
    return plain.deviation > 1.25 * robust.deviation ? robust : plain;
  }

  // Depth of a chosen set's own values below the means of unexplained values.
  double depth(std::size_t index) {
    double weights = 0, weighed = 0;
    for (const std::uint32_t i : sets_[chosen_[index]].members) {
      const Sums& total = totals_[values_[i].group];
      if (owner_[i] != chosen_[index] || total.count == 0) continue;
      const double weight = weights_[values_[i].group];
      weights += weight;
      weighed += weight * (total.mean() - values_[i].value);
    }
    return weights == 0 ? 0 : weighed / weights;
  }

  // Scatter between sets of one kind, which can exceed that of their values: nodes differ slightly.
  double spread_of(int kind, double deviation) {
    std::vector<double> sizes;
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      if (sets_[set].kind != kind) continue;
      const Effect each = effect_now(set);
      if (each.information > 0) sizes.push_back(each.size() / deviation);
    }
    if (sizes.size() < kManySets) return 1;
    const double middle = median_of(sizes);
    for (double& size : sizes) size -= middle;
    // Subtracts the scatter that so few sets can have by chance.
    const double doubt = 1.5 / std::sqrt(static_cast<double>(sizes.size()));
    return std::max(1.0, robust_deviation(std::move(sizes)) * (1 - doubt));
  }

  // Number of ways to choose this many sets.
  [[nodiscard]] double choices(std::size_t at_once) const {
    double ways = 1;
    for (std::size_t k = 0; k < std::min(at_once, sets_.size()); ++k)
      ways *= static_cast<double>(sets_.size() - k) / static_cast<double>(k + 1);
    return ways;
  }

  // `at_once`: sets chosen since all stood out. More sets fit noise better, so the level is stricter.
  bool all_stand_out(std::size_t at_once) {
    const Scatter noise = scatter();
    if (!std::isfinite(noise.deviation)) return false;
    const double deviation = std::max(noise.deviation, 1e-6);
    const double level = kSlowSetErrors / choices(at_once);
    const double least = boost::math::quantile(
        boost::math::complement(boost::math::students_t(std::max(1.0, noise.freedom)), level));
    std::vector<std::pair<int, double>> spreads;
    sum_up();
    for (const std::size_t set : chosen_) {
      const int kind = sets_[set].kind;
      const auto known = std::ranges::find(spreads, kind, &std::pair<int, double>::first);
      if (known == spreads.end()) spreads.emplace_back(kind, spread_of(kind, deviation));
    }
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const std::size_t set = chosen_[i];
      const double spread =
          std::ranges::find(spreads, sets_[set].kind, &std::pair<int, double>::first)->second;
      if (depth(i) < least_depth_ || effect_alone(i).size() < least * deviation * spread) return false;
    }
    return true;
  }

  // Effect of a chosen set's own values compared with unexplained values.
  Effect effect_alone(std::size_t index) {
    const std::size_t set = chosen_[index];
    for (const std::uint32_t i : sets_[set].members)
      if (owner_[i] == set) scratch_[values_[i].group].add(values_[i].value);
    Effect effect;
    double weighed = 0;
    for (const std::uint32_t i : sets_[set].members) {
      const std::size_t group = values_[i].group;
      const Sums in = scratch_[group];
      scratch_[group] = {};
      const Sums& out = totals_[group];
      if (in.count == 0 || out.count == 0) continue;
      const double information = weights_[group] * in.count * out.count / (in.count + out.count);
      effect.information += information;
      weighed += information * (out.mean() - in.mean());
    }
    if (effect.information > 0) effect.depth = weighed / effect.information;
    return effect;
  }

  // Noise can have longer tails than the normal distribution, mostly below, because rates have a maximum.
  // Keeps sets that are far below the rest or also stand out of the shuffled values.
  void drop_outliers() {
    std::vector<std::size_t> kept = far_below();
    std::vector<std::pair<double, std::size_t>> doubted;
    sum_up();
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      if (std::ranges::find(kept, chosen_[i]) == kept.end())
        doubted.emplace_back(-effect_alone(i).gain(), chosen_[i]);
    std::ranges::sort(doubted);
    choose(kept);
    for (const auto& [gain, set] : doubted)
      if (stands_out_of_shuffled(set)) take(set);
  }

  [[nodiscard]] std::vector<std::size_t> far_below() const {
    const std::vector<double> centres = sound_centres();
    const std::vector<double> rest = depths(members_of(kNobody), centres);
    double deepest = std::max(rest.empty() ? 0 : std::ranges::max(rest), 1e-6);
    std::vector<std::pair<std::size_t, std::vector<double>>> chosen;
    for (const std::size_t set : chosen_)
      chosen.emplace_back(set, depths(members_of(static_cast<std::uint32_t>(set)), centres));
    std::erase_if(chosen, [](const auto& one) { return one.second.empty(); });
    // A set that is not kept raises `deepest` for the sets below it.
    std::ranges::sort(chosen, {}, [](const auto& one) { return std::ranges::min(one.second); });
    const auto below =
        std::max<std::ptrdiff_t>(std::ranges::count_if(rest, [](double depth) { return depth > 0; }), 1);
    std::vector<std::size_t> kept;
    for (const auto& [set, own] : chosen) {
      if (is_far_below(std::ranges::min(own) / deepest, static_cast<double>(own.size()),
                       static_cast<double>(below)))
        kept.push_back(set);
      else
        deepest = std::max(deepest, std::ranges::max(own));
    }
    return kept;
  }

  // True if `count` values are deeper than the deepest of `rest` others by this factor. Exponential noise
  // does this once in binomial(rest + count * factor, rest).
  [[nodiscard]] bool is_far_below(double factor, double count, double rest) const {
    if (factor < std::pow(kGap, 1 / count) || (count == 1 && 2 * rest < kFewBeside)) return false;
    const double once_in =
        std::lgamma(rest + count * factor + 1) - std::lgamma(rest + 1) - std::lgamma(count * factor + 1);
    return once_in > std::log(static_cast<double>(sets_.size()) / kFarErrors);
  }

  // True if no set is as good after shuffling the unexplained values, weighed by their group's scatter.
  bool stands_out_of_shuffled(std::size_t chosen) {
    sum_up();
    const std::vector<std::uint32_t> all = members_of(kNobody);
    // Square roots of weights, and weighed depths.
    std::vector<double> roots(values_.size(), 0.0), below(values_.size(), 0.0);
    for (const std::uint32_t i : all) {
      const auto [value, group] = values_[i];
      roots[i] = std::sqrt(weights_[group]);
      below[i] = roots[i] * (totals_[group].mean() - value);
    }
    std::vector<double> information;
    for (std::size_t set = 0; set < sets_.size(); ++set) information.push_back(effect_now(set).information);
    const auto gain = [&](std::size_t set) {
      if (information[set] <= 0) return 0.0;
      double sum = 0;
      for (const std::uint32_t i : sets_[set].members) sum += roots[i] * below[i];
      return sum <= 0 ? 0.0 : sum * sum / information[set];
    };
    const double own = gain(chosen) * (1 - 1e-9);
    const std::size_t shuffles = std::clamp(kShuffled / values_.size(), kFewestShuffles, kMostShuffles);
    std::mt19937_64 random(1);
    for (std::size_t shuffle = 0; shuffle < shuffles; ++shuffle) {
      for (std::size_t i = all.size(); i > 1; --i) std::swap(below[all[i - 1]], below[all[random() % i]]);
      for (std::size_t set = 0; set < sets_.size(); ++set)
        if (gain(set) >= own) return false;
    }
    return true;
  }

  [[nodiscard]] std::vector<std::uint32_t> members_of(std::uint32_t owner) const {
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = 0; i < owner_.size(); ++i)
      if (owner_[i] == owner) members.push_back(i);
    return members;
  }

  // Median of the unexplained values by group; infinite if a group is explained completely.
  [[nodiscard]] std::vector<double> sound_centres() const {
    std::vector<std::vector<double>> sound(groups_);
    for (const std::uint32_t i : members_of(kNobody)) sound[values_[i].group].push_back(values_[i].value);
    std::vector<double> centres;
    for (const std::vector<double>& group : sound)
      centres.push_back(group.empty() ? std::numeric_limits<double>::infinity() : median_of(group));
    return centres;
  }

  // Weighed depths below the centres, without groups that have no centre.
  [[nodiscard]] std::vector<double> depths(const std::vector<std::uint32_t>& members,
                                           const std::vector<double>& centres) const {
    std::vector<double> depths;
    for (const std::uint32_t i : members) {
      const auto [value, group] = values_[i];
      if (std::isfinite(centres[group]))
        depths.push_back((centres[group] - value) * std::sqrt(weights_[group]));
    }
    return depths;
  }

  SlowSet told(std::size_t index) {
    SlowSet slow{chosen_[index], {}};
    for (const std::uint32_t i : sets_[slow.set].members)
      if (owner_[i] == slow.set) slow.members.push_back(i);
    return slow;
  }

  const std::vector<GroupedValue>& values_;
  const std::vector<ValueSet>& sets_;
  double least_depth_;
  std::vector<std::uint32_t> owner_;  // the set that explains each value
  std::vector<std::size_t> chosen_;
  std::size_t groups_ = 0;
  std::vector<double> weights_;
  std::vector<Sums> totals_, scratch_;  // totals_: unexplained values by group; scratch_: empty between calls
  std::vector<std::size_t> touched_;
};

}  // namespace

std::vector<SlowSet> find_slow_sets(const std::vector<GroupedValue>& values,
                                    const std::vector<ValueSet>& sets, double least_depth) {
  if (values.size() < 3 || sets.empty()) return {};
  return Search(values, sets, least_depth).run();
}

}  // namespace rigproof::inline stats
