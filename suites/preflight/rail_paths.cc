// Packets to a rail's peer leave by that rail's half. Catches: two halves in one subnet without source routing,
// an address on the wrong half, a route by the management network.
#include <fmt/format.h>

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
