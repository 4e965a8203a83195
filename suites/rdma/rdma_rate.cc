// RDMA rates, counted at the peer's acknowledgement: writes by one queue pair and by eight, sends by eight, both halves of a
// port, all halves of a node, many nodes to one port, both directions at once. Also proves that the devices repeated nothing.
// Catches: a PCIe link trained narrow, path MTU 1024, an unused half, a lossy hop, loss that only NIC counters show, one slow
// direction, a fabric that fails where several nodes send to one.

#include <algorithm>
#include <array>

#include "fixtures/verbs/rdma_device.h"
#include "fixtures/verbs/registered_buffer.h"
#include "framework/rig/many_to_one.h"
#include "framework/rig/several_rails.h"
#include "framework/runner/rig_test.h"
#include "suites/rdma/rdma_load.h"

namespace rigproof::rdma {

RIGPROOF_METRICS({"rdma.data_differs", "RDMA data is right", "What RDMA wrote is what was sent.",
                  "Faulty memory, NIC or cable."},
                 {"rdma.write.rate.half", "RDMA write, one half", "What RDMA writes carry over one half.",
                  "A narrow PCIe link, a small path MTU, or losses."},
                 {"rdma.write.rate.port", "RDMA write, both halves of a port",
                  "What RDMA writes carry over both halves of one port.", "One half is slow or dead."},
                 {"rdma.write.rate.node", "RDMA write, all halves",
                  "What RDMA writes carry over all halves between two nodes.",
                  "A dead path, or a PCIe link that limits both."},
                 {"rdma.write.rate.both_ways", "RDMA write, both ways at once",
                  "What each direction carries while the other is busy.",
                  "A half that slows down while it also receives."},
                 {"rdma.write.rate.many_to_one", "RDMA writes of many nodes to one port",
                  "What the other nodes, up to 15 of them, write together to one port of a node.",
                  "A switch that drops, pauses too long or shapes where several ports send to one."},
                 {"rdma.many_to_one.share", "Even shares of one port by RDMA",
                  "The part of a sender, of several that write to one port, as a share of an even part.",
                  "A switch serves one of its ports before others, or the sender is slow."},
                 {"rdma.write.rate.one_queue_pair", "RDMA write, one queue pair",
                  "What one queue pair carries over one half.", "A small path MTU, or losses."},
                 {"rdma.send.rate.half", "RDMA send, one half", "What RDMA sends carry over one half.",
                  "A narrow PCIe link, a small path MTU, or losses."},
                 {"rdma.write.sweep", "RDMA write by message size", "The rate at each message size.",
                  "See the chart: where it falls off."},
                 {"rdma.discards", "No discards", "The NIC discarded no packet under load.",
                  "Buffers overflow: flow control is off."},
                 {"rdma.retries", "No retries", "RDMA sent nothing again.", "A hop drops packets."},
                 {"rdma.out_of_sequence", "No packet out of order", "No packet came out of order.",
                  "Losses, or a path over several links."},
                 {"rdma.data_proven", "RDMA data is checked",
                  "Enough messages of each path are compared during a load.",
                  "The receiver's CPU had no time: another job runs on the node."},
                 {"rdma.gpu_direct", "RDMA of GPU memory",
                  "Whether a GPU's memory can be source and target of RDMA.",
                  "The driver does not offer GPU memory: data goes through the node's memory."});

namespace {

[[maybe_unused]] const bool kSuite =
    declare_suite({.title = "Connections, latency and rates by RDMA",
                   .order = 7,
                   .first_look = "*Connection*:*RailRdmaRate.OfWritesFillsTheHalf*:*NodeRdmaRate*",
                   .case_seconds = {1.5, 4, 18}});

constexpr std::size_t kManyQueuePairs = 8;
constexpr std::size_t kQueuePairsBesideOthers = 4;

// One queue pair has as many bytes in flight as several together.
rdma_flows::RdmaFlowsSpec one(verbs::RdmaOperation operation) {
  return {.load = {.operation = operation, .message = DataSize::kibibytes(64), .depth = 16},
          .queue_pairs = 1};
}
rdma_flows::RdmaFlowsSpec many(verbs::RdmaOperation operation) {
  return {.load = {.operation = operation, .message = DataSize::kibibytes(16), .depth = 8},
          .queue_pairs = kManyQueuePairs};
}

template <class SubjectType>
class Rate : public RdmaLoadTest<SubjectType> {
 protected:
  void run(std::string_view id, const std::vector<RailPath>& paths, const rdma_flows::RdmaFlowsSpec& spec) {
    const rdma_flows::RdmaFlows flows = this->loaded(paths, spec);
    this->report_rates(id, flows);
    this->report_faults(paths, flows);
    for (std::size_t path = 0; path < paths.size(); ++path)
      if (this->here(paths[path].to.node) && !flows.dead(path))
        this->report("rdma.data_proven", count(flows.proven(path)),
                     flows::detail_of(this->rig(), paths[path]));
    this->record("rdma.cpu_busy_spinning", ratio(flows.cpu().busy));
    for (const auto& [device, cpu] : flows.ran_on())
      this->found("rdma.cpu", cpu, {.node = this->node(), .detail = device});
  }
};

std::vector<Reports> with_faults(Reports rate, Reports other) {
  return {std::move(rate),
          std::move(other),
          Reports::count("rdma.data_differs"),
          Reports::count("rdma.retries").where_there(),
          Reports::count("rdma.out_of_sequence").where_there(),
          Reports::count("rdma.discards").where_there()};
}
std::vector<Reports> of_transfers(Reports rate) {
  return with_faults(std::move(rate), Reports::count("rdma.data_proven"));
}

class RailRdmaRate : public Rate<RailPath> {};
RIGPROOF_TEST(RailRdmaRate, OfWritesByOneQueuePair,
              of_transfers(Reports::sustained("rdma.write.rate.one_queue_pair"))) {
  run("rdma.write.rate.one_queue_pair", {subject()}, one(verbs::RdmaOperation::kWrite));
}
RIGPROOF_TEST(RailRdmaRate, OfWritesFillsTheHalf, of_transfers(Reports::sustained("rdma.write.rate.half"))) {
  run("rdma.write.rate.half", {subject()}, many(verbs::RdmaOperation::kWrite));
}
RIGPROOF_TEST(RailRdmaRate, OfSendsFillsTheHalf, of_transfers(Reports::sustained("rdma.send.rate.half"))) {
  run("rdma.send.rate.half", {subject()}, many(verbs::RdmaOperation::kSend));
}
RIGPROOF_CASES(EachRail, RailRdmaRate, rdma_rail_paths);

class PortRdmaRate : public Rate<PortPath> {};
RIGPROOF_TEST(PortRdmaRate, FillsThePortByBothHalves,
              of_transfers(Reports::sum_of_paths("rdma.write.rate.port"))) {
  run("rdma.write.rate.port", subject().paths, many(verbs::RdmaOperation::kWrite));
}
std::vector<PortPath> rdma_shared_port_paths(const Rig& rig) {
  return over_several_rails(rdma_port_paths(rig));
}
RIGPROOF_CASES(EachPort, PortRdmaRate, rdma_shared_port_paths);

class NodeRdmaRate : public Rate<NodePath> {};
RIGPROOF_TEST(NodeRdmaRate, OfAllHalves, of_transfers(Reports::sum_of_paths("rdma.write.rate.node"))) {
  run("rdma.write.rate.node", subject().paths, many(verbs::RdmaOperation::kWrite));
}
RIGPROOF_CASES(EachNode, NodeRdmaRate, rdma_node_paths);

// Many nodes write to one port at once. Catches: a fabric whose flow control fails where several ports send to one, and a
// sender that loses its share to the others. Each pair of nodes alone shows neither.
std::vector<PortSubject> rdma_ports_of_many(const Rig& rig) {
  std::vector<PortSubject> ports = every_port_of_many(rig);
  std::erase_if(ports, [&](const PortSubject& port) { return !have_rdma(rig, paths_to(rig, port.port)); });
  return ports;
}
bool has_rdma_port_of_many(const Rig& rig) { return !rdma_ports_of_many(rig).empty(); }

class ManyToOneRdma : public Rate<PortSubject> {};
RIGPROOF_TEST(
    ManyToOneRdma, FillTheReceiversPort,
    with_faults(
        Reports::sustained("rdma.write.rate.many_to_one").on_rigs_with(kPortOfMany, has_rdma_port_of_many),
        Reports::ratio("rdma.many_to_one.share").on_rigs_with(kPortOfMany, has_rdma_port_of_many))) {
  const std::vector<RailPath> paths = paths_to(rig(), subject().port);
  rdma_flows::RdmaFlowsSpec spec = many(verbs::RdmaOperation::kWrite);
  spec.queue_pairs = kQueuePairsBesideOthers;
  const rdma_flows::RdmaFlows flows = loaded(paths, spec);
  report_faults(paths, flows);
  const std::vector<RateSeries> rates =
      phase("sum", std::chrono::seconds(5), [&] { return flows.rates_of_all(); });
  if (!here(subject().port.node)) return;
  report("rdma.write.rate.many_to_one", sum_of(rates));
  std::vector<double> medians;
  for (const RateSeries& rate : rates) medians.push_back(rate.median());
  for (const auto& [sender, part] : parts_of_senders(paths, medians))
    report("rdma.many_to_one.share", ratio(part), rig().node(sender).name);
}
RIGPROOF_CASES(EachPort, ManyToOneRdma, rdma_ports_of_many);

class DuplexRdmaRate : public Rate<RailPath> {};
RIGPROOF_TEST(DuplexRdmaRate, HoldsInBothDirectionsAtOnce,
              of_transfers(Reports::sustained("rdma.write.rate.both_ways"))) {
  run("rdma.write.rate.both_ways", {subject(), reversed(rig(), subject())},
      many(verbs::RdmaOperation::kWrite));
}
RIGPROOF_CASES(EachRail, DuplexRdmaRate, rdma_rail_pairs);

// Rate of writes by message size. Proves that no point of the curve exceeds the wire's rate, and that at every size the path
// lives and delivers the data that was sent.
constexpr std::array kSizes = {DataSize::bytes(64),     DataSize::bytes(512),     DataSize::kibibytes(4),
                               DataSize::kibibytes(32), DataSize::kibibytes(256), DataSize::mebibytes(1)};
constexpr std::uint64_t kUnderWay = 1 << 20;  // B, at most

class MessageSweep : public RdmaLoadTest<RailPath> {};

RIGPROOF_TEST(MessageSweep, StaysBelowTheWire, Reports::sustained("rdma.write.sweep"),
              Reports::count("rdma.data_differs")) {
  for (const DataSize size : kSizes) {
    const auto depth = static_cast<std::uint32_t>(std::min<std::uint64_t>(64, kUnderWay / size.bytes()));
    const rdma_flows::RdmaFlows flows =
        loaded({subject()}, {.load = {.message = size, .depth = std::max(depth, 2U)}});
    const record::Axis point = record::at(to_quantity(size));
    if (here(subject().from.node)) report("rdma.write.sweep", flows.rates(0), point);
    report_arrivals({subject()}, flows, point);
  }
}
RIGPROOF_CASES(EachRail, MessageSweep, rdma_rail_pairs);

// Records for every half whether its RDMA device can read and write a GPU's memory (GPUDirect). Not required: a rig may have
// no GPUs, or GPUs that use host memory.
class GpuDirect : public RigTest<HalfSubject> {
 protected:
  // Another case reports a missing device.
  [[nodiscard]] static std::string probe(const std::string& device) {
    try {
      return verbs::probe_gpu_direct(device);
    } catch (const verbs::DeadRdmaPath& error) {
      return std::string("no answer: ") + error.what();
    } catch (const verbs::VerbsError& error) {
      return std::string("no answer: ") + error.what();
    }
  }
};

RIGPROOF_TEST(GpuDirect, IsProbed, Reports::text("rdma.gpu_direct")) {
  const auto answer = measure("probe", std::chrono::seconds(30), [&]() -> std::string {
    return here(subject().half.node) ? probe(*rig().half(subject().half).rdma) : "";
  });
  if (here(subject().half.node)) found("rdma.gpu_direct", answer, Finding{subject().half.node});
}

RIGPROOF_CASES(EachHalf, GpuDirect, rdma_halves);

}  // namespace

}  // namespace rigproof::rdma
