#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "framework/judge/blame.h"
#include "framework/judge/judged_run.h"

namespace rigproof::judge {
namespace {

using Kind = Place::Kind;

bool is_rate_with_a_floor(const JudgedMeasurement& m, const LimitTable& limits) {
  const Judgement& judgement = m.judgement;
  if (m.samples.dimension != Dimension::kDataRate || judgement.bounds.at_least.value_or(0) <= 0) return false;
  if (judgement.verdict == Verdict::kError || judgement.verdict == Verdict::kRecorded) return false;
  const Limit* limit = limits.find(m.id);
  return limit != nullptr && limit->is_required() && std::isfinite(judgement.value);
}

// The rates between nodes of a run, case by case.
class RatesOfRun {
 public:
  RatesOfRun(const JudgedRun& run, const Rig& rig) : run_(run), rig_(rig) {}

  std::vector<PathRate> take() {
    JudgedCase buffer;
    for (const JudgedSuite& suite : run_.suites)
      for (const JudgedCase& planned : suite.cases) {
        const Place place = place_of(rig_, planned.plan);
        if (is_between_nodes(place)) add(whole(run_, planned, buffer), place);
      }
    return std::move(rates_);
  }

 private:
  static bool is_between_nodes(const Place& place) {
    const bool path =
        place.kind == Kind::kRailPath || place.kind == Kind::kLinkPath || place.kind == Kind::kNodePath;
    return path && place.from.node != place.to.node;
  }

  void add(const JudgedCase& test, const Place& place) {
    const Attempt* attempt = test.deciding();
    if (attempt == nullptr || is_void(attempt->failures)) return;
    for (const JudgedMeasurement& m : attempt->measurements)
      if (is_rate_with_a_floor(m, *run_.limits)) add(test, m, place);
  }

  void add(const JudgedCase& test, const JudgedMeasurement& m, const Place& place) {
    const std::string name = test.plan.name.substr(0, test.plan.name.rfind('/'));
    const std::size_t figure = figures_.try_emplace({m.id, m.detail, name}, figures_.size()).first->second;
    const double of_limit = m.judgement.value / *m.judgement.bounds.at_least;
    rates_.push_back({direction_of(rig_, *test.deciding(), m, place), figure, of_limit,
                      m.judgement.verdict == Verdict::kFail && of_limit < 1});
  }

  const JudgedRun& run_;
  const Rig& rig_;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> figures_;
  std::vector<PathRate> rates_;
};

}  // namespace

Place direction_of(const Rig& rig, const Attempt& attempt, const JudgedMeasurement& m, Place place) {
  const auto other = [&](const JudgedMeasurement& one) {
    return one.id == m.id && one.detail == m.detail && one.node != m.node;
  };
  if (!place.both_ways || std::ranges::none_of(attempt.measurements, other)) return place;
  place.both_ways = false;
  if (rig.node(place.from.node).name == m.node) std::swap(place.from, place.to);
  return place;
}

Blame blame_of(const JudgedRun& run) {
  const std::optional<Rig> rig = rig_of(run.start);
  if (!rig || run.limits == nullptr) return {};
  return find_suspects(*rig, RatesOfRun(run, *rig).take());
}

}  // namespace rigproof::judge
