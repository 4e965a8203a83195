// Proves that traffic of one half, or one whole cable, may stop without an effect on the rest, and returns to its rate
// later. All paths send at a steady pace that the CPU can sustain. The test stops only its own traffic and changes no
// setting. Catches: halves that share more than the wire, a survivor that stops or pauses, a half that does not return.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "fixtures/flows/flows.h"
#include "framework/runner/rig_test.h"
#include "suites/redundancy/load.h"

namespace rigproof::redundancy {

RIGPROOF_METRICS({"redundancy.data_differs", "Data is right in an outage",
                  "What TCP delivered before, in and after the outage is what was sent.",
                  "Faulty memory or NIC: TCP's checksum was right."},
                 {"redundancy.survivor", "The rest carries on in an outage",
                  "While one half is silent, the others keep their rate.",
                  "Halves that depend on each other."},
                 {"redundancy.returned", "A silent half comes back",
                  "After an outage the half is back at its rate.", "A connection that does not recover."});

namespace {

[[maybe_unused]] const bool kSuite = declare_suite(
    {.title = "The other paths carry on in an outage", .order = 10, .case_seconds = {3.8, 13.4, 64.7}});

// Paths that stop, and paths that continue.
struct Outage {
  std::string what;  // name of what stops: "rail1"
  std::vector<RailPath> stopped, survivors;
};

// One outage for each group of paths that stop together.
std::vector<Outage> outages(const std::vector<RailPath>& paths, const std::vector<std::string>& group_of) {
  std::map<std::string, Outage> by_group;
  for (const std::string& group : group_of) by_group.try_emplace(group, Outage{group, {}, {}});
  for (auto& [group, outage] : by_group)
    for (std::size_t path = 0; path < paths.size(); ++path)
      (group_of[path] == group ? outage.stopped : outage.survivors).push_back(paths[path]);
  std::vector<Outage> list;
  for (auto& [group, outage] : by_group)
    if (!outage.survivors.empty()) list.push_back(std::move(outage));
  return list;
}

// Each half of the port in turn, in both directions at once.
std::vector<Outage> half_outages(const Rig& rig, const PortPath& port) {
  std::vector<RailPath> paths = port.paths;
  for (const RailPath& path : port.paths) paths.push_back(reversed(rig, path));
  std::vector<std::string> rails;
  for (const RailPath& path : paths) rails.push_back(path.rail);
  return outages(paths, rails);
}

// Each port between the two nodes in turn, alternating the direction: CPUs cannot carry both directions at once by TCP.
std::vector<Outage> cable_outages(const Rig& rig, const NodePath& nodes) {
  std::vector<std::string> ports;
  for (const RailPath& path : nodes.paths) ports.push_back(rig.port(path.from).name);
  std::vector<Outage> list = outages(nodes.paths, ports);
  for (std::size_t outage = 1; outage < list.size(); outage += 2)
    for (auto* paths : {&list[outage].stopped, &list[outage].survivors})
      for (RailPath& path : *paths) path = reversed(rig, path);
  return list;
}

// Subjects with survivors when a part of them stops.
std::vector<PortPath> ports_of_several_halves(const Rig& rig) {
  auto ports = every_port_pair(rig);
  std::erase_if(ports, [&](const PortPath& port) { return half_outages(rig, port).empty(); });
  return ports;
}

std::vector<NodePath> nodes_of_several_cables(const Rig& rig) {
  auto nodes = every_node_pair(rig);
  std::erase_if(nodes, [&](const NodePath& node) { return cable_outages(rig, node).empty(); });
  return nodes;
}

// Survivors send for four windows without a pause. The stopped paths send in the first window, and again from the third on.
template <class SubjectType>
class Survivor : public RigTest<SubjectType> {
 protected:
  void run(const Outage& outage) {
    const Windows windows = this->windows();
    const LoadWindow all{windows.warm_up, 4 * windows.window, 4 * windows.intervals};
    const LoadWindow first{windows.warm_up, windows.window, windows.intervals};
    const LoadWindow last{windows.window / 2, windows.window, windows.intervals};
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
      this->wait(begin + windows.warm_up + 2 * windows.window - Clock::now());
      returned.start(last);
      returned.finish();
      survivors.finish();
    });
    if (std::ranges::any_of(outage.survivors, [&](const RailPath& path) { return this->here(path.to.node); }))
      report_outage(outage, survivors, stopped, returned);
  }

