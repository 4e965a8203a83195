// Round trip of a small datagram along a rail. Proves that none is lost. Catches: a slow or lossy hop, a detour by another
// network.
#include "fixtures/flows/probe_path.h"
#include "framework/runner/rig_test.h"

namespace rigproof::tcp {
namespace {

class RoundTrip : public RigTest<RailPath> {};

RIGPROOF_TEST(RoundTrip, IsShortAndLosesNothing, Reports::time("tcp.round_trip"),
              Reports::ratio("tcp.probe_loss")) {
  const flows::Echo echo = measure("ping", std::chrono::seconds(60), [&] {
    return flows::echo_along(rig(), ranks(), subject(), windows().repeats);
  });
  if (echo.dead) note(*echo.dead);
  found_strangers(echo.strangers);
  if (!here(subject().from.node)) return;
  const auto came = static_cast<double>(echo.trips.times.values().size());
  const auto lost = static_cast<double>(echo.trips.lost);
  if (came > 0) report("tcp.round_trip", echo.trips.times);
  report("tcp.probe_loss", ratio(lost / (lost + came)));
}

RIGPROOF_CASES(EachRail, RoundTrip, every_rail_pair);

}  // namespace
}  // namespace rigproof::tcp
