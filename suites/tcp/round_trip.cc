// Round trip of a small datagram along a rail. Proves that none is lost. Catches: a slow or lossy hop, a detour by another
// network.
#include <algorithm>

#include "fixtures/flows/probe_path.h"
#include "framework/runner/rig_test.h"

namespace rigproof::tcp {

RIGPROOF_METRICS({"tcp.round_trip", "Round trip, idle",
                  "A small packet's way there and back on an idle rail.",
                  "A queue on the path, a detour, or a CPU in a deep idle state."},
                 {"tcp.probe_loss", "No loss when idle", "No probe is lost on an idle rail.",
                  "A bad cable, or a hop that drops."});

namespace {

class RoundTrip : public RigTest<RailPath> {};

RIGPROOF_TEST(RoundTrip, IsShortAndLosesNothing, Reports::time("tcp.round_trip"),
              Reports::ratio("tcp.probe_loss")) {
  // 20 probes miss a loss of 10 % in one of eight runs, 100 in one of 38,000.
  constexpr int kFewest = 100;
  const flows::Echo echo = measure("ping", std::chrono::seconds(60), [&] {
    return flows::echo_along(rig(), ranks(), subject(), std::max(kFewest, windows().repeats));
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
