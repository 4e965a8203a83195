// Proves that bytes are conserved under a collective, while each node sends to its neighbour and receives from it. Per node
// and direction, the physical ports count the payload plus headers. Ports and halves on the path share the load; other ports
// and the management network carry none of it. Catches: traffic by another network (also if fast) or another node's cable,
// on-chip loopback instead of the wire, an idle half or cable, counters that do not move, a competing load.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fixtures/collective/engine.h"
#include "fixtures/collective/measure.h"
#include "fixtures/collective/operation.h"
#include "fixtures/counters/port_counters.h"
#include "fixtures/counters/port_sampler.h"
#include "fixtures/counters/traffic.h"
#include "fixtures/flows/management_traffic.h"
#include "fixtures/flows/probe_path.h"
#include "fixtures/flows/ways.h"
#include "fixtures/nccl/installation.h"
#include "fixtures/nccl/nccl_engine.h"
#include "framework/rig/counted_ports.h"
#include "framework/rig/routed_rails.h"
#include "framework/runner/rig_test.h"
#include "suites/phy/traffic_meter.h"

namespace rigproof::phy {

RIGPROOF_METRICS(
    {"phy.collective.agreement", "The cables carried the collective",
     "Bytes on all cables match what the collective moved, and headers.",
     "Data took another way, or was sent again."},
    {"phy.collective.port_share", "Each cable carries its share",
     "Every cable carries its part of a collective.", "A cable is slow or not used."},
    {"phy.collective.half_share", "Each half carries its share",
     "Every half carries its part of a collective.", "A half is slow or not used."},
    {"phy.collective.rails_dead", "No rail is dead", "Every rail carries traffic during a collective.",
     "A rail is not used."},
    {"phy.collective.management", "The management network stays quiet",
     "Hardly any of the collective crosses the management network.",
     "MPI or NCCL chose the wrong interface."},
    {"phy.collective.nccl_peak", "Peak on each cable under NCCL",
     "The highest rate of a tenth of a second on each cable and in each direction, with headers.",
     "NCCL uses one cable more than the other, or both are slow."},
    {"phy.collective.nccl_peak_both_ways", "Peak of the node under NCCL",
     "The highest rate of a tenth of a second on all cables, both directions together.",
     "See phy.collective.nccl_peak."},
    {"phy.sampler.cpu", "Sampling is cheap", "Reading the counters costs hardly any CPU.",
     "A driver with slow counters."});

namespace {

using namespace collective;
using namespace nccl;

using namespace std::chrono_literals;

double as_double(DataSize size) { return static_cast<double>(size.bytes()); }

class CollectiveWire : public RigTest<NodePath> {
 protected:
  bool leaves_by_rails_ = true;  // the engine's packets leave by each rail's own half
  std::string why_uneven_ = {};  // why the engine need not use all halves; empty: it must

  // Counters of one node around the load.
  struct LoadReadings {
    TrafficMeter meter;
    counters::PortSampler sampler;
    std::vector<counters::PortCounters> halves;
    std::optional<counters::SampledPorts> samples = {};
    std::vector<counters::PortTraffic> half_traffic = {};
  };

  [[nodiscard]] bool takes_part() const { return here(subject().from) || here(subject().to); }

  [[nodiscard]] std::vector<counters::PortCounters> read_halves() const {
    std::vector<counters::PortCounters> all;
    for (const HalfRef half : rig().halves_of(node()))
      all.push_back(counters::read_half_counters(rig().half(half).netdev, rig().half(half).rdma));
    return all;
  }

  [[nodiscard]] std::unique_ptr<LoadReadings> open() const {
    std::vector<CounterSource> sources;
    for (const Port& port : rig().node(node()).ports)
      if (port.counters) sources.push_back(*port.counters);
    return std::unique_ptr<LoadReadings>(
        new LoadReadings{TrafficMeter(rig(), node()), counters::PortSampler(sources), read_halves()});
  }

