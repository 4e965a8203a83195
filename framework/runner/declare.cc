#include "framework/runner/declare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "framework/limits/limit_table.h"
#include "framework/rig/subjects.h"

namespace rigproof::inline runner {
namespace {

std::vector<DeclaredTest>& registry() {
  static std::vector<DeclaredTest> tests;
  return tests;
}

std::vector<record::Lacking>& lacking_registry() {
  static std::vector<record::Lacking> lacking;
  return lacking;
}

// Cases of one GoogleTest test suite, in order.
struct DeclaredCases {
  std::string fixture;
  std::vector<Subject> subjects;
};
std::map<std::string, DeclaredCases>& cases_registry() {
  static std::map<std::string, DeclaredCases> cases;
  return cases;
}

record::SuiteTraits& traits() {
  static record::SuiteTraits declared;
  return declared;
}

constexpr std::string_view kShare = ".share";

std::vector<Metric>& metrics_registry() {
  static std::vector<Metric> metrics;
  return metrics;
}

// Reports::with() adds these to a rate that lasts.
RIGPROOF_METRICS(
    {"*.worst_interval", "No slow interval", "The slowest interval of a load, as a part of the median one.",
     "Traffic that stops or slows down for a while: a pause storm, a flapping lane, another load."},
    {"*.longest_gap", "No outage under load",
     "The longest time in which hardly anything moves during a load.",
     "Traffic that stands still: a pause storm, a link that flaps, a timeout after a loss."},
    {"*.share", "Paths share a load",
     "What the least used path of a load carries, as a part of its fair share.",
     "A path that is slow or dead while the others carry its part."});

// "preflight.sysctl.*" stands for ids with this beginning, "*.share" for ids with this end.
bool stands_for(std::string_view metric, std::string_view id) {
  if (metric.starts_with('*')) return id.ends_with(metric.substr(1));
  return metric == id || (metric.ends_with('*') && id.starts_with(metric.substr(0, metric.size() - 1)));
}

// The metric that names the most of the id; nullptr: none. An id's own one is the longest.
const Metric* metric_of(std::string_view id) {
  const Metric* longest = nullptr;
  for (const Metric& metric : metrics_registry())
    if (stands_for(metric.id, id) && (longest == nullptr || metric.id.size() > longest->id.size()))
      longest = &metric;
  return longest;
}

}  // namespace

Reports::Reports(std::string id, std::string kind) : declared_{std::move(id), std::move(kind), {}} {}
Reports::Reports(std::string id, Dimension dimension)
    : Reports(std::move(id), std::string(base_unit(dimension))) {}
Reports Reports::sustained(std::string id) {
  const std::string suite = suite_of(id);
  Reports reports(std::move(id), Dimension::kDataRate);
  reports.with_ = {ratio(suite + ".worst_interval").declared_, time(suite + ".longest_gap").declared_};
  return reports;
}

Reports Reports::sum_of_paths(std::string id) {
  const std::string suite = suite_of(id);
  Reports reports = sustained(std::move(id));
  reports.with_.push_back(ratio(suite + std::string(kShare)).declared_);
  return reports;
}

std::vector<Reports> Reports::with() const {
  std::vector<Reports> all;
  for (const record::Declared& declared : with_) {
    Reports more = *this;
    more.with_.clear();
    more.declared_.id = declared.id;
    more.declared_.kind = declared.kind;
    if (declared.id.ends_with(kShare))
      more = more.where_there().on_rigs_with("several rails between two nodes", has_parallel_rails);
    all.push_back(std::move(more));
  }
  return all;
}

Reports Reports::text(std::string id) { return {std::move(id), std::string("text")}; }
Reports Reports::any(std::string id) { return {std::move(id), std::string("any")}; }

Reports Reports::where_there() const {
  Reports copy = *this;
  copy.owed_ = false;
  return copy;
}

Reports Reports::on_rigs_with(std::string what, bool (*has)(const Rig&)) const {
  Reports copy = *this;
  copy.declared_.needs = std::move(what);
  copy.has_ = has;
  return copy;
}

Reports Reports::on_nodes_with(std::string what, bool (*has)(const Node&)) const {
  Reports copy = *this;
  copy.declared_.needs = std::move(what);
  copy.node_has_ = has;
  return copy;
}

bool Reports::applies(const Rig& rig) const {
  const auto on = [&](const Node& node) { return applies(node); };
  return (has_ == nullptr || has_(rig)) && std::ranges::any_of(rig.nodes, on);
}

bool declare(std::string test, std::vector<Reports> reports) {
  std::vector<Reports> all;
  const auto add = [&](const Reports& one) {
    const auto is_it = [&](const Reports& old) { return old.declared().id == one.declared().id; };
    if (std::ranges::none_of(all, is_it)) all.push_back(one);
  };
  for (const Reports& one : reports) {
    add(one);
    std::ranges::for_each(one.with(), add);
  }
  registry().push_back({std::move(test), std::move(all)});
  return true;
}

std::string declare_case(const std::string& prefix, const std::string& fixture, const Subject& subject) {
  DeclaredCases& cases = cases_registry()[prefix + "/" + fixture];
  cases.fixture = fixture;
  cases.subjects.push_back(subject);
  return subject.name();
}

const std::vector<DeclaredTest>& declared_tests() { return registry(); }

bool declare_metrics(std::initializer_list<Metric> metrics) {
  metrics_registry().insert(metrics_registry().end(), metrics);
  return true;
}

bool declare_lacking(std::string id, std::string why) {
  if (!why.empty()) lacking_registry().push_back({std::move(id), std::move(why)});
  return true;
}

const std::vector<record::Lacking>& declared_lacking() { return lacking_registry(); }

bool declare_suite(record::SuiteTraits declared) {
  traits() = std::move(declared);
  return true;
}
const record::SuiteTraits& declared_suite() { return traits(); }

bool has_second_port(const Node& node) { return node.ports.size() > 1; }
bool has_management(const Node& node) { return node.management.has_value(); }
bool has_management(const Rig& rig) {
  return std::ranges::any_of(rig.nodes, [](const Node& node) { return has_management(node); });
}
bool has_rdma(const Rig& rig) {
  return std::ranges::any_of(rig.nodes, [](const Node& node) {
    return std::ranges::any_of(node.ports, [](const Port& port) {
      return std::ranges::any_of(port.halves, [](const Half& half) { return half.rdma.has_value(); });
    });
  });
}
bool has_switch(const Rig& rig) {
  return std::ranges::any_of(rig.links, [](const Link& link) { return link.through.has_value(); });
}
bool has_described_switch(const Rig& rig) { return !rig.switches.empty(); }
bool has_parallel_rails(const Rig& rig) {
  std::map<std::size_t, std::vector<std::size_t>> rails_of;  // by node
  std::set<std::pair<std::size_t, std::size_t>> on_a_node;   // pairs of rails
  for (std::size_t rail = 0; rail < rig.rails.size(); ++rail) {
    if (rig.is_for_storage(rig.rails[rail])) continue;
    for (const HalfRef half : rig.rails[rail].halves) {
      std::vector<std::size_t>& others = rails_of[half.node];
      for (const std::size_t other : others)
        if (!on_a_node.emplace(other, rail).second) return true;
      others.push_back(rail);
    }
  }
  return false;
}

namespace {

// Collects what the cases of each test owe. Cases of one test owe different ids if their nodes differ, for
// example in the number of ports.
class PlannedTests {
 public:
  explicit PlannedTests(const Rig& rig) : rig_(rig) {
    for (const DeclaredTest& test : declared_tests()) {
      Owing owing{test, {}, {}};
      for (const Reports& reports : test.reports) {
        if (!reports.applies(rig)) continue;
        owing.applying.push_back(&reports);
        const auto has = [&](const Node& node) { return reports.applies(node); };
        owing.same_everywhere = owing.same_everywhere && std::ranges::all_of(rig.nodes, has);
      }
      declared_.push_back(std::move(owing));
    }
  }

