// Packets to a rail's peer leave by that rail's half. Catches: two halves in one subnet without source routing,
// an address on the wrong half, a route by the management network.
#include <fmt/format.h>

#include <optional>

#include "fixtures/facts/cabling.h"
#include "suites/preflight/facts_case.h"

namespace rigproof {
namespace {

class RailRoute : public FactsCase<RailPath> {};

TEST_P(RailRoute, LeavesByTheRail) {
  look([&](const FactsBook& book) {
    const NodeFacts& facts = book.at(subject().from.node);
    const std::string& peer = rig().half(subject().to).address;
    const std::string& wanted = rig().half(subject().from).netdev;
    const auto netdev = find_text(facts, {"routes", subject().rail, peer, "netdev"});
    if (!netdev.value) not_proven(netdev.why);
    const bool direct = *netdev.value == wanted;
    const auto reason = facts.text({"routes", subject().rail, peer, "reason"});
    if (!direct)
      note(fmt::format("the route to {} leaves by {}{}", peer, *netdev.value, reason ? ": " + *reason : ""));
    judge("preflight.route", count(direct ? 1 : 0), {.node = subject().from.node});
  });
}

RIGPROOF_CASES(EachRail, RailRoute, every_rail_path);

// The cable of a rail's half leads to the peer's port, or to the switch's interface that the rig file says: where LLDP
// tells, else on record. Catches: crossed cables, before anything is sent.
class RailCable : public FactsCase<RailPath> {
 protected:
  // By LLDP, through the described switch where there is one.
  [[nodiscard]] std::optional<bool> leads_there(const FactsBook& book) {
    std::vector<const NodeFacts*> nodes;
    for (const NodeFacts& facts : book) nodes.push_back(&facts);
    const Cabling cabling(nodes);
    const HalfRef from = subject().from, to = subject().to;
    if (const auto outside = cabling.outside({from.node, rig().half(from).netdev}))
      return is_interface_of({from.node, from.port}, *outside);
    const auto end = cabling.facing({from.node, rig().half(from).netdev});
    if (!end) return std::nullopt;
    note(fmt::format("the cable of {} leads to {}:{}", rig().half(from).netdev, rig().node(end->node).name,
                     end->netdev));
    const auto found = rig().find_half(end->node, end->netdev);
    return found && found->node == to.node && found->port == to.port;
  }

  std::string untold_ = "LLDP tells nothing of it";  // what is on record where nothing is judged

 private:
  [[nodiscard]] std::optional<bool> is_interface_of(PortRef port, const Cabling::Outside& outside) {
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
    untold_ = heard + ", of which the rig file describes no [[switch]]";
    return std::nullopt;
  }
};

TEST_P(RailCable, LeadsToThePeer) {
  look([&](const FactsBook& book) {
    const Finding finding{.node = subject().from.node};
    if (const auto there = leads_there(book))
      judge("preflight.cabling", count(*there ? 1 : 0), finding);
    else
      record_nothing("preflight.cabling", untold_, finding);
  });
}

RIGPROOF_CASES(EachRail, RailCable, every_rail_path);

// A launcher gets from each node to each other one without a password. Catches: a missing key, a host key that
// nobody confirmed, a name that leads nowhere.
class NodeLogin : public FactsCase<NodePath> {};

TEST_P(NodeLogin, NeedsNoPassword) {
  look([&](const FactsBook& book) {
    const NodeFacts& facts = book.at(subject().from);
    const Node& to = rig().node(subject().to);
    const auto login = find_text(facts, {"logins", to.name});
    judge("preflight.login", login, {subject().from, "to " + to.name, {{"to", to.address}}});
  });
}

RIGPROOF_CASES(EachNode, NodeLogin, every_node_path);

}  // namespace
}  // namespace rigproof
