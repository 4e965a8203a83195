// The halves of a port are that port's, and told apart by their MACs.
// Catches: a missing half, a half behind another port, a cloned MAC.
#include <algorithm>
#include <set>

#include "fixtures/net/netdev.h"
#include "framework/runner/rig_test.h"

namespace rigproof {
namespace {

class PortHalves : public RigTest<PortSubject> {
 protected:
  [[nodiscard]] bool mine() const { return here(subject().port.node); }
  [[nodiscard]] const Port& port() const { return rig().port(subject().port); }
};

struct Seen {
  std::string netdev;
  std::size_t port;
  net::NetdevFacts facts;
};

// The halves that are there, of all ports of the node.
std::vector<Seen> halves_of(const Node& node) {
  std::vector<Seen> seen;
  for (std::size_t port = 0; port < node.ports.size(); ++port)
    for (const Half& half : node.ports[port].halves)
      if (auto facts = net::read_netdev(half.netdev)) seen.push_back({half.netdev, port, std::move(*facts)});
  return seen;
}

TEST_P(PortHalves, ShareOnePortByTheirOwnMacs) {
  std::size_t together = 0;
  measure("read", std::chrono::seconds(5), [&] {
    if (!mine()) return;
    std::set<std::string> ports, macs, foreign;
    const auto seen = halves_of(rig().node(subject().port.node));
    for (const Seen& half : seen) {
      if (!half.facts.port) not_proven(half.netdev + ": the port it sits behind can't be read");
      if (half.port == subject().port.port) {
        ports.insert(half.facts.port->id);
        macs.insert(half.facts.mac);
      }
    }
    for (const Seen& half : seen)
      if (half.port != subject().port.port && ports.contains(half.facts.port->id))
        foreign.insert(half.netdev);
    if (ports.size() > 1)
      note("the halves of " + port().name + " sit behind " + std::to_string(ports.size()) + " ports");
    for (const std::string& netdev : foreign)
      note(netdev + " sits behind the same port, the rig file has it on another");
    together = ports.size() == 1 && foreign.empty() ? macs.size() : 0;
  });
  if (mine()) report("link.halves", count(static_cast<double>(together)));
}

RIGPROOF_CASES(EachPort, PortHalves, every_port);

}  // namespace
}  // namespace rigproof
