// main() of every suite.
#include <memory>

#include "fixtures/counters/card_watch.h"
#include "fixtures/emulated_rigs/emulated_cables/emulated_cable.h"
#include "fixtures/emulated_rigs/machine/stolen_cpu.h"
#include "fixtures/facts/kernel_log.h"
#include "fixtures/facts/memory_errors.h"
#include "fixtures/facts/run_state.h"
#include "fixtures/switch/managed_switch.h"
#include "framework/runner/suite_main.h"

// The suite's folder name, from a file that CMake writes per suite.
extern const char rigproof_suite_name[];

// Counters that every suite reads: at its start and end, and around each load.
using Group = rigproof::record::MetricGroup;
RIGPROOF_METRICS(
    {"link.down_events", "No link loss", "No link went down during the run.",
     "A loose or failing cable or module.", Group::kCarrierLosses},
    {"load.damaged", "No damaged frame under load", "No frame arrives damaged at the half during a load.",
     "A marginal cable, a dirty or loose plug, a port that is too warm.", Group::kLoadDamage},
    {"load.ber", "Bit errors before correction",
     "The share of bits that error correction corrects during a load.",
     "A marginal cable or a lane that is weak.", Group::kLoad},
    {"load.discards", "No discards under load", "The half discards hardly any frame during a load.",
     "Rings that are too small, a hop that cannot keep up, no flow control.", Group::kLoad},
    {"load.retries", "No retries under load", "Hardly any RDMA packet is sent again during a load.",
     "A hop drops packets: a full queue, a marginal cable, PFC or ECN not set.", Group::kLoadRdma},
    {"load.out_of_sequence", "Packets in order under load",
     "RDMA packets arrive in order and none is missing.",
     "A hop drops packets: a full queue, a marginal cable, PFC or ECN not set.", Group::kLoadRdma},
    {"load.lane_errors", "Errors of the lanes",
     "Errors of the half's lanes during a load, before error correction.",
     "A marginal cable or a lane that is weak.", Group::kLoad},
    {"load.pcie.replays", "PCIe packets sent again",
     "PCIe packets of the half that were sent again during a load.", "A badly seated NIC, or a failing slot.",
     Group::kLoad},
    {"load.pauses", "Pauses under load", "Pause frames that the half sent or received during a load.",
     "A hop or a node cannot keep up.", Group::kLoad},
    {"load.congestion", "Congestion under load",
     "Congestion notifications that the half sent or received during a load.",
     "More is sent to one port than it carries.", Group::kLoadRdma},
    {"load.pcie.uncorrectable", "PCIe without errors",
     "The half's PCIe link has no error that it could not correct.",
     "A badly seated NIC, old firmware, a failing slot or controller.", Group::kLoad},
    {"load.memory.uncorrected", "Memory without errors",
     "The node's memory (EDAC) answers no read with data that ECC could not correct during a load.",
     "A failing memory module: data is wrong, or a process dies.", Group::kLoad},
    {"load.memory.corrected", "No corrected memory errors",
     "ECC has nothing to correct in the node's memory (EDAC) during a load.",
     "A memory module that is beginning to fail, or too hot.", Group::kLoad},
    {"load.gpu.uncorrected", "GPU memory without errors",
     "The GPU's memory answers no read with data that ECC could not correct during a load.",
     "Failing GPU memory: data is wrong, or a job dies.", Group::kLoad},
    {"load.gpu.corrected", "No corrected GPU memory errors",
     "ECC has nothing to correct in the GPU's memory during a load.",
     "GPU memory that is beginning to fail, or too hot.", Group::kLoad},
    {"load.kernel_log", "The kernel reports no hardware error",
     "The node's kernel logs no warning about PCIe, NICs, GPUs or memory during a load.",
     "A NIC, GPU or slot that is failing, hot or badly seated; a driver that resets its device."},
    {"switch.errors", "No damage at the switch's port",
     "The switch's port counts no damaged frame and no codeword that FEC could not correct during the run.",
     "A marginal cable or module."},
    {"switch.drops", "No drops at the switch's port",
     "The switch's port throws no frame away during the run.",
     "Several ports send to one, and no flow control slows them down."},
    {"switch.pauses", "Pauses at the switch's port",
     "Pause frames that the switch's port sent or received during the run.",
     "A node or the switch cannot keep up."});

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
            memories = std::make_shared<rigproof::facts::MemoryErrorWatch>(),
            kernel_log = std::make_shared<rigproof::facts::KernelLogWatch>()] {
      std::vector<rigproof::record::Watched> grown = cards->look();
      for (const auto& more : {memories->look(), kernel_log->look()})
        grown.insert(grown.end(), more.begin(), more.end());
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
                   Reports::count("load.gpu.uncorrected"), Reports::count("load.gpu.corrected"),
                   Reports::count("load.kernel_log")},
       .watch_disturbance = watch_disturbance,
       .make_cable_puller = rigproof::emulated_cables::emulated_cable_puller});
}
