#include "framework/judge/retest.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "framework/judge/node_verdicts.h"

namespace rigproof::judge {

Retest::Retest(const JudgedRun& run, std::set<std::string> retested)
    : run_(run), rig_(rig_of(run.start)), retested_(std::move(retested)) {
  for (const NodeVerdict& verdict : verdicts_without_the_sample(run))
    if (verdict.acceptance != Acceptance::kAccepted) doubtful_.insert(verdict.node);
}

bool Retest::reopens(const JudgedCase& test) const {
  const std::vector<std::string> nodes = nodes_concerned(run_, rig_, test);
  const bool is_pair = nodes.size() <= 2 && test.plan.place.kind != SubjectPlace::Kind::kAllNodes;
  const auto is_repaired = [&](const std::string& node) {
    return retested_.contains(node) && (is_pair || doubtful_.contains(node));
  };
  const auto stays_doubtful = [&](const std::string& node) {
    return doubtful_.contains(node) && !retested_.contains(node);
  };
  return std::ranges::any_of(nodes, is_repaired) && std::ranges::none_of(nodes, stays_doubtful);
}

std::optional<std::string> without_cases(const JudgedRun& run, const std::set<std::string>& retested) {
  const Retest retest(run, retested);
  std::set<std::string> left = retested;
  for (const JudgedSuite& suite : run.suites) {
    if (suite.name == kRunSuite) continue;
    for (const JudgedCase& test : suite.cases)
      if (retest.reopens(test))
        for (const std::string& node : test.plan.place.nodes) left.erase(node);
  }
  return left.empty() ? std::nullopt : std::optional(*left.begin());
}

}  // namespace rigproof::judge
