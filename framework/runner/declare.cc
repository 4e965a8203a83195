#include "framework/runner/declare.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "framework/rig/subject_finder.h"

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

bool& one_job() {
  static bool declared = false;
  return declared;
}

constexpr std::string_view kShare = ".share";

}  // namespace

Reports::Reports(std::string id, std::string kind) : declared_{std::move(id), std::move(kind), {}} {}
Reports::Reports(std::string id, Dimension dimension)
    : Reports(std::move(id), std::string(base_unit(dimension))) {}
Reports Reports::sustained(std::string id) {
  const std::string suite = id.substr(0, id.find('.'));
  Reports reports(std::move(id), Dimension::kDataRate);
  reports.with_ = {ratio(suite + ".worst_interval").declared_, time(suite + ".longest_gap").declared_};
  return reports;
}

Reports Reports::sum_of_paths(std::string id) {
  const std::string suite = id.substr(0, id.find('.'));
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

const std::vector<DeclaredTest>& declared_tests() { return registry(); }

bool declare_lacking(std::string id, std::string why) {
  if (!why.empty()) lacking_registry().push_back({std::move(id), std::move(why)});
  return true;
}

const std::vector<record::Lacking>& declared_lacking() { return lacking_registry(); }

bool declare_one_job() { return one_job() = true; }
bool is_declared_one_job() { return one_job(); }

bool has_second_port(const Rig& rig) {
  return std::ranges::any_of(rig.nodes, [](const Node& node) { return node.ports.size() > 1; });
}
bool has_management(const Rig& rig) {
  return std::ranges::any_of(rig.nodes, [](const Node& node) { return node.management.has_value(); });
}
bool has_switch(const Rig& rig) {
  return std::ranges::any_of(rig.links, [](const Link& link) { return link.through.has_value(); });
}
bool has_described_switch(const Rig& rig) { return !rig.switches.empty(); }
bool has_several_rails(const Rig& rig) { return rig.rails.size() > 1; }
bool has_parallel_rails(const Rig& rig) {
  std::set<std::pair<std::size_t, std::size_t>> joined;
  for (const Rail& rail : rig.rails)
    for (std::size_t one = 0; one < rail.halves.size(); ++one)
      for (std::size_t other = one + 1; other < rail.halves.size(); ++other)
        if (!joined.emplace(rail.halves[one].node, rail.halves[other].node).second) return true;
  return false;
}

namespace {

// GoogleTest calls the fixture PREFIX/FIXTURE and the test NAME/PARAMETER.
std::string declared_name(const testing::TestInfo& test) {
  const std::string_view suite = test.test_suite_name(), name = test.name();
  const auto slash = suite.rfind('/');
  return fmt::format("{}.{}", slash == suite.npos ? suite : suite.substr(slash + 1),
                     name.substr(0, name.find('/')));
}

record::PlannedTest planned(const DeclaredTest& test, const Rig& rig) {
  record::PlannedTest planned{.name = test.name, .owes = {}, .may = {}};
  for (const Reports& reports : test.reports)
    if (reports.applies(rig)) (reports.owed() ? planned.owes : planned.may).push_back(reports.declared().id);
  return planned;
}

record::PlannedCase planned(const testing::TestInfo& test, const Rig& rig, const SubjectFinder& subjects,
                            const std::vector<record::PlannedTest>& tests) {
  record::PlannedCase planned{full_name(test), {}, {}};
  const auto declared = std::ranges::find(tests, declared_name(test), &record::PlannedTest::name);
  if (declared != tests.end()) planned.test = static_cast<std::uint64_t>(declared - tests.begin());
  const Subject* subject = subjects.find(subject_name(planned.name));
  if (subject == nullptr) return planned;
  planned.subject = subject->text();
  for (const std::size_t node : subject->nodes()) planned.nodes.push_back(rig.node(node).name);
  return planned;
}

}  // namespace

record::SuitePlanned plan_of(const std::string& suite, const Rig& rig, const std::vector<Reports>& observes,
                             const std::vector<Reports>& watches) {
  record::SuitePlanned plan{suite, {}};
  std::vector<record::PlannedTest> tests;
  for (const DeclaredTest& test : declared_tests()) tests.push_back(planned(test, rig));
  const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
  const SubjectFinder subjects(rig);
  std::vector<bool> used(tests.size());
  for (int i = 0; i < unit.total_test_suite_count(); ++i) {
    const testing::TestSuite& suites = *unit.GetTestSuite(i);
    for (int k = 0; k < suites.total_test_count(); ++k) {
      const testing::TestInfo& test = *suites.GetTestInfo(k);
      if (!test.should_run()) continue;
      plan.cases.push_back(planned(test, rig, subjects, tests));
      if (plan.cases.back().test) used[*plan.cases.back().test] = true;
    }
  }
  // A test without a case on this rig has nothing to report, but keeps its place.
  for (std::size_t index = 0; index < tests.size(); ++index)
    if (!used[index]) tests[index].owes = tests[index].may = {};
  for (const Reports& reports : watches)
    for (std::size_t index = 0; index < tests.size(); ++index)
      if (used[index]) tests[index].may.push_back(reports.declared().id);
  plan.tests = std::move(tests);
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
