#include "framework/judge/run_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "framework/judge/node_verdicts.h"
#include "framework/judge/owed_limits.h"
#include "framework/judge/same_nodes.h"

namespace rigproof::judge {
namespace {

using FactKey = std::pair<std::string, std::string>;  // part and property
const FactKey kOfTheProcess{"", "pid"};               // differs for every suite
constexpr std::string_view kNotReadable = "not readable";

// Facts that a reboot changes, compared only within one part of a resumed run.
constexpr std::array<std::string_view, 5> kOfOneStart = {"boot", "index", "port", "thermal throttling events",
                                                         "highest allowed kHz"};
// The same for an emulated rig, whose nodes are created again.
constexpr std::string_view kOfOneMaking = "mac";

// Properties that identify one machine, NIC, cable or device.
constexpr std::array<std::string_view, 6> kOfOneMachine = {"serial",        "board_serial", "uuid",
                                                           "permanent_mac", "node_guid",    "mac"};

std::map<FactKey, std::string> by_key(const record::NodeFacts& facts) {
  std::map<FactKey, std::string> keys;
  for (const auto& [part, properties] : facts)
    for (const auto& [property, text] : properties) keys.emplace(FactKey{part, property}, text);
  return keys;
}

}  // namespace

// Drops a changed fact from further comparison: the cost stays linear in the readings.
void RunChecks::see(const record::NodeSeen& seen) {
  if (seen.rank < 0) return see_identity(seen);
  Node& node = nodes_[seen.node];
  seen_.insert(seen.node);
  const std::map<FactKey, std::string> latest = by_key(seen.facts);
  if (node.readings++ == 0)  // first since the start or the last resume
    node.first.insert(latest.begin(), latest.end());
  const auto change = [&](const FactKey& key, std::string_view before, std::string_view now) {
    const std::string name = record::fact_name(key.first, key.second);
    node.changes.emplace(name, fmt::format("{}: {}, then {}", name, before, now));
  };
  std::erase_if(node.first, [&](const auto& fact) {
    const auto& [key, before] = fact;
    if (key == kOfTheProcess) return false;
    const auto now = latest.find(key);
    if (now != latest.end() && now->second == before) return false;
    change(key, before, now == latest.end() ? kNotReadable : std::string_view(now->second));
    node.changed.insert(key);
    return true;
  });
  for (const auto& [key, now] : latest)
    if (key != kOfTheProcess && !node.first.contains(key) && node.changed.insert(key).second)
      change(key, kNotReadable, now);
}

// Compares only facts that both inventories have: permissions decide who can read serial numbers.
void RunChecks::see_identity(const record::NodeSeen& seen) {
  Identity& identity = identities_[seen.node];
  for (const auto& [part, properties] : seen.facts)
    for (const auto& [property, now] : properties) {
      if (std::ranges::find(kOfOneMachine, property) == kOfOneMachine.end()) continue;
      const std::string name = record::fact_name(part, property);
      const auto [before, is_new] = identity.first.try_emplace(name, now);
      if (!is_new && before->second != now)
        identity.changes.emplace(name, fmt::format("{}: {}, then {}", name, before->second, now));
    }
}

// A silent switch is recorded as one counter with its name. Counters kept counting: the gap is harmless.
void RunChecks::hear_of_switch(const std::string& id, const std::string& name) {
  read_of_switch_.insert({id, name});
  const auto silent = silent_.find({id, name});
  if (silent == silent_.end()) return;
  for (const std::size_t index : silent->second)
    if (std::exchange(counters_[index].read_before, false)) counters_[index].unread.clear();
  silent_.erase(silent);
}

void RunChecks::see(const record::Observed& seen, record::MetricGroup group) {
  const auto [known, is_new] = index_.try_emplace({seen.id, seen.node, seen.subject}, counters_.size());
  if (is_new) counters_.push_back({.first = seen, .group = group, .values = {}, .unread = {}, .untold = {}});
  Counter* counter = &counters_[known->second];
  if (!seen.unread.empty()) {
    if (!counter->unread.empty()) return;
    counter->unread = seen.unread;
    counter->read_before = !counter->values.empty() || read_of_switch_.contains({seen.id, seen.subject});
    if (counter->read_before) silent_[{seen.id, seen.subject}].insert(known->second);
    return;
  }
  const auto at = seen.about.find("switch");
  if (at != seen.about.end()) hear_of_switch(seen.id, at->second);
  if (std::exchange(counter->read_before, false)) counter->unread.clear();
  counter->values.push_back(seen.value);
  counted_.insert(known->second);
  if (const auto cable = seen.about.find(record::kCable); cable != seen.about.end()) {
    const int pulls = pulls_[cable->second];
    const bool is_growth = counter->values.size() > 1;
    if (std::exchange(counter->pulls, pulls) != pulls && is_growth)
      counter->by_pulls += seen.value - *std::prev(counter->values.end(), 2);
  }
  if (group != record::MetricGroup::kCarrierLosses) return;
  const double pulled = std::exchange(pulled_[{seen.node, seen.subject}], 0.0);
  if (counter->values.size() < 2) return;  // the pulls came before the first reading
  counter->by_pulls += pulled;
  const double grown = seen.value - *std::prev(counter->values.end(), 2) - pulled;
  if (!out_.empty() && grown > 0 && counter->untold.empty())
    counter->untold =
        fmt::format("{} grew by {} after the run had pulled the cable of {}, which was not back in time",
                    seen.id, grown, *out_.begin());
}

void RunChecks::see(const record::CableMoved& moved) {
  if (moved.step == record::CableMoved::Step::kPulled) {
    ++pulls_[moved.cable];
    out_.insert(moved.cable);
  }
  if (moved.step == record::CableMoved::Step::kPlugged) out_.erase(moved.cable);
  for (const record::CableMoved::Losses& losses : moved.losses)
    pulled_[{losses.node, losses.netdev}] += losses.times;
}

void RunChecks::forget(const std::set<std::string>& nodes) {
  for (const std::string& node : nodes) {
    nodes_.erase(node);
    identities_.erase(node);
  }
  for (Counter& counter : counters_)
    if (nodes.contains(counter.first.node))
      counter = {.first = counter.first, .group = counter.group, .values = {}, .unread = {}, .untold = {}};
}

void RunChecks::resume(bool emulated) {
  read_of_switch_.clear();
  for (const std::size_t index : std::exchange(counted_, {})) {
    Counter& counter = counters_[index];
    if (counter.values.size() > 1) counter.grown += counter.values.back() - counter.values.front();
    counter.was_read = counter.was_read || counter.values.size() > 1;
    counter.went_back = counter.went_back || !std::ranges::is_sorted(counter.values);
    counter.values.clear();
  }
  pulled_.clear();
  for (const std::string& name : std::exchange(seen_, {})) {
    Node& node = nodes_[name];
    node.was_read = node.was_read || node.readings > 1;
    node.readings = 0;
    std::erase_if(node.first, [&](const auto& fact) {
      const std::string& property = fact.first.second;
      return std::ranges::find(kOfOneStart, property) != kOfOneStart.end() ||
             (emulated && property == kOfOneMaking);
    });
  }
}

namespace {

// The half or port that the counter's subject names; else the node (for counters of a switch, too).
SubjectPlace place_of(const record::Observed& counter, const SubjectFinder& subjects) {
  for (const SubjectPlace::Kind kind : {SubjectPlace::Kind::kHalf, SubjectPlace::Kind::kPort})
    if (SubjectPlace place{kind, counter.subject, {counter.node}}; subjects.find(place) != nullptr)
      return place;
  return place_of_node(counter.node);
}

template <class Counter>
RunCase counter_case(const Counter& counter, const Limit& limit, SubjectPlace place, bool with_operator) {
  const auto& [id, node, subject] = std::tie(counter.first.id, counter.first.node, counter.first.subject);
  RunCase test;
  test.plan = {steady_name(id, node, subject),
               fmt::format("change of {} on {} {} during the run", id, node, subject), std::move(place)};
  const auto& values = counter.values;
  const auto back = std::adjacent_find(values.begin(), values.end(), std::greater<>());
  const std::string reset = back == values.end()
                                ? (counter.went_back ? fmt::format("{} {} went back", id, subject) : "")
                                : fmt::format("{} {} went back from {} to {}: reset, or the node rebooted",
                                              id, subject, *back, *std::next(back));
  if (!reset.empty() && limit.is_required())
    test.fail(record::Failure::Kind::kError, "counter-reset", reset, node);
  else if (!reset.empty())
    test.not_proven(limit, reset, node);
  else if (!counter.unread.empty())
    test.not_proven(limit, fmt::format("{} could not be read: {}", id, counter.unread), node);
  else if (with_operator && !counter.untold.empty())  // an operator may be late, an emulated rig is not
    test.not_proven(limit, counter.untold, node);
  else if (values.size() < 2 && !counter.was_read)
    test.not_proven(limit, id + " was read only once: no suite reached its end", node);
  else
    test.count(id, node, subject,
               counter.grown + (values.empty() ? 0 : values.back() - values.front()) - counter.by_pulls,
               counter.first.about);
  if (counter.by_pulls > 0)
    test.notes.push_back(
        fmt::format("{} of it by cables that the run pulled are left out", counter.by_pulls));
  return test;
}

using Changes = std::map<std::string, std::string>;

RunCase planned_state_case(const std::string& name) {
  RunCase test;
  test.plan = {steady_name("state", name), fmt::format("the state of {} during the run", name),
               place_of_node(name)};
  return test;
}

RunCase changed_case(const std::string& name, const Changes& changes) {
  RunCase test = planned_state_case(name);
  test.count(kStateLimit, name, "", static_cast<double>(changes.size()));
  for (const auto& [fact, change] : changes) test.notes.push_back(change);
  return test;
}

// `changes`: of the node's state and identity.
template <class Node>
RunCase state_case(const std::string& name, const Node& node, const Changes& changes, const Limit& limit) {
  if (node.readings > 1 || node.was_read || !changes.empty()) return changed_case(name, changes);
  RunCase test = planned_state_case(name);
  test.not_proven(limit,
                  node.readings == 0 ? "the node's state was not read"
                                     : "the node's state was read only once: no suite reached its end",
                  name);
  return test;
}

// For a node without any reading of a counter.
RunCase uncounted_case(const std::string& name, const Limit& limit) {
  RunCase test;
  test.plan = {steady_name(limit.id, name), fmt::format("change of {} on {} during the run", limit.id, name),
               place_of_node(name)};
  test.not_proven(limit, limit.id + " was not read", name);
  return test;
}

// Fails for each node that the sample rejects. Not proven: with this run's scatter the sample does not find slow nodes
// as often as was asked for. Without failures: the sample shows what was asked for.
RunCase sample_case(const SampleResult& sample, const record::SampleAsked& asked) {
  RunCase test;
  test.plan = {"Sample.FindsSlowNodes", "the sample of pairs", {SubjectPlace::Kind::kRun, "", {}}};
  for (const Suspect& suspect : sample.rejected)
    test.fail(record::Failure::Kind::kFail, "slow-node",
              fmt::format("{} is {}", suspect.node, slowness_of(suspect)), suspect.node);
  if (!sample.slower_group.empty())
    test.not_proven(
        fmt::format(
            "{} nodes or parts of them are slower than the others ({} is {}), too many to be the exception, "
            "and no limit tells which group is as it should be: give the rates a limit",
            sample.slower_group.size(), sample.slower_group.front().node,
            slowness_of(sample.slower_group.front())),
        "");
  if (sample.falls_short_of(asked.power))
    test.not_proven(
        fmt::format(
            "a node {:.0f} % slower was rejected in {} of {} simulated rigs whose rates scatter as these "
            "do ({:.1f} %), which does not show the {:.1f} % asked for: measure more rounds of pairs",
            100 * asked.slower, sample.slow.rejected, sample.slow.rigs, 100 * sample.scatter,
            100 * asked.power),
        "");
  return test;
}

// Nodes that cases are about; none if a snapshot was judged.
std::set<std::string> nodes_of(const JudgedRun& run) {
  std::set<std::string> nodes;
  if (!run.start.asked.snapshot.empty()) return nodes;
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& test : suite.cases)
      nodes.insert(test.plan.place.nodes.begin(), test.plan.place.nodes.end());
  return nodes;
}

// Limits of the carrier losses that a suite of the run reads.
std::set<const Limit*> limits_of_carrier_losses(const JudgedRun& run, const JudgeContext& context) {
  std::set<const Limit*> limits;
  for (const JudgedSuite& suite : run.suites)
    for (const std::string& id : suite.observes)
      if (context.groups.of(id) == record::MetricGroup::kCarrierLosses)
        if (const Limit* limit = context.limits->find(id)) limits.insert(limit);
  return limits;
}

}  // namespace