  // Index of the ids that a case about these nodes owes. No nodes: a case about no node in particular.
  std::optional<std::uint64_t> index_for(const std::string& test, const std::vector<std::size_t>& nodes) {
    for (Owing& owing : declared_)
      if (owing.test.name == test) return index_for(owing, nodes);
    return {};
  }

  std::vector<record::PlannedTest> take(const std::vector<Reports>& watches) {
    for (const Reports& reports : watches) {
      if (!reports.applies(rig_)) continue;
      for (record::PlannedTest& test : planned_) test.may.push_back(reports.declared().id);
    }
    return std::move(planned_);
  }

 private:
  struct Owing {
    const DeclaredTest& test;
    std::vector<const Reports*> applying;                   // on this rig
    std::map<std::vector<bool>, std::uint64_t> index = {};  // key: which of them apply to the case's nodes
    bool same_everywhere = true;
  };

  std::uint64_t index_for(Owing& owing, const std::vector<std::size_t>& nodes) {
    const auto applies = [&](const Reports* reports) {
      const auto has = [&](std::size_t node) { return reports->applies(rig_.node(node)); };
      return owing.same_everywhere || nodes.empty() || std::ranges::any_of(nodes, has);
    };
    std::vector<bool> key;
    for (const Reports* reports : owing.applying) key.push_back(applies(reports));
    const auto [known, is_new] = owing.index.try_emplace(key, planned_.size());
    if (!is_new) return known->second;
    record::PlannedTest planned{.name = owing.test.name, .owes = {}, .may = {}};
    for (std::size_t i = 0; i < key.size(); ++i)
      if (key[i])
        (owing.applying[i]->owed() ? planned.owes : planned.may).push_back(owing.applying[i]->declared().id);
    planned_.push_back(std::move(planned));
    return known->second;
  }

