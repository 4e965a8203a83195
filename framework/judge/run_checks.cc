#include "framework/judge/run_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace rigproof::judge {
namespace {

using FactKey = std::pair<std::string, std::string>;  // part and property
const FactKey kOfTheProcess{"", "pid"};               // another for every suite

// What a node that was started anew between a stop and the run that goes on has otherwise, though nobody changed it.
constexpr std::array<std::string_view, 6> kOfOneStart = {
    "boot", "index", "mac", "port", "thermal throttling events", "highest allowed kHz"};

// GoogleTest's rule for names, so that every case of a run follows the same.
std::string plain(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

// A case that the judge makes itself.
struct RunCase {
  record::PlannedCase plan;
  std::vector<record::Measured> measured = {};
  std::vector<record::Failure> failures = {};
  std::vector<std::string> notes = {};

  void fail(record::Failure::Kind kind, std::string type, std::string message, std::string node = {}) {
    failures.push_back(
        {.kind = kind, .type = std::move(type), .message = std::move(message), .node = std::move(node)});
  }
  void not_proven(std::string message, std::string node) {
    fail(record::Failure::Kind::kSkip, "not-proven", std::move(message), std::move(node));
  }
  void not_proven(const Limit& limit, std::string message, std::string node = {}) {
    if (limit.is_required()) return not_proven(std::move(message), std::move(node));
    measured.push_back({.id = limit.id,
                        .node = std::move(node),
                        .detail = {},
                        .role = record::Measured::Role::kFound,
                        .text = std::move(message),
                        .unread = record::Measured::Unread::kNotReadable});
  }
  void count(std::string id, std::string node, std::string detail, double number, RemedyValues about = {}) {
    measured.push_back({.id = std::move(id),
                        .node = std::move(node),
                        .detail = std::move(detail),
                        .samples = {Dimension::kCount, {number}},
                        .role = record::Measured::Role::kFound,
                        .about = std::move(about)});
  }
};

JudgedSuite run_suite(const std::vector<RunCase>& cases, const std::string& time,
                      const JudgeContext& context) {
  JudgedSuite suite{.name = kRunSuite, .cases = {}, .started = time, .launches = {}};
  for (const RunCase& test : cases) {
    const record::CaseEnded ended{.suite = kRunSuite,
                                  .name = test.plan.name,
                                  .iteration = 1,
                                  .seconds = 0,
                                  .measuring_s = 0,
                                  .measured = test.measured,
                                  .failures = test.failures,
                                  .notes = test.notes};
    Attempt attempt = judge_case(ended, {.owes = nullptr, .place = test.plan.place}, context);
    attempt.launch = 1;
    attempt.started = time;
    JudgedCase judged{
        .suite = kRunSuite, .plan = test.plan, .attempts = {}, .waiver = describe(attempt.waivers)};
    judged.attempts.push_back(std::move(attempt));
    suite.cases.push_back(std::move(judged));
  }
  suite.launches.push_back({kRunSuite, 1, true, ""});
  return suite;
}

SubjectPlace of_node(const std::string& name) { return {SubjectPlace::Kind::kNode, "", {name}}; }

std::map<FactKey, std::string> by_key(const record::NodeFacts& facts) {
  std::map<FactKey, std::string> keys;
  for (const auto& [part, properties] : facts)
    for (const auto& [property, text] : properties) keys.emplace(FactKey{part, property}, text);
  return keys;
}

std::string value_of(const std::map<FactKey, std::string>& facts, const FactKey& key) {
  const auto found = facts.find(key);
  return found == facts.end() ? "not readable" : found->second;
}

// It may have left before it could report everything, and the run is not green by it anyway.
bool has_gaps(const JudgedCase& test) { return test.status() > Status::kWaived; }

// A fact of which there is nothing to judge on a sound rig meets its limit as well.
bool meets_a_limit(const JudgedMeasurement& measurement) {
  return measurement.judgement.verdict != Verdict::kRecorded ||
         measurement.unread == record::Measured::Unread::kNothingThere;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

// Of the limits about the cards under load, those that only RDMA devices report: a node may have none.
bool is_of_rdma(const std::string& id) {
  return id == "load.retries" || id == "load.out_of_sequence" || id == "load.congestion";
}

// What the nodes' cards counted around each load, over a whole run.
class CardCounts {
 public:
  void see(const JudgedMeasurement& measurement) {
    if (!measurement.id.starts_with(kLoadLimits)) return;
    nodes_.insert(measurement.node);
    Sums& sums = seen_[measurement.id][measurement.node];
    const SampleSet& samples = measurement.samples;
    if (measurement.id != kDamagedLimit || is_failed_or_error(measurement) ||
        samples.dimension != Dimension::kCount || samples.values.empty())
      return;
    Sum& sum = sums[measurement.detail];
    sum.count += samples.values.front();
    ++sum.loads;
  }

  void judge(const JudgeContext& context, std::vector<RunCase>& cases) const {
    for (const auto& [id, by_node] : seen_) {
      const Limit* limit = context.limits->find(id);
      if (limit == nullptr) continue;
      const bool is_owed = limit->enforce != Enforce::kInformative && !is_of_rdma(id);
      for (const std::string& node : nodes_) {
        const auto seen = by_node.find(node);
        RunCase test = case_of(id, node);
        if (seen != by_node.end())
          add_sums(test, id, node, seen->second);
        else if (is_owed)
          test.not_proven(
              *limit,
              fmt::format("no card of {} shows {}, though those of {} do: another driver or firmware?", node,
                          id, by_node.begin()->first),
              node);
        if (!test.measured.empty() || !test.failures.empty()) cases.push_back(std::move(test));
      }
    }
  }

 private:
  struct Sum {
    double count = 0;
    int loads = 0;  // that met their limit
  };
  using Sums = std::map<std::string, Sum>;  // by device

  static RunCase case_of(const std::string& id, const std::string& node) {
    RunCase test;
    test.plan = {fmt::format("Steady.{}/{}", plain(id), plain(node)),
                 fmt::format("{} on {} in all loads of the run", id, node), of_node(node)};
    return test;
  }
  static void add_sums(RunCase& test, const std::string& id, const std::string& node, const Sums& sums) {
    for (const auto& [device, sum] : sums) {
      if (sum.loads < 2) continue;
      test.count(id, node, device, sum.count, {{"netdev", device}});
      if (sum.count > 0) test.notes.push_back(fmt::format("{}: in {} loads together", device, sum.loads));
    }
  }

  std::set<std::string> nodes_;                              // that reported anything of their cards
  std::map<std::string, std::map<std::string, Sums>> seen_;  // by id and node
};

// The limits of a run against what its suites declare and what they reported.
class OwedLimits {
 public:
  OwedLimits(const JudgedRun& run, const JudgeContext& context) : run_(run), context_(context) {
    JudgedCase buffer;
    for (const JudgedSuite& suite : run.suites) {
      suites_with_cases_.insert(suite.name);
      for (const JudgedCase& left : suite.cases) {
        const JudgedCase& test = whole(run, left, buffer);
        if (has_gaps(test)) excused_.insert(suite.name);
        for (const Attempt& attempt : test.attempts)
          for (const JudgedMeasurement& measurement : attempt.measurements) {
            if (meets_a_limit(measurement)) reported_.insert(measurement.id);
            cards_.see(measurement);
          }
      }
    }
  }

  [[nodiscard]] const CardCounts& cards() const { return cards_; }

  void reported_by_run(const std::vector<RunCase>& cases) {
    for (const RunCase& test : cases) {
      for (const record::Measured& measured : test.measured) reported_.insert(measured.id);
      if (!test.failures.empty()) run_gaps_ = true;
    }
  }

  // Into cases of the run, problems, and what does not apply.
  void judge(std::vector<RunCase>& cases, JudgedRun& run) {
    if (run_.start.asked.selects_cases()) return;
    for (const std::string& suite : run_.start.asked.suites)
      if (!suites_with_cases_.contains(suite)) not_built_[suite];
    for (const Limit& limit : context_.limits->limits())
      if (limit.enforce != Enforce::kInformative && !reported_.contains(limit.id)) judge(limit, cases, run);
    for (const auto& [suite, ids] : not_built_) cases.push_back(not_built(suite, ids));
  }

 private:
  void judge(const Limit& limit, std::vector<RunCase>& cases, JudgedRun& run) {
    if (limit.id == kStateLimit) return;  // every node has a case of it
    const auto declared = declaration_of(limit.id);
    if (!declared) return unknown(limit, run);
    const auto& [suite, declaration] = *declared;
    const std::vector<std::string>& asked = run_.start.asked.suites;
    if (!asked.empty() && !contains(asked, suite)) return;
    if (excused_.contains(suite)) return;
    switch (planned(suite, limit.id)) {
      case Planned::kNo:
        run.not_applicable.push_back({limit.id, to_text(limit.where),
                                      declaration->needs.empty()
                                          ? fmt::format("suite {} has no case for it on this rig", suite)
                                          : fmt::format("needs {}", declaration->needs)});
        return;
      case Planned::kObserved:
        if (run_gaps_) return;
        [[fallthrough]];
      case Planned::kByCases:
        cases.push_back(not_reported(limit));
    }
  }

  // The suite that declares it, and how.
  [[nodiscard]] std::optional<std::pair<std::string, const record::Declared*>> declaration_of(
      const std::string& id) const {
    for (const auto& [suite, list] : run_.start.declared)
      for (const record::Declared& declared : list)
        if (is_declared_by(declared.id, id)) return std::pair(suite, &declared);
    return {};
  }

  enum class Planned { kNo, kObserved, kByCases };
  [[nodiscard]] Planned planned(const std::string& name, const std::string& id) const {
    const auto among = [&](const std::vector<std::string>& declared) {
      return std::ranges::any_of(declared, [&](const std::string& one) { return is_declared_by(one, id); });
    };
    for (const JudgedSuite& suite : run_.suites) {
      if (suite.name != name) continue;
      for (const record::PlannedTest& test : suite.tests)
        if (among(test.owes) || among(test.may)) return Planned::kByCases;
      if (among(suite.observes)) return Planned::kObserved;
    }
    return Planned::kNo;
  }

  void unknown(const Limit& limit, JudgedRun& run) {
    const std::string suite = suite_of(limit.id);
    const std::vector<std::string>& asked = run_.start.asked.suites;
    const bool is_known = contains(known_suites(), suite);
    if (is_known && !run_.start.declared.contains(suite)) {
      if (limit.is_required() && (asked.empty() || contains(asked, suite)))
        not_built_[suite].push_back(limit.id);
      return;
    }
    run.problems.push_back(
        {"unknown-limit", fmt::format("{}: no suite reports '{}'. A typing error, or a suite that is not "
                                      "installed?",
                                      to_text(limit.where), limit.id)});
  }

  static RunCase not_reported(const Limit& limit) {
    RunCase test;
    test.plan = {"Limits.Reported/" + plain(limit.id), fmt::format("{} was reported", limit.id)};
    test.not_proven(limit,
                    fmt::format("no case reported '{}' ({}): the hardware or its driver does not show it",
                                limit.id, to_text(limit.where)));
    return test;
  }

  static RunCase not_built(const std::string& suite, const std::vector<std::string>& ids) {
    RunCase test;
    const std::string who = ids.empty() ? "--suite asks for" : "the thresholds ask for";
    test.plan = {"Suites.Built/" + suite, fmt::format("suite {} has cases", suite)};
    test.fail(record::Failure::Kind::kSkip, "not-built",
              fmt::format(
                  "no case of suite '{}', which {}: it is not installed, or the rig file lacks its keys{}{}",
                  suite, who, ids.empty() ? "" : ": ", fmt::join(ids, ", ")));
    return test;
  }

  const JudgedRun& run_;
  const JudgeContext& context_;
  CardCounts cards_;
  std::set<std::string> reported_, suites_with_cases_;
  std::set<std::string> excused_;  // suites with cases that may have left before they could report everything
  bool run_gaps_ = false;
  std::map<std::string, std::vector<std::string>> not_built_;
};

}  // namespace

void RunChecks::see(const record::NodeSeen& seen) {
  if (seen.rank < 0) return;
  Node& node = nodes_[seen.node];
  if (node.readings++ == 0)  // since the run began, or went on
    for (const auto& [part, properties] : seen.facts)
      node.first[part].insert(properties.begin(), properties.end());
  const auto first = by_key(node.first), latest = by_key(seen.facts);
  std::set<FactKey> keys;
  for (const auto* facts : {&first, &latest})
    for (const auto& [key, value] : *facts) keys.insert(key);
  keys.erase(kOfTheProcess);
  for (const FactKey& key : keys) {
    const std::string before = value_of(first, key), now = value_of(latest, key);
    const std::string name = record::fact_name(key.first, key.second);
    if (before != now) node.changes.emplace(name, fmt::format("{}: {}, then {}", name, before, now));
  }
}

void RunChecks::see(const record::Observed& seen) {
  auto counter = std::ranges::find_if(counters_, [&](const Counter& known) {
    return known.first.id == seen.id && known.first.node == seen.node && known.first.subject == seen.subject;
  });
  if (counter == counters_.end())
    counter = counters_.insert(counter, {.first = seen, .values = {}, .unread = {}});
  if (!seen.unread.empty()) {
    if (counter->unread.empty()) counter->unread = seen.unread;
    return;
  }
  counter->values.push_back(seen.value);
  if (seen.id != kLinkDownLimit) return;
  const double pulled = std::exchange(pulled_[{seen.node, seen.subject}], 0.0);
  if (counter->values.size() > 1)
    counter->by_pulls += pulled;  // else they came before what is read as growth
}

void RunChecks::see(const record::CableMoved& moved) {
  for (const record::CableMoved::Losses& losses : moved.losses)
    pulled_[{losses.node, losses.netdev}] += losses.times;
}

void RunChecks::resume() {
  for (Counter& counter : counters_) {
    if (counter.values.size() > 1) counter.grown += counter.values.back() - counter.values.front();
    counter.was_read = counter.was_read || counter.values.size() > 1;
    counter.went_back = counter.went_back || !std::ranges::is_sorted(counter.values);
    counter.values.clear();
  }
  pulled_.clear();
  for (auto& [name, node] : nodes_) {
    node.was_read = node.was_read || node.readings > 1;
    node.readings = 0;
    for (auto& [part, properties] : node.first)
      for (const std::string_view name : kOfOneStart) properties.erase(std::string(name));
  }
}

namespace {

// Of the half or the port that it is called by; else of its node, or of what the switch at it has.
SubjectPlace place_of(const record::Observed& counter, const SubjectFinder& subjects) {
  for (const SubjectPlace::Kind kind : {SubjectPlace::Kind::kHalf, SubjectPlace::Kind::kPort})
    if (SubjectPlace place{kind, counter.subject, {counter.node}}; subjects.find(place) != nullptr)
      return place;
  return of_node(counter.node);
}

template <class Counter>
RunCase counter_case(const Counter& counter, const Limit& limit, SubjectPlace place) {
  const auto& [id, node, subject] = std::tie(counter.first.id, counter.first.node, counter.first.subject);
  RunCase test;
  const std::string name = fmt::format("Steady.{}/{}", plain(id), plain(node));
  test.plan = {subject.empty() ? name : name + "_" + plain(subject),
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

template <class Node>
RunCase state_case(const std::string& name, const Node& node, const Limit& limit) {
  RunCase test;
  test.plan = {"Steady.state/" + plain(name), fmt::format("the state of {} during the run", name),
               of_node(name)};
  if (node.readings == 0 && !node.was_read) {
    test.not_proven(limit, "the node's state was not read", name);
    return test;
  }
  if (node.readings < 2 && !node.was_read) {
    test.not_proven(limit, "the node's state was read only once: no suite reached its end", name);
    return test;
  }
  test.count(kStateLimit, name, "", static_cast<double>(node.changes.size()));
  for (const auto& [fact, change] : node.changes) test.notes.push_back(change);
  return test;
}

// Of which no counter was read at all.
RunCase uncounted_case(const std::string& name, const Limit& limit) {
  RunCase test;
  test.plan = {fmt::format("Steady.{}/{}", plain(limit.id), plain(name)),
               fmt::format("change of {} on {} during the run", limit.id, name), of_node(name)};
  test.not_proven(limit, limit.id + " was not read", name);
  return test;
}

// Those that a case is about, unless facts recorded elsewhere stand for them.
std::set<std::string> nodes_of(const JudgedRun& run) {
  std::set<std::string> nodes;
  if (!run.start.asked.snapshot.empty()) return nodes;
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& test : suite.cases)
      nodes.insert(test.plan.place.nodes.begin(), test.plan.place.nodes.end());
  return nodes;
}

}  // namespace

void RunChecks::judge(JudgedRun& run, const JudgeContext& context, const std::string& time) const {
  std::vector<RunCase> cases;
  const std::set<std::string> planned_nodes = nodes_of(run);
  std::set<std::string> taken;
  for (const Counter& counter : counters_) {
    const Limit* limit = context.limits->find(counter.first.id);
    if (limit == nullptr) continue;
    RunCase test = counter_case(counter, *limit, place_of(counter.first, context.subjects));
    while (!taken.insert(test.plan.name).second) test.plan.name += "_";
    cases.push_back(std::move(test));
  }
  const auto is_observed = [](const JudgedSuite& suite) { return contains(suite.observes, kLinkDownLimit); };
  const Limit* link_downs = context.limits->find(kLinkDownLimit);
  if (link_downs != nullptr && !counters_.empty() && std::ranges::any_of(run.suites, is_observed))
    for (const std::string& name : planned_nodes)
      if (std::ranges::none_of(counters_, [&](const Counter& counter) {
            return counter.first.id == kLinkDownLimit && counter.first.node == name;
          }))
        cases.push_back(uncounted_case(name, *link_downs));
  if (const Limit* limit = context.limits->find(kStateLimit)) {
    for (const auto& [name, node] : nodes_) cases.push_back(state_case(name, node, *limit));
    for (const std::string& name : planned_nodes)
      if (!nodes_.contains(name)) cases.push_back(state_case(name, Node{}, *limit));
  }
  OwedLimits owed(run, context);
  owed.cards().judge(context, cases);
  owed.reported_by_run(cases);
  owed.judge(cases, run);
  if (!cases.empty()) run.suites.push_back(run_suite(cases, time, context));
}

const std::vector<std::string>& known_suites() {
  static const std::vector<std::string> suites{"preflight", "host", "switch",     "link", "mtu",
                                               "tcp",       "rdma", "collective", "phy",  "redundancy"};
  return suites;
}

}  // namespace rigproof::judge
