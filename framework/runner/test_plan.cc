#include "framework/runner/test_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/rig/subject_finder.h"

namespace rigproof::inline runner {
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