  const Rig& rig_;
  std::vector<Owing> declared_;
  std::vector<record::PlannedTest> planned_;
};

// The cases of one GoogleTest test suite with their subjects.
class PlannedCases {
 public:
  PlannedCases(const testing::TestSuite& suite, const Rig& rig, PlannedTests& tests)
      : suite_(suite), rig_(rig), tests_(tests) {
    const auto known = cases_registry().find(suite.name());
    if (known != cases_registry().end()) declared_ = &known->second;
    if (declared_ != nullptr &&
        declared_->subjects.size() != static_cast<std::size_t>(suite.total_test_count()))
      disagree(fmt::format("{} cases", suite.total_test_count()));
  }

  [[nodiscard]] record::PlannedCase at(int index) {
    const testing::TestInfo& test = *suite_.GetTestInfo(index);
    record::PlannedCase planned{full_name(test), {}};
    if (declared_ == nullptr) {
      planned.test = tests_.index_for(planned.name, {});
      return planned;
    }
    const Subject& subject = declared_->subjects[static_cast<std::size_t>(index)];
    const std::string_view name = test.name();
    const std::string ending = "/" + subject.name();
    if (!name.ends_with(ending)) disagree(planned.name);
    const std::string_view declared = name.substr(0, name.size() - ending.size());
    planned.subject = subject.text();
    planned.place = subject.place(rig_);
    planned.test = tests_.index_for(fmt::format("{}.{}", declared_->fixture, declared), subject.nodes());
    return planned;
  }

 private:
  [[noreturn]] void disagree(const std::string& what) const {
    throw std::logic_error(
        fmt::format("{}: GoogleTest has {}, which is not what was declared: {} subjects in their order",
                    suite_.name(), what, declared_->subjects.size()));
  }

  const testing::TestSuite& suite_;
  const Rig& rig_;
  PlannedTests& tests_;
  const DeclaredCases* declared_ = nullptr;  // nullptr: no subjects
};

}  // namespace

record::SuitePlanned plan_of(const std::string& suite, const Rig& rig, const std::vector<Reports>& observes,
                             const std::vector<Reports>& watches) {
  record::SuitePlanned plan{suite, {}};
  PlannedTests tests(rig);
  const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
  for (int i = 0; i < unit.total_test_suite_count(); ++i) {
    const testing::TestSuite& cases = *unit.GetTestSuite(i);
    PlannedCases planned(cases, rig, tests);
    for (int k = 0; k < cases.total_test_count(); ++k)
      if (cases.GetTestInfo(k)->should_run()) plan.cases.push_back(planned.at(k));
  }
  plan.tests = tests.take(watches);
  for (const Reports& reports : observes)
    if (reports.applies(rig)) plan.observes.push_back(reports.declared().id);
  return plan;
}

std::vector<record::Declared> declared_of_all(const std::vector<Reports>& observes,
                                              const std::vector<Reports>& watches) {
  std::vector<record::Declared> all;
  const auto add = [&](const Reports& reports) {
    if (std::ranges::find(all, reports.declared().id, &record::Declared::id) == all.end())
      all.push_back(reports.declared());
  };
  for (const DeclaredTest& test : declared_tests()) std::ranges::for_each(test.reports, add);
  std::ranges::for_each(observes, add);
  std::ranges::for_each(watches, add);
  std::set<const Metric*> used;
  for (record::Declared& declared : all) {
    const Metric* metric = metric_of(declared.id);
    if (metric == nullptr) continue;
    used.insert(metric);
    declared.title = metric->title, declared.meaning = metric->meaning, declared.causes = metric->causes;
    declared.group = metric->group;
  }
  for (const Metric& metric : metrics_registry())
    if (!metric.id.starts_with("*") && !used.contains(&metric))
      throw std::logic_error(fmt::format("the metric {} is declared, but no case reports it", metric.id));
  return all;
}

std::string without_cases(std::string filter, const std::vector<std::string>& skipped) {
  for (const std::string& name : skipped) {
    filter += filter.find('-') == std::string::npos ? '-' : ':';
    filter += name;
  }
  return filter;
}

std::string full_name(const testing::TestInfo& test) {
  return fmt::format("{}.{}", test.test_suite_name(), test.name());
}

}  // namespace rigproof::inline runner
