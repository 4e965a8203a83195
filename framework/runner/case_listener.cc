#include "framework/runner/case_listener.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/record/codec.h"
#include "framework/runner/case_report.h"
#include "framework/runner/declare.h"

namespace rigproof::inline runner {
namespace {

using std::chrono::seconds;
using testing::TestPartResult;

// A rank can reach the end of a case while its peers still have to abort a phase.
constexpr seconds kEndOfCase{20};
constexpr seconds kVerdict{60};

bool failed(const judge::Attempt& attempt) {
  return std::ranges::any_of(attempt.measurements, judge::is_failed_or_error) ||
         std::ranges::any_of(attempt.failures,
                             [](const record::Failure& f) { return f.kind != record::Failure::Kind::kSkip; });
}

}  // namespace

CaseListener::CaseListener(SuiteContext& suite, std::vector<Reports> observes, std::vector<Reports> watches)
    : suite_(suite), observes_(std::move(observes)), watches_(std::move(watches)) {}

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
  plan_ = plan_of(suite_.suite, suite_.rig, observes_, watches_);
  std::vector<std::string> mine;
  for (const record::PlannedCase& planned : plan_.cases) mine.push_back(planned.name);
  const auto plans = suite_.ranks.gather("the plan of the suite", record::codec::to_bytes(mine), kEndOfCase);
  for (std::size_t rank = 1; rank < plans.size(); ++rank)
    if (plans[rank] != plans[0])
      suite_.ranks.fatal(suite_.ranks.who(static_cast<int>(rank)) +
                         " has other cases than rank 0: is the same build on every node?");
  suite_.write(plan_);
}

void CaseListener::OnTestIterationStart(const testing::UnitTest&, int iteration) {
  iteration_ = iteration + 1;
}

void CaseListener::OnTestSuiteStart(const testing::TestSuite&) { outside_.clear(); }

void CaseListener::OnTestStart(const testing::TestInfo& test) {
  suite_.now = RunningCase{.name = full_name(test), .iteration = iteration_};
  suite_.now.report.failures = outside_;
  suite_.write(record::CaseStarted{suite_.suite, suite_.now.name, iteration_});
  suite_.expect_next("the begin");
}

void CaseListener::OnTestPartResult(const TestPartResult& part) {
  if (suite_.own_words || part.type() == TestPartResult::kSuccess) return;
  (suite_.now.name.empty() ? outside_ : suite_.now.report.failures).push_back(failure_of(suite_, part));
}

// How this rank left the body, if by its own decision.
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
  CaseReport& own = suite_.now.report;
  own.measuring_s = std::chrono::duration<double>(suite_.now.measuring).count();
  own.watched = suite_.now.watched.findings(suite_.node().name);
  for (const std::string& note : suite_.now.watched.notes())
    own.notes.push_back(suite_.node().name + ": " + note);
  const std::string end = "the end of " + suite_.now.name;
  const auto reports =
      suite_.ranks.gather(end, record::codec::to_bytes(suite_.now.report), kEndOfCase, left_with());
  std::vector<int> outcome(2);  // failed, skipped: for GoogleTest's result on the other ranks
  if (suite_.ranks.rank() == 0) {
    const record::CaseEnded ended = this->ended(test, reports);
    suite_.write(ended);
    const judge::Attempt attempt = judge_case(ended, duty_of(ended.name), *suite_.judging);
    show(attempt, test.result()->Skipped());
    outcome = {failed(attempt), !attempt.failures.empty()};
  }
  const auto agreed = record::codec::from_bytes<std::vector<int>>(
      suite_.ranks.broadcast(end, record::codec::to_bytes(outcome), kVerdict));
  const bool red = agreed.at(0) != 0, skipped = agreed.at(1) != 0;
  if (red && !test.result()->Failed())
    add_part(suite_, TestPartResult::kNonFatalFailure, {}, "failed on rank 0");
  if (!red && skipped && !test.result()->Skipped())
    add_part(suite_, TestPartResult::kSkip, {}, "skipped on rank 0");
}

judge::Duty CaseListener::duty_of(const std::string& name) const {
  const auto planned = std::ranges::find(plan_.cases, name, &record::PlannedCase::name);
  if (planned == plan_.cases.end()) return {};
  return {planned->test ? &plan_.tests.at(*planned->test).owes : nullptr, planned->place};
}

record::CaseEnded CaseListener::ended(const testing::TestInfo& test,
                                      const std::vector<std::string>& reports) const {
  using Seconds = std::chrono::duration<double>;
  record::CaseEnded ended{
      .suite = suite_.suite,
      .name = suite_.now.name,
      .iteration = suite_.now.iteration,
      .seconds = Seconds(std::chrono::milliseconds(test.result()->elapsed_time())).count(),
      .measuring_s = 0,
      .measured = {},
      .failures = {},
      .notes = {},
      .disturbed = suite_.now.disturbed};
  std::vector<record::Measured> watched = suite_.now.report.watched;
  add_report(ended, suite_.now.report);
  for (std::size_t rank = 1; rank < reports.size(); ++rank) {
    const CaseReport report = record::codec::from_bytes<CaseReport>(reports[rank]);
    watched.insert(watched.end(), report.watched.begin(), report.watched.end());
    add_report(ended, report);
  }
  // Quiet NICs alone do not prove a case that measured nothing.
  const bool proves = std::ranges::any_of(ended.measured, [](const record::Measured& one) {
    return one.role != record::Measured::Role::kBeside;
  });
  if (proves || !ended.failures.empty())
    ended.measured.insert(ended.measured.end(), watched.begin(), watched.end());
  return ended;
}

// Prints the rest: GoogleTest has already printed what it found on rank 0.
void CaseListener::show(const judge::Attempt& attempt, bool skipped) {
  for (const judge::JudgedMeasurement& measurement : attempt.measurements) {
    const bool advice = measurement.judgement.verdict == judge::Verdict::kAdvice;
    if (!judge::is_failed_or_error(measurement) && (advice || !GTEST_FLAG_GET(brief)))
      fmt::print("    {}\n", console_line(measurement));
    if (is_failed_or_error(measurement))
      add_part(suite_, TestPartResult::kNonFatalFailure, to_text(measurement.limit_where),
               console_line(measurement));
  }
  for (const record::Failure& failure : attempt.failures) {
    if (failure.rank == 0) continue;
    const bool skip = failure.kind == record::Failure::Kind::kSkip;
    if (skip && (skipped || failed(attempt)))
      fmt::print("    skipped: {}\n", console_line(failure));
    else
      add_part(suite_, skip ? TestPartResult::kSkip : TestPartResult::kNonFatalFailure, failure.where,
               console_line(failure));
  }
}

}  // namespace rigproof::inline runner
