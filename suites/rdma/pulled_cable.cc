// A cable is pulled and plugged in again while RDMA writes go over all rails between two nodes: queue pairs on the other
// devices go on without a pause, those on the pulled cable fail in time (by a completion in error, or by our deadline for
// one), and new ones on it have the old rate.
// Catches: devices that hang on one another, a path that hangs without an end, a device that stays down, data that arrives
// wrongly meanwhile or on the cable that is back.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "fixtures/cables/cable_pull.h"
#include "fixtures/rdma_flows/rdma_flows.h"
#include "framework/runner/rig_test.h"
#include "suites/rdma/rdma_load.h"

namespace rigproof::rdma {
namespace {

constexpr std::chrono::milliseconds kInterval{100};
constexpr std::chrono::seconds kOut{7};  // longer than a path may take to fail (RdmaLoadSpec::stall)
constexpr int kAttempts = 20;            // to connect again
const std::string kNeeds = std::string("RDMA devices, ") + cables::kNeeds;

// Where all halves of the rig have RDMA devices.
std::vector<PortPath> pulled_rdma_cables(const Rig& rig) {
  if (rdma_halves(rig).size() != every_half(rig).size()) return {};
  std::vector<PortPath> found = cables::last_pulled_cables(rig);
  std::erase_if(found, [](const PortPath& port) { return port.paths.empty(); });
  return found;
}
bool has_pulled_cable(const Rig& rig) { return !pulled_rdma_cables(rig).empty(); }

class PulledCableRdma : public RdmaLoadTest<PortPath> {
 protected:
  using Time = net::Clock::time_point;
  using Seconds = std::chrono::duration<double>;

  // Before the pull in bit/s, and each interval from then on as a part of it.
  struct Course {
    double before = 0;
    std::vector<double> kept = {};
  };
  [[nodiscard]] static Course course_of(const Samples<DataRate>& rates, Time begin,
                                        const cables::CablePull& pull) {
    Course course;
    std::vector<double> first, later;
    Time at = begin;
    for (const DataRate& rate : rates.values()) {
      if (at + kInterval < pull.pulled())
        first.push_back(rate.bits_per_second());
      else if (at > pull.pulled())
        later.push_back(rate.bits_per_second());
      at += kInterval;
    }
    if (!first.empty()) course.before = evaluate(Statistic::kMedian, first);
    if (course.before > 0)
      for (const double rate : later) course.kept.push_back(rate / course.before);
    return course;
  }

  // Of each path what either load brought wrongly, by the node where it arrives.
  void report_data(const std::vector<RailPath>& paths, const rdma_flows::RdmaFlows& flows,
                   const rdma_flows::RdmaFlows& again) {
    for (std::size_t path = 0; path < paths.size(); ++path) {
      const RailPath& one = paths[path];
      if (!here(one.to.node)) continue;
      std::vector<std::string> wrong;
      if (const auto& found = flows.difference(path)) wrong.push_back(one.text() + ": " + *found);
      if (cables::goes_by(subject(), one.name()))
        if (const auto& found = again.difference(on_this_cable(one.name())))
          wrong.push_back(one.text() + ", again: " + *found);
      for (const std::string& text : wrong) note(text);
      report("rdma.data_differs", count(static_cast<double>(wrong.size())), one.name());
    }
  }
  // Which of the cable's paths it is.
  [[nodiscard]] std::size_t on_this_cable(const std::string& path) const {
    const auto same = std::ranges::find(subject().paths, path, &RailPath::name);
    return static_cast<std::size_t>(same - subject().paths.begin());
  }

