// A cable is pulled and plugged in again while RDMA writes use all rails between two nodes. Proves: queue pairs of other
// devices continue without a pause, those on the pulled cable fail in time (completion with error, or deadline), and new
// ones on it reach the old rate. Catches: devices that stop together, a path that hangs forever, a device that stays down,
// wrong data during the outage or after it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "fixtures/cables/cable_pull.h"
#include "fixtures/rdma_flows/rdma_flows.h"
#include "framework/runner/rig_test.h"
#include "suites/rdma/rdma_load.h"

namespace rigproof::rdma {

RIGPROOF_METRICS({"rdma.pulled.survivor", "RDMA carries on without a cable",
                  "While a cable is out, queue pairs on the other devices keep their rate.",
                  "Devices that depend on each other."},
                 {"rdma.pulled.outage", "No pause of RDMA on the other cables",
                  "While a cable is out, queue pairs on the other devices never stand still.",
                  "Devices that wait for each other."},
                 {"rdma.pulled.noticed", "RDMA notices a pulled cable",
                  "How long until queue pairs on the pulled cable fail.",
                  "Applications hang on a dead path."},
                 {"rdma.pulled.back", "RDMA connects again in time",
                  "How long new queue pairs take to connect once the carrier is back and the load has ended.",
                  "A device that stays down."},
                 {"rdma.pulled.rate", "RDMA is back at its rate",
                  "New queue pairs on the cable carry what the old ones did.",
                  "A link that comes up slower."});

namespace {

constexpr std::chrono::milliseconds kInterval{100};
constexpr std::chrono::seconds kOut{7};  // longer than a path may take to fail (RdmaLoadSpec::stall)
constexpr int kAttempts = 20;            // to connect again
const std::string kNeeds = std::string("RDMA devices, ") + cables::kNeeds;

// Cables to pull on rigs where all halves have RDMA devices; empty on others.
std::vector<PortPath> pulled_rdma_cables(const Rig& rig) {
  if (rdma_halves(rig).size() != every_half(rig).size()) return {};
  std::vector<PortPath> found = cables::last_pulled_cables(rig);
  std::erase_if(found, [](const PortPath& port) { return port.paths.empty(); });
  return found;
}
bool has_pulled_cable(const Rig& rig) { return !pulled_rdma_cables(rig).empty(); }

class PulledCableRdma : public RdmaLoadTest<PortPath> {
 protected:
  using Seconds = std::chrono::duration<double>;

  // New queue pairs on the cable that is back.
  struct Again {
    rdma_flows::RdmaFlows flows;
    Seconds took;  // until they were connected
  };

  // Reports per path, at its receiving node, the wrong data of both loads.
  void report_data(const std::vector<RailPath>& paths, const rdma_flows::RdmaFlows& flows,
                   const rdma_flows::RdmaFlows& again) {
    for (std::size_t path = 0; path < paths.size(); ++path) {
      const RailPath& one = paths[path];
      if (!here(one.to.node)) continue;
      std::vector<std::string> wrong;
      if (const auto& found = flows.difference(path)) wrong.push_back(one.text() + ": " + *found);
      if (cables::goes_by(subject(), one))
        if (const auto& found = again.difference(on_this_cable(one)))
          wrong.push_back(one.text() + ", again: " + *found);
      for (const std::string& text : wrong) note(text);
      report("rdma.data_differs", count(wrong.size()), flows::detail_of(rig(), one));
    }
  }
  // Index of the path among the cable's paths.
  [[nodiscard]] std::size_t on_this_cable(const RailPath& path) const {
    const auto same = std::ranges::find(subject().paths, path.name(), &RailPath::name);
    return static_cast<std::size_t>(same - subject().paths.begin());
  }

  // Collective. Repeats until all paths connect, at most kAttempts times; by then the carrier is back, or never will be.
  [[nodiscard]] Again connect_again() {
    const std::vector<RailPath>& paths = subject().paths;
    const auto begin = net::Clock::now();
    for (int attempt = 1;; ++attempt) {
      rdma_flows::RdmaFlows flows(rig(), ranks(), paths, {});
      bool alive = true;
      for (std::size_t path = 0; path < paths.size(); ++path) alive = alive && !flows.dead(path);
      if (alive || attempt == kAttempts) return {std::move(flows), net::Clock::now() - begin};
      wait(std::chrono::milliseconds(500));
    }
  }

  void report_path(const RailPath& path, std::size_t index, const rdma_flows::RdmaFlows& flows,
                   const cables::CablePull& pull, const Again& again) {
    const std::string name = flows::detail_of(rig(), path);
    const RateSeries carried = flows.rates(index);
    record("rdma.pulled.course", carried.intervals(), {record::every(kInterval), name});
    const double before = median_of(carried.between(carried.begin(), pull.pulled()));
    if (!(before > 0)) note(name + " carried nothing before the cable was pulled");
    if (!cables::goes_by(subject(), path)) {
      report("rdma.pulled.survivor",
             parts_of(carried.between(pull.pulled() + kInterval, carried.end()), before), name);
      report("rdma.pulled.outage", to_quantity(carried.longest_gap()), name);
      return;
    }
    if (flows.dead(index)) note(path.text() + ": " + *flows.dead(index));
    if (const auto died = flows.died(index))
      report("rdma.pulled.noticed", Seconds(*died - pull.pulled()), name);
    else
      note(fmt::format("{} had not failed when the load ended", name));
    report_return(path, before, again);
  }

  void report_return(const RailPath& path, double before, const Again& again) {
    const std::size_t index = on_this_cable(path);
    const std::string name = flows::detail_of(rig(), path);
    if (again.flows.dead(index)) {
      note(path.text() + ", again: " + *again.flows.dead(index));
      return report("rdma.pulled.rate", ratio(0), name);
    }
    report("rdma.pulled.back", again.took, name);
    report("rdma.pulled.rate", parts_of(again.flows.rates(index).intervals(), before), name);
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
  rdma_flows::RdmaFlows flows = connected(paths, {});
  cables::CablePull pull(
      rig(), ranks(), subject(), cable_puller(subject().from),
      {.before = windows.warm_up + std::max(windows.window, std::chrono::milliseconds(1000)),
       .out = kOut,
       .after = std::chrono::seconds(1),
       .until_tcp_has_tried = false});
  measure_pulled(subject(), "pull and plug in", pull.longest() + std::chrono::seconds(30), [&] {
    pull.start();
    flows.run(cables::in_intervals(windows.warm_up, pull.usual(), kInterval), [&] { pull.advance(); });
    pull.await_end();  // the carrier may be late
    pull.finish();
  });
  const Again again = measure("connect again", std::chrono::seconds(90), [&] {
    Again made = connect_again();  // after the load, which can be long with an operator
    made.flows.run({windows.warm_up, 10 * kInterval, 10});
    return made;
  });
  report_data(paths, flows, again.flows);
  if (!here(subject().from.node)) return;
  if (!pull.still_dead().empty()) note(pull.still_dead());
  for (std::size_t path = 0; path < paths.size(); ++path) report_path(paths[path], path, flows, pull, again);
}
RIGPROOF_CASES(EachNode, PulledCableRdma, pulled_rdma_cables);

}  // namespace
}  // namespace rigproof::rdma