  void close(LoadReadings& readings) const {
    readings.meter.close(ranks());
    readings.samples = readings.sampler.stop();
    const auto after = read_halves();
    for (std::size_t i = 0; i < after.size(); ++i)
      readings.half_traffic.push_back(counters::traffic_between(readings.halves[i], after[i]));
  }

  // This node's port of the first path.
  [[nodiscard]] const Port& loaded_port() const {
    const RailPath& path = subject().paths.front();
    return rig().port(here(path.to.node) ? path.to : path.from);
  }
  // Collective.
  [[nodiscard]] counters::TcpFraming tcp_framing() {
    const Port& port = loaded_port();
    const bool timestamps =
        phase("look up TCP's timestamps", 10s, [&] { return have_tcp_timestamps(ranks()); });
    return {.mtu = port.halves.front().mtu,
            .counts_fcs = counters::counts_fcs(port.counters),
            .timestamps = timestamps,
            .family = family_of(port.halves.front().address)};
  }
  [[nodiscard]] counters::RoceFraming rdma_framing() const {
    return counters::roce_framing_of(loaded_port());
  }

  // Compares both directions of the whole node with the payload and its headers. Acknowledgements of the opposite
  // direction's payload are included.
  template <class Framing>
  void report_agreement(const LoadReadings& readings, double payload, const Framing& framing) {
    const counters::PortTraffic all = readings.meter.all_ports();
    const auto agreement = [&](DataSize counted, std::uint64_t packets) {
      return ratio(as_double(counted) / framing.bytes_both_ways(payload, static_cast<double>(packets)));
    };
    report("phy.collective.agreement", agreement(all.tx, all.tx_packets), "tx");
    report("phy.collective.agreement", agreement(all.rx, all.rx_packets), "rx");
  }

  // Reports each port or half as a part of an even share (100 %).
  void report_shares(std::string_view id,
                     const std::vector<std::pair<std::string, counters::PortTraffic>>& of) {
    for (const auto& [way, bytes] :
         {std::pair("tx", &counters::PortTraffic::tx), std::pair("rx", &counters::PortTraffic::rx)}) {
      DataSize all = DataSize::bytes(0);
      for (const auto& [name, traffic] : of) all = all + traffic.*bytes;
      if (all.bytes() == 0) continue;
      for (const auto& [name, traffic] : of)
        report(id, ratio(as_double(traffic.*bytes) / as_double(all) * static_cast<double>(of.size())),
               name + " " + way);
    }
  }

  // Whether the node's port has a half on the path: in a ring one of two has.
  [[nodiscard]] bool leads_there(std::size_t port) const {
    return std::ranges::any_of(subject().halves_of(node()), [&](HalfRef half) { return half.port == port; });
  }

  // Reports how the ports and halves towards the other node share the load, and the traffic of other ports (none expected).
  void report_shares(const LoadReadings& readings, double payload) {
    const auto leading = subject().halves_of(node());
    std::vector<std::pair<std::string, counters::PortTraffic>> ports, halves;
    for (std::size_t port = 0; port < readings.meter.ports(); ++port) {
      if (!readings.meter.is_counted(port)) continue;
      const auto& [name, traffic] = std::pair(rig().node(node()).ports[port].name, readings.meter.port(port));
      if (leads_there(port))
        ports.emplace_back(name, traffic);
      else
        report("phy.stray", part_of(payload, traffic), name);
    }
    const auto of_node = rig().halves_of(node());
    for (std::size_t i = 0; i < of_node.size(); ++i)
      if (std::ranges::count(leading, of_node[i]) > 0)
        halves.emplace_back(rig().half(of_node[i]).netdev, readings.half_traffic[i]);
    const auto [halves_share, ports_share] = subnets_shared(leading);
    report_shares_unless(ports_share, "phy.collective.port_share", ports);
    report_shares_unless(halves_share, "phy.collective.half_share", halves);
  }

