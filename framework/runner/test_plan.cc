#include "framework/runner/test_plan.h"

#include "framework/runner/case_listener.h"

namespace rigproof {
namespace {

PlannedCase planned(const std::string& name, const Rig& rig, const std::map<std::string, Subject>& subjects) {
  PlannedCase planned{name, {}, {}};
  const auto subject = subjects.find(subject_name(name));
  if (subject == subjects.end()) return planned;
  planned.subject = subject->second.text();
  for (const std::size_t node : subject->second.nodes()) planned.nodes.push_back(rig.node(node).name);
  return planned;
}

}  // namespace

SuitePlanned plan_of(const std::string& suite, const Rig& rig,
                     const std::map<std::string, Subject>& subjects) {
  SuitePlanned plan{suite, {}};
  const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
  for (int i = 0; i < unit.total_test_suite_count(); ++i) {
    const testing::TestSuite& tests = *unit.GetTestSuite(i);
    for (int k = 0; k < tests.total_test_count(); ++k)
      if (const testing::TestInfo& test = *tests.GetTestInfo(k); test.should_run())
        plan.cases.push_back(planned(full_name(test), rig, subjects));
  }
  return plan;
}

std::string without_cases(std::string filter, const std::vector<std::string>& skipped) {
  for (const std::string& name : skipped) {
    filter += filter.find('-') == std::string::npos ? '-' : ':';
    filter += name;
  }
  return filter;
}

}  // namespace rigproof
