#include "suites/preflight/ring_ports.h"

// The cables of a ring, before any load: each joins ports of different index. NCCL connects device i of a rank to device i of the
// next one. With NCCL_IB_SUBNET_AWARE_ROUTING=1 one of the two may leave it for a device in the subnet of the other, which works
// if one of the two ports of index i is on the cable between the nodes. Between port 0 and port 0 this holds for index 0 alone.
// Catches: a ring of sound pairs in which NCCL over all nodes ends in "ibv_modify_qp failed with 110".
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {

RIGPROOF_METRICS({"preflight.ring_ports", "The ring's cables join different ports",
                  "Each cable of a ring without a switch joins ports of different index: port 0 and port 1.",
                  "A cable was put into the same port of both nodes."});

namespace {

// The nodes that the node's cables lead to, by port; empty if a port's link is not a cable.
std::vector<std::size_t> neighbours_of(const Rig& rig, std::size_t node) {
  std::vector<std::size_t> neighbours;
  for (std::size_t port = 0; port < rig.node(node).ports.size(); ++port) {
    const Link& link = rig.link_of({node, port});
    if (link.through || link.ports.size() != 2) return {};
    neighbours.push_back(link.ports[link.ports[0].node == node ? 1 : 0].node);
  }
  return neighbours;
}

bool has_gpu_and_rdma(const Rig& rig, std::size_t node) {
  return rig.node(node).used_gpus() > 0 &&
         std::ranges::all_of(rig.compute_halves_of(node),
                             [&](HalfRef half) { return rig.half(half).rdma.has_value(); });
}

}  // namespace

bool is_cable_ring(const Rig& rig) {
  for (std::size_t node = 0; node < rig.nodes.size(); ++node) {
    const std::vector<std::size_t> neighbours = neighbours_of(rig, node);
    if (neighbours.size() != 2 || neighbours[0] == neighbours[1] || !has_gpu_and_rdma(rig, node))
      return false;
  }
  return rig.nodes.size() > 2;
}

namespace {

std::vector<PortPath> cables_of_ring(const Rig& rig) {
  return is_cable_ring(rig) ? every_port_pair(rig) : std::vector<PortPath>();
}

class RingCable : public FactsCase<PortPath> {
 protected:
  // The port's place in NCCL's list of devices, which is in the order of PCI; without facts, in that of the rig file.
  [[nodiscard]] std::size_t index_of(const RigFacts& all, PortRef port) const {
    const std::size_t other = 1 - port.port;
    const std::string own = pci_of(all, port), others = pci_of(all, {port.node, other});
    return own.empty() || others.empty() ? port.port : own < others ? 0 : 1;
  }

  // The reason why the node's NCCL reaches its neighbours by any cabling. Empty: it does not.
  [[nodiscard]] std::string why_any_cabling_serves(const RigFacts& all, std::size_t node) const {
    const facts::NcclSettings nccl = *all.at(node).nccl_settings().value;
    const std::string plugin = nccl.value("NCCL_NET_PLUGIN"), &name = rig().node(node).name;
    if (all.at(node).gpus().empty() && !rig().node(node).gpus)
      return name + " has no GPU, so NCCL is not used";
    if (!plugin.empty() && plugin != "none") return "NCCL uses the plug-in " + plugin;
    // The listening side of merged devices names both ports, and the other side finds the cable from any index.
    if (is_one_card(all, node) && nccl.value("NCCL_IB_SUBNET_AWARE_ROUTING") == "1" &&
        nccl.value("NCCL_IB_MERGE_NICS") != "0" && nccl.value("NCCL_NET_MERGE_LEVEL") != "LOC")
      return "NCCL_IB_SUBNET_AWARE_ROUTING=1 finds the cable between merged devices by any port";
    return "";
  }

  // The nodes at which two plugs change places so that every cable joins different ports: the fewer ones of both directions.
  [[nodiscard]] std::vector<std::string> nodes_to_change(const RigFacts& all) const {
    std::array<std::vector<std::string>, 2> leaving_by;
    const std::size_t first = subject().from.node;
    PortRef at{first, 0};
    do {
      leaving_by.at(index_of(all, at)).push_back(rig().node(at.node).name);
      const std::vector<PortRef>& ends = rig().link_of(at).ports;
      const PortRef far = ends[ends[0] == at ? 1 : 0];
      at = {far.node, 1 - far.port};
    } while (at.node != first);
    return std::ranges::min(leaving_by, {}, &std::vector<std::string>::size);
  }

 private:
  // The first PCI function of the port; empty: one is not known.
  [[nodiscard]] std::string pci_of(const RigFacts& all, PortRef port) const {
    std::vector<std::string> functions;
    for (const Half& half : rig().port(port).halves)
      functions.push_back(all.at(port.node).netdev(half.netdev).pci.value.value_or(""));
    return std::ranges::min(functions);
  }
  [[nodiscard]] bool is_one_card(const RigFacts& all, std::size_t node) const {
    const std::string one = pci_of(all, {node, 0}), other = pci_of(all, {node, 1});
    return !one.empty() && one.substr(0, one.rfind('.')) == other.substr(0, other.rfind('.'));
  }
};

RIGPROOF_TEST(RingCable, JoinsDifferentPorts,
              Reports::count("preflight.ring_ports").on_rigs_with(kCableRing, is_cable_ring)) {
  look([&](const RigFacts& all) {
    const PortRef from = subject().from, to = subject().to;
    const std::string ends = fmt::format("{} {} to {} {}", rig().node(from.node).name, rig().port(from).name,
                                         rig().node(to.node).name, rig().port(to).name);
    const Finding finding{from.node, "", {{"cable", ends}}};
    if (index_of(all, from) != index_of(all, to)) return judge("preflight.ring_ports", count(0), finding);
    const std::string why = why_any_cabling_serves(all, from.node);
    if (!why.empty() && !why_any_cabling_serves(all, to.node).empty())
      return report_nothing_to_judge("preflight.ring_ports", why, finding);
    const std::string nodes = fmt::format("{}", fmt::join(nodes_to_change(all), ", "));
    note_about_node(rig().node(from.node).name,
                    fmt::format("the cable {} joins ports of one index: NCCL over all nodes finds no way "
                                "between the other two. Exchange both plugs of {}",
                                ends, nodes));
    judge("preflight.ring_ports", count(1), {from.node, "", {{"cable", ends}, {"nodes", nodes}}});
  });
}

RIGPROOF_CASES(EachCable, RingCable, cables_of_ring);

}  // namespace
}  // namespace rigproof::preflight
