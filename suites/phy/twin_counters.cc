// Records whether the halves of a port show the same physical-layer counters, which is not documented. Readers of these
// counters need to know. A known volume runs over one half, and both halves' counters are read. 100 %: shared, so the sum
// over the halves would count everything twice. 0 %: each half counts for itself.
#include "fixtures/counters/port_counters.h"
#include "fixtures/counters/traffic.h"
#include "fixtures/flows/flows.h"
#include "framework/rig/counted_ports.h"
#include "framework/runner/rig_test.h"
#include "suites/phy/traffic_meter.h"

namespace rigproof::phy {

RIGPROOF_METRICS({"phy.twin.*", "Counters of a port's halves",
                  "The counters of a port, read at the half that carries a load, show this load.",
                  "Counters that stand still, or a driver that counts otherwise."});

namespace {

using namespace std::chrono_literals;

constexpr DataSize kVolume = DataSize::mebibytes(16);

class TwinCounters : public RigTest<PortPath> {
 protected:
  // The port's counters as this half shows them.
  [[nodiscard]] counters::PortCounters read(HalfRef half) const {
    CounterSource source = rig().port(half).counters.value();
    if (source.kind == CounterSource::Kind::kNetlink)
      return counters::read_half_counters(rig().half(half).netdev, rig().half(half).rdma);
    source.device = counters::card_of(rig().half(half).netdev);
    return counters::read_port_counters(source);
  }

  [[nodiscard]] std::vector<counters::PortCounters> read_all() const {
    std::vector<counters::PortCounters> all;
    for (const HalfRef half : rig().halves_of(subject().from)) all.push_back(read(half));
    return all;
  }
};

RIGPROOF_TEST(TwinCounters, AreProbed, Reports::ratio("phy.twin.loaded"),
              Reports::count("phy.data_differs")) {
  const RailPath& path = subject().paths.front();
  const bool sends = here(subject().from.node);
  flows::Flows flows = phase("connect", 30s, [&] {
    return flows::Flows(rig(), ranks(), {path}, {.streams = 1, .volume = kVolume});
  });
  const bool timestamps =
      phase("look up TCP's timestamps", 10s, [&] { return have_tcp_timestamps(ranks()); });
  std::vector<counters::PortCounters> before, after;
  flows::Flows::Moved moved;
  measure("move", 60s, [&] {
    if (flows.dead(0)) not_proven(*flows.dead(0));
    if (sends) before = read_all();
    moved = flows.move(5s);
    if (moved.arrived < kVolume) not_proven("the rail did not carry the volume of the probe");
    wait(counters::settle_time(rig().node(node())));
    if (sends) after = read_all();
  });
  report_data(flows);
  if (!sends) return;
  const auto halves = rig().halves_of(subject().from);
  const auto carried = [&](std::size_t i) {
    return static_cast<double>(counters::traffic_between(before[i], after[i]).tx.bytes());
  };
  double loaded = 0;
  for (std::size_t i = 0; i < halves.size(); ++i)
    if (halves[i] == path.from) loaded = carried(i);
  const counters::TcpFraming framing{.mtu = rig().half(path.from).mtu,
                                     .counts_fcs = counters::counts_fcs(rig().port(path.from).counters),
                                     .timestamps = timestamps,
                                     .family = family_of(rig().half(path.from).address)};
  const DataSize sent = kVolume + moved.sent_again;
  report("phy.twin.loaded",
         ratio(loaded / (static_cast<double>(sent.bytes()) * framing.bytes_per_payload())));
  for (std::size_t i = 0; i < halves.size(); ++i)
    if (halves[i] != path.from && loaded > 0)
      record("phy.twin.shared", ratio(carried(i) / loaded), rig().half(halves[i]).netdev);
}

RIGPROOF_CASES(EachPort, TwinCounters, every_counted_port_path);

}  // namespace
}  // namespace rigproof::phy
