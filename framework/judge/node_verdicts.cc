#include "framework/judge/node_verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace rigproof::judge {
namespace {

class NodeVerdicts {
 public:
  NodeVerdicts(const JudgedRun& run, bool whole_sample) : run_(run), rig_(rig_of(run.start)) {
    for (const Suspect& suspect : run.blame.suspects)
      if (!suspect.alone && suspect.part >= Suspect::Part::kNode && suspect.missed > 0) see_slow(suspect);
    if (run.sample) std::ranges::for_each(run.sample->rejected, [&](const Suspect& one) { see_slow(one); });
    see_named();
    for (const JudgedSuite& suite : run.suites)
      for (const JudgedCase& test : suite.cases) add(test);
    for (const auto& [node, why] : slow_) decide(node, Acceptance::kRejected, why);
    if (whole_sample && run.sample && !run.sample->shows(run.start.asked.sample.power))
      for (const NodeVerdict& verdict : std::vector(verdicts_))
        decide(verdict.node, Acceptance::kNotProven,
               "the sample of pairs does not tell slow nodes from sound ones");
  }

  [[nodiscard]] std::vector<NodeVerdict> take() && {
    for (NodeVerdict& verdict : verdicts_) {
      verdict.met = met_[verdict.node].size();
      verdict.tries +=
          static_cast<int>(std::ranges::count(run_.retests, verdict.node, &JudgedRun::Retest::node));
    }
    if (rig_)
      std::ranges::stable_sort(verdicts_, {},
                               [&](const NodeVerdict& one) { return rig_->find_node(one.node); });
    return std::move(verdicts_);
  }

 private:
  // A node that the failed cases of several others name is the slow one.
  void see_named() {
    std::map<std::string, std::set<std::string>> by;
    std::map<std::string, std::string> first;
    for (const JudgedSuite& suite : run_.suites)
      for (const JudgedCase& test : suite.cases) {
        if (test.plan.place.nodes.size() != 1) continue;
        const std::vector<std::string> nodes = nodes_concerned(run_, rig_, test);
        if (nodes.size() < 2) continue;
        by[nodes[1]].insert(nodes[0]);
        first.try_emplace(nodes[1], test.full_name());
      }
    for (const auto& [node, others] : by)
      if (others.size() > 1) slow_.try_emplace(node, first.at(node));
  }

  void add(const JudgedCase& test) {
    const std::vector<std::string> nodes = nodes_concerned(run_, rig_, test);
    if (nodes.empty() || nodes.size() > 2 || test.plan.place.kind == SubjectPlace::Kind::kAllNodes) return;
    const Status status = test.status();
    const Acceptance acceptance = status < Status::kNotProven                      ? Acceptance::kAccepted
                                  : status == Status::kFailed && nodes.size() == 1 ? Acceptance::kRejected
                                                                                   : Acceptance::kNotProven;
    const bool is_explained =
        status == Status::kFailed &&
        std::ranges::any_of(nodes, [&](const std::string& node) { return slow_.contains(node); });
    for (const std::string& node : nodes)
      decide(node, is_explained && !slow_.contains(node) ? Acceptance::kAccepted : acceptance,
             test.full_name());
    if (test.plan.place.nodes.size() == 2 && (status <= Status::kWaived || status == Status::kFailed)) {
      met_[nodes[0]].insert(nodes[1]);
      met_[nodes[1]].insert(nodes[0]);
    }
  }

  void see_slow(const Suspect& suspect) { slow_.try_emplace(suspect.node, slowness_of(suspect)); }

  void decide(const std::string& node, Acceptance acceptance, const std::string& why) {
    const auto [known, is_new] = index_.try_emplace(node, verdicts_.size());
    if (is_new) verdicts_.push_back({.node = node});
    NodeVerdict& verdict = verdicts_[known->second];
    if (acceptance <= verdict.acceptance) return;
    verdict.acceptance = acceptance;
    verdict.why = why;
  }

  const JudgedRun& run_;
  std::optional<Rig> rig_;
  std::map<std::string, std::string> slow_;  // node -> why
  std::map<std::string, std::set<std::string>> met_;
  std::map<std::string, std::size_t> index_;
  std::vector<NodeVerdict> verdicts_;
};

}  // namespace

std::string_view name(Acceptance acceptance) {
  constexpr std::array<std::string_view, 3> kNames{"accepted", "not proven", "rejected"};
  return kNames.at(static_cast<std::size_t>(acceptance));
}

std::string slowness_of(const Suspect& suspect) {
  return fmt::format("{:.1f} % slower than the other nodes", 100 * (1 - suspect.share));
}

std::vector<NodeVerdict> verdicts_of_nodes(const JudgedRun& run) { return NodeVerdicts(run, true).take(); }
std::vector<NodeVerdict> verdicts_without_the_sample(const JudgedRun& run) {
  return NodeVerdicts(run, false).take();
}

std::vector<std::string> nodes_concerned(const JudgedRun& run, const std::optional<Rig>& rig,
                                         const JudgedCase& test) {
  std::vector<std::string> nodes = test.plan.place.nodes;
  if (!rig || nodes.size() != 1 || test.status() != Status::kFailed) return nodes;
  JudgedCase buffer;
  const Attempt* deciding = whole(run, test, buffer).deciding();
  std::set<std::string> named;
  for (const JudgedMeasurement& measurement : deciding->measurements)
    if (is_failed_or_error(measurement)) named.insert(measurement.detail);
  const bool names_one = deciding->failures.empty() && named.size() == 1;
  if (names_one && *named.begin() != nodes.front() && rig->find_node(*named.begin()))
    nodes.push_back(*named.begin());
  return nodes;
}

}  // namespace rigproof::judge
