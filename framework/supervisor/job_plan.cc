#include "framework/supervisor/job_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace rigproof::supervisor {

Job take_lost(Job& job, const std::set<std::size_t>& dead, const Rig& rig, const record::SuitePlanned& plan) {
  Job lost{.nodes = job.nodes, .cases = {}, .round = job.round, .has_pairs = job.has_pairs};
  const auto is_dead = [&](const std::string& name) { return dead.contains(rig.find_node(name).value()); };
  std::unordered_map<std::string, bool> needs_dead;
  for (const record::PlannedCase& test : plan.cases)
    needs_dead[test.name] = std::ranges::any_of(test.place.nodes, is_dead);
  std::vector<std::string> kept;
  for (std::string& name : job.cases) (needs_dead.at(name) ? lost.cases : kept).push_back(std::move(name));
  job.cases = std::move(kept);
  std::erase_if(job.nodes, [&](std::size_t node) { return dead.contains(node); });
  return lost;
}

record::SuitePlanned part_of(const record::SuitePlanned& plan, const std::vector<std::string>& cases) {
  const std::unordered_set<std::string> wanted(cases.begin(), cases.end());
  record::SuitePlanned part{plan.suite, {}, plan.tests, plan.observes};
  for (const record::PlannedCase& test : plan.cases)
    if (wanted.contains(test.name)) part.cases.push_back(test);
  return part;
}

namespace {

using Ids = std::set<std::string>;

// Ids in one list of the case's test: `owes` or `may`.
Ids declared_by(const record::SuitePlanned& plan, const record::PlannedCase& test,
                std::vector<std::string> record::PlannedTest::*list) {
  if (!test.test || *test.test >= plan.tests.size()) return {};
  const std::vector<std::string>& ids = plan.tests[*test.test].*list;
  return {ids.begin(), ids.end()};
}

// The first id that only one of both has; `planned` may lack the ids in `may_lack`.
std::optional<std::string> unequal(const Ids& described, const Ids& planned, const Ids& may_lack) {
  for (const std::string& id : planned)
    if (!described.contains(id)) return id;
  for (const std::string& id : described)
    if (!planned.contains(id) && !may_lack.contains(id)) return id;
  return {};
}

Ids ids_with_needs(const std::vector<record::Declared>& all) {
  Ids ids;
  for (const record::Declared& declared : all)
    if (!declared.needs.empty()) ids.insert(declared.id);
  return ids;
}

}  // namespace

std::string difference(const record::SuitePlanned& of_job, const std::vector<record::Declared>& declared,
                       const std::unordered_set<std::string>& cases, const record::SuitePlanned& plan,
                       bool whole) {
  const Ids may_lack = whole ? Ids() : ids_with_needs(declared);
  std::unordered_map<std::string_view, const record::PlannedCase*> open;
  for (const record::PlannedCase& test : of_job.cases)
    if (cases.contains(test.name)) open.emplace(test.name, &test);
  for (const record::PlannedCase& test : plan.cases) {
    const auto found = open.find(test.name);
    if (found == open.end()) return fmt::format("case {} was not requested, or is planned twice", test.name);
    const record::PlannedCase& described = *found->second;
    if (test.place != described.place || test.subject != described.subject)
      return fmt::format("case {} is about another part of the rig", test.name);
    for (const auto& [list, word] : {std::pair(&record::PlannedTest::owes, "requires"),
                                     std::pair(&record::PlannedTest::may, "may report")})
      if (const auto id =
              unequal(declared_by(of_job, described, list), declared_by(plan, test, list), may_lack))
        return fmt::format("case {}: only one of plan and description {} {}", test.name, word, *id);
    open.erase(found);
  }
  if (!open.empty()) return fmt::format("case {} was requested, but is not in the plan", open.begin()->first);
  const Ids described(of_job.observes.begin(), of_job.observes.end()),
      planned(plan.observes.begin(), plan.observes.end());
  if (const auto id = unequal(described, planned, may_lack))
    return fmt::format("only one of plan and description reads the counter {}", *id);
  return {};
}

std::vector<channel::RankPair> pairs_of(const record::SuitePlanned& plan,
                                        const std::vector<std::string>& nodes) {
  std::map<std::string, std::uint64_t> ranks;
  for (const std::string& node : nodes) ranks.emplace(node, ranks.size());
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const record::PlannedCase& test : plan.cases)
    if (const auto& ends = test.place.nodes;
        ends.size() == 2 && ranks.contains(ends[0]) && ranks.contains(ends[1])) {
      const auto [first, second] = std::minmax(ranks.at(ends[0]), ranks.at(ends[1]));
      pairs.emplace(first, second);
    }
  std::vector<channel::RankPair> list;
  for (const auto& [first, second] : pairs) list.push_back({first, second});
  return list;
}

namespace {

bool needs_any(const Job& job, const std::set<std::size_t>& nodes) {
  return std::ranges::any_of(job.nodes, [&](std::size_t node) { return nodes.contains(node); });
}

}  // namespace

void JobOrder::begin(record::JobNumber number, const Job& job, Time now) {
  const auto [running, is_new] = running_.try_emplace(number, Running{{}, now});
  running->second.job = {.nodes = job.nodes, .cases = {}, .round = job.round};
}

void JobOrder::end(record::JobNumber number, Time now) {
  const auto found = running_.find(number);
  if (found == running_.end()) return;
  if (found->second.job.round > 0 && !is_late(found->second, now))
    longest_ = std::max(longest_.value_or(Time::duration{}), now - found->second.began);
  running_.erase(found);
}

bool JobOrder::is_late(const Running& running, Time now) const {
  return longest_ && now - running.began > 2 * *longest_;
}

std::vector<std::size_t> JobOrder::ready(std::size_t count,
                                         const std::function<const Job&(std::size_t)>& waiting,
                                         Time now) const {
  std::set<std::size_t> busy, held;  // held: nodes of late jobs
  int oldest = std::numeric_limits<int>::max() - 1;
  for (const auto& [number, running] : running_) {
    busy.insert(running.job.nodes.begin(), running.job.nodes.end());
    if (is_late(running, now))
      held.insert(running.job.nodes.begin(), running.job.nodes.end());
    else
      oldest = std::min(oldest, running.job.round);
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!needs_any(waiting(i), held)) {
      oldest = std::min(oldest, waiting(i).round);
      break;
    }
  std::vector<std::size_t> chosen;
  // A choice from more rounds would break up the pairs of later rounds.
  for (std::size_t i = 0; i < count && waiting(i).round <= oldest + 1; ++i) {
    if (needs_any(waiting(i), busy)) continue;
    busy.insert(waiting(i).nodes.begin(), waiting(i).nodes.end());
    chosen.push_back(i);
  }
  return chosen;
}

}  // namespace rigproof::supervisor
