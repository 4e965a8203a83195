#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
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

// The rate divided by its limit. If another statistic missed its bound by more, that statistic counts.
double part_of_limit(const Judgement& judgement) {
  const double of_limit = judgement.value / *judgement.bounds.at_least, margin = judgement.margin.value_or(0);
  const bool is_too_fast = judgement.bounds.at_most && judgement.value > *judgement.bounds.at_most;
  return margin < 0 && !is_too_fast ? std::min(of_limit, 1 + margin) : of_limit;
}

// Collects the rates between nodes of a run.
class RatesOfRun {
 public:
  RatesOfRun(const JudgedRun& run, const Rig& rig) : run_(run), rig_(rig) {}

  std::vector<PathRate> take() {
    JudgedCase buffer;
    for (const JudgedSuite& suite : run_.suites)
      for (const JudgedCase& planned : suite.cases) {
        const Place place = place_of(rig_, planned.plan.place);
        if (is_between_nodes(place)) add(suite, whole(run_, planned, buffer), place);
      }
    return std::move(rates_);
  }

 private:
  static bool is_between_nodes(const Place& place) {
    const bool path =
        place.kind == Kind::kRailPath || place.kind == Kind::kLinkPath || place.kind == Kind::kNodePath;
    return path && place.from.node != place.to.node;
  }

  void add(const JudgedSuite& suite, const JudgedCase& test, const Place& place) {
    const Attempt* attempt = test.deciding();
    if (attempt == nullptr || attempt->replaced) return;
    const Directions directions(*attempt);
    for (const JudgedMeasurement& m : attempt->measurements)
      if (is_rate_with_a_floor(m, *run_.limits))
        add(figure_of(suite, test, m), m, directions.of(rig_, m, place));
  }

  void add(std::size_t figure, const JudgedMeasurement& m, const Place& place) {
    const double of_limit = part_of_limit(m.judgement);
    rates_.push_back({place, figure, of_limit, m.judgement.verdict == Verdict::kFail && of_limit < 1});
  }

  // A figure is one id of one test, over subjects of one kind. A case without a declared test has a figure of
  // its own.
  std::size_t figure_of(const JudgedSuite& suite, const JudgedCase& test, const JudgedMeasurement& m) {
    const SubjectPlace& place = test.plan.place;
    const record::PlannedTest* declared = suite.test_of(test.plan);
    Figure figure{suite.name, declared != nullptr ? declared->name : test.plan.name,
                  m.id,       m.detail,
                  place.kind, place.both_ways};
    return figures_.try_emplace(std::move(figure), figures_.size()).first->second;
  }

  using Figure = std::tuple<std::string, std::string, std::string, std::string, SubjectPlace::Kind, bool>;
  const JudgedRun& run_;
  const Rig& rig_;
  std::map<Figure, std::size_t> figures_;
  std::vector<PathRate> rates_;
};

}  // namespace

Directions::Directions(const Attempt& attempt) {
  std::map<Figure, std::string_view> first;  // the first node that measured it
  for (const JudgedMeasurement& m : attempt.measurements)
    if (first.try_emplace({m.id, m.detail}, m.node).first->second != m.node)
      by_several_.emplace(m.id, m.detail);
}

Place Directions::of(const Rig& rig, const JudgedMeasurement& m, Place place) const {
  if (!place.both_ways || !by_several_.contains({m.id, m.detail})) return place;
  place.both_ways = false;
  if (rig.node(place.from.node).name == m.node) std::swap(place.from, place.to);
  return place;
}

std::vector<PathRate> rates_of(const JudgedRun& run, const Rig& rig) {
  return run.limits == nullptr ? std::vector<PathRate>() : RatesOfRun(run, rig).take();
}

Blame blame_of(const JudgedRun& run) {
  const std::optional<Rig> rig = rig_of(run.start);
  return rig ? find_suspects(*rig, rates_of(run, *rig), run.start.asked.sample.slower) : Blame();
}

namespace {

Place on_node(const Rig& rig, std::size_t node, const SubjectPlace& place) {
  HalfRef at{node, 0, 0};
  if (place.kind == SubjectPlace::Kind::kNode) return {Kind::kNode, false, at, at};
  if (place.kind == SubjectPlace::Kind::kPort) {
    const auto port = rig.find_port(node, place.part);
    if (!port) return {};
    at.port = port->port;
    return {Kind::kPort, false, at, at};
  }
  const auto half = rig.find_half(node, place.part);
  return half ? Place{Kind::kHalf, false, *half, *half} : Place{};
}

Place between(const Rig& rig, std::size_t from, std::size_t to, const SubjectPlace& place) {
  if (place.kind == SubjectPlace::Kind::kRail) {
    const auto rail = std::ranges::find(rig.rails, place.part, &Rail::name);
    if (rail == rig.rails.end()) return {};
    const HalfRef *first = end_on(rail->halves, from), *second = end_on(rail->halves, to);
    if (first == nullptr || second == nullptr) return {};
    return {Kind::kRailPath, place.both_ways, *first, *second};
  }
  if (place.kind == SubjectPlace::Kind::kLink) {
    const auto link = std::ranges::find(rig.links, place.part, &Link::name);
    if (link == rig.links.end()) return {};
    const PortRef *first = end_on(link->ports, from), *second = end_on(link->ports, to);
    if (first == nullptr || second == nullptr) return {};
    return {Kind::kLinkPath, place.both_ways, {from, first->port, 0}, {to, second->port, 0}};
  }
  return {Kind::kNodePath, place.both_ways, {from, 0, 0}, {to, 0, 0}};
}

}  // namespace

Place place_of(const Rig& rig, const SubjectPlace& place) {
  const auto first = place.nodes.empty() ? std::nullopt : rig.find_node(place.nodes[0]);
  if (!first) return {};
  switch (place.kind) {
    case SubjectPlace::Kind::kRun:
      return {};
    case SubjectPlace::Kind::kNode:
    case SubjectPlace::Kind::kPort:
    case SubjectPlace::Kind::kHalf:
      return on_node(rig, *first, place);
    case SubjectPlace::Kind::kAllNodes:
      return {Kind::kNodePath, true, {*first, 0, 0}, {*first, 0, 0}};
    case SubjectPlace::Kind::kRail:
    case SubjectPlace::Kind::kLink:
    case SubjectPlace::Kind::kNodes:
    case SubjectPlace::Kind::kForwarded:
      break;
  }
  const auto second = place.nodes.size() == 2 ? rig.find_node(place.nodes[1]) : std::nullopt;
  return second ? between(rig, *first, *second, place) : Place{};
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
