// Proves that RDMA leaves the CPU idle: the node's CPU load above its baseline while both halves of a port carry all they
// can. The thread that waits for completions sleeps here. In the other cases it spins, which takes a whole CPU per driving
// node. Catches: data that the CPU copies (a bounce buffer, software RDMA), an interrupt storm, spinning threads (listed by
// name), wrong data.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fixtures/counters/port_counters.h"
#include "fixtures/counters/port_sampler.h"
#include "fixtures/counters/traffic.h"
#include "framework/rig/counted_ports.h"
#include "suites/rdma/rdma_load.h"

namespace rigproof::rdma {

RIGPROOF_METRICS({"rdma.cpu_busy", "CPU under RDMA", "How busy the CPUs are while RDMA moves the data.",
                  "Something else runs, or a driver polls."},
                 {"rdma.wire_bytes", "RDMA bytes on the wire",
                  "Bytes on the wire match the payload and its headers.",
                  "Data took another way, or was sent again."},
                 {"rdma.wire_packet", "RDMA packet size", "Packets on the wire have the full path MTU.",
                  "A smaller path MTU."});

namespace {

class CpuUnderRdma : public RdmaLoadTest<PortPath> {
 protected:
  [[nodiscard]] host::CpuUse baseline() {
    return phase("baseline", windows().window + std::chrono::seconds(5), [&] {
      ranks().barrier();
      const host::CpuTimes before = host::read_cpu_times();
      wait(windows().window);
      return cpu_use(before, host::read_cpu_times());
    });
  }
  // An idle CPU proves nothing if a path is dead.
  void require_all(const rdma_flows::RdmaFlows& flows) {
    phase("check", std::chrono::seconds(5), [&] {
      for (std::size_t path = 0; path < subject().paths.size(); ++path)
        if (flows.dead(path)) not_proven(subject().paths[path].text() + ": " + *flows.dead(path));
    });
  }
};

RIGPROOF_TEST(CpuUnderRdma, Idles, Reports::ratio("rdma.cpu_busy"), Reports::count("rdma.data_differs")) {
  const rdma_flows::RdmaFlowsSpec spec{.load = {.message = DataSize::mebibytes(1), .depth = 4},
                                       .queue_pairs = 1,
                                       .waiting = verbs::Waiting::kSleep,
                                       .watch_threads = true};
  const host::CpuUse idle = baseline();
  const rdma_flows::RdmaFlows flows = loaded(subject().paths, spec);
  report_arrivals(subject().paths, flows);
  require_all(flows);
  const auto busy = ratio(std::max(0.0, flows.cpu().busy - idle.busy));
  if (here(subject().from.node)) report("rdma.cpu_busy", busy, "sender");
  if (here(subject().to.node)) report("rdma.cpu_busy", busy, "receiver");
  const std::string spinning = fmt::format("{}", fmt::join(flows.spinning(), ", "));
  found("rdma.cpu_spinning", spinning.empty() ? "none" : spinning, Finding{node()});
  record("rdma.cpu_busiest", ratio(flows.cpu().busiest));
  record("rdma.cpu_softirq", ratio(flows.cpu().softirq));
  record("rdma.cpu_baseline", ratio(idle.busy));
  for (const RateSeries& path : flows.path_rates()) record("rdma.rate.share", path.intervals(), path.path);
}
RIGPROOF_CASES(EachPort, CpuUnderRdma, rdma_port_paths);

// Proves that RDMA crosses the wire of its port: the port's counters at both ends show the payload and its headers, in
// packets of the path MTU. Records the ports' rates as a curve. Catches: halves that exchange data on the chip, small
// packets, retransmissions, another load, wrong data.
constexpr DataSize kMessage = DataSize::kibibytes(64);
constexpr std::uint32_t kDepth = 16;

class RdmaWireBytes : public RdmaLoadTest<RailPath> {
 protected:
  // Messages of one window, at least enough to write every place.
  [[nodiscard]] std::uint64_t messages() const {
    const std::chrono::duration<double> window = windows().window;
    const double bytes = subject().facts().at("half.rate").value / 8 * window.count();
    return std::max<std::uint64_t>(kDepth, static_cast<std::uint64_t>(bytes) / kMessage.bytes());
  }
  void record_curve(const counters::PortSeries& series, bool sends) {
    record("rdma.wire_rate", sends ? series.tx_rates() : series.rx_rates(),
           {record::every(series.interval), sends ? "tx" : "rx"});
    record("rdma.wire_peak", to_quantity(sends ? series.peak_tx : series.peak_rx), sends ? "tx" : "rx");
  }
};

RIGPROOF_TEST(RdmaWireBytes, AgreeWithThePayload, Reports::ratio("rdma.wire_bytes"),
              Reports::size("rdma.wire_packet"), Reports::count("rdma.data_differs")) {
  const bool sends = here(subject().from.node), receives = here(subject().to.node);
  rdma_flows::RdmaFlows flows =
      connected({subject()}, {.load = {.message = kMessage, .depth = kDepth, .messages = messages()}});
  const Port& port = rig().port(sends ? subject().from : subject().to);
  std::optional<counters::PortTraffic> traffic;
  std::optional<counters::SampledPorts> sampled;
  measure("write", 10 * windows().window + std::chrono::seconds(30), [&] {
    std::optional<counters::PortCounters> before;
    std::optional<counters::PortSampler> sampler;
    if (sends || receives) {
      before = counters::read_port_counters(*port.counters);
      sampler.emplace(std::vector{*port.counters});
    }
    flows.move();
    if (sampler) sampled = sampler->stop();
    if (!before) return;
    wait(counters::settle_time(rig().node(node())));
    traffic = counters::traffic_between(*before, counters::read_port_counters(*port.counters));
  });
  report_arrivals({subject()}, flows);
  if (flows.dead(0)) {
    if (receives) report("rdma.wire_bytes", ratio(0), "rx");
    return;
  }
  if (!traffic) return;
  const counters::RoceFraming framing{flows.path_mtu(0), counters::counts_fcs(port.counters),
                                      family_of(rig().half(subject().from).address)};
  const std::uint64_t bytes = (sends ? traffic->tx : traffic->rx).bytes();
  const std::uint64_t packets = sends ? traffic->tx_packets : traffic->rx_packets;
  const double expected =
      static_cast<double>(messages()) * static_cast<double>(framing.bytes_of_write(kMessage).bytes());
  const char* way = sends ? "tx" : "rx";
  report("rdma.wire_bytes", ratio(static_cast<double>(bytes) / expected), way);
  record_curve(sampled->ports.front(), sends);
  report("rdma.wire_packet", DataSize::bytes(packets > 0 ? bytes / packets : 0), way);
}
std::vector<RailPath> counted_rail_paths(const Rig& rig) { return counted(rig, rdma_rail_paths(rig)); }
RIGPROOF_CASES(EachRail, RdmaWireBytes, counted_rail_paths);

}  // namespace

}  // namespace rigproof::rdma