bool RunChecks::counts(const std::string& node, const std::string& id) const {
  return std::ranges::any_of(counters_, [&](const Counter& counter) {
    return counter.first.id == id && counter.first.node == node;
  });
}

void RunChecks::judge(JudgedRun& run, const JudgeContext& context, const std::string& time) const {
  std::vector<RunCase> cases;
  const std::set<std::string> planned_nodes = nodes_of(run);
  const auto is_bridged = [](const Counter& counter) {  // a switch was silent, and was read later
    return !counter.first.unread.empty() && counter.unread.empty() && counter.values.empty() &&
           !counter.was_read;
  };
  for (const Counter& counter : counters_)
    if (const Limit* limit = context.limits->find(counter.first.id); limit != nullptr && !is_bridged(counter))
      cases.push_back(counter_case(counter, *limit, place_of(counter.first, context.subjects),
                                   run.start.asked.with_operator));
  for (const Limit* limit : limits_of_carrier_losses(run, context))
    for (const std::string& name : planned_nodes)
      if (!counters_.empty() && !counts(name, limit->id)) cases.push_back(uncounted_case(name, *limit));
  if (const Limit* limit = context.limits->find(kStateLimit)) {
    const auto changes_of = [&](const std::string& name, Changes changes) {
      if (const auto found = identities_.find(name); found != identities_.end() && !context.emulated)
        changes.insert(found->second.changes.begin(), found->second.changes.end());
      return changes;
    };
    for (const auto& [name, node] : nodes_)
      cases.push_back(state_case(name, node, changes_of(name, node.changes), *limit));
    for (const std::string& name : planned_nodes)
      if (!nodes_.contains(name)) cases.push_back(state_case(name, Node{}, changes_of(name, {}), *limit));
    for (const auto& [name, identity] : identities_)  // of switches
      if (const Changes changes = changes_of(name, {});
          !changes.empty() && !nodes_.contains(name) && !planned_nodes.contains(name))
        cases.push_back(changed_case(name, changes));
  }
  std::ranges::move(cases_of_same_nodes(run, context), std::back_inserter(cases));
  if (run.sample)
    if (RunCase test = sample_case(*run.sample, run.start.asked.sample); !test.failures.empty())
      cases.push_back(std::move(test));
  judge_owed_limits(run, context, cases);
  if (!cases.empty()) run.suites.push_back(judge_run_suite(std::move(cases), time, context));
}

}  // namespace rigproof::judge