  // Collective. New queue pairs on these paths, as soon as they connect.
  [[nodiscard]] rdma_flows::RdmaFlows connect_again(const std::vector<RailPath>& paths) {
    for (int attempt = 1;; ++attempt) {
      rdma_flows::RdmaFlows flows(rig(), ranks(), paths, {});
      const bool alive = [&] {
        for (std::size_t path = 0; path < paths.size(); ++path)
          if (flows.dead(path)) return false;
        return true;
      }();
      if (alive || attempt == kAttempts) return flows;
      net::sleep_until(net::Clock::now() + std::chrono::milliseconds(500), [&] { ranks().poll(); });
    }
  }
};

RIGPROOF_TEST(PulledCableRdma, LeavesTheOthersTheirRateAndComesBack,
              Reports::ratio("rdma.pulled.survivor").on_rigs_with(kNeeds, has_pulled_cable),
              Reports::count("rdma.data_differs"),
              Reports::time("rdma.pulled.outage").on_rigs_with(kNeeds, has_pulled_cable),
              Reports::time("rdma.pulled.noticed").on_rigs_with(kNeeds, has_pulled_cable),
              Reports::time("rdma.pulled.back").on_rigs_with(kNeeds, has_pulled_cable),
              Reports::ratio("rdma.pulled.rate").on_rigs_with(kNeeds, has_pulled_cable)) {
  const std::vector<RailPath> paths = cables::all_paths(rig(), subject());
  const Windows windows = this->windows();
  rdma_flows::RdmaFlows flows = phase("connect", std::chrono::seconds(30),
                                      [&] { return rdma_flows::RdmaFlows(rig(), ranks(), paths, {}); });
  auto puller = cable_puller(subject().from);
  // The emulated rig takes no time of a person's.
  const std::chrono::nanoseconds spared =
      puller->is_person() ? std::chrono::seconds(0) : 2 * puller->timeout() - std::chrono::seconds(2);
  cables::CablePull pull(
      rig(), ranks(), subject(), std::move(puller),
      {.before = windows.warm_up + std::max(windows.window, std::chrono::milliseconds(1000)),
       .out = kOut,
       .after = std::chrono::seconds(1),
       .until_tcp_has_tried = false},
      [this](const record::CableMoved& moved) { record_cable(moved); });
  const auto lasts = pull.longest() - spared;
  Time begin;
  measure_pulled(subject(), "pull and plug in", pull.longest() + std::chrono::seconds(30), [&] {
    try {
      begin = net::Clock::now() + windows.warm_up;
      pull.start();
      flows.run(
          {windows.warm_up, (lasts / kInterval + 1) * kInterval, static_cast<int>(lasts / kInterval + 1)},
          [&] { pull.advance(); });
      pull.await_end();  // a carrier that took its time
    } catch (const cables::NobodyDidIt& nobody) {
      not_proven(nobody.what());
    }
    pull.finish();
  });
  std::optional<rdma_flows::RdmaFlows> again;
  Time tried, connected;  // not while the load went on, which may be long with an operator
  measure("connect again", std::chrono::seconds(90), [&] {
    tried = net::Clock::now();  // the carrier is back by then, or never
    again.emplace(connect_again(subject().paths));
    connected = net::Clock::now();
    again->run({windows.warm_up, 10 * kInterval, 10});
  });
  report_data(paths, flows, *again);
  if (!here(subject().from.node)) return;
  if (!pull.still_dead().empty()) note(pull.still_dead());
  for (std::size_t path = 0; path < paths.size(); ++path) {
    const RateSeries carried = flows.rates(path);
    const Course course = course_of(carried.intervals(), begin, pull);
    const std::string& name = paths[path].name();
    record("rdma.pulled.course", carried.intervals(), {record::every(kInterval), name});
    if (!(course.before > 0)) {
      note(name + " carried nothing before the cable was pulled");
      continue;
    }
    if (!cables::goes_by(subject(), name)) {
      report("rdma.pulled.survivor", SampleSet{Dimension::kRatio, course.kept}, name);
      report("rdma.pulled.outage", to_quantity(carried.longest_gap()), name);
      continue;
    }
    if (flows.dead(path)) note(paths[path].text() + ": " + *flows.dead(path));
    if (const auto died = flows.died(path))
      report("rdma.pulled.noticed", Seconds(*died - pull.pulled()), name);
    else
      note(fmt::format("{} had not failed when the load ended", name));
    const std::size_t index = on_this_cable(name);
    if (again->dead(index)) {
      note(paths[path].text() + ", again: " + *again->dead(index));
      report("rdma.pulled.rate", ratio(0), name);
      continue;
    }
    report("rdma.pulled.back", Seconds(connected - tried), name);
    const Samples<DataRate> rates = again->rates(index).intervals();
    std::vector<double> kept;
    for (const DataRate& rate : rates.values()) kept.push_back(rate.bits_per_second() / course.before);
    report("rdma.pulled.rate", SampleSet{Dimension::kRatio, kept}, name);
  }
}
RIGPROOF_CASES(EachNode, PulledCableRdma, pulled_rdma_cables);

}  // namespace
}  // namespace rigproof::rdma
