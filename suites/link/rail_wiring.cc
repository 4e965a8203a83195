// What one end of a rail announces by broadcast, its other end hears: the cables join what the
// rig file joins. Announcements are layer-2 broadcasts, so wrong addresses and routes can neither help nor
// hurt. Catches: crossed cables, swapped halves, a port in the wrong VLAN, a wire that is dead in one
// direction.
#include <fmt/format.h>

#include <algorithm>

#include "fixtures/flows/flows.h"
#include "fixtures/net/netdev.h"
#include "fixtures/net/wiring.h"
#include "framework/runner/rig_test.h"

namespace rigproof::link {
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

RIGPROOF_TEST(RailWiring, IsHeardAtTheOtherEnd, Reports::count("link.heard")) {
  const std::string label = rig().label(subject().from);
  const net::Wiring::Heard wanted = {{to().netdev, {label}}};
  net::Wiring::Heard heard;
  measure("announce", std::chrono::seconds(10), [&] {
    std::optional<net::Wiring> wiring;
    const auto dead = flows::why_dead([&] {
      const auto listening = here(subject().to.node) ? present_halves(rig().node(node())) : Names();
      wiring.emplace(net::WiringSpec{.netdevs = listening, .token = subject().name()});
    });
    ranks().barrier();
    if (here(subject().from.node) && wiring) {
      if (const auto reason = flows::why_dead([&] { wiring->announce(from().netdev, label); })) note(*reason);
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

RIGPROOF_CASES(EachRail, RailWiring, every_rail_path);

}  // namespace
}  // namespace rigproof::link
