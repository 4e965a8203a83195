#include "framework/judge/same_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace rigproof::judge {
namespace {

constexpr std::string_view kSame = ".same.";
constexpr double kSameMemory = 0.1;  // firmware and crash kernel take different amounts

// "host.read" for "host.same.read", if a test of the run may report that ratio. A test that owes it compares
// the nodes itself; counts and texts are compared by the cases, too. Else empty.
std::string figure_of(const JudgedRun& run, const Limit& limit) {
  const auto at = limit.id.find(kSame);
  const bool is_part = limit.dimension == Dimension::kRatio && !limit.rule;
  if (!is_part || at == limit.id.npos) return "";
  const auto may_report = [&](const record::PlannedTest& test) {
    return std::ranges::find(test.may, limit.id) != test.may.end();
  };
  const auto may_be_reported = [&](const JudgedSuite& suite) {
    return std::ranges::any_of(suite.tests, may_report);
  };
  if (std::ranges::none_of(run.suites, may_be_reported)) return "";
  return limit.id.substr(0, at + 1) + limit.id.substr(at + kSame.size());
}

// A node's machine, as far as the record describes it.
struct Machine {
  std::string cpu;
  std::vector<std::string> gpus = {};
  double memory = 0;  // unit as recorded; 0: unknown

  explicit Machine(const record::NodeFacts& facts) {
    for (const auto& [part, properties] : facts) {
      // Clang 14 captures no structured binding, so it is named.
      const auto text = [&properties = properties](const char* name) {
        const auto found = properties.find(name);
        return found == properties.end() ? std::string() : found->second;
      };
      if (part.empty()) {
        cpu = text("cpu");
        memory = std::strtod(text("memory").c_str(), nullptr);
      } else if (part.starts_with("gpu") && !text("name").empty()) {
        gpus.push_back(text("name"));
      }
    }
  }
  [[nodiscard]] bool is_like(const Machine& other) const {
    const double most = std::max(memory, other.memory);
    return cpu == other.cpu && gpus == other.gpus && std::abs(memory - other.memory) <= kSameMemory * most;
  }
};

struct Value {
  std::string node, detail, text;
  double speed;  // higher is better
};

// The figure's values in deciding attempts.
std::vector<Value> values_of(const JudgedRun& run, const std::string& figure) {
  std::vector<Value> values;
  const auto suite = std::ranges::find(run.suites, suite_of(figure), &JudgedSuite::name);
  if (suite == run.suites.end()) return values;
  JudgedCase buffer;
  for (const JudgedCase& left : suite->cases) {
    const JudgedCase& test = whole(run, left, buffer);
    const Attempt* attempt = test.deciding();
    if (attempt == nullptr) continue;
    for (const JudgedMeasurement& m : attempt->measurements) {
      const double value = m.judgement.value;
      if (m.id != figure || m.judgement.verdict == Verdict::kError || !(value > 0)) continue;
      values.push_back({m.node, m.detail, to_text({m.samples.dimension, value}, m.unit),
                        m.samples.dimension == Dimension::kTime ? 1 / value : value});
    }
  }
  return values;
}

class SameNodes {
 public:
  SameNodes(const JudgedRun& run, const Limit& limit, const std::string& figure)
      : limit_(limit), figure_(figure), values_(values_of(run, figure)) {
    static const record::NodeFacts kNone;
    for (const Value& value : values_) {
      const auto facts = run.nodes.find(value.node);
      machines_.try_emplace(value.node, facts == run.nodes.end() ? kNone : facts->second);
    }
  }

  void add_cases(std::vector<RunCase>& cases) const {
    for (const auto& [node, machine] : machines_) {
      RunCase test;
      test.plan = {fmt::format("Same.{}/{}", plain_name(figure_), plain_name(node)),
                   fmt::format("{} of {} and of the nodes like it", figure_, node), place_of_node(node)};
      add_findings(test, node, machine);
      cases.push_back(std::move(test));
    }
  }

 private:
  void add_findings(RunCase& test, const std::string& node, const Machine& machine) const {
    const auto is_like_it = [&](const auto& other) {
      return other.first != node && other.second.is_like(machine);
    };
    if (std::ranges::none_of(machines_, is_like_it)) {
      test.measured.push_back({.id = limit_.id,
                               .node = node,
                               .detail = {},
                               .role = record::Measured::Role::kFound,
                               .text = "no other node has the same CPUs, GPUs and memory",
                               .unread = record::Measured::Unread::kNothingThere});
      return;
    }
    const Value& best = best_like(machine);
    for (const Value& value : values_) {
      if (value.node != node) continue;
      test.measured.push_back({.id = limit_.id,
                               .node = node,
                               .detail = value.detail,
                               .samples = {Dimension::kRatio, {value.speed / best.speed}},
                               .role = record::Measured::Role::kFound,
                               .about = {{"here", value.text}, {"there", best.text}, {"others", best.node}}});
      if (&value != &best)
        test.notes.push_back(fmt::format("{}{}{} here, {} on {}", value.detail,
                                         value.detail.empty() ? "" : ": ", value.text, best.text, best.node));
    }
  }

  [[nodiscard]] const Value& best_like(const Machine& machine) const {
    const Value* best = nullptr;
    for (const Value& value : values_)
      if (machines_.at(value.node).is_like(machine) && (best == nullptr || value.speed > best->speed))
        best = &value;
    return *best;  // a machine is like itself
  }

  const Limit& limit_;
  std::string figure_;
  std::vector<Value> values_;
  std::map<std::string, Machine> machines_;  // by node
};

}  // namespace

std::vector<RunCase> cases_of_same_nodes(const JudgedRun& run, const JudgeContext& context) {
  std::vector<RunCase> cases;
  for (const Limit& limit : context.limits->limits())
    if (const std::string figure = figure_of(run, limit); !figure.empty())
      SameNodes(run, limit, figure).add_cases(cases);
  return cases;
}

}  // namespace rigproof::judge
