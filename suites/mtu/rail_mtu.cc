// A full-size packet that must not be fragmented crosses the rail, each direction on its own; when it does
// not, the largest size that does is found by bisection. Catches: MTU 1500 on one hop, an MTU cut in one
// direction only, a switch's L2MTU that clamps, a black hole.
#include <fmt/format.h>

#include "fixtures/flows/probe_path.h"
#include "framework/runner/rig_test.h"

namespace rigproof::mtu {
namespace {

class RailMtu : public RigTest<RailPath> {
 protected:
  // Collective: the largest packet that arrives, 0 B when not even the smallest does.
  [[nodiscard]] DataSize largest_packet(flows::ProbePath& path) {
    const DataSize full = rig().half(subject().from).mtu;
    if (path.carries(full)) return full;
    if (!path.carries(net::kSmallestProbe)) return DataSize::bytes(0);
    std::uint64_t passes = net::kSmallestProbe.bytes(), fails = full.bytes();
    while (fails - passes > 1) {
      const std::uint64_t middle = (passes + fails) / 2;
      (path.carries(DataSize::bytes(middle)) ? passes : fails) = middle;
    }
    return DataSize::bytes(passes);
  }
};

RIGPROOF_TEST(RailMtu, CarriesFullSizePackets, Reports::size("mtu.path")) {
  std::optional<std::string> dead;
  const DataSize largest = measure("probe", std::chrono::seconds(30), [&] {
    flows::ProbePath path(rig(), ranks(), subject(), windows().repeats);
    dead = path.dead();
    return dead ? DataSize::bytes(0) : largest_packet(path);
  });
  if (!here(subject().to.node)) return;
  if (dead) note(*dead);
  report("mtu.path", largest);
}

RIGPROOF_CASES(EachRail, RailMtu, every_rail_path);

}  // namespace
}  // namespace rigproof::mtu
