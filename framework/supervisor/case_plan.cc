#include "framework/supervisor/case_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>

#include "framework/limits/limit.h"
#include "framework/rig/examples.h"
#include "framework/rig/subjects.h"

namespace rigproof::supervisor {
namespace {

constexpr std::size_t kNode = std::numeric_limits<std::size_t>::max();
constexpr std::pair<std::size_t, std::size_t> kWhole{kNode, kNode};

bool matches_any(std::string_view patterns, std::string_view name) {
  while (true) {
    const auto end = patterns.find(':');
    if (matches_glob(patterns.substr(0, end), name)) return true;
    if (end == patterns.npos) return false;
    patterns.remove_prefix(end + 1);
  }
}

// GoogleTest's filter: patterns, and after '-' patterns that exclude.
bool passes(std::string_view filter, std::string_view name) {
  const auto minus = filter.find('-');
  const std::string_view wanted = filter.substr(0, minus);
  if (minus != filter.npos && matches_any(filter.substr(minus + 1), name)) return false;
  return minus == 0 || matches_any(wanted, name);
}

// Cases of a pair whose path other nodes forward need all nodes.
bool needs_others(const SubjectPlace& place) { return place.kind == SubjectPlace::Kind::kForwarded; }

bool is_of_whole(const SubjectPlace& place) {
  return place.kind == SubjectPlace::Kind::kAllNodes || place.nodes.empty() || place.nodes.size() > 2;
}

std::vector<std::size_t> all_nodes(std::size_t count) {
  std::vector<std::size_t> nodes(count);
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

}  // namespace

CasePlan::CasePlan(const Rig& rig, std::shared_ptr<const SubjectFinder> subjects,
                   const record::SuiteDescription& description, std::string filter)
    : subjects_(std::move(subjects)),
      filter_(description.by_example && filter != "*" ? std::move(filter) : ""),
      one_job_(description.traits.one_job || rig.nodes.size() <= 2),
      by_example_(description.by_example),
      kinds_(by_example_ ? kinds_of_nodes(rig) : all_nodes(rig.nodes.size())),
      frame_{description.plan.suite, {}, description.plan.tests, description.plan.observes} {
  for (std::size_t node = 0; node < rig.nodes.size(); ++node) {
    nodes_.push_back(rig.node(node).name);
    words_.push_back(case_name(rig, node));
    index_.emplace(nodes_.back(), static_cast<std::uint32_t>(node));
  }
  std::map<Kinds, Cases> found;
  for (std::size_t i = 0; i < description.plan.cases.size(); ++i) take(description.plan.cases[i], i, found);
  if (by_example_) list_subjects(rig);
  for (const auto& [kinds, cases] : found) add_group(kinds, cases);
  std::erase_if(groups_, [](const auto& group) { return group.second.patterns.empty(); });
}

void CasePlan::take(const record::PlannedCase& test, std::size_t index, std::map<Kinds, Cases>& found) {
  if (is_of_whole(test.place))
    return void(found[kWhole][{0, 0}].push_back({.index = index, .example = test}));
  Pattern pattern = pattern_of(test, index);
  if (by_example_) split_name(pattern);
  const NodePair own = pattern.own;
  found[kinds_of(own)][own].push_back(std::move(pattern));
}

CasePlan::Pattern CasePlan::pattern_of(const record::PlannedCase& test, std::size_t index) const {
  const std::uint32_t from = index_.at(test.place.nodes.front()), to = index_.at(test.place.nodes.back());
  return {.index = index,
          .example = test,
          .own = {std::min(from, to), std::max(from, to)},
          .backwards = from > to};
}

// "EachRail/Rate.Holds/rail0_node_a_to_node_b" -> "EachRail/Rate.Holds/rail0_", "_to_", "".
void CasePlan::split_name(Pattern& pattern) const {
  const std::string_view name = pattern.example.name;
  const bool is_pair = pattern.own.first != pattern.own.second;
  const std::string& from = words_[pattern.backwards ? pattern.own.second : pattern.own.first];
  const std::string& to = words_[pattern.backwards ? pattern.own.first : pattern.own.second];
  const auto subject = name.rfind('/') + 1;
  pattern.middle = !is_pair ? "" : pattern.example.place.both_ways ? "_" : "_to_";
  const std::string ends = is_pair ? from + pattern.middle + to : from;
  const auto at = is_pair ? name.size() - std::min(name.size(), ends.size()) : subject;
  if (subject == 0 || at < subject || name.substr(at, ends.size()) != ends)
    throw NotByExample(fmt::format("case {} is not named after its subject", name));
  pattern.head = name.substr(0, at);
  pattern.tail = name.substr(at + ends.size());
}

// The nodes and pairs of each kind.
void CasePlan::list_subjects(const Rig& rig) {
  for (std::uint32_t node = 0; node < nodes_.size(); ++node)
    groups_[{kinds_[node], kNode}].subjects.push_back({node, node});
  for (const NodePair pair : pairs_that_meet(rig)) groups_[kinds_of(pair)].subjects.push_back(pair);
}

void CasePlan::add_group(const Kinds& kinds, const Cases& cases) {
  Group& group = groups_[kinds];
  if (!by_example_ || kinds == kWhole)
    for (const auto& [subject, patterns] : cases) group.subjects.push_back(subject);
  group.patterns = cases.begin()->second;
  const auto is_derived = [&](NodePair subject) {
    const auto own = cases.find(subject);
    return own != cases.end() &&
           std::ranges::equal(group.patterns, own->second, std::bind_front(&CasePlan::agree, this));
  };
  if (group.subjects.empty() || (by_example_ && cases.size() > 2) || !is_derived(group.subjects.front()) ||
      !is_derived(group.subjects.back()))
    throw NotByExample(
        fmt::format("the examples of {} have different cases", group.patterns.front().example.name));
}

bool CasePlan::agree(const Pattern& pattern, const Pattern& other) const {
  const Entry derived{&pattern, other.own};
  return name_of(derived) == other.example.name && place_of(derived) == other.example.place &&
         pattern.example.test == other.example.test;
}

CasePlan::Kinds CasePlan::kinds_of(NodePair subject) const {
  return {kinds_[subject.first], subject.first == subject.second ? kNode : kinds_[subject.second]};
}

std::string CasePlan::name_of(const Entry& entry) const {
  const Pattern& pattern = *entry.pattern;
  if (entry.subject == pattern.own) return pattern.example.name;
  const auto [first, second] = entry.subject;
  const std::string& from = words_[pattern.backwards ? second : first];
  if (first == second) return pattern.head + from + pattern.tail;
  return pattern.head + from + pattern.middle + words_[pattern.backwards ? first : second] + pattern.tail;
}

SubjectPlace CasePlan::place_of(const Entry& entry) const {
  const Pattern& pattern = *entry.pattern;
  SubjectPlace place = pattern.example.place;
  if (entry.subject == pattern.own) return place;
  const auto [first, second] = entry.subject;
  place.nodes.front() = nodes_[pattern.backwards ? second : first];
  place.nodes.back() = nodes_[pattern.backwards ? first : second];
  return place;
}

bool CasePlan::is_chosen(const Entry& entry) const {
  return filter_.empty() || passes(filter_, name_of(entry));
}

std::size_t CasePlan::count(const Pattern& pattern, const Group& group) const {
  if (filter_.empty()) return group.subjects.size();
  return static_cast<std::size_t>(std::ranges::count_if(group.subjects, [&](NodePair subject) {
    return is_chosen({&pattern, subject});
  }));
}

std::map<std::string, std::size_t> CasePlan::count_by_test() const {
  std::map<std::string, std::size_t> counts;
  for (const auto& [kinds, group] : groups_)
    for (const Pattern& pattern : group.patterns) {
      const auto test = pattern.example.test;
      counts[test && *test < frame_.tests.size() ? frame_.tests[*test].name : ""] += count(pattern, group);
    }
  return counts;
}

std::size_t CasePlan::size() const {
  std::size_t all = 0;
  for (const auto& [test, cases] : count_by_test()) all += cases;
  return all;
}

std::vector<NodePair> CasePlan::pairs() const {
  std::vector<NodePair> pairs;
  for (const auto& [kinds, group] : groups_) {
    if (kinds.second == kNode) continue;
    for (const NodePair pair : group.subjects)
      if (std::ranges::any_of(group.patterns, [&](const Pattern& pattern) {
            return !needs_others(pattern.example.place) && is_chosen({&pattern, pair});
          }))
        pairs.push_back(pair);
  }
  return pairs;
}

Job CasePlan::one_job() const { return {.nodes = all_nodes(nodes_.size()), .cases = {}, .has_pairs = true}; }

std::vector<Job> CasePlan::jobs() const {
  if (one_job_) return {one_job()};
  std::vector<Job> jobs{{.nodes = all_nodes(nodes_.size()), .cases = {}}};
  if (entries_of(jobs.front()).empty()) jobs.clear();
  const auto rounds = rounds_of(static_cast<std::uint32_t>(nodes_.size()), pairs());
  for (std::size_t round = 0; round < rounds.size(); ++round)
    for (const NodePair pair : rounds[round])
      jobs.push_back({.nodes = {pair.first, pair.second},
                      .cases = {},
                      .round = static_cast<int>(round) + 1,
                      .has_pairs = true});
  return jobs;
}

std::vector<CasePlan::Entry> CasePlan::entries_of(const Job& job) const {
  std::vector<Entry> entries;
  if (job.nodes.empty()) return entries;
  const auto add = [&](const Pattern& pattern, NodePair subject) {
    const Entry entry{&pattern, subject};
    if (is_chosen(entry)) entries.push_back(entry);
  };
  if (job.nodes.size() < nodes_.size()) {
    const NodePair pair{static_cast<std::uint32_t>(job.nodes[0]), static_cast<std::uint32_t>(job.nodes[1])};
    if (const auto group = groups_.find(kinds_of(pair)); group != groups_.end())
      for (const Pattern& pattern : group->second.patterns)
        if (!needs_others(pattern.example.place)) add(pattern, pair);
    return entries;
  }
  for (const auto& [kinds, group] : groups_)
    for (const Pattern& pattern : group.patterns)
      if (kinds.second == kNode || job.has_pairs || needs_others(pattern.example.place))
        for (const NodePair subject : group.subjects) add(pattern, subject);
  std::ranges::stable_sort(entries, {}, [](const Entry& entry) { return entry.pattern->index; });
  return entries;
}

std::vector<std::string> CasePlan::names_of(const Job& job) const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_of(job)) names.push_back(name_of(entry));
  return names;
}

record::SuitePlanned CasePlan::plan_of(const Job& job) const {
  record::SuitePlanned plan = frame_;
  for (const Entry& entry : entries_of(job)) {
    record::PlannedCase test = entry.pattern->example;
    if (entry.subject != entry.pattern->own) {
      test.name = name_of(entry);
      test.place = place_of(entry);
      const Subject* subject = subjects_->find(test.place);
      if (subject == nullptr) throw std::logic_error(fmt::format("the rig has no subject for {}", test.name));
      test.subject = subject->text();
    }
    plan.cases.push_back(std::move(test));
  }
  return plan;
}

}  // namespace rigproof::supervisor
