// A cable is pulled and plugged in again while TCP uses all rails between two nodes. Proves: traffic on the other cables
// does not pause, and traffic on this cable returns to its rate. The rig pulls the cable on emulated rigs, an operator on
// hardware (`rigproof run --operator`). Catches: traffic of all cables that stops with one cable; a cable, port or switch
// that does not return, or returns slower; a rail that waits for minutes.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "fixtures/cables/cable_pull.h"
#include "fixtures/flows/flows.h"
#include "framework/runner/rig_test.h"
#include "suites/redundancy/load.h"

namespace rigproof::redundancy {

RIGPROOF_METRICS({"redundancy.pulled.survivor", "The rest carries on without a cable",
                  "While a cable is out, what goes by the others keeps its rate.",
                  "Traffic on all cables slows down when one is out."},
                 {"redundancy.pulled.outage", "No pause on the other cables",
                  "While a cable is out, what goes by the others never stands still.",
                  "Traffic on all cables waits for one of them."},
                 {"redundancy.pulled.rate", "A pulled cable is back at its rate",
                  "Once the cable is in again, its rails carry what they did before.",
                  "A link that does not come up, or comes up slower."},
                 {"redundancy.pulled.back", "A pulled cable is back in time",
                  "How long after its carrier is back a rail has its rate again.",
                  "A switch that relearns for long; a link that trains again and again."});

namespace {

constexpr double kAsBefore =
    0.9;  // part of the old rate in an interval; the first such interval ends the outage
constexpr std::chrono::milliseconds kInterval{50};

bool has_pulled_cable(const Rig& rig) { return !cables::pulled_cables_to_first(rig).empty(); }

class PulledCable : public RigTest<PortPath> {
 protected:
  using Seconds = std::chrono::duration<double>;

  void report_path(const RateSeries& path, bool is_pulled, const cables::CablePull& pull) {
    const double before = median_of(path.between(path.begin(), pull.pulled() - kInterval));
    record("redundancy.pulled.course", path.intervals(), {record::every(kInterval), path.path});
    if (!(before > 0)) note(path.path + " carried nothing before the cable was pulled");
    if (is_pulled) return report_pulled(path, pull, before);
    SampleSet parts = parts_of(path.between(pull.pulled(), path.end()), before);
    if (parts.values.empty()) parts.values.push_back(0);  // a dead path has no intervals
    report("redundancy.pulled.survivor", parts, path.path);
    report("redundancy.pulled.outage", to_quantity(path.longest_gap()), path.path);
  }

  void report_pulled(const RateSeries& path, const cables::CablePull& pull, double before) {
    std::vector<double> kept = parts_of(path.between(pull.plugged(), path.end()), before).values;
    const auto back = std::ranges::find_if(kept, [](double part) { return part >= kAsBefore; });
    const auto intervals = std::distance(kept.begin(), back);
    const bool is_back = back != kept.end();
    // Keeps the intervals from the return on; if the path never returned, the last quarter of the time.
    kept.erase(kept.begin(), is_back ? back : kept.begin() + intervals * 3 / 4);
    if (kept.empty()) kept.push_back(0);
    report("redundancy.pulled.rate", SampleSet{Dimension::kRatio, kept}, path.path);
    if (!is_back)
      return note(fmt::format("{} is not back {:.1f} s after its cable was", path.path,
                              Seconds(path.end() - pull.plugged()).count()));
    // The cable was plugged in within the first interval; the part before does not count.
    const auto late = intervals * kInterval - (pull.plugged() - path.begin()) % kInterval;
    report("redundancy.pulled.back", std::max(Seconds(late), Seconds(0)), path.path);
  }
};

RIGPROOF_TEST(
    PulledCable, LeavesTheOthersTheirRateAndComesBack,
    Reports::ratio("redundancy.pulled.survivor").on_rigs_with(cables::kNeeds, has_pulled_cable),
    Reports::time("redundancy.pulled.outage").on_rigs_with(cables::kNeeds, has_pulled_cable),
    Reports::ratio("redundancy.pulled.rate").on_rigs_with(cables::kNeeds, has_pulled_cable),
    Reports::time("redundancy.pulled.back").where_there().on_rigs_with(cables::kNeeds, has_pulled_cable),
    Reports::count("redundancy.data_differs")) {
  const std::vector<RailPath> paths = cables::all_paths(rig(), subject());
  flows::Flows load = phase("connect", std::chrono::seconds(30), [&] {
    return flows::Flows(rig(), ranks(), paths, {.streams = kStreams, .pace = kPace});
  });
  const Windows windows = this->windows();
  cables::CablePull pull(
      rig(), ranks(), subject(), cable_puller(subject().to),
      {.before = windows.warm_up + windows.window, .out = windows.window, .after = windows.window});
  const LoadWindow window = cables::in_intervals(windows.warm_up, pull.longest(), kInterval);
  measure_pulled(subject(), "pull and plug in", pull.longest() + std::chrono::seconds(10), [&] {
    load.start(window);
    pull.start();
    pull.await_end();
    ranks().barrier();  // senders wait for the end of the pull, too
    load.end_early();
    load.finish();
    pull.finish();
  });
  if (!here(subject().to.node)) return;
  record("redundancy.pulled.out", to_quantity(Seconds(pull.plugged() - pull.pulled())), subject().link);
  if (!pull.still_dead().empty()) note(pull.still_dead());
  for (std::size_t path = 0; path < paths.size(); ++path)
    report_path(load.rates(path), cables::goes_by(subject(), paths[path]), pull);
  for (const std::string& path : load.dead_paths()) note(path);
  report_data(load);
}
RIGPROOF_CASES(EachCable, PulledCable, cables::pulled_cables_to_first);

}  // namespace
}  // namespace rigproof::redundancy
