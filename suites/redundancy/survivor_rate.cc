// When the traffic of one half, or of one whole cable, stops, what is left goes on at its rate, and the stopped one
// is back at its own when it returns. All send at a steady pace that the CPU can keep up. The test stops its own
// traffic; it changes no setting.
// Catches: halves that share more than the wire, a survivor that does not carry on, a half that does not come
// back.
#include <fmt/format.h>

#include <span>
#include <utility>

#include "fixtures/flows/flows.h"
#include "framework/runner/rig_test.h"
#include "suites/redundancy/outages.h"

namespace rigproof::redundancy {
namespace {

constexpr std::size_t kStreams = 2;
// All halves of a node at once carry 170 of 400 Gbit/s on a Spark, as its CPU allows. A path that is not held back by
// the CPU shows what the others' coming and going does to it.
constexpr double kPace = 0.4;

// The survivors send for four windows without a pause; the other sends in the first, and again from the third on.
template <class SubjectType>
class Survivor : public RigTest<SubjectType> {
 protected:
  void run(const Outage& outage) {
    const Windows windows = this->windows();
    const net::LoadWindow all{windows.warm_up, 4 * windows.window, 4 * windows.intervals};
    const net::LoadWindow first{windows.warm_up, windows.window, windows.intervals};
    const net::LoadWindow last{windows.window / 2, windows.window, windows.intervals};
    const auto connect = [&](const std::vector<RailPath>& paths) {
      return flows::Flows(this->rig(), this->ranks(), paths, {.streams = kStreams, .pace = kPace});
    };
    flows::Flows survivors = this->phase("connect", kConnect, [&] { return connect(outage.survivors); });
    flows::Flows stopped = this->phase("connect", kConnect, [&] { return connect(outage.stopped); });
    flows::Flows returned = this->phase("connect", kConnect, [&] { return connect(outage.stopped); });

    this->measure("stop and return", all.warm_up + all.window + std::chrono::seconds(30), [&] {
      survivors.start(all);
      const auto begin = Clock::now();
      stopped.start(first);
      stopped.finish();
      net::sleep_until(begin + windows.warm_up + 2 * windows.window, [&] { this->ranks().poll(); });
      returned.start(last);
      returned.finish();
      survivors.finish();
    });
    if (this->here(outage.survivors.front().to.node)) report_outage(outage, survivors, stopped, returned);
  }

 private:
  static constexpr std::chrono::seconds kConnect{30};

  // What the paths carry against what they carried before, a sample per interval.
  void report_kept(std::string_view id, std::span<const DataRate> rates, double before,
                   const std::string& detail) {
    this->record("redundancy.rate", Samples(std::vector(rates.begin(), rates.end())),
                 fmt::format("{}: {}", detail, id));
    std::vector<double> kept;
    for (const DataRate& rate : rates) kept.push_back(before > 0 ? rate.bits_per_second() / before : 0);
    this->report(id, SampleSet{Dimension::kRatio, std::move(kept)}, detail);
  }

  void report_outage(const Outage& outage, const flows::Flows& survivors, const flows::Flows& stopped,
                     const flows::Flows& returned) {
    const Samples<DataRate> all = survivors.total_rates();
    const auto window = all.values().size() / 4;
    const double before = median_of(all.values().first(window));
    report_kept("redundancy.survivor", all.values().subspan(window, window), before, outage.name);
    report_kept("redundancy.survivor", all.values().last(2 * window), before, outage.name + " no more");

    const double stopped_before = median_of(stopped.total_rates().values());
    report_kept("redundancy.returned", returned.total_rates().values(), stopped_before, outage.name);
    for (const auto& [flows, paths] :
         {std::pair(&survivors, &outage.survivors), std::pair(&stopped, &outage.stopped)})
      for (std::size_t path = 0; path < paths->size(); ++path)
        if (flows->dead(path)) this->note((*paths)[path].text() + ": " + *flows->dead(path));
  }

  [[nodiscard]] static double median_of(std::span<const DataRate> rates) {
    return evaluate(Statistic::kMedian, Samples(std::vector(rates.begin(), rates.end())).set().values);
  }
};

class HalfOutage : public Survivor<PortPath> {};
RIGPROOF_TEST(HalfOutage, LeavesTheOtherHalfItsRate, Reports::ratio("redundancy.survivor"),
              Reports::ratio("redundancy.returned")) {
  for (const Outage& outage : half_outages(subject())) run(outage);
}
RIGPROOF_CASES(EachPort, HalfOutage, ports_of_several_halves);

class CableOutage : public Survivor<NodePath> {};
RIGPROOF_TEST(CableOutage, LeavesTheOtherCableItsRate, Reports::ratio("redundancy.survivor"),
              Reports::ratio("redundancy.returned")) {
  for (const Outage& outage : cable_outages(rig(), subject())) run(outage);
}
RIGPROOF_CASES(EachNode, CableOutage, nodes_of_several_cables);

}  // namespace
}  // namespace rigproof::redundancy
