#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fixtures/rdma_flows/rdma_flows.h"
#include "framework/rig/subjects.h"
#include "framework/runner/rig_test.h"

namespace rigproof::rdma {

// Subjects whose halves all have an RDMA device in the rig file; empty on a rig without RDMA.
[[nodiscard]] std::vector<HalfSubject> rdma_halves(const Rig& rig);
[[nodiscard]] std::vector<RailPath> rdma_rail_pairs(const Rig& rig);
[[nodiscard]] std::vector<RailPath> rdma_rail_paths(const Rig& rig);
[[nodiscard]] std::vector<PortPath> rdma_port_paths(const Rig& rig);
[[nodiscard]] std::vector<NodePath> rdma_node_paths(const Rig& rig);
// Whether both ends of each path have one.
[[nodiscard]] bool have_rdma(const Rig& rig, const std::vector<RailPath>& paths);

// A fault that one of a node's RDMA devices does not count, though others do. Without `device`: no counter of the node
// counts it.
struct Uncounted {
  std::string id;  // of the fault's limit: "rdma.retries"
  std::string device;
};
// Collective. The faults that every rank found uncounted, by rank.
[[nodiscard]] std::vector<std::vector<Uncounted>> share_uncounted(RankGroup& ranks,
                                                                  const std::vector<Uncounted>& mine);

// A case that loads paths and reports what the ranks measured.
template <class SubjectType>
class RdmaLoadTest : public RigTest<SubjectType> {
 protected:
  [[nodiscard]] rdma_flows::RdmaFlows connected(const std::vector<RailPath>& paths,
                                                const rdma_flows::RdmaFlowsSpec& spec) {
    return this->phase("connect", std::chrono::seconds(30),
                       [&] { return rdma_flows::RdmaFlows(this->rig(), this->ranks(), paths, spec); });
  }

  [[nodiscard]] rdma_flows::RdmaFlows loaded(const std::vector<RailPath>& paths,
                                             const rdma_flows::RdmaFlowsSpec& spec) {
    const Windows windows = this->windows();
    rdma_flows::RdmaFlows flows = connected(paths, spec);
    this->measure("transfer", windows.warm_up + windows.window + std::chrono::seconds(15), [&] {
      flows.run({.warm_up = windows.warm_up, .window = windows.window, .intervals = windows.intervals});
    });
    return flows;
  }

  // Reports the rates of the paths that begin here: of several paths the sum over the common window, and each path's share.
  void report_rates(std::string_view id, const rdma_flows::RdmaFlows& flows) {
    if (const auto rates = flows.path_rates(); !rates.empty()) this->report(id, rates);
  }

  // Collective. Reports faults of the transfer, whichever rank found them.
  void report_faults(const std::vector<RailPath>& paths, const rdma_flows::RdmaFlows& flows) {
    report_arrivals(paths, flows);
    for (const std::string& event : flows.events()) this->note(event);
    for (const auto& [device, grown] : flows.counters()) report_counters(device, grown);
    require_counted(paths, flows);
  }

  // Reports whether every path lived and delivered the data that was sent. `at` separates several loads of one case.
  void report_arrivals(const std::vector<RailPath>& paths, const rdma_flows::RdmaFlows& flows,
                       const std::optional<record::Axis>& at = {}) {
    const std::string where = at ? " " + to_text(*at) : "";
    for (std::size_t path = 0; path < paths.size(); ++path) {
      if (!this->here(paths[path].to.node)) continue;
      if (flows.dead(path)) {
        this->note(paths[path].text() + where + ": " + *flows.dead(path));
        this->report("rdma.connects", count(0), detail(paths[path], at));
      }
      if (flows.difference(path)) this->note(paths[path].text() + where + ": " + *flows.difference(path));
      this->report("rdma.data_differs", count(flows.difference(path) ? 1 : 0), detail(paths[path], at));
    }
  }

 private:
  [[nodiscard]] RigTestBase::Detail detail(const RailPath& path,
                                           const std::optional<record::Axis>& at) const {
    const std::string name = flows::detail_of(this->rig(), path);
    return at ? RigTestBase::Detail(*at, name) : RigTestBase::Detail(name);
  }

  using CounterMeaning = counters::CounterMeaning;
  struct Counted {
    std::string_view id;
    CounterMeaning meaning;
  };
  static constexpr std::array<Counted, 3> kCountedLimits{
      {{"rdma.retries", CounterMeaning::kRetry},
       {"rdma.out_of_sequence", CounterMeaning::kOutOfSequence},
       {"rdma.discards", CounterMeaning::kDiscard}}};
  static constexpr std::array<Counted, 3> kCountedFacts{
      {{"rdma.congestion", CounterMeaning::kCongestion},
       {"rdma.pauses", CounterMeaning::kPause},
       {"rdma.receive_not_posted", CounterMeaning::kNoReceive}}};

  void report_counters(const std::string& device, const counters::HwCounters& grown) {
    for (const auto& [id, meaning] : kCountedLimits) {
      const counters::CounterSum sum = sum_of(grown, meaning);
      if (sum.total > 0) this->note(device + ": " + sum.grown);
      if (sum.any) this->report(id, count(sum.total), device);
    }
    for (const auto& [id, meaning] : kCountedFacts)
      if (const counters::CounterSum sum = sum_of(grown, meaning); sum.any)
        this->record(id, count(sum.total), device);
  }

  // Counters of this node's RDMA devices that take part.
  [[nodiscard]] std::map<std::string, counters::HwCounters> of_rdma_devices(
      const std::vector<RailPath>& paths, const rdma_flows::RdmaFlows& flows) const {
    std::map<std::string, counters::HwCounters> devices;
    for (const RailPath& path : paths)
      for (const HalfRef half : {path.from, path.to})
        if (const auto found = flows.counters().find(*this->rig().half(half).rdma);
            this->here(half.node) && found != flows.counters().end())
          devices.insert(*found);
    return devices;
  }

  [[nodiscard]] std::vector<Uncounted> uncounted(const std::vector<RailPath>& paths,
                                                 const rdma_flows::RdmaFlows& flows) const {
    std::vector<Uncounted> lacking;
    if (flows.counters().empty()) return lacking;
    const auto devices = of_rdma_devices(paths, flows);
    for (const auto& [id, meaning] : kCountedLimits) {
      const auto counts = [wanted = meaning](const auto& device) {
        return sum_of(device.second, wanted).any;
      };
      if (std::ranges::none_of(flows.counters(), counts)) lacking.push_back({std::string(id), {}});
      for (const std::string& device : counters::uncounted(devices, meaning))
        lacking.push_back({std::string(id), device});
    }
    return lacking;
  }

  // The case is not proven if a fault under a limit is not counted, or if counters were lost during the load.
  void require_counted(const std::vector<RailPath>& paths, const rdma_flows::RdmaFlows& flows) {
    this->phase("counters", std::chrono::seconds(5), [&] {
      const auto of_ranks = share_uncounted(this->ranks(), uncounted(paths, flows));
      if (!flows.lost_counters().empty()) this->not_proven(flows.lost_counters());
      for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
        for (const auto& [id, device] : of_ranks[rank])
          if (this->has_required_limit(id))
            this->not_proven(fmt::format("{}: no counter{} shows {}",
                                         this->ranks().who(static_cast<int>(rank)),
                                         device.empty() ? "" : " of " + device, id));
    });
  }
};

}  // namespace rigproof::rdma
