#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "framework/limits/limit_table.h"
#include "framework/rig/subjects.h"
#include "framework/runner/context.h"

namespace rigproof {

// Makes one result of what the ranks found in a case, and puts it on record. To be appended behind
// GoogleTest's printer, which then prints that result. Collective at the end of every case.
class CaseListener : public testing::EmptyTestEventListener {
 public:
  // `limits` judge on rank 0; elsewhere they may be null.
  CaseListener(SuiteContext& suite, const LimitTable* limits, std::string limits_file);

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
  [[nodiscard]] const Subject* subject_of(const std::string& name) const;
  [[nodiscard]] PhaseStatus left_with() const;
  [[nodiscard]] CaseEnded judged(const testing::TestInfo& test,
                                 const std::vector<std::string>& reports) const;
  void show(const CaseEnded& ended, bool skipped);

  SuiteContext& suite_;
  const LimitTable* limits_;
  std::string limits_file_;
  std::map<std::string, Subject> subjects_;
  std::vector<Failure> outside_;  // what went wrong in a SetUpTestSuite(): every case of it inherits that
  bool planned_ = false;
  int iteration_ = 1;
};

// "ManyStreams.FillTheHalf/rail0_node_a_to_node_b"
[[nodiscard]] std::string full_name(const testing::TestInfo& test);

}  // namespace rigproof
