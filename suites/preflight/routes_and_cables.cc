// Routes and cables of halves, and logins of nodes. One case covers all peers: a rig of 400 nodes has half a million paths.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "fixtures/facts/discover.h"
#include "framework/rig/routed_rails.h"
#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {

RIGPROOF_METRICS(
    {"preflight.route", "Route to the peer", "Traffic to the peer's address leaves by the rail's own half.",
     "Two halves share a subnet, or a route leads over the management network."},
    {"preflight.route.first_hop", "A router leads to the peer",
     "On a routed rail, traffic leaves by the rail's own half for a router in its subnet.",
     "No route by the rail's router was set, or a default route leads over the management network."},
    {"preflight.login", "Login without a password",
     "A node reaches the others by the launcher's ssh without a password.",
     "No key was copied, or the host key is unknown."},
    {"preflight.cabling", "The cable leads to its peer",
     "The neighbour that LLDP reports is the one of the rig file.", "Two cables are crossed."});

namespace {

// The other halves of the half's rail.
std::vector<HalfRef> peers_of(const Rig& rig, HalfRef half) {
  std::vector<HalfRef> peers = rig.rail_of(half).halves;
  std::erase(peers, half);
  return peers;
}

// "to node-b", "to node-b and 1 other", "to node-b and 398 others"
std::string to_nodes(const std::vector<std::string>& names) {
  const std::size_t others = names.size() - 1;
  return fmt::format("to {}{}", names.front(),
                     others == 0 ? "" : fmt::format(" and {} other{}", others, others == 1 ? "" : "s"));
}

bool are_in_one_subnet(const std::string& one, const std::string& other) try {
  return parse_ip_interface(one).same_subnet(parse_ip_interface(other));
} catch (const std::invalid_argument&) {  // not a valid address
  return false;
}

// Proves that packets to a rail's peers leave by the rail's half. Sockets and RDMA of this program are bound to the half's
// device, so they do if the half has its address. Sockets bound only to an address (MPI, NCCL) follow the kernel's route,
// which names one half per subnet; a half that shares its subnet is therefore accepted with a note. Catches: an address on
// the wrong half, a route by the management network.
class HalfRoute : public HalfCase {
 protected:
  // True if this half has its address, and `other` is another half of the node with an address in the same subnet.
  [[nodiscard]] bool shares_its_subnet(const facts::NodeFacts& facts, const std::string& other) const {
    const std::string own = fmt::format("{}/{}", half().address, half().prefix_length);
    const auto has = [&](const std::string& name, const auto& wanted) {
      const facts::Texts addresses = facts.netdev(name).addresses(family_of(half().address));
      return std::ranges::any_of(addresses.value.value_or(std::vector<std::string>{}), wanted);
    };
    return other != netdev() && rig().find_half(subject().half.node, other) &&
           has(netdev(), [&](const std::string& address) { return address == own; }) &&
           has(other, [&](const std::string& address) { return are_in_one_subnet(address, own); });
  }
};

RIGPROOF_TEST(HalfRoute, LeavesByTheRail, Reports::count("preflight.route")) {
  look([&](const RigFacts& all) {
    const std::string rail = rig().rail_of(subject().half).name;
    const std::vector<HalfRef> peers = peers_of(rig(), subject().half);
    if (peers.empty()) not_proven("no other half of " + rail + " is there");
    std::size_t by_its_half = 0;
    for (const HalfRef peer : peers) {
      const std::string& address = rig().half(peer).address;
      const facts::Route route = node_of(all).route(rail, address);
      if (!route.netdev.value) return report_unread("preflight.route", route.netdev, finding());
      const bool shared = shares_its_subnet(node_of(all), *route.netdev.value);
      if (shared)
        note(fmt::format(
            "{} and {} are in one subnet: traffic that is not bound to a device leaves for {} by {}",
            netdev(), *route.netdev.value, address, *route.netdev.value));
      if (shared || *route.netdev.value == netdev()) {
        ++by_its_half;
        continue;
      }
      note(fmt::format("the route to {} leaves by {}{}", address, *route.netdev.value,
                       route.reason ? ": " + *route.reason : ""));
      judge("preflight.route", count(0),
            {subject().half.node,
             peers.size() == 1 ? "" : "to " + rig().node(peer.node).name,
             {{"peer", address}}});
    }
    if (by_its_half > 0) judge("preflight.route", count(1), finding());
  });
}

std::vector<HalfSubject> every_half_of(const Rig& rig, bool routed) {
  std::vector<HalfSubject> halves = every_half(rig);
  std::erase_if(halves, [&](const HalfSubject& one) { return rig.rail_of(one.half).routed != routed; });
  return halves;
}
std::vector<HalfSubject> every_unrouted_half(const Rig& rig) { return every_half_of(rig, false); }
std::vector<HalfSubject> every_routed_half(const Rig& rig) { return every_half_of(rig, true); }
RIGPROOF_CASES(EachHalf, HalfRoute, every_unrouted_half);

// Proves on a routed rail that packets to each peer leave by the rail's half for a router in its subnet. A half whose prefix
// is as long as its address has no subnet: the route alone decides. Catches: a rail whose traffic follows the default route.
class RoutedHalf : public HalfCase {
 protected:
  // The reason why the route does not lead by the rail's router. Empty: it does.
  [[nodiscard]] std::string why_not(const facts::Route& route, HalfRef peer) const {
    if (*route.netdev.value != netdev())
      return fmt::format("leaves by {}{}", *route.netdev.value, route.reason ? ": " + *route.reason : "");
    if (!interface_of(half()).has_subnet() || !is_routed(rig(), subject().half, peer)) return "";
    if (!route.gateway) return "names no router";
    const auto router = IpAddress::parse(*route.gateway);
    if (router && router->is_link_local())
      return "";  // on the half's own link, as routers announce themselves by IPv6
    const std::string hop = fmt::format("{}/{}", *route.gateway, half().prefix_length);
    return are_in_one_subnet(hop, fmt::format("{}/{}", half().address, half().prefix_length))
               ? ""
               : fmt::format("leads to {}, which is not in the subnet of {}", *route.gateway, netdev());
  }
};

constexpr const char* kRoutedRail = "a routed rail";
RIGPROOF_TEST(RoutedHalf, LeavesForTheRouter,
              Reports::count("preflight.route.first_hop").on_rigs_with(kRoutedRail, has_routed_rail)) {
  look([&](const RigFacts& all) {
    const std::string rail = rig().rail_of(subject().half).name;
    const std::vector<HalfRef> peers = peers_of(rig(), subject().half);
    if (peers.empty()) not_proven("no other half of " + rail + " is there");
    std::size_t right = 0;
    std::set<std::string> routers;
    for (const HalfRef peer : peers) {
      const std::string& address = rig().half(peer).address;
      const facts::Route route = node_of(all).route(rail, address);
      if (!route.netdev.value) return report_unread("preflight.route.first_hop", route.netdev, finding());
      const std::string why = why_not(route, peer);
      if (why.empty()) {
        ++right;
        routers.insert(route.gateway.value_or("no router"));
        continue;
      }
      note(fmt::format("the route to {} {}", address, why));
      judge("preflight.route.first_hop", count(0),
            {subject().half.node,
             peers.size() == 1 ? "" : "to " + rig().node(peer.node).name,
             {{"peer", address}}});
    }
    if (right == 0) return;
    note(fmt::format("first hop from {}: {}", netdev(), fmt::join(routers, ", ")));
    judge("preflight.route.first_hop", count(1), finding());
  });
}
RIGPROOF_CASES(EachHalf, RoutedHalf, every_routed_half);

// Proves by LLDP that the half's cable leads to another port of its link, or to the switch interface of the rig file.
// Without LLDP this is only recorded. Catches: crossed cables, before any load.
class HalfCable : public HalfCase {
 protected:
  // True if LLDP shows the expected far end or interface of a described switch. nullopt: unknown, why_unknown_ says why.
  [[nodiscard]] std::optional<bool> leads_there(const RigFacts& all) {
    const facts::Cabling& cabling = cabling_of(all);
    const HalfRef from = subject().half;
    if (const auto outside = cabling.outside({from.node, netdev()}))
      return is_interface_of({from.node, from.port}, *outside);
    const auto end = cabling.far_end({from.node, netdev()});
    if (!end) return std::nullopt;
    note(fmt::format("the cable of {} leads to {}:{}", netdev(), rig().node(end->node).name, end->netdev));
    const auto found = rig().find_half(end->node, end->netdev);
    if (!found || found->node == from.node) return false;
    const std::vector<PortRef>& ports = rig().link_of({from.node, from.port}).ports;
    return std::ranges::find(ports, PortRef{found->node, found->port}) != ports.end();
  }

