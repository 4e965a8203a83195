// Proves that the nodes are alike: user, kernel, firmware, NCCL, settings, CPUs, GPUs and memory. Each node is compared with
// the value that most nodes have; the measurement is the number of different values, and a note names node and value.
// Catches: an update that reached only one node or missed one, pause frames that only one end of a cable uses, a GPU or
// memory module that one node lost.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {

RIGPROOF_METRICS({"preflight.same.*", "Nodes are alike", "The nodes have the same version or setting.",
                  "An update or a change reached one node only."},
                 {"preflight.same.gpus", "Nodes have the same GPUs",
                  "Each node has as many GPUs as the others, of the same models.",
                  "A GPU fell off the bus, or is hidden from the job."},
                 {"preflight.same.memory", "Nodes have as much memory",
                  "Each node has as much memory as the others, but for what firmware and kernel keep.",
                  "A memory module is missing or was switched off, or mem= holds some back."});

namespace {

using facts::NodeFacts;
using facts::Text;
using Read = std::function<std::string(const NodeFacts&)>;

struct SameOnNodes {
  std::string id;  // limit: "preflight.same.NAME"
  Read read;       // "": this node does not have it
};

Read system(Text facts::System::*fact) {
  return [=](const NodeFacts& facts) { return (facts.system().*fact).value.value_or(""); };
}
Read version(const std::string& of) {
  return [=](const NodeFacts& facts) { return facts.version(of).value.value_or(""); };
}

std::string text_of(const std::string& text) { return text; }
std::string text_of(DataSize size) { return fmt::format("{}", size.bytes()); }

using RailsByValue = std::map<std::string, std::vector<std::string>>;

// Rails of a node by the value of a fact. Halves without the fact count as "unknown" if others have it.
template <class Value>
RailsByValue rails_by_value(const Rig& rig, const NodeFacts& facts, facts::Fact<Value> facts::Netdev::*fact) {
  RailsByValue values;
  std::vector<std::string> missing;
  for (const HalfRef half : rig.halves_of(*rig.find_node(facts.node()))) {
    const facts::Fact<Value> found = facts.netdev(rig.half(half).netdev).*fact;
    (found.value           ? values[text_of(*found.value)]
     : found.lacks.empty() ? missing
                           : values["not shown"])
        .push_back(rig.rail_of(half).name);
  }
  if (!values.empty() && !missing.empty()) values["unknown"] = std::move(missing);
  return values;
}

// All values of a fact over the node's halves: "28.45.1200" if the halves are alike, else joined by "and".
template <class Value>
Read of_halves(const Rig& rig, facts::Fact<Value> facts::Netdev::*fact) {
  return [&rig, fact](const NodeFacts& facts) {
    std::vector<std::string> values;
    for (const auto& [value, rails] : rails_by_value(rig, facts, fact)) values.push_back(value);
    return fmt::format("{}", fmt::join(values, " and "));
  };
}

// Value of a fact per rail, to compare both ends: "off on rail0, rail1 and on on rail2" if the halves are not alike.
template <class Value>
Read of_rails(const Rig& rig, facts::Fact<Value> facts::Netdev::*fact) {
  return [&rig, fact](const NodeFacts& facts) {
    const RailsByValue values = rails_by_value(rig, facts, fact);
    if (values.size() == 1) return values.begin()->first;
    std::vector<std::string> texts;
    for (const auto& [value, rails] : values)
      texts.push_back(fmt::format("{} on {}", value, fmt::join(rails, ", ")));
    return fmt::format("{}", fmt::join(texts, " and "));
  };
}

// NUMA nodes of the node's halves: "0" if all are alike, for any number of ports; else one per half in the rig's order.
Read numa_nodes(const Rig& rig) {
  return [&rig](const NodeFacts& facts) {
    std::vector<std::string> values;
    for (const HalfRef half : rig.halves_of(*rig.find_node(facts.node()))) {
      const std::string function = facts.netdev(rig.half(half).netdev).pci.value.value_or("");
      const auto number = facts.pci_function(function).numa_node.value;
      values.push_back(number ? fmt::format("{}", *number) : "");
    }
    const bool are_alike = std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end();
    if (are_alike) return values.empty() ? "" : values.front();
    std::ranges::replace(values, std::string(), "unknown");
    return fmt::format("{}", fmt::join(values, " "));
  };
}

Read flow_control(const Rig& rig) {
  return [&rig](const NodeFacts& facts) {
    std::vector<std::string> parts;
    for (const auto& [name, fact] :
         {std::pair("pause", &facts::Netdev::pause), std::pair("pfc", &facts::Netdev::pfc),
          std::pair("ecn", &facts::Netdev::ecn)})
      if (const std::string text = of_rails(rig, fact)(facts); !text.empty())
        parts.push_back(fmt::format("{} {}", name, text));
    return fmt::format("{}", fmt::join(parts, "; "));
  };
}

std::string cpus(const NodeFacts& facts) {
  const facts::System system = facts.system();
  const std::string online = system.online_cpus.value.value_or("");
  return online.empty() ? ""
                        : fmt::format("CPUs {} of {}", online, system.cpu_model.value.value_or("unknown"));
}

// "8x NVIDIA H100 80GB HBM3"
std::string gpus(const NodeFacts& facts) {
  std::map<std::string, int> having;  // by model
  for (const std::string& index : facts.gpus()) ++having[facts.gpu(index).name.value.value_or("unknown GPU")];
  std::vector<std::string> texts;
  for (const auto& [model, number] : having) texts.push_back(fmt::format("{}x {}", number, model));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string iommu(const NodeFacts& facts) {
  const auto units = facts.system().iommu_units.value;
  return units ? fmt::format("{} IOMMU units", *units) : "";
}

Read sysctls(const std::vector<std::string>& names) {
  return [=](const NodeFacts& facts) {
    std::string all;
    for (const std::string& name : names) all += name + "=" + facts.sysctl(name).value.value_or("?") + " ";
    return all;
  };
}

std::vector<SameOnNodes> same_on_nodes(const Rig& rig) {
  using facts::Netdev;
  using facts::System;
  return {{"preflight.same.kernel", system(&System::kernel)},
          {"preflight.same.os", system(&System::os)},
          {"preflight.same.user", system(&System::user)},
          {"preflight.same.bios", system(&System::bios)},
          {"preflight.same.board", system(&System::board)},
          {"preflight.same.nic_firmware", of_halves(rig, &Netdev::firmware)},
          {"preflight.same.nic_driver", of_halves(rig, &Netdev::driver)},
          {"preflight.same.mlx5", version("mlx5_core")},
          {"preflight.same.mtu", of_rails(rig, &Netdev::mtu)},
          {"preflight.same.flow_control", flow_control(rig)},
          {"preflight.same.numa", numa_nodes(rig)},
          {"preflight.same.iommu", iommu},
          {"preflight.same.cpus", cpus},
          {"preflight.same.gpus", gpus},
          {"preflight.same.gpu_driver", system(&System::gpu_driver)},
          {"preflight.same.cuda", version("cuda")},
          {"preflight.same.nccl", version("nccl")},
          {"preflight.same.mpi", version("mpi")},
          {"preflight.same.settings",
           sysctls({"net.core.rmem_max", "net.core.wmem_max", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem",
                    "net.ipv4.conf.all.arp_ignore", "net.ipv4.conf.all.arp_announce",
                    "net.ipv4.conf.all.rp_filter"})}};
}

// A fact of every node, and the most frequent value among nodes that report it; on a tie the earliest node's.
struct Compared {
  std::string id;
  std::vector<std::string> values = {};  // by node
  std::string usual = {};
  std::size_t first_with_it = 0;  // node
};

std::vector<Compared> compared_on_all_nodes(const Rig& rig, const RigFacts& all) {
  std::vector<Compared> facts;
  for (const auto& [id, read] : same_on_nodes(rig)) {
    Compared compared{.id = id};
    std::map<std::string, std::vector<std::size_t>> having;
    for (std::size_t node = 0; node < all.size(); ++node) {
      compared.values.push_back(read(all[node]));
      having[compared.values.back()].push_back(node);
    }
    if (having.size() > 1) having.erase("");  // nodes without the value do not decide
    const auto most = std::ranges::max_element(having, [](const auto& a, const auto& b) {
      return std::pair(a.second.size(), b.second.front()) < std::pair(b.second.size(), a.second.front());
    });
    compared.usual = most->first;
    compared.first_with_it = most->second.front();
    facts.push_back(std::move(compared));
  }
  return facts;
}

// Memory that the kernel can use. Firmware and kernel reserve a part, which can differ on equal nodes; so memory is not
// compared as text. The measurement is this node's part of the usual memory, and the limit says how much may be missing.
// Returns the median over all nodes (of two middle values the larger). nullopt: none could be read.
std::optional<DataSize> usual_memory(const RigFacts& all) {
  std::vector<DataSize> memories;
  for (const NodeFacts& facts : all)
    if (const auto memory = facts.system().memory.value; memory && memory->bytes() > 0)
      memories.push_back(*memory);
  if (memories.empty()) return std::nullopt;
  std::ranges::sort(memories);
  return memories[memories.size() / 2];
}

class NodeAgreement : public NodeCase {
 protected:
  [[nodiscard]] const std::vector<Compared>& compared(const RigFacts& all) const {
    static const std::vector<Compared> compared = compared_on_all_nodes(rig(), all);  // of this process
    return compared;
  }

  [[nodiscard]] Finding compared_with(const RigFacts& all, const std::string& here,
                                      const std::string& there) const {
    return about(
        {},
        {{"here", here}, {"there", there}, {"others", all.size() == 2 ? "the other node" : "most nodes"}});
  }

  void judge_memory(const RigFacts& all) {
    constexpr const char* id = "preflight.same.memory";
    static const std::optional<DataSize> usual = usual_memory(all);  // of this process
    const auto memory = node_of(all).system().memory;
    if (!memory.value || !usual) return report_unread(id, memory, about());
    const double part = static_cast<double>(memory.value->bytes()) / static_cast<double>(usual->bytes());
    judge(id, ratio(part),
          compared_with(all, to_text(to_quantity(*memory.value)), to_text(to_quantity(*usual))));
  }
};

std::vector<Reports> agreement_reports() {
  std::vector<Reports> reports{Reports::ratio("preflight.same.memory")};
  for (const SameOnNodes& same : same_on_nodes(Rig{})) reports.push_back(Reports::count(same.id));
  return reports;
}

// A fact that most nodes report and this node does not is a difference, too.
RIGPROOF_TEST(NodeAgreement, IsAsMostNodesAre, agreement_reports()) {
  look([&](const RigFacts& all) {
    for (const auto& [id, values, usual, first] : compared(all)) {
      const std::string name = id.substr(id.rfind('.') + 1), here = values.at(subject().node);
      const std::string shown = here.empty() ? "nothing" : here;
      const Finding finding = compared_with(all, shown, usual);
      if (here.empty() && usual.empty()) {
        report_unread(id, name + " cannot be read on any node", finding);
        continue;
      }
      if (here != usual)
        note(fmt::format("{}: {} on {}, {} on {}", name, usual, all.at(first).node(), shown,
                         all.at(subject().node).node()));
      judge(id, count(here == usual ? 1 : 2), finding);
    }
    judge_memory(all);
  });
}

RIGPROOF_CASES(EachNode, NodeAgreement, every_node);

}  // namespace
}  // namespace rigproof::preflight
