// Packets to a rail's peer leave by that rail's half. Catches: two halves in one subnet without source routing,
// an address on the wrong half, a route by the management network.
#include <fmt/format.h>

#include <optional>

#include "fixtures/facts/discover.h"
#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {
namespace {

class RailRoute : public FactsCase<RailPath> {};

RIGPROOF_TEST(RailRoute, LeavesByTheRail, Reports::count("preflight.route")) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = all.at(subject().from.node);
    const std::string& peer = rig().half(subject().to).address;
    const std::string& wanted = rig().half(subject().from).netdev;
    const facts::Route route = facts.route(subject().rail, peer);
    if (!route.netdev.value) not_proven(route.netdev.why());
    const bool direct = *route.netdev.value == wanted;
    if (!direct)
      note(fmt::format("the route to {} leaves by {}{}", peer, *route.netdev.value,
                       route.reason ? ": " + *route.reason : ""));
    judge("preflight.route", count(direct ? 1 : 0), {.node = subject().from.node});
  });
}

RIGPROOF_CASES(EachRail, RailRoute, every_rail_path);

// The cable of a rail's half leads to the peer's port, or to the switch's interface that the rig file says: where LLDP
// tells, else on record. Catches: crossed cables, before anything is sent.
class RailCable : public FactsCase<RailPath> {
 protected:
  // By LLDP, through the described switch where there is one.
  [[nodiscard]] std::optional<bool> leads_there(const RigFacts& all) {
    std::vector<const facts::NodeFacts*> nodes;
    for (const facts::NodeFacts& facts : all) nodes.push_back(&facts);
    const facts::Cabling cabling(nodes);
    const HalfRef from = subject().from, to = subject().to;
    if (const auto outside = cabling.outside({from.node, rig().half(from).netdev}))
      return is_interface_of({from.node, from.port}, *outside);
    const auto end = cabling.far_end({from.node, rig().half(from).netdev});
    if (!end) return std::nullopt;
    note(fmt::format("the cable of {} leads to {}:{}", rig().half(from).netdev, rig().node(end->node).name,
                     end->netdev));
    const auto found = rig().find_half(end->node, end->netdev);
    return found && found->node == to.node && found->port == to.port;
  }

  std::string why_unknown_ = "no LLDP neighbour on this cable";

 private:
  [[nodiscard]] std::optional<bool> is_interface_of(PortRef port, const facts::Cabling::Outside& outside) {
    const std::string heard = fmt::format("the cable leads to {} {}", outside.system, outside.port);
    for (const Switch& one : rig().switches)
      for (const Switch::Port& at : one.ports)
        if (at.at == port) {
          note(heard);
          return outside.port == at.interface || outside.port.ends_with("/" + at.interface);
        }
    if (!rig().link_of(port).through) {
      note(heard + ", and the rig file says that it is a straight one (without `through`)");
      return false;
    }
    why_unknown_ = heard + ", of which the rig file describes no [[switch]]";
    return std::nullopt;
  }
};

RIGPROOF_TEST(RailCable, LeadsToThePeer, Reports::count("preflight.cabling")) {
  look([&](const RigFacts& all) {
    const Finding finding{.node = subject().from.node};
    if (const auto there = leads_there(all))
      judge("preflight.cabling", count(*there ? 1 : 0), finding);
    else
      report_nothing_to_judge("preflight.cabling", why_unknown_, finding);
  });
}

RIGPROOF_CASES(EachRail, RailCable, every_rail_path);

// A launcher gets from each node to each other one without a password. Catches: a missing key, a host key that
// nobody confirmed, a name that leads nowhere.
class NodeLogin : public FactsCase<NodePath> {};

RIGPROOF_TEST(NodeLogin, NeedsNoPassword, Reports::text("preflight.login")) {
  look([&](const RigFacts& all) {
    const Node& to = rig().node(subject().to);
    judge("preflight.login", all.at(subject().from).login(to.name),
          {subject().from, "to " + to.name, {{"to", to.address}}});
  });
}

RIGPROOF_CASES(EachNode, NodeLogin, every_node_path);

}  // namespace
}  // namespace rigproof::preflight