  // First: two of these halves share a subnet. Second: two of them on different ports do.
  [[nodiscard]] std::pair<bool, bool> subnets_shared(const std::vector<HalfRef>& halves) const {
    std::pair<bool, bool> shared{false, false};
    for (const HalfRef one : halves)
      for (const HalfRef other : halves)
        if (one != other && !is_routed(rig(), one, other)) {
          shared.first = true;
          shared.second = shared.second || one.port != other.port;
        }
    return shared;
  }

  // Sockets bound to no device, as MPI's, leave by the one half that the kernel's route names per subnet. Shares within one
  // subnet then show the routes, not the halves, and are not judged.
  void report_shares_unless(bool one_subnet, std::string_view id,
                            const std::vector<std::pair<std::string, counters::PortTraffic>>& of) {
    if (!why_uneven_.empty())
      nothing_there(id, why_uneven_, {node()});
    else if (!leaves_by_rails_ && one_subnet)
      nothing_there(id,
                    "several halves share a subnet: the kernel's routes send all traffic that is not bound "
                    "to a device by one of them",
                    {node()});
    else
      report_shares(id, of);
  }

  void record_rates(const counters::SampledPorts& sampled) {
    std::vector<Port> ports = rig().node(node()).ports;
    std::erase_if(ports, [](const Port& port) { return !port.counters; });
    for (std::size_t port = 0; port < sampled.ports.size(); ++port) {
      const counters::PortSeries& series = sampled.ports[port];
      const auto record_way = [&](const char* way, const Samples<DataRate>& rates, DataRate peak,
                                  DataRate mean) {
        const std::string name = ports[port].name + " " + way;
        record("phy.collective.rate", rates, {record::every(series.interval), name});
        record("phy.collective.peak", to_quantity(peak), name);
        record("phy.collective.mean", to_quantity(mean), name);
      };
      const counters::PortTraffic total = series.total();
      record_way("tx", series.tx_rates(), series.peak_tx, total.tx / total.time);
      record_way("rx", series.rx_rates(), series.peak_rx, total.rx / total.time);
    }
    record("phy.collective.peak", to_quantity(sampled.peak_duplex), "all ports, both ways");
    report("phy.sampler.cpu", ratio(std::chrono::duration<double>(sampled.cpu) / sampled.wall));
  }

