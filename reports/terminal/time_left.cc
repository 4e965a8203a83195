#include "reports/terminal/time_left.h"

#include <algorithm>

namespace rigproof::terminal {
namespace {

using Seconds = std::chrono::duration<double>;

// The first seconds are not representative, so the estimate begins with this much time at the usual pace.
constexpr Seconds kUsual{10};

Seconds times(Seconds each, std::size_t count) { return each * static_cast<double>(count); }

struct Run {
  double scale = 1;             // of usual times
  std::optional<Seconds> mean;  // of all cases that ended
};

Run compared(const std::vector<SuiteProgress>& suites) {
  Seconds took = kUsual, usual = kUsual, all{};
  std::size_t ended = 0;
  for (const SuiteProgress& suite : suites) {
    if (suite.ended == 0) continue;
    all += suite.spent;
    ended += suite.ended;
    if (!suite.usual) continue;
    took += suite.spent;
    usual += times(*suite.usual, suite.ended);
  }
  return {took / usual, ended == 0 ? std::nullopt : std::optional(all / static_cast<double>(ended))};
}

// Expected seconds of one unfinished case of the suite. nullopt: unknown.
std::optional<Seconds> expected(const SuiteProgress& suite, const Run& run) {
  const auto before = suite.usual ? std::optional(*suite.usual * run.scale) : run.mean;
  if (suite.ended == 0) return before;
  const Seconds own = suite.spent / static_cast<double>(suite.ended);
  if (!before) return own;
  const double done = static_cast<double>(suite.ended) / static_cast<double>(suite.cases);
  return own * done + *before * (1 - done);
}

}  // namespace

std::optional<std::chrono::seconds> time_left(const std::vector<SuiteProgress>& suites, Seconds waited) {
  const Run run = compared(suites);
  Seconds left{}, first{};
  bool any = false;
  for (const SuiteProgress& suite : suites) {
    if (suite.ended >= suite.cases) continue;
    const auto each = expected(suite, run);
    if (!each) return {};
    if (!any) first = *each;
    any = true;
    left += times(*each, suite.cases - suite.ended);
  }
  if (!any) return {};
  return std::chrono::round<std::chrono::seconds>(left - std::min(waited, first));
}

}  // namespace rigproof::terminal
