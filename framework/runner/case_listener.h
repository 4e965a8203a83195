#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/runner/context.h"
#include "framework/runner/declare.h"

namespace rigproof::inline runner {

// Merges what the ranks found in a case into one result and records it. Append it behind GoogleTest's
// printer, which then prints that result. Collective at the end of every case.
class CaseListener : public testing::EmptyTestEventListener {
 public:
  // `observes`: what the suite reads at its start and end; part of its plan.
  CaseListener(SuiteContext& suite, std::vector<Reports> observes, std::vector<Reports> watches);

  [[nodiscard]] bool planned() const { return planned_; }  // GoogleTest started to run

  void OnTestProgramStart(const testing::UnitTest& unit) override;
  void OnTestIterationStart(const testing::UnitTest& unit, int iteration) override;
  void OnTestSuiteStart(const testing::TestSuite& suite) override;
  void OnTestStart(const testing::TestInfo& test) override;
  void OnTestPartResult(const testing::TestPartResult& part) override;
  void OnTestEnd(const testing::TestInfo& test) override;

 private:
  template <class Body>
  void guarded(Body body);
  void begin();
  void end(const testing::TestInfo& test);
  [[nodiscard]] PhaseStatus left_with() const;
  [[nodiscard]] record::CaseEnded ended(const testing::TestInfo& test,
                                        const std::vector<std::string>& reports) const;
  [[nodiscard]] judge::Duty duty_of(const std::string& name) const;
  void show(const judge::Attempt& attempt, bool skipped);

  SuiteContext& suite_;
  std::vector<Reports> observes_, watches_;
  record::SuitePlanned plan_;
  // Failures in SetUpTestSuite(): every case of the test suite inherits them.
  std::vector<record::Failure> outside_;
  bool planned_ = false;
  int iteration_ = 1;
};

}  // namespace rigproof::inline runner
