// Proves that nothing else uses the rig: without a load of this program the ports carry next to nothing. Catches: a
// competing load, another qualification on the same rig, a broadcast storm.
#include "framework/rig/counted_ports.h"
#include "framework/runner/rig_test.h"
#include "suites/phy/traffic_meter.h"

namespace rigproof::phy {

RIGPROOF_METRICS({"phy.quiet", "Quiet before the load", "Hardly anything crosses the port before the load.",
                  "Another job uses the rig."});

namespace {

class QuietPort : public RigTest<PortSubject> {};

RIGPROOF_TEST(QuietPort, CarriesNothingBeforeTheLoad, Reports::rate("phy.quiet")) {
  std::optional<counters::PortTraffic> traffic;
  measure("listen", windows().window + std::chrono::seconds(15), [&] {
    if (!here(subject().port.node)) return;
    TrafficMeter meter(rig(), node());
    wait(windows().window);
    meter.close(ranks());
    traffic = meter.port(subject().port.port);
  });
  if (!traffic) return;
  report("phy.quiet", traffic->tx / traffic->time, "tx");
  report("phy.quiet", traffic->rx / traffic->time, "rx");
}

RIGPROOF_CASES(EachPort, QuietPort, every_counted_port);

}  // namespace
}  // namespace rigproof::phy
