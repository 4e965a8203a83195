// The nodes are alike: one user, one kernel, one firmware, one NCCL, the same settings. How many different
// values there are is the measurement; the note says who has which. Catches: an update that reached one node
// only.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>
#include <set>

#include "suites/preflight/facts_case.h"

namespace rigproof {
namespace {

using Read = std::function<std::string(const NodeFacts&)>;

struct Likeness {
  std::string name;  // the limit is preflight.same.NAME
  Read read;         // "": this node does not have it
};

Read text_at(std::string section, std::string key) {
  return [=](const NodeFacts& facts) { return facts.text({section, key}).value_or(""); };
}

// Of all the rig's halves on a node: "28.45.1200" when they are alike, else all of them, those that don't tell
// included.
Read of_halves(const Rig& rig, const char* fact) {
  return [&rig, fact](const NodeFacts& facts) {
    std::set<std::string> values;
    bool silent = false;
    for (const HalfRef half : rig.halves_of(*rig.find_node(facts.node()))) {
      const auto text = facts.text({"netdevs", rig.half(half).netdev, fact});
      const auto number = facts.number({"netdevs", rig.half(half).netdev, fact});
      if (text) values.insert(*text);
      if (number) values.insert(fmt::format("{}", *number));
      silent = silent || (!text && !number);
    }
    if (silent && !values.empty()) values.insert("not told");
    return fmt::format("{}", fmt::join(values, " and "));
  };
}

// Of all the rig's halves on a node, in the rig's order.
Read of_functions(const Rig& rig, const char* fact) {
  return [&rig, fact](const NodeFacts& facts) {
    std::vector<std::string> values;
    for (const HalfRef half : rig.halves_of(*rig.find_node(facts.node()))) {
      const std::string function = facts.text({"netdevs", rig.half(half).netdev, "pci"}).value_or("");
      if (const auto number = facts.number({"pci", function, fact}))
        values.push_back(fmt::format("{}", *number));
    }
    return fmt::format("{}", fmt::join(values, " "));
  };
}

std::string flow_control(const Rig& rig, const NodeFacts& facts) {
  std::vector<std::string> parts;
  for (const char* fact : {"pause", "pfc", "ecn"})
    if (const std::string text = of_halves(rig, fact)(facts); !text.empty())
      parts.push_back(fmt::format("{} {}", fact, text));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string iommu(const NodeFacts& facts) {
  const auto units = facts.number({"iommu", "units"});
  return units ? fmt::format("{} IOMMU units", *units) : "";
}

Read sysctls(const std::vector<std::string>& names) {
  return [=](const NodeFacts& facts) {
    std::string all;
    for (const std::string& name : names)
      all += name + "=" + facts.text({"sysctls", name}).value_or("?") + " ";
    return all;
  };
}

std::vector<Likeness> likenesses(const Rig& rig) {
  return {{"kernel", text_at("kernel", "release")},
          {"os", text_at("os", "name")},
          {"user", text_at("user", "name")},
          {"bios", text_at("dmi", "bios_version")},
          {"board", text_at("dmi", "board_name")},
          {"nic_firmware", of_halves(rig, "firmware")},
          {"nic_driver", of_halves(rig, "driver")},
          {"mlx5", text_at("versions", "mlx5_core")},
          {"mtu", of_halves(rig, "mtu")},
          {"flow_control", [&rig](const NodeFacts& facts) { return flow_control(rig, facts); }},
          {"numa", of_functions(rig, "numa_node")},
          {"iommu", iommu},
          {"gpu_driver", text_at("nvidia", "driver")},
          {"cuda", text_at("versions", "cuda")},
          {"nccl", text_at("versions", "nccl")},
          {"mpi", text_at("versions", "mpi")},
          {"settings", sysctls({"net.core.rmem_max", "net.core.wmem_max", "net.ipv4.tcp_rmem",
                                "net.ipv4.tcp_wmem", "net.ipv4.conf.all.arp_ignore",
                                "net.ipv4.conf.all.arp_announce", "net.ipv4.conf.all.rp_filter"})}};
}

class NodeAgreement : public FactsCase<NodePath> {};

// A fact that one node tells and the other does not is a difference, too.
TEST_P(NodeAgreement, IsComplete) {
  look([&](const FactsBook& book) {
    const NodeFacts &a = book.at(subject().from), &b = book.at(subject().to);
    for (const auto& [name, read] : likenesses(rig())) {
      const std::string id = "preflight.same." + name, one = read(a), other = read(b);
      const Finding finding{.node = subject().to, .words = {{"here", other}, {"there", one}}};
      if (one.empty() && other.empty()) {
        judge(id, Found<Quantity>{{}, name + " can be read on neither node"}, finding);
        continue;
      }
      if (one != other) note(fmt::format("{}: {} on {}, {} on {}", name, one, a.node(), other, b.node()));
      judge(id, count(one == other ? 1 : 2), finding);
    }
  });
}

RIGPROOF_CASES(EachPair, NodeAgreement, every_node_pair);

}  // namespace
}  // namespace rigproof
