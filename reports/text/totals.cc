#include "reports/text/totals.h"

#include <fmt/format.h>

#include <algorithm>

namespace rigproof {
namespace {

void count(Totals& totals, Status status) {
  ++totals.cases;
  switch (status) {
    case Status::kRecorded:
      ++totals.recorded;
      break;
    case Status::kPassed:
      ++totals.passed;
      break;
    case Status::kWaived:
      ++totals.waived;
      break;
    case Status::kNotProven:
      ++totals.not_proven;
      break;
    case Status::kFailed:
      ++totals.failed;
      break;
    case Status::kError:
      ++totals.errors;
      break;
  }
}

void count(Totals& totals, const JudgedSuite& suite) {
  for (const JudgedCase& test : suite.cases) count(totals, test.status());
}

}  // namespace

Totals totals_of(const JudgedSuite& suite) {
  Totals totals;
  count(totals, suite);
  return totals;
}

Totals totals_of(const JudgedRun& run) {
  Totals totals;
  for (const JudgedSuite& suite : run.suites) count(totals, suite);
  return totals;
}

TimeSpent time_spent(const JudgedRun& run) {
  TimeSpent time;
  for (const JudgedSuite& suite : run.suites) {
    time.total_s += suite.seconds;
    for (const JudgedCase& test : suite.cases)
      for (const Attempt& attempt : test.attempts) time.measuring_s += attempt.measuring_s;
  }
  if (run.end) time.total_s = run.end->seconds;
  return time;
}

std::string time_text(const JudgedRun& run) {
  const TimeSpent time = time_spent(run);
  return fmt::format("{:.1f} s: {:.1f} s measuring, {:.1f} s overhead", time.total_s, time.measuring_s,
                     std::max(0.0, time.total_s - time.measuring_s));
}

}  // namespace rigproof
