// Whatever one end of a rail shouts into its wire, the other end hears on its own: the cables join what the
// rig file joins. Announcements are layer-2 broadcasts, so wrong addresses and routes can neither help nor
// hurt. Catches: crossed cables, swapped halves, a port in the wrong VLAN, a wire that is dead in one
// direction.
#include <fmt/format.h>

#include <algorithm>

#include "fixtures/flows/path_table.h"
#include "fixtures/net/netdev.h"
#include "fixtures/net/socket.h"
#include "fixtures/net/wiring.h"
#include "framework/runner/rig_test.h"

namespace rigproof {
namespace {

using Names = std::vector<std::string>;

// The netdevs of the node's halves that exist.
Names present_halves(const Node& node) {
  Names present;
  const Names all = net::netdev_names();
  for (const Port& port : node.ports)
    for (const Half& half : port.halves)
      if (std::ranges::find(all, half.netdev) != all.end()) present.push_back(half.netdev);
  return present;
}

class RailWiring : public RigTest<RailPath> {
 protected:
  [[nodiscard]] const Half& from() const { return rig().half(subject().from); }
  [[nodiscard]] const Half& to() const { return rig().half(subject().to); }
};

TEST_P(RailWiring, IsHeardAtTheOtherEnd) {
  const std::string label = rig().label(subject().from);
  const net::Wiring::Heard wanted = {{to().netdev, {label}}};
  net::Wiring::Heard heard;
  measure("announce", std::chrono::seconds(10), [&] {
    std::optional<net::Wiring> wiring;
    const auto dead = why_dead([&] {
      const auto listening = here(subject().to.node) ? present_halves(rig().node(node())) : Names();
      wiring.emplace(net::WiringSpec{.netdevs = listening, .token = subject().name()});
    });
    ranks().barrier();
    if (here(subject().from.node) && wiring) {
      if (const auto reason = why_dead([&] { wiring->announce(from().netdev, label); })) note(*reason);
    }
    if (here(subject().to.node) && wiring)
      heard = wiring->heard(
          std::chrono::milliseconds(300), [&] { ranks().poll(); }, wanted);
    if (dead) note(*dead);
  });
  if (!here(subject().to.node)) return;
  const bool arrived = heard[to().netdev].contains(label);
  for (const auto& [netdev, labels] : heard)
    if (!arrived && labels.contains(label)) note(fmt::format("{} is heard on {} instead", label, netdev));
  report("link.heard", count(arrived ? 1 : 0));
}

// Packets to the peer leave by the rail's own half. Catches: two halves in one subnet without source routing,
// an address on the wrong half, a route by the management network.
TEST_P(RailWiring, RouteLeavesByTheRail) {
  std::optional<net::Route> route;
  measure("route", std::chrono::seconds(5), [&] {
    if (!here(subject().from.node)) return;
    try {
      route = net::route_to(to().address, from().address);
    } catch (const net::NetError& error) {
      note(error.what());  // no such address here, no route there: the finding, not a failure to look
    }
  });
  if (!here(subject().from.node)) return;
  if (!route) note("no route to " + to().address);
  const bool direct = route && route->netdev == from().netdev;
  if (route && !direct) note(fmt::format("the route to {} leaves by {}", to().address, route->netdev));
  report("link.route", count(direct ? 1 : 0));
}

RIGPROOF_CASES(EachRail, RailWiring, every_rail_path);

}  // namespace
}  // namespace rigproof
