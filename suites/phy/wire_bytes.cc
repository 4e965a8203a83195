// Proves that bytes are conserved: the physical ports at both ends count the payload that arrived plus its headers, other
// ports count none of it, and packets are full-size. Catches: traffic by the management network or another port, on-chip
// loopback instead of the wire, a small MTU, retransmissions, a competing load, counters that do not move.
#include <fmt/format.h>

#include "fixtures/counters/traffic.h"
#include "fixtures/flows/flows.h"
#include "fixtures/flows/management_traffic.h"
#include "framework/rig/counted_ports.h"
#include "framework/runner/rig_test.h"
#include "suites/phy/traffic_meter.h"

namespace rigproof::phy {

RIGPROOF_METRICS(
    {"phy.agreement", "The cable carried what was sent",
     "Bytes that crossed the wire, by the port's own counters, match the payload and its headers.",
     "Data took another way, or was sent again."},
    {"phy.payload", "Payload on the wire", "What the load sent.", "See phy.agreement."},
    {"phy.acknowledgements", "Little comes back",
     "Acknowledgements take no more than one for each full packet of data.",
     "Another load uses the way back."},
    {"phy.packet_size", "Packet size on the wire",
     "The size of packets on the wire, without Ethernet's header, is the full MTU.",
     "A smaller MTU on the path."},
    {"phy.stray", "Nothing on other cables", "A load on one cable moves no other cable's counters.",
     "A route leads over another cable."},
    {"phy.management", "The load stays off the management network",
     "Hardly any of the load crosses the management network.", "A route leads over it."},
    {"phy.data_differs", "The load's data is right", "What the load delivered is what was sent.",
     "Faulty memory or NIC: the transport's checksum was right."});

namespace {

[[maybe_unused]] const bool kSuite = declare_suite({.title = "The ports' counters agree with the payload",
                                                    .order = 9,
                                                    .loads_rails = true,
                                                    .case_seconds = {0.53, 1.6, 7.3}});

class WireBytes : public RigTest<PortPath> {
 protected:
  // The slowest path's traffic of one window, so that the load lasts about as long on any rig.
  [[nodiscard]] DataSize volume() const {
    const std::chrono::duration<double> window = windows().window;
    const double bytes = subject().facts().at("half.rate").value / 8 * window.count();
    return DataSize::mebibytes(static_cast<std::uint64_t>(bytes) >> 20);  // shared evenly by the streams
  }

  // Reports the port that the load leaves or enters on this node. `sent`: the payload, plus data sent again after it had
  // arrived. The expected bytes follow from the MTU: headers, and one acknowledgement per full packet, the maximum without
  // loss.
  void report_port(PortRef port, const counters::PortTraffic& traffic, double payload, double sent,
                   bool timestamps) {
    const Half& half = rig().half(subject().paths.front().from);
    const counters::TcpFraming framing{.mtu = half.mtu,
                                       .counts_fcs = counters::counts_fcs(rig().port(port).counters),
                                       .timestamps = timestamps,
                                       .family = family_of(half.address)};
    const bool sends = port == subject().from;
    const DataSize data_way = sends ? traffic.tx : traffic.rx, ack_way = sends ? traffic.rx : traffic.tx;
    const std::uint64_t packets = sends ? traffic.tx_packets : traffic.rx_packets;
    const std::string detail = rig().label(port) + (sends ? " tx" : " rx");
    const auto of = [](DataSize counted, double expected) {
      return ratio(static_cast<double>(counted.bytes()) / expected);
    };
    report("phy.agreement", of(data_way, sent * framing.bytes_per_payload()), detail);
    report("phy.acknowledgements", of(ack_way, payload * framing.ack_bytes_per_payload(1)), detail);
    report("phy.packet_size", framing.ip_packet_size(data_way, packets), detail);
  }

  // Reports the traffic of this node's other ports during the load.
  void report_strays(const TrafficMeter& meter, std::size_t used, double payload) {
    for (std::size_t port = 0; port < meter.ports(); ++port)
      if (port != used && meter.is_counted(port))
        report("phy.stray", part_of(payload, meter.port(port)), rig().node(node()).ports[port].name);
  }
};

RIGPROOF_TEST(
    WireBytes, AgreeWithThePayload, Reports::ratio("phy.payload"), Reports::ratio("phy.agreement"),
    Reports::ratio("phy.acknowledgements"), Reports::size("phy.packet_size"),
    Reports::count("phy.data_differs"),
    Reports::ratio("phy.stray").on_nodes_with("a second port", has_second_port),
    Reports::ratio("phy.management").on_nodes_with("a management netdev in the rig file", has_management)) {
  const bool sends = here(subject().from.node), receives = here(subject().to.node);
  flows::Flows flows = phase("connect", std::chrono::seconds(30), [&] {
    return flows::Flows(rig(), ranks(), subject().paths, {.streams = 4, .volume = volume()});
  });
  const bool timestamps = phase("look up TCP's timestamps", std::chrono::seconds(10),
                                [&] { return have_tcp_timestamps(ranks()); });
  std::optional<TrafficMeter> meter;
  std::optional<DataSize> by_management;
  flows::Flows::Moved moved;
  measure("move", 4 * windows().window + std::chrono::seconds(30), [&] {
    if (sends || receives) meter.emplace(rig(), node());
    const flows::ManagementTraffic management(rig(), node());
    moved = flows.move(4 * windows().window + std::chrono::seconds(5));
    by_management = management.exchanged(ranks());
    if (meter) meter->close(ranks());
  });
  const auto payload = static_cast<double>(moved.arrived.bytes());
  const double sent = payload + static_cast<double>(moved.sent_again.bytes());
  for (const std::string& path : flows.dead_paths()) note(path);
  if (moved.sent_again.bytes() > 0)
    note(fmt::format("{} were sent again although they had arrived", to_text(to_quantity(moved.sent_again))));
  report_data(flows);
  if (receives)
    report("phy.payload", ratio(payload / static_cast<double>(subject().paths.size() * volume().bytes())));
  if (!meter || payload == 0) return;

  const PortRef own = sends ? subject().from : subject().to;
  report_port(own, meter->port(own.port), payload, sent, timestamps);
  report_strays(*meter, own.port, payload);
  if (by_management) report("phy.management", part_of(payload, *by_management));
}

RIGPROOF_CASES(EachPort, WireBytes, every_counted_port_path);

}  // namespace
}  // namespace rigproof::phy
