#include "framework/runner/case_listener.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/ranks/packing.h"
#include "framework/runner/judge_case.h"
#include "framework/runner/parts.h"
#include "framework/runner/test_plan.h"
#include "framework/runner/words.h"

namespace rigproof {
namespace {

using std::chrono::seconds;
using testing::TestPartResult;

// A rank may come early to the end of a case that its peers still have a phase to abort in.
constexpr seconds kEndOfCase{20};
constexpr seconds kVerdict{60};

bool failed(const CaseEnded& ended) {
  return std::ranges::any_of(ended.measurements, is_red) ||
         std::ranges::any_of(ended.failures, [](const Failure& f) { return f.kind != Failure::Kind::kSkip; });
}

}  // namespace

std::string full_name(const testing::TestInfo& test) {
  return fmt::format("{}.{}", test.test_suite_name(), test.name());
}

CaseListener::CaseListener(SuiteContext& suite, const LimitTable* limits, std::string limits_file)
    : suite_(suite),
      limits_(limits),
      limits_file_(std::move(limits_file)),
      subjects_(every_subject(suite.rig)) {}

template <class Body>
void CaseListener::guarded(Body body) {
  try {
    body();
  } catch (const std::exception& error) {
    suite_.ranks.fatal(suite_.ranks.who(suite_.ranks.rank()) + ": " + error.what());
  }
}

void CaseListener::OnTestProgramStart(const testing::UnitTest&) {
  planned_ = true;
  guarded([this] { begin(); });
}

void CaseListener::begin() {
  const SuitePlanned plan = plan_of(suite_.suite, suite_.rig, subjects_);
  Packer mine;
  for (const PlannedCase& planned : plan.cases) mine.put(planned.name);
  const auto plans = suite_.ranks.gather("the plan of the suite", mine.bytes(), kEndOfCase);
  for (std::size_t rank = 1; rank < plans.size(); ++rank)
    if (plans[rank] != plans[0])
      suite_.ranks.fatal(suite_.ranks.who(static_cast<int>(rank)) +
                         " would not run the cases that rank 0 runs");
  suite_.write(plan);
}

void CaseListener::OnTestIterationStart(const testing::UnitTest&, int iteration) {
  iteration_ = iteration + 1;
}

void CaseListener::OnTestSuiteStart(const testing::TestSuite&) { outside_.clear(); }

void CaseListener::OnTestStart(const testing::TestInfo& test) {
  suite_.now = RunningCase{.name = full_name(test), .iteration = iteration_};
  suite_.now.report.failures = outside_;
  suite_.write(CaseStarted{suite_.suite, suite_.now.name, iteration_});
  suite_.expect_next("the begin");
}

void CaseListener::OnTestPartResult(const TestPartResult& part) {
  if (suite_.own_words || part.type() == TestPartResult::kSuccess) return;
  (suite_.now.name.empty() ? outside_ : suite_.now.report.failures).push_back(failure_of(suite_, part));
}

// How this rank left the body, when that was its own doing.
PhaseStatus CaseListener::left_with() const {
  if (suite_.now.left) return PhaseStatus::kOk;
  if (testing::Test::HasFatalFailure()) return PhaseStatus::kFail;
  return testing::Test::IsSkipped() ? PhaseStatus::kSkip : PhaseStatus::kOk;
}

void CaseListener::OnTestEnd(const testing::TestInfo& test) {
  guarded([&] { end(test); });
  suite_.now = {};
}

void CaseListener::end(const testing::TestInfo& test) {
  suite_.ranks.unwatch();
  suite_.now.phase.clear();
  const std::string end = "the end of " + suite_.now.name;
  const auto reports = suite_.ranks.gather(end, pack(suite_.now.report), kEndOfCase, left_with());
  Packer verdict;
  if (suite_.ranks.rank() == 0) {
    const CaseEnded ended = judged(test, reports);
    suite_.write(ended);
    show(ended, test.result()->Skipped());
    verdict.put(std::uint64_t{failed(ended)}).put(std::uint64_t{!ended.failures.empty()});
  }
  const std::string words = suite_.ranks.broadcast(end, verdict.bytes(), kVerdict);
  Unpacker in(words);
  const bool red = in.integer() != 0, skipped = in.integer() != 0;
  if (red && !test.result()->Failed())
    add_part(suite_, TestPartResult::kNonFatalFailure, {}, "failed on rank 0");
  if (!red && skipped && !test.result()->Skipped())
    add_part(suite_, TestPartResult::kSkip, {}, "skipped on rank 0");
}

const Subject* CaseListener::subject_of(const std::string& name) const {
  const auto subject = subjects_.find(subject_name(name));
  return subject == subjects_.end() ? nullptr : &subject->second;
}

CaseEnded CaseListener::judged(const testing::TestInfo& test, const std::vector<std::string>& reports) const {
  using Seconds = std::chrono::duration<double>;
  CaseEnded ended{.suite = suite_.suite,
                  .name = suite_.now.name,
                  .iteration = suite_.now.iteration,
                  .seconds = Seconds(std::chrono::milliseconds(test.result()->elapsed_time())).count(),
                  .measuring_s = Seconds(suite_.now.measuring).count(),
                  .measurements = {},
                  .failures = {}};
  std::vector<CaseReport> all{suite_.now.report};
  for (std::size_t rank = 1; rank < reports.size(); ++rank) all.push_back(unpack_case_report(reports[rank]));
  static const Facts kNone;
  const Subject* subject = subject_of(suite_.now.name);
  judge_case(ended, all,
             {*limits_, limits_file_, subject == nullptr ? kNone : subject->facts(), suite_.now.disturbed,
              subject == nullptr ? Subject::NodeWords() : subject->words()});
  return ended;
}

// GoogleTest has printed what it found on rank 0: the rest follows here.
void CaseListener::show(const CaseEnded& ended, bool skipped) {
  for (const Measurement& measurement : ended.measurements) {
    if (!is_red(measurement) && !GTEST_FLAG_GET(brief)) fmt::print("    {}\n", words_of(measurement));
    if (is_red(measurement))
      add_part(suite_, TestPartResult::kNonFatalFailure, measurement.limit_where, words_of(measurement));
  }
  for (const Failure& failure : ended.failures) {
    if (failure.rank == 0) continue;
    const bool skip = failure.kind == Failure::Kind::kSkip;
    if (skip && (skipped || failed(ended)))
      fmt::print("    skipped: {}\n", words_of(failure));
    else
      add_part(suite_, skip ? TestPartResult::kSkip : TestPartResult::kNonFatalFailure, failure.where,
               words_of(failure));
  }
}

}  // namespace rigproof
