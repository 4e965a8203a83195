#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "framework/judge/blame.h"
#include "framework/judge/judged_run.h"
#include "framework/rig/subjects.h"

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

namespace {

using Kind = Place::Kind;

Place at_node(const Rig& rig, std::size_t node, const std::string& name) {
  for (const HalfRef half : rig.halves_of(node)) {
    if (name == case_name(rig, half)) return {Kind::kHalf, false, half, half};
    if (name == case_name(rig, PortRef{node, half.port})) return {Kind::kPort, false, half, half};
  }
  return {Kind::kNode, false, {node, 0, 0}, {node, 0, 0}};
}

// Whether the name is that of a path over this rail or link (or, empty, of the nodes): which way.
std::optional<bool> both_ways(const Rig& rig, const std::string& over, std::size_t from, std::size_t to,
                              const std::string& name) {
  if (name == case_name(rig, over, from, to, Ways::kOne)) return false;
  if (name == case_name(rig, over, from, to, Ways::kBoth)) return true;
  return {};
}

template <class Ends>
const typename Ends::value_type* end_on(const Ends& ends, std::size_t node) {
  for (const auto& end : ends)
    if (end.node == node) return &end;
  return nullptr;
}

Place between(const Rig& rig, std::size_t from, std::size_t to, const std::string& name) {
  for (const Rail& rail : rig.rails) {
    const HalfRef *first = end_on(rail.halves, from), *second = end_on(rail.halves, to);
    if (first == nullptr || second == nullptr) continue;
    if (const auto both = both_ways(rig, rail.name, from, to, name))
      return {Kind::kRailPath, *both, *first, *second};
  }
  for (const Link& link : rig.links) {
    const PortRef *first = end_on(link.ports, from), *second = end_on(link.ports, to);
    if (first == nullptr || second == nullptr) continue;
    if (const auto both = both_ways(rig, link.name, from, to, name))
      return {Kind::kLinkPath, *both, {from, first->port, 0}, {to, second->port, 0}};
  }
  return {Kind::kNodePath, both_ways(rig, "", from, to, name).value_or(true), {from, 0, 0}, {to, 0, 0}};
}

}  // namespace

Place place_of(const Rig& rig, const record::PlannedCase& plan) {
  if (plan.nodes.empty()) return {};
  const auto first = rig.find_node(plan.nodes[0]);
  if (!first) return {};
  const std::string name = subject_name(plan.name);
  if (plan.nodes.size() == 1) return at_node(rig, *first, name);
  const auto second = plan.nodes.size() == 2 ? rig.find_node(plan.nodes[1]) : std::nullopt;
  return second ? between(rig, *first, *second, name)
                : Place{Kind::kNodePath, true, {*first, 0, 0}, {*first, 0, 0}};
}

Place end_of(const Rig& rig, const Place& place, const std::string& node) {
  if (place.kind == Kind::kRun) return place;
  HalfRef end = place.from;
  Kind kind = place.kind == Kind::kRailPath   ? Kind::kHalf
              : place.kind == Kind::kLinkPath ? Kind::kPort
              : place.kind == Kind::kNodePath ? Kind::kNode
                                              : place.kind;
  if (place.both_ways && !node.empty()) {
    if (rig.node(place.to.node).name == node)
      end = place.to;
    else if (const auto found = rig.find_node(node); found && kind == Kind::kNode)
      end = {*found, 0, 0};
  }
  return {kind, false, end, end};
}

std::optional<Rig> rig_of(const record::RunStarted& start) {
  try {
    return read_rig(toml::Document::parse(start.rig_file.text, start.rig_file.file));
  } catch (const toml::InputError&) {
    return {};
  }
}

}  // namespace rigproof::judge
