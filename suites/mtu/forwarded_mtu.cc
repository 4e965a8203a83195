// Proves that a full-size packet with fragmentation forbidden reaches nodes without a direct cable, through the nodes
// between, if the rig file promises this. Catches: a node that does not forward, a missing or wrong route, a smaller MTU on
// the way.
#include <fmt/format.h>

#include "fixtures/flows/probe_path.h"
#include "fixtures/net/netdev.h"
#include "framework/runner/rig_test.h"

namespace rigproof::mtu {

RIGPROOF_METRICS({"mtu.forwarded", "Full MTU through other nodes",
                  "Full-size packets reach the nodes without a direct cable, through the nodes between.",
                  "A node between does not forward, or a route is missing."});

namespace {

bool has_forwarded_paths(const Rig& rig) { return !every_forwarded_path(rig).empty(); }

class ForwardedMtu : public RigTest<ForwardedPath> {
 protected:
  struct Probed {
    HalfRef half;
    bool arrives;
  };
  // Collective.
  [[nodiscard]] std::vector<Probed> probe_all() {
    std::vector<Probed> probed;
    for (const HalfRef half : rig().halves_of(subject().to)) {
      flows::ProbePath path(rig(), ranks(), subject().from, half, windows().repeats);
      bool arrives = false;  // several attempts: a pause of the machine is not a fault of the path
      for (int attempt = 0; !path.dead() && !arrives && attempt < 3; ++attempt)
        arrives = path.carries(rig().half(half).mtu);
      probed.push_back({half, arrives});
      found_strangers(path.strangers());
    }
    return probed;
  }

  // Names the next node on the route to an address: the node that must forward.
  [[nodiscard]] std::string next_node(const std::string& address) const {
    const auto route = net::route_to(address);
    if (!route) return "there is no route";
    if (!route->gateway) return "it is sent by " + route->netdev + " without a node between";
    for (std::size_t node = 0; node < rig().nodes.size(); ++node)
      for (const HalfRef half : rig().halves_of(node))
        if (rig().half(half).address == *route->gateway)
          return fmt::format("it is sent to {} ({}), which must forward it", rig().node(node).name,
                             *route->gateway);
    return fmt::format("it is sent to {}, which must forward it", *route->gateway);
  }
};

RIGPROOF_TEST(ForwardedMtu, CarriesFullSizePackets,
              Reports::size("mtu.forwarded")
                  .on_rigs_with("nodes that reach each other through other nodes (forwarding = true)",
                                has_forwarded_paths)) {
  const auto probed = measure("probe", std::chrono::seconds(60), [&] { return probe_all(); });
  if (!here(subject().from)) return;
  for (const Probed& one : probed) {
    const Half& half = rig().half(one.half);
    if (!one.arrives)
      note(fmt::format("no packet of {} B arrives at {} ({} {}): {}", half.mtu.bytes(), half.address,
                       rig().node(subject().to).name, half.netdev, next_node(half.address)));
    report("mtu.forwarded", one.arrives ? half.mtu : DataSize::bytes(0), "to " + half.netdev);
  }
}

RIGPROOF_CASES(EachDiagonal, ForwardedMtu, every_forwarded_path);

}  // namespace
}  // namespace rigproof::mtu