 private:
  static constexpr std::chrono::seconds kConnect{30};

  // Reports a path's rate as a part of its rate before, one sample per interval.
  void report_kept(std::string_view id, std::span<const double> rates, double before,
                   const std::string& detail) {
    const SampleSet samples{Dimension::kDataRate, {rates.begin(), rates.end()}};
    this->record("redundancy.rate", samples, fmt::format("{}: {}", detail, id));
    this->report(id, parts_of(samples, before), detail);
  }

  // Reports each path that ends here separately, because a sum would hide a dead path.
  void report_outage(const Outage& outage, const flows::Flows& survivors, const flows::Flows& stopped,
                     const flows::Flows& returned) {
    const std::vector<RateSeries> going_on = survivors.path_rates();
    for (const RateSeries& path : going_on) {
      const SampleSet intervals = path.intervals();
      const std::span all(intervals.values);
      const auto window = all.size() / 4;
      const double before = path.first(window).median();
      const std::string detail = fmt::format("without {}: {}", outage.what, path.path);
      report_kept("redundancy.survivor", all.subspan(window, window), before, detail);
      report_kept("redundancy.survivor", all.last(2 * window), before,
                  fmt::format("{} is back: {}", outage.what, path.path));
      this->report_steadiness(path, detail);
    }
    const std::vector<RateSeries> before = stopped.path_rates(), after = returned.path_rates();
    report_shares_of_all(going_on, before, fmt::format("before {} stops", outage.what));
    for (std::size_t path = 0; path < after.size(); ++path)
      report_kept("redundancy.returned", after[path].intervals().values, before[path].median(),
                  fmt::format("{} is back: {}", outage.what, after[path].path));
    for (const flows::Flows* flows : {&survivors, &stopped})
      for (const std::string& path : flows->dead_paths()) this->note(path);
    this->report_data(survivors, fmt::format("without {}: ", outage.what));
    this->report_data(stopped, fmt::format("before {} stops: ", outage.what));
    this->report_data(returned, fmt::format("{} is back: ", outage.what));
  }

  // Reports the shares in the first window, in which all paths send.
  void report_shares_of_all(std::vector<RateSeries> paths, const std::vector<RateSeries>& stopped,
                            const std::string& detail) {
    for (RateSeries& path : paths) path = path.first(path.intervals().values.size() / 4);
    paths.insert(paths.end(), stopped.begin(), stopped.end());
    this->report_shares(paths, detail);
  }
};

std::vector<Reports> of_an_outage() {
  return {Reports::ratio("redundancy.survivor"),       Reports::ratio("redundancy.returned"),
          Reports::ratio("redundancy.worst_interval"), Reports::time("redundancy.longest_gap"),
          Reports::ratio("redundancy.share"),          Reports::count("redundancy.data_differs")};
}

class HalfOutage : public Survivor<PortPath> {};
RIGPROOF_TEST(HalfOutage, LeavesTheOtherHalfItsRate, of_an_outage()) {
  for (const Outage& outage : half_outages(rig(), subject())) run(outage);
}
RIGPROOF_CASES(EachPort, HalfOutage, ports_of_several_halves);

class CableOutage : public Survivor<NodePath> {};
RIGPROOF_TEST(CableOutage, LeavesTheOtherCableItsRate, of_an_outage()) {
  for (const Outage& outage : cable_outages(rig(), subject())) run(outage);
}
RIGPROOF_CASES(EachNode, CableOutage, nodes_of_several_cables);

}  // namespace
}  // namespace rigproof::redundancy
