#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/runner/context.h"
#include "framework/runner/declare.h"

namespace rigproof::inline runner {

// Makes one result of what the ranks found in a case, and puts it on record. To be appended behind
// GoogleTest's printer, which then prints that result. Collective at the end of every case.
class CaseListener : public testing::EmptyTestEventListener {
 public:
  // `observes`: what is read at the suite's start and end, for its plan.
  CaseListener(SuiteContext& suite, std::vector<Reports> observes, std::vector<Reports> watches);

  [[nodiscard]] bool planned() const { return planned_; }  // GoogleTest got as far as to begin

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
  std::vector<record::Failure>
      outside_;  // what went wrong in a SetUpTestSuite(): every case of it inherits that
  bool planned_ = false;
  int iteration_ = 1;
};

}  // namespace rigproof::inline runner
