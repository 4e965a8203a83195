#include "reports/terminal/time_left.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace rigproof::terminal {
namespace {

using Seconds = std::chrono::duration<double>;

// Seconds per case without void attempts, by profile, on the model rig with two nodes and two cores. Smoke is the table in
// fixtures/emulated_rigs/README.md; rdma is computed from its windows. Other rigs take about as long, because the profile
// sets the windows.
struct Typical {
  std::string_view suite;
  std::array<double, 3> seconds;  // by Profile
};
constexpr std::array kTypical{
    Typical{"preflight", {0.004, 0.005, 0.006}},
    Typical{"host", {0.29, 0.88, 5.1}},
    Typical{"switch", {0.01, 0.01, 0.01}},
    Typical{"link", {0.025, 0.025, 0.025}},
    Typical{"mtu", {0.63, 2.5, 14}},
    Typical{"tcp", {0.78, 2.35, 10.6}},
    Typical{"rdma", {1.5, 4, 18}},
    Typical{"collective", {0.81, 3.1, 15.8}},
    Typical{"phy", {0.53, 1.6, 7.3}},
    Typical{"redundancy", {3.8, 13.4, 64.7}},
};

// The first seconds are not representative, so the estimate begins with this much time at the usual pace.
constexpr Seconds kUsual{10};

std::optional<Seconds> typical(std::string_view suite, Profile profile) {
  const auto found = std::ranges::find(kTypical, suite, &Typical::suite);
  if (found == kTypical.end()) return {};
  return Seconds(found->seconds.at(static_cast<std::size_t>(profile)));
}

Seconds times(Seconds each, std::size_t count) { return each * static_cast<double>(count); }

struct Run {
  double scale = 1;             // of typical times
  std::optional<Seconds> mean;  // of all cases that ended
};

Run compared(const std::vector<SuiteProgress>& suites, Profile profile) {
  Seconds took = kUsual, usual = kUsual, all{};
  std::size_t ended = 0;
  for (const SuiteProgress& suite : suites) {
    if (suite.ended == 0) continue;
    all += suite.spent;
    ended += suite.ended;
    const auto each = typical(suite.suite, profile);
    if (!each) continue;
    took += suite.spent;
    usual += times(*each, suite.ended);
  }
  return {took / usual, ended == 0 ? std::nullopt : std::optional(all / static_cast<double>(ended))};
}

// Expected seconds of one unfinished case of the suite. nullopt: unknown.
std::optional<Seconds> expected(const SuiteProgress& suite, Profile profile, const Run& run) {
  const auto known = typical(suite.suite, profile);
  const auto before = known ? std::optional(*known * run.scale) : run.mean;
  if (suite.ended == 0) return before;
  const Seconds own = suite.spent / static_cast<double>(suite.ended);
  if (!before) return own;
  const double done = static_cast<double>(suite.ended) / static_cast<double>(suite.cases);
  return own * done + *before * (1 - done);
}

}  // namespace

std::optional<std::chrono::seconds> time_left(const std::vector<SuiteProgress>& suites, Profile profile,
                                              Seconds waited) {
  const Run run = compared(suites, profile);
  Seconds left{}, first{};
  bool any = false;
  for (const SuiteProgress& suite : suites) {
    if (suite.ended >= suite.cases) continue;
    const auto each = expected(suite, profile, run);
    if (!each) return {};
    if (!any) first = *each;
    any = true;
    left += times(*each, suite.cases - suite.ended);
  }
  if (!any) return {};
  return std::chrono::round<std::chrono::seconds>(left - std::min(waited, first));
}

}  // namespace rigproof::terminal
