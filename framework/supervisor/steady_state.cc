#include "framework/supervisor/steady_state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace rigproof {
namespace {

constexpr const char* kOfTheProcess = "pid";  // another for every suite

std::string value_of(const std::map<std::string, std::string>& facts, const std::string& name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "not readable" : found->second;
}

Measurement judged(const LimitTable& limits, const std::string& node,
                   const std::map<std::string, std::string>& changes) {
  Measurement measurement = judged_count(limits, kStateLimit, node, "", static_cast<double>(changes.size()));
  for (const auto& [fact, change] : changes) measurement.judgement.reason += "; " + change;
  return measurement;
}

}  // namespace

void SteadyState::see(const EventBody& event) {
  const auto* seen = std::get_if<NodeSeen>(&event);
  if (seen == nullptr || seen->rank < 0) return;
  Node& node = nodes_[seen->node];
  if (node.readings++ == 0) node.first = seen->facts;
  std::set<std::string> names;
  for (const auto& [name, value] : node.first) names.insert(name);
  for (const auto& [name, value] : seen->facts) names.insert(name);
  names.erase(kOfTheProcess);
  for (const std::string& name : names) {
    const std::string before = value_of(node.first, name), now = value_of(seen->facts, name);
    if (before != now) node.changes.emplace(name, fmt::format("{}: {}, then {}", name, before, now));
  }
}

std::vector<RunCase> SteadyState::cases(const LimitTable& limits) const {
  std::vector<RunCase> cases;
  if (limits.find(kStateLimit) == nullptr) return cases;
  for (const auto& [name, node] : nodes_) {
    RunCase test;
    test.plan = {"Steady.state/" + plain(name), fmt::format("the state of {} during the run", name), {name}};
    test.limit = kStateLimit;
    if (node.readings < 2)
      test.failures = {run_failure(Failure::Kind::kSkip, "not-proven",
                                   "the node's state was read only once: no suite reached its end", name)};
    else
      test.measurements = {judged(limits, name, node.changes)};
    cases.push_back(std::move(test));
  }
  return cases;
}

}  // namespace rigproof