  [[nodiscard]] Finding with_peer() const {
    const std::vector<HalfRef> peers = peers_of(rig(), subject().half);
    if (peers.empty()) return finding();
    const std::string& first = rig().half(peers.front()).address;
    return {subject().half.node,
            "",
            {{"peer", peers.size() == 1 ? first : first + " or of another half of its rail"}}};
  }

  std::string why_unknown_ = "no LLDP neighbour on this cable";

 private:
  [[nodiscard]] static const facts::Cabling& cabling_of(const RigFacts& all) {
    static const facts::Cabling cabling([&] {  // of the facts of this process
      std::vector<const facts::NodeFacts*> nodes;
      for (const facts::NodeFacts& facts : all) nodes.push_back(&facts);
      return nodes;
    }());
    return cabling;
  }

  [[nodiscard]] std::optional<bool> is_interface_of(PortRef port, const facts::Cabling::Outside& outside) {
    const std::string heard = fmt::format("the cable leads to {} {}", outside.system, outside.port);
    for (const Switch& one : rig().switches)
      for (const Switch::Port& at : one.ports)
        if (at.at == port) {
          note(heard);
          return outside.port == at.interface || outside.port.ends_with("/" + at.interface);
        }
    if (!rig().link_of(port).through) {
      note(heard + ", but in the rig file it is a straight cable (without `through`)");
      return false;
    }
    why_unknown_ = heard + ", for which the rig file has no [[switch]]";
    return std::nullopt;
  }
};

RIGPROOF_TEST(HalfCable, LeadsToThePeer, Reports::count("preflight.cabling")) {
  look([&](const RigFacts& all) {
    if (const auto there = leads_there(all))
      judge("preflight.cabling", count(*there ? 1 : 0), with_peer());
    else
      report_nothing_to_judge("preflight.cabling", why_unknown_, with_peer());
  });
}

RIGPROOF_CASES(EachHalf, HalfCable, every_half);

// Proves that a launcher can log in from each node to each other one without a password. Does not apply within Slurm, which
// needs no logins. Catches: a missing key, an unconfirmed host key, a name that does not resolve.
class NodeLogin : public NodeCase {};

RIGPROOF_TEST(NodeLogin, NeedsNoPassword, Reports::text("preflight.login")) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& from = node_of(all);
    std::set<std::size_t> others;
    for (const HalfRef half : rig().halves_of(subject().node))
      for (const HalfRef peer : peers_of(rig(), half)) others.insert(peer.node);
    if (others.empty()) not_proven("no other node of its rails is there");
    if (const auto job = from.slurm_job().value)
      return report_nothing_to_judge("preflight.login", fmt::format("Slurm job {} needs no login", *job),
                                     about());
    std::map<std::string, std::vector<std::string>> answers, unread;  // nodes by result of the login
    for (const std::size_t other : others) {
      const facts::Text login = from.login(rig().node(other).name);
      (login.value ? answers[*login.value] : unread[login.why()]).push_back(rig().node(other).name);
    }
    const auto finding = [&](const std::vector<std::string>& names) {
      return about(to_nodes(names), {{"to", rig().node(*rig().find_node(names.front())).address}});
    };
    for (const auto& [answer, names] : answers) judge("preflight.login", answer, finding(names));
    for (const auto& [why, names] : unread) report_unread("preflight.login", why, finding(names));
  });
}

RIGPROOF_CASES(EachNode, NodeLogin, every_node);

}  // namespace
}  // namespace rigproof::preflight
