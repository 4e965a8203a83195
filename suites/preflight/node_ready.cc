// A node is ready for the work: memory can be registered, the RDMA devices can be opened, nothing slows its
// CPUs or GPUs, nothing of NCCL's configuration leads away from the fast network. Catches: a memlock limit
// inside mpirun or a container, /dev/infiniband not handed in, a power-saving governor, a GPU that is held
// back, a stale nccl.conf, files that netplan will refuse.
#include <fmt/format.h>

#include <algorithm>

#include "suites/preflight/facts_case.h"
#include "suites/preflight/nccl_settings.h"

namespace rigproof {
namespace {

constexpr const char* kUncounted = "Not Supported";  // NVML's words

class NodeReady : public FactsCase<NodeSubject> {
 protected:
  [[nodiscard]] const NodeFacts& facts(const FactsBook& book) const { return book.at(subject().node); }
  [[nodiscard]] Finding about(std::string detail = {}, Words words = {}) const {
    return {subject().node, std::move(detail), std::move(words)};
  }
  // Not every GPU counts its memory's mistakes.
  void judge_memory_of(const NodeFacts& node, const std::string& gpu, const Finding& finding) {
    const auto errors = find_number(node, {"gpus", gpu, "uncorrected_ecc_errors"});
    const auto unread = node.why_unread({"gpus", gpu, "uncorrected_ecc_errors"});
    if (!errors.value && (!unread || unread->find(kUncounted) != std::string::npos))
      record_nothing("preflight.gpu.ecc", errors.why, finding);
    else
      judge("preflight.gpu.ecc", as(Dimension::kCount, errors), finding);
  }
};

TEST_P(NodeReady, LocksMemory) {
  look([&](const FactsBook& book) {
    const auto bytes = find_number(facts(book), {"limits", "memlock_soft_bytes"});
    Found<std::string> limit{{}, bytes.why};
    if (bytes.value) limit.value = *bytes.value < 0 ? "unlimited" : fmt::format("{:.0f} B", *bytes.value);
    judge("preflight.memlock", limit, about());
  });
}

TEST_P(NodeReady, OpensItsRdmaDevices) {
  look([&](const FactsBook& book) {
    const auto devices = facts(book).texts({"infiniband", "devices"});
    const auto openable =
        std::ranges::count_if(devices, [](const auto& name) { return name.starts_with("uverbs"); });
    const auto halves = rig().halves_of(subject().node);
    const auto wanted =
        std::ranges::count_if(halves, [&](HalfRef half) { return rig().half(half).rdma.has_value(); });
    note(fmt::format("{}: {} of {} devices in /dev/infiniband, container: {}", facts(book).node(), openable,
                     wanted, facts(book).text({"container"}).value_or("?")));
    judge("preflight.rdma.openable", count(openable >= wanted ? 1 : 0), about());
  });
}

TEST_P(NodeReady, RunsItsCpusAtFullSpeed) {
  look([&](const FactsBook& book) {
    judge("preflight.governor", find_texts(facts(book), {"cpu", "governors"}), about());
  });
}

TEST_P(NodeReady, HasMemoryToSpare) {
  look([&](const FactsBook& book) {
    judge("preflight.memory",
          as(Dimension::kDataSize, find_number(facts(book), {"memory", "available_bytes"})), about());
  });
}

TEST_P(NodeReady, KeepsTheTime) {
  look([&](const FactsBook& book) {
    const auto flag = facts(book).flag({"clock", "synchronised"});
    Found<Quantity> synchronised{{}, find_text(facts(book), {"clock", "synchronised"}).why};
    if (flag) synchronised.value = count(*flag ? 1 : 0);
    judge("preflight.clock", synchronised, about());
  });
}

TEST_P(NodeReady, HasItsGpusAtHand) {
  look([&](const FactsBook& book) {
    const NodeFacts& node = facts(book);
    const auto gpus = node.keys({"gpus"});
    if (gpus.empty()) return judge("preflight.gpu.capability", find_text(node, {"gpus"}), about());
    for (const std::string& gpu : gpus) {
      const auto about_gpu = about("gpu " + gpu, {{"gpu", gpu}});
      judge("preflight.gpu.capability", find_text(node, {"gpus", gpu, "compute_capability"}), about_gpu);
      judge("preflight.gpu.throttling", find_texts(node, {"gpus", gpu, "throttle_reasons"}), about_gpu);
      judge_memory_of(node, gpu, about_gpu);
    }
  });
}

TEST_P(NodeReady, HasItsSoftware) {
  look([&](const FactsBook& book) {
    const NodeFacts& node = facts(book);
    for (const char* name : {"nccl", "cuda", "mpi"})
      judge(std::string("preflight.version.") + name, find_text(node, {"versions", name}), about());
    judge("preflight.version.driver", find_text(node, {"nvidia", "driver"}), about());
    judge("preflight.version.kernel", find_text(node, {"kernel", "release"}), about());
  });
}

TEST_P(NodeReady, LeadsNcclToTheFastNetwork) {
  look([&](const FactsBook& book) {
    const auto faults = nccl_faults(facts(book), rig(), subject().node);
    for (const std::string& fault : faults) note(facts(book).node() + ": " + fault);
    std::string unread;
    for (const char* source : {"configuration", "environment"})
      if (facts(book).why_unread({"nccl", source})) unread = find_text(facts(book), {"nccl", source}).why;
    judge("preflight.nccl", as_faults(faults.size(), unread), about());
  });
}

TEST_P(NodeReady, KeepsItsNetplanFilesToItself) {
  look([&](const FactsBook& book) {
    const NodeFacts& node = facts(book);
    bool any = false;
    for (const std::string& file : node.keys({"persistence", "files"})) {
      if (!file.starts_with("/etc/netplan/")) continue;
      any = true;
      judge("preflight.netplan_mode", find_text(node, {"persistence", "files", file, "mode"}),
            about(file, {{"file", file}}));
    }
    if (node.why_unread({"persistence", "files"}))
      judge("preflight.netplan_mode", find_text(node, {"persistence", "files"}), about());
    else if (!any)
      record_nothing("preflight.netplan_mode", "no file in /etc/netplan", about());
  });
}

RIGPROOF_CASES(EachNode, NodeReady, every_node);

}  // namespace
}  // namespace rigproof
