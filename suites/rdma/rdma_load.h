#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "fixtures/rdma_flows/rdma_flows.h"
#include "framework/runner/rig_test.h"

namespace rigproof {

// A case that loads paths and reports what the ranks saw.
template <class SubjectType>
class RdmaLoadTest : public RigTest<SubjectType> {
 protected:
  [[nodiscard]] RdmaFlows loaded(const std::vector<RailPath>& paths, const RdmaFlowsSpec& spec) {
    const Windows windows = this->windows();
    RdmaFlows flows = this->phase("connect", std::chrono::seconds(30),
                                  [&] { return RdmaFlows(this->rig(), this->ranks(), paths, spec); });
    this->measure("transfer", windows.warm_up + windows.window + std::chrono::seconds(15), [&] {
      flows.run({.warm_up = windows.warm_up, .window = windows.window, .intervals = windows.intervals});
    });
    return flows;
  }

  // One path: its rate. Several that begin here: their sum over the common window, which decides, and each.
  void report_rates(std::string_view id, const std::vector<RailPath>& paths, const RdmaFlows& flows) {
    std::size_t beginning = 0;
    for (std::size_t path = 0; path < paths.size(); ++path) {
      if (!this->here(paths[path].from.node)) continue;
      ++beginning;
      if (paths.size() > 1) this->record("rdma.rate.share", flows.rates(path), paths[path].name());
    }
    if (beginning > 0) this->report(id, flows.total_rates());
  }

  // What is wrong with the transfer itself, wherever it was seen.
  void report_faults(const std::vector<RailPath>& paths, const RdmaFlows& flows) {
    for (std::size_t path = 0; path < paths.size(); ++path) {
      if (!this->here(paths[path].to.node)) continue;
      if (flows.dead(path)) {
        this->note(paths[path].text() + ": " + *flows.dead(path));
        this->report("rdma.connects", count(0), paths[path].name());
      }
      if (flows.difference(path)) this->note(paths[path].text() + ": " + *flows.difference(path));
      this->report("rdma.data_differs", count(flows.difference(path) ? 1 : 0), paths[path].name());
    }
    for (const std::string& event : flows.events()) this->note(event);
    for (const auto& [device, grown] : flows.counters()) report_counters(device, grown);
  }

 private:
  void report_counters(const std::string& device, const HwCounters& grown) {
    report_sum("rdma.retries", device, sum_of(grown, CounterMeaning::kRetry));
    report_sum("rdma.out_of_sequence", device, sum_of(grown, CounterMeaning::kOutOfSequence));
    const CounterSum congestion = sum_of(grown, CounterMeaning::kCongestion);
    if (congestion.any) this->record("rdma.congestion", count(static_cast<double>(congestion.total)), device);
    report_sum("rdma.discards", device, sum_of(grown, CounterMeaning::kDiscard));
    const CounterSum pauses = sum_of(grown, CounterMeaning::kPause);
    if (pauses.any) this->record("rdma.pauses", count(static_cast<double>(pauses.total)), device);
  }
  void report_sum(std::string_view id, const std::string& device, const CounterSum& sum) {
    if (!sum.any) return;
    if (sum.total > 0) this->note(device + ": " + sum.grown);
    this->report(id, count(static_cast<double>(sum.total)), device);
  }
};

}  // namespace rigproof
