// main() of every suite.
#include <memory>

#include "fixtures/counters/card_watch.h"
#include "fixtures/emulated_rigs/emulated_cables/emulated_cable.h"
#include "fixtures/emulated_rigs/machine/stolen_cpu.h"
#include "fixtures/facts/memory_errors.h"
#include "fixtures/facts/run_state.h"
#include "fixtures/switch/managed_switch.h"
#include "framework/runner/suite_main.h"

// The suite's folder name, from a file that CMake writes per suite.
extern const char rigproof_suite_name[];

int main(int argc, char** argv) {
  rigproof::switches::SwitchObserver switches;
  const auto observe = [&switches](const rigproof::Rig& rig, std::size_t node) {
    std::vector<rigproof::record::Observed> counters = rigproof::facts::count_link_downs(rig, node);
    const auto of_switches = switches.observe(rig, node);
    counters.insert(counters.end(), of_switches.begin(), of_switches.end());
    return counters;
  };
  const auto watch_disturbance = [](const rigproof::Rig& rig) {
    return rigproof::machine::watch_stolen_cpu(rig.kind);
  };
  const auto watch_cards = [](const rigproof::Rig& rig, std::size_t node) -> rigproof::record::LookAtCards {
    return [cards = std::make_shared<rigproof::counters::CardWatch>(rig, node),
            memories = std::make_shared<rigproof::facts::MemoryErrorWatch>()] {
      std::vector<rigproof::record::Watched> grown = cards->look();
      const auto of_memories = memories->look();
      grown.insert(grown.end(), of_memories.begin(), of_memories.end());
      return grown;
    };
  };
  using rigproof::Reports;
  const auto of_rdma = [](const Reports& reports) {
    return reports.on_rigs_with("an RDMA device", rigproof::has_rdma);
  };
  const auto of_switches = [](const Reports& reports) {
    return reports.on_rigs_with("a switch that the rig file describes", rigproof::has_described_switch);
  };
  return rigproof::suite_main(
      argc, argv, rigproof_suite_name,
      {.facts = rigproof::facts::run_state,
       .observe = observe,
       .observes = {Reports::count("link.down_events"), of_switches(Reports::count("switch.errors")),
                    of_switches(Reports::count("switch.drops")),
                    of_switches(Reports::count("switch.pauses"))},
       .watch_cards = watch_cards,
       .watches = {Reports::count("load.damaged"), Reports::ratio("load.ber"),
                   Reports::ratio("load.discards"), of_rdma(Reports::ratio("load.retries")),
                   of_rdma(Reports::ratio("load.out_of_sequence")), Reports::count("load.pcie.uncorrectable"),
                   Reports::count("load.pcie.replays"), Reports::count("load.pauses"),
                   of_rdma(Reports::count("load.congestion")), Reports::count("load.lane_errors"),
                   Reports::count("load.memory.uncorrected"), Reports::count("load.memory.corrected"),
                   Reports::count("load.gpu.uncorrected"), Reports::count("load.gpu.corrected")},
       .watch_disturbance = watch_disturbance,
       .make_cable_puller = rigproof::emulated_cables::emulated_cable_puller});
}
