// Proves that a node is ready for load: memory can be registered, RDMA devices open, CPUs and GPUs run unthrottled, and the
// node is idle. Catches: a memlock limit inside mpirun or a container, a missing /dev/infiniband, a power-saving governor, a
// throttled GPU, files that netplan will refuse, another load, qualification or training job.
#include <algorithm>

#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {

RIGPROOF_METRICS(
    {"preflight.netplan_mode", "Network files are private", "Netplan's files are readable by root alone.",
     "A file was written with another mode."},
    {"preflight.quiet.cpu", "An idle node", "The node's CPUs are idle before the load begins.",
     "Another job runs on the node."},
    {"preflight.quiet.traffic", "An idle half", "Hardly anything crosses the half before the load begins.",
     "Another job uses the rail."},
    {"preflight.clock", "Clocks agree", "The nodes' clocks are synchronised.",
     "No time service runs, or it cannot reach its server."},
    {"preflight.memory", "Free memory", "The memory that programs can still get on the node.",
     "Another job holds it."},
    {"preflight.memlock", "Locked memory",
     "A process of the launcher may lock unlimited memory, as RDMA needs.",
     "limits.conf or the ulimit of the container limits it."},
    {"preflight.unpinnable", "No memory is kept for KHO",
     "Free memory that the kernel keeps for kexec handover: RDMA can't pin it.",
     "The kernel enables KHO by default. Registering memory fails once most of the rest is used."},
    {"preflight.governor", "CPU governor", "The CPUs run under the expected governor.",
     "A power-saving governor is set."},
    {"preflight.gpu.pcie.lanes_used", "PCIe lanes of the GPU",
     "The GPU's PCIe link trained with as many lanes as GPU and slot have.",
     "A GPU that is not fully seated, a riser, or a slot's setting in the BIOS."},
    {"preflight.gpu.*", "GPU state", "The GPU has the state that the thresholds require.",
     "The GPU is throttled, has errors, or is of another kind."},
    {"preflight.rdma.openable", "RDMA devices can be opened", "The user may open every RDMA device.",
     "/dev/infiniband is missing in the container, or not allowed."},
    {"preflight.version.*", "Version", "The version that a node reports.", "An update was not made.",
     record::MetricGroup::kInventory});

namespace {

constexpr const char* kUncounted = "Not Supported";  // NVML's text

// NVML's error text for a GPU that fell off the bus or needs a reset (nvidia-smi shows ERR!). Empty: no fact shows that.
std::string why_gone(const facts::Gpu& gpu) {
  for (const std::string* reason : {&gpu.throttle_reasons.reason, &gpu.uncorrected_ecc_errors.reason,
                                    &gpu.compute_capability.reason, &gpu.name.reason})
    for (const char* words : {"is lost", "requires reset", "requires restart"})
      if (reason->find(words) != std::string::npos) return *reason;
  return {};
}

class NodeReady : public NodeCase {
 protected:
  // GPUs that do not count memory errors have nothing to judge.
  void judge_memory_of(const facts::Gpu& gpu, const Finding& finding) {
    const auto& errors = gpu.uncorrected_ecc_errors;
    const bool counts = errors.unread && errors.reason.find(kUncounted) == std::string::npos;
    if (!errors.value && !counts)
      report_nothing_to_judge("preflight.gpu.ecc", errors.why(), finding);
    else
      judge("preflight.gpu.ecc", errors, finding);
  }
};

RIGPROOF_TEST(NodeReady, LocksMemory, Reports::text("preflight.memlock"),
              Reports::size("preflight.unpinnable").where_there()) {
  look([&](const RigFacts& all) {
    const facts::System system = node_of(all).system();
    judge("preflight.memlock", system.memlock, about());
    if (system.unpinnable.value || system.unpinnable.unread)
      judge("preflight.unpinnable", system.unpinnable, about());
    else
      nothing_there("preflight.unpinnable", "the kernel has no contiguous memory (CMA)", about());
  });
}

RIGPROOF_TEST(NodeReady, OpensItsRdmaDevices, Reports::count("preflight.rdma.openable")) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = node_of(all);
    const auto files = facts.system().infiniband_devices.value.value_or(std::vector<std::string>{});
    const auto present =
        std::ranges::count_if(files, [](const std::string& name) { return name.starts_with("uverbs"); });
    std::ptrdiff_t wanted = 0;
    bool refused = false;
    for (const HalfRef half : rig().halves_of(subject().node)) {
      const auto& device = rig().half(half).rdma;
      if (!device) continue;
      ++wanted;
      if (facts.rdma_device(*device).opens.value.value_or(true)) continue;
      note(facts.node() + ": libibverbs does not open " + *device);
      refused = true;
    }
    note(fmt::format("{}: {} of {} devices in /dev/infiniband, container: {}", facts.node(), present, wanted,
                     facts.system().container.value.value_or("?")));
    judge("preflight.rdma.openable", count(present >= wanted && !refused ? 1 : 0), about());
  });
}

RIGPROOF_TEST(NodeReady, RunsItsCpusAtFullSpeed, Reports::text("preflight.governor")) {
  look([&](const RigFacts& all) { judge("preflight.governor", node_of(all).system().governors, about()); });
}

RIGPROOF_TEST(NodeReady, HasMemoryToSpare, Reports::size("preflight.memory")) {
  look([&](const RigFacts& all) {
    judge("preflight.memory", node_of(all).system().available_memory, about());
  });
}