  // Loads the wire with the engine, and reports what every node counted. Returns the samples of this node's ports, if it
  // takes part.
  template <class Framing>
  std::optional<counters::SampledPorts> watch(CollectiveEngine* engine, const Framing& framing) {
    const DataRate paths = DataRate::bits_per_second(subject().facts().at("paths.rate").value);
    const CollectiveSpec spec{Operation::kSendRecv,
                              sweep_sizes(Operation::kSendRecv, Profile::kSmoke, paths).back()};
    const CollectiveTiming timing{
        .warm_up = windows().warm_up, .window = windows().window, .blocks = windows().intervals};
    std::unique_ptr<LoadReadings> readings;
    std::optional<DataSize> by_management;
    double payload = 0;
    measure("load", timeout_for(spec, timing), [&] {
      if (takes_part()) readings = open();
      const flows::ManagementTraffic management(rig(), node());
      ranks().barrier();
      const auto result = measure_collective(engine, ranks(), 2, spec, timing);
      if (!result.refused.empty()) not_proven(result.refused);
      for (const std::string& fault : result.faults) note(fault);
      if (takes_part()) report("phy.data_differs", count(result.faults.size()));
      payload = as_double(result.spec.size) * static_cast<double>(result.operations);
      ranks().barrier();
      by_management = management.exchanged(ranks());
      if (readings) close(*readings);
    });
    if (!readings) return std::nullopt;
    report_agreement(*readings, payload, framing);
    if (by_management) report("phy.collective.management", part_of(payload, *by_management));
    report_shares(*readings, payload);
    record_rates(*readings->samples);
    return readings->samples;
  }
};

// Reports of a collective's bytes on the wire, and `more`.
std::vector<Reports> on_the_wire(std::vector<Reports> more = {}) {
  const std::string port = "a second port", management = "a management netdev in the rig file";
  for (Reports& one : std::vector<Reports>{
           Reports::ratio("phy.collective.agreement"),
           Reports::ratio("phy.collective.management").on_nodes_with(management, has_management),
           Reports::ratio("phy.collective.half_share").where_there(),
           Reports::ratio("phy.collective.port_share").where_there().on_nodes_with(port, has_second_port),
           Reports::ratio("phy.stray").where_there().on_nodes_with(port, has_second_port),
           Reports::count("phy.data_differs").where_there(), Reports::ratio("phy.sampler.cpu")})
    more.push_back(one);
  return more;
}

class MpiWire : public CollectiveWire {};
RIGPROOF_TEST(MpiWire, CarriesThePayloadOnce, on_the_wire({Reports::count("phy.collective.rails_dead")})) {
  const auto dead =
      phase("probe", 60s, [&] { return flows::rails_that_carry_nothing(rig(), ranks(), subject().paths); });
  if (here(subject().from)) {
    for (const std::string& fault : dead) note(fault);
    report("phy.collective.rails_dead", count(dead.size()));
  }
  if (!dead.empty()) return;
  // MPI's sockets are bound to no device.
  if (flows::share_subnets(rig(), {subject()}))
    leaves_by_rails_ = phase("look up routes", 30s,
                             [&] { return flows::routes_lead_by_rails(rig(), ranks(), {subject()}); });
  const auto engine = phase("connect", 30s, [&] {
    return make_mpi_engine(node(), {subject().from, subject().to});
  });
  watch(engine.get(), tcp_framing());
}
std::vector<NodePath> every_counted_pair(const Rig& rig) { return counted(rig, every_node_pair(rig)); }
RIGPROOF_CASES(EachPair, MpiWire, every_counted_pair);

// The collective suite proves from NCCL's log that NCCL uses RDMA. Long messages use NCCL's simple protocol, which adds
// nothing to the payload.
class NcclWire : public CollectiveWire {};
RIGPROOF_TEST(NcclWire, CarriesThePayloadOnce,
              on_the_wire({Reports::rate("phy.collective.nccl_peak"),
                           Reports::rate("phy.collective.nccl_peak_both_ways")})) {
  const auto engine = phase("connect", 90s, [&] {
    std::string why_not;
    const NcclInstallation installed = checked_installation(rig(), why_not);
    if (!why_not.empty()) not_proven(why_not);
    if (!installed.stand_in.empty()) note("stand-in: " + installed.stand_in);
    return make_nccl_engine(ranks(), {.members = {subject().from, subject().to},
                                      .proposed = nccl::variables_for(rig(), subject(), node())});
  });
  if (!uses_all_gpus(rig().node(node()), 1))
    why_uneven_ = "NCCL uses one of this node's GPUs here, and sends by the NICs nearest to it";
  const auto sampled =
      rig().stand_in ? watch(engine.get(), tcp_framing()) : watch(engine.get(), rdma_framing());
  if (!sampled) return;
  auto series = sampled->ports.begin();
  for (std::size_t port = 0; port < rig().node(node()).ports.size(); ++port) {
    const auto& [name, rate, counters, halves, use] = rig().node(node()).ports[port];
    if (!counters) continue;
    if (leads_there(port)) {
      report("phy.collective.nccl_peak", series->peak_tx, name + " tx");
      report("phy.collective.nccl_peak", series->peak_rx, name + " rx");
    }
    ++series;
  }
  report("phy.collective.nccl_peak_both_ways", sampled->peak_duplex);
}
std::vector<NodePath> every_counted_gpu_pair(const Rig& rig) { return counted(rig, every_gpu_pair(rig)); }
RIGPROOF_CASES(EachPair, NcclWire, every_counted_gpu_pair);

}  // namespace
}  // namespace rigproof::phy
