// The round trip of a small datagram along a rail, and that none is lost.
// Catches: a slow or lossy hop, a detour by another network.
#include "fixtures/flows/path_table.h"
#include "fixtures/net/datagrams.h"
#include "framework/runner/rig_test.h"

namespace rigproof {
namespace {

class RoundTrip : public RigTest<RailPath> {
 protected:
  [[nodiscard]] net::LocalEnd end(HalfRef half) const {
    return {rig().half(half).netdev, rig().half(half).address};
  }

  // Collective. On the sender's rank: what came back; a path that is dead loses every probe.
  [[nodiscard]] net::RoundTrips run() {
    std::optional<net::EchoResponder> responder;
    if (here(subject().to.node))
      if (const auto reason = why_dead([&] { responder.emplace(end(subject().to)); })) note(*reason);
    const auto ports = ranks().share(responder ? std::to_string(responder->port()) : "");
    const std::string& port = ports.at(subject().to.node);
    const auto probes = static_cast<std::size_t>(windows().repeats);
    net::RoundTrips trips{.times = {}, .lost = probes};
    if (here(subject().from.node) && !port.empty()) {
      const net::RoundTripSpec spec{.from = end(subject().from),
                                    .to_address = rig().half(subject().to).address,
                                    .to_port = static_cast<std::uint16_t>(std::stoi(port)),
                                    .probes = probes};
      const auto reason = why_dead([&] { trips = net::measure_round_trips(spec, [&] { ranks().poll(); }); });
      if (reason) note(*reason);
    }
    ranks().barrier();
    return trips;
  }
};

RIGPROOF_TEST(RoundTrip, IsShortAndLosesNothing, Reports::time("tcp.round_trip"),
              Reports::ratio("tcp.probe_loss")) {
  const net::RoundTrips trips = measure("ping", std::chrono::seconds(60), [&] { return run(); });
  if (!here(subject().from.node)) return;
  if (!trips.times.empty()) report("tcp.round_trip", trips.times);
  const auto lost = static_cast<double>(trips.lost);
  report("tcp.probe_loss", ratio(lost / (lost + static_cast<double>(trips.times.values().size()))));
}

RIGPROOF_CASES(EachRail, RoundTrip, every_rail_pair);

}  // namespace
}  // namespace rigproof