RIGPROOF_TEST(NodeReady, ClockIsSynchronised, Reports::count("preflight.clock")) {
  look([&](const RigFacts& all) {
    judge("preflight.clock", node_of(all).system().clock_synchronised, about());
  });
}

RIGPROOF_TEST(NodeReady, HasItsGpusAtHand, Reports::text("preflight.gpu.capability"),
              Reports::text("preflight.gpu.throttling").where_there(),
              Reports::count("preflight.gpu.ecc").where_there()) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = node_of(all);
    if (facts.gpus().empty()) return report_unread("preflight.gpu.capability", facts.gpu().why(), about());
    for (const std::string& index : facts.gpus()) {
      const facts::Gpu gpu = facts.gpu(index);
      const auto about_gpu = about("gpu " + index, {{"gpu", index}});
      judge("preflight.gpu.capability", gpu.compute_capability, about_gpu);
      if (const std::string gone = why_gone(gpu); !gone.empty())
        judge("preflight.gpu.throttling", gone, about_gpu);
      else
        judge("preflight.gpu.throttling", gpu.throttle_reasons, about_gpu);
      judge_memory_of(gpu, about_gpu);
    }
  });
}

// The width alone: an idle GPU lowers its link's speed.
RIGPROOF_TEST(NodeReady, HasAllLanesOfItsGpus,
              Reports::ratio("preflight.gpu.pcie.lanes_used").where_there()) {
  look([&](const RigFacts& all) {
    constexpr const char* kId = "preflight.gpu.pcie.lanes_used";
    const facts::NodeFacts& facts = node_of(all);
    const std::vector<std::string> functions = facts.gpu_functions();
    if (facts.has_gb10())
      return report_nothing_to_judge(kId, "the GPU of a GB10 has no slot: it is in the package of the CPUs",
                                     about());
    if (functions.empty())
      return report_nothing_to_judge(kId, "no PCI function of an NVIDIA GPU on this node", about());
    for (const std::string& function : functions) {
      const auto used = facts.pci_function(function).lanes_used;
      const Finding finding = about(function, {{"function", function}});
      if (!used.value && !used.unread)
        report_nothing_to_judge(kId, used.why(), finding);
      else
        judge(kId, used, finding);
    }
  });
}

RIGPROOF_TEST(NodeReady, HasItsSoftware, Reports::any("preflight.version.nccl"),
              Reports::any("preflight.version.cuda"), Reports::any("preflight.version.mpi"),
              Reports::any("preflight.version.driver"), Reports::any("preflight.version.kernel")) {
  look([&](const RigFacts& all) {
    for (const char* name : {"nccl", "cuda", "mpi"})
      judge(std::string("preflight.version.") + name, node_of(all).version(name), about());
    judge("preflight.version.driver", node_of(all).system().gpu_driver, about());
    judge("preflight.version.kernel", node_of(all).system().kernel, about());
  });
}

RIGPROOF_TEST(NodeReady, NetplanModeIs600, Reports::text("preflight.netplan_mode")) {
  look([&](const RigFacts& all) {
    const auto modes = node_of(all).configuration_file_modes();
    bool any = false;
    for (const auto& [file, mode] : modes.value.value_or(facts::TextByName{})) {
      if (!file.starts_with("/etc/netplan/")) continue;
      any = true;
      judge("preflight.netplan_mode", mode, about(file, {{"file", file}}));
    }
    if (modes.unread)
      report_unread("preflight.netplan_mode", modes, about());
    else if (!any)
      report_nothing_to_judge("preflight.netplan_mode", "no file in /etc/netplan", about());
  });
}

RIGPROOF_CASES(EachNode, NodeReady, every_node);

class QuietNode : public NodeCase {};

RIGPROOF_TEST(QuietNode, HasIdleCpus, Reports::ratio("preflight.quiet.cpu")) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = node_of(all);
    const auto note_each = [&](const std::string& where, const facts::Texts& processes) {
      for (const std::string& process : processes.value.value_or(std::vector<std::string>{}))
        note(where + process);
    };
    note_each("", facts.busy_processes());
    for (const std::string& gpu : facts.gpus()) note_each("on gpu " + gpu + ": ", facts.gpu(gpu).processes);
    const auto busy = facts.cpu_busy();
    if (!busy.value) return report_unread("preflight.quiet.cpu", busy.why(), about());
    judge("preflight.quiet.cpu", ratio(*busy.value), about());
  });
}

RIGPROOF_CASES(EachNode, QuietNode, every_node);

class QuietHalf : public HalfCase {};

RIGPROOF_TEST(QuietHalf, CarriesNothing, Reports::rate("preflight.quiet.traffic")) {
  look([&](const RigFacts& all) {
    const bool there = is_there(netdev_of(all));
    const std::string card = node_of(all).card_of(netdev());  // a VLAN's counters do not include RDMA
    for (const auto& [way, rate] :
         {std::pair("rx", node_of(all).received(card)), std::pair("tx", node_of(all).sent(card))}) {
      const Finding finding{subject().half.node, way};
      if (there)
        judge("preflight.quiet.traffic", rate, finding);
      else
        report_unread("preflight.quiet.traffic", "no netdev " + netdev(), finding);
    }
  });
}

RIGPROOF_CASES(EachHalf, QuietHalf, every_half);

}  // namespace
}  // namespace rigproof::preflight
