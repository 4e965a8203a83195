// The halves of a port sit behind that port, each with a MAC of its own, and no other port's half does: netdevs,
// RDMA devices, functions and ports map one to one. Catches: a missing half, halves that were swapped between
// ports, a cloned MAC.
#include <set>

#include "suites/preflight/facts_case.h"

namespace rigproof {
namespace {

class PortMap : public FactsCase<PortSubject> {
 protected:
  // What tells which port a netdev is behind, or nothing. A card tells it by its own names, too.
  [[nodiscard]] static std::string identity(const NodeFacts& facts, const std::string& netdev) {
    if (const auto port = facts.text({"netdevs", netdev, "port"})) return *port;
    const auto card = facts.text({"netdevs", netdev, "switch_id"}),
               name = facts.text({"netdevs", netdev, "port_name"});
    return card && name ? *card + " " + *name : "";
  }
};

TEST_P(PortMap, HoldsItsHalvesAlone) {
  look([&](const FactsBook& book) {
    const NodeFacts& facts = book.at(subject().port.node);
    const Node& node = rig().node(subject().port.node);
    std::set<std::string> ports, macs;
    for (const Half& half : rig().port(subject().port).halves) {
      if (!has_netdev(facts, half.netdev).value_or(true)) continue;
      const std::string port = identity(facts, half.netdev);
      const auto mac = facts.text({"netdevs", half.netdev, "mac"});
      if (port.empty() || !mac)
        not_proven(facts.node() + ": the port behind " + half.netdev + " can't be read");
      ports.insert(port);
      macs.insert(*mac);
    }
    if (ports.size() > 1) note("the halves sit behind " + std::to_string(ports.size()) + " ports");
    bool alone = true;
    for (std::size_t port = 0; port < node.ports.size(); ++port)
      for (const Half& half : node.ports[port].halves)
        if (port != subject().port.port && ports.contains(identity(facts, half.netdev))) {
          note(half.netdev + " sits behind the same port, the rig file has it on another");
          alone = false;
        }
    const bool sound = ports.size() == 1 && alone;
    judge("preflight.halves", count(sound ? static_cast<double>(macs.size()) : 0),
          {.node = subject().port.node});
  });
}

RIGPROOF_CASES(EachPort, PortMap, every_port);

}  // namespace
}  // namespace rigproof
