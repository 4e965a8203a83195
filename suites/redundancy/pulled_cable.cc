// A cable is pulled and plugged in again while TCP goes over all rails between two nodes: what goes by the other cables
// does not stand still, and what went by this one is back at its rate. On emulated rigs the rig pulls it, on hardware an
// operator does (`rigproof run --operator`).
// Catches: traffic of all cables that stops with one of them, a cable, port or switch that does not come back, or comes
// back slower, a rail that waits for minutes.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "fixtures/cables/cable_pull.h"
#include "fixtures/flows/flows.h"
#include "framework/runner/rig_test.h"

namespace rigproof::redundancy {
namespace {

constexpr std::size_t kStreams = 2;
constexpr double kPace = 0.4;  // as in survivor_rate.cc: the CPU holds no path back
constexpr double kAsBefore =
    0.9;  // a path is back in the first interval that carries so much of what it carried before
constexpr std::chrono::milliseconds kInterval{50};

bool has_pulled_cable(const Rig& rig) { return !cables::pulled_cables_to_first(rig).empty(); }

class PulledCable : public RigTest<PortPath> {
 protected:
  using Time = net::Clock::time_point;

  // Of one path: its intervals before the pull, and from then on.
  struct Course {
    std::vector<double> rates;  // bit/s
    Time begin;                 // of the first interval

    [[nodiscard]] std::size_t index_of(Time time) const {
      const auto at = std::max(time - begin, net::Clock::duration::zero()) / kInterval;
      return std::min(rates.size(), static_cast<std::size_t>(at));
    }
    [[nodiscard]] std::vector<double> between(Time from, Time to) const {
      return {rates.begin() + static_cast<std::ptrdiff_t>(index_of(from)),
              rates.begin() + static_cast<std::ptrdiff_t>(index_of(to))};
    }
    [[nodiscard]] double before(Time pulled) const {
      return evaluate(Statistic::kMedian, between(begin, pulled - kInterval));
    }
  };

  void report_path(const RateSeries& path, const cables::CablePull& pull, Time begin) {
    const Samples<DataRate> intervals = path.intervals();
    Course course{{}, begin};
    for (const DataRate& rate : intervals.values()) course.rates.push_back(rate.bits_per_second());
    const double before = course.before(pull.pulled());
    record("redundancy.pulled.course", intervals, {record::every(kInterval), path.path});
    if (!(before > 0)) return note(path.path + " carried nothing before the cable was pulled");
    if (cables::goes_by(subject(), path.path)) return report_pulled(path.path, course, pull, before);
    std::vector<double> kept;
    for (const double rate : course.between(pull.pulled(), Time::max())) kept.push_back(rate / before);
    report("redundancy.pulled.survivor", SampleSet{Dimension::kRatio, kept}, path.path);
    report("redundancy.pulled.outage", to_quantity(path.longest_gap()), path.path);
  }

  void report_pulled(const std::string& path, const Course& course, const cables::CablePull& pull,
                     double before) {
    const std::size_t first = course.index_of(pull.plugged()), last = course.rates.size();
    std::size_t back = first;
    while (back < last && course.rates[back] < kAsBefore * before) ++back;
    // Of what is left then, or of the last quarter of the time where it never came back.
    const std::size_t from = back < last ? back : first + (last - first) * 3 / 4;
    std::vector<double> kept;
    for (std::size_t at = from; at < last; ++at) kept.push_back(course.rates[at] / before);
    if (kept.empty()) kept.push_back(0);
    report("redundancy.pulled.rate", SampleSet{Dimension::kRatio, kept}, path);
    if (back == last)
      return note(fmt::format("{} is not back {:.1f} s after its cable was", path,
                              seconds(course.begin + last * kInterval - pull.plugged())));
    const auto when = course.begin + static_cast<int>(back) * kInterval - pull.plugged();
    report("redundancy.pulled.back", std::chrono::duration<double>(std::max(when, Time::duration::zero())),
           path);
  }

  [[nodiscard]] static double seconds(net::Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  }
};

RIGPROOF_TEST(
    PulledCable, LeavesTheOthersTheirRateAndComesBack,
    Reports::ratio("redundancy.pulled.survivor").on_rigs_with(cables::kNeeds, has_pulled_cable),
    Reports::time("redundancy.pulled.outage").on_rigs_with(cables::kNeeds, has_pulled_cable),
    Reports::ratio("redundancy.pulled.rate").on_rigs_with(cables::kNeeds, has_pulled_cable),
    Reports::time("redundancy.pulled.back").where_there().on_rigs_with(cables::kNeeds, has_pulled_cable)) {
  const std::vector<RailPath> paths = cables::all_paths(rig(), subject());
  flows::Flows load = phase("connect", std::chrono::seconds(30), [&] {
    return flows::Flows(rig(), ranks(), paths, {.streams = kStreams, .pace = kPace});
  });
  const Windows windows = this->windows();
  auto puller = cable_puller(subject().to);
  const auto out = cables::time_out(*puller, windows.window);
  std::optional<cables::CablePull> pull;
  Time begin;
  pull.emplace(
      rig(), ranks(), subject(), std::move(puller),
      cables::CablePullTimes{.before = windows.warm_up + windows.window, .out = out, .after = windows.window},
      [this](const record::CableMoved& moved) { record_cable(moved); });
  const auto longest = pull->longest();
  measure_pulled(subject(), "pull and plug in", longest + std::chrono::seconds(10), [&] {
    const LoadWindow window{windows.warm_up, (longest / kInterval + 1) * kInterval,
                            static_cast<int>(longest / kInterval + 1)};
    load.start(window);
    begin = net::Clock::now() + windows.warm_up;
    pull->start();
    try {
      pull->await_end();
    } catch (const cables::NobodyDidIt& nobody) {
      not_proven(nobody.what());
    }
    if (here(subject().to.node)) load.end_early();
    load.finish();
    pull->finish();
  });
  if (!here(subject().to.node)) return;
  record("redundancy.pulled.out",
         to_quantity(std::chrono::duration<double>(pull->plugged() - pull->pulled())), subject().link);
  if (!pull->still_dead().empty()) note(pull->still_dead());
  for (const RateSeries& path : load.path_rates()) report_path(path, *pull, begin);
  for (std::size_t path = 0; path < paths.size(); ++path)
    if (load.dead(path)) note(paths[path].text() + ": " + *load.dead(path));
}
RIGPROOF_CASES(EachCable, PulledCable, cables::pulled_cables_to_first);

}  // namespace
}  // namespace rigproof::redundancy
