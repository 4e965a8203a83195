// Collectives from host memory to host memory by MPI over all rails at once: the load that training puts on the fabric,
// without driver or GPU. Measures the bus bandwidth of every operation over a sweep of sizes, in place and not, and the
// latency of a short exchange. Verifies the data at every size, and which netdevs and RDMA devices carried them. Runs
// between every two nodes and, on larger rigs, among all nodes. Catches: a slow cable (the slowest rail delays all others),
// one direction at half rate, loss, corrupted data, a rail that is idle or pauses, messages that bypass the rails (the
// management network, a bridge, RDMA devices chosen by UCX or hcoll).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "fixtures/collective/engine.h"
#include "fixtures/collective/measure.h"
#include "fixtures/collective/operation.h"
#include "fixtures/counters/traffic.h"
#include "fixtures/flows/management_traffic.h"
#include "fixtures/flows/probe_path.h"
#include "fixtures/flows/ways.h"
#include "framework/rig/subjects.h"
#include "framework/runner/context.h"
#include "framework/runner/rig_test.h"

namespace rigproof::collective {

RIGPROOF_METRICS(
    {"collective.rails", "All rails carry full packets",
     "Every rail carries a full-size packet before the collective begins.", "See the suites link and mtu."},
    {"collective.mpi.busbw", "MPI collectives, bus bandwidth",
     "What MPI collectives move over the rails, as bus bandwidth.", "One slow rail slows all."},
    {"collective.mpi.wrong", "MPI results are right", "What was received is what was sent.",
     "Corrupted data: a checksum offload, memory, or a cable."},
    {"collective.mpi.management", "MPI stays off the management network",
     "Hardly any of the load crosses the management network.", "MPI was not told which networks to use."},
    {"collective.mpi.latency", "MPI latency", "The time of a small collective.", "A lossy rail."},
    {"collective.mpi.carried", "MPI uses the rails' TCP",
     "All payload of MPI crosses the rails' netdevs by TCP.",
     "MPI took another way: shared memory, UCX, the management network."});

namespace {

[[maybe_unused]] const bool kSuite =
    declare_suite({.title = "Collectives over all rails, by MPI and NCCL",
                   .order = 8,
                   .loads_rails = true,
                   .first_look = "*.OfSendRecv*:*.OfAllReduce*:*NcclTransport*",
                   .case_seconds = {0.81, 3.1, 15.8}});

// Without a management netdev Open MPI sends short messages by any rail, and some operations consist of short messages only.
bool shares_by_rails(const Rig& rig) { return has_parallel_rails(rig) && has_management(rig); }

using namespace std::chrono_literals;

std::vector<NodePath> pairs_of(const NodePath& pair) { return {pair}; }
std::vector<NodePath> pairs_of(const AllNodes& whole) { return whole.pairs(); }

// A collective among the subject's nodes; the first node reports.
template <class SubjectType>
class MpiCollective : public RigTest<SubjectType> {
 protected:
  using RigTest<SubjectType>::subject, RigTest<SubjectType>::rig, RigTest<SubjectType>::ranks,
      RigTest<SubjectType>::windows, RigTest<SubjectType>::report, RigTest<SubjectType>::record,
      RigTest<SubjectType>::note;

  [[nodiscard]] bool reports() const { return this->here(subject().nodes().front()); }

  // Collective. False if rails carry nothing: reported as "collective.rails".
  [[nodiscard]] bool connect() {
    std::size_t ways = 0;
    std::vector<std::string> dead;
    for (const NodePath& pair : pairs_of(subject())) {
      ways += 2 * pair.paths.size();
      const auto found = this->measure(
          "probe", 60s, [&] { return flows::rails_that_carry_nothing(rig(), ranks(), pair.paths); });
      dead.insert(dead.end(), found.begin(), found.end());
    }
    if (reports()) {
      for (const std::string& fault : dead) note(fault);
      report("collective.rails", ratio(1 - static_cast<double>(dead.size()) / static_cast<double>(ways)));
    }
    if (!dead.empty()) return false;
    if (flows::share_subnets(rig(), pairs_of(subject())))
      leaves_by_rails_ = this->phase("look up routes", 30s, [&] {
        return flows::routes_lead_by_rails(rig(), ranks(), pairs_of(subject()));
      });
    this->phase("connect", 30s, [&] { engine_ = make_mpi_engine(this->node(), subject().nodes()); });
    return true;
  }

  // A quarter of the profile's window per point, because the sweep has many points.
  [[nodiscard]] CollectiveTiming timing() const {
    return {.warm_up = windows().warm_up / 4,
            .window = std::max<std::chrono::milliseconds>(250ms, windows().window / 4),
            .blocks = 3};
  }

  // A point of a curve: "all_gather in place at 2 MiB".
  [[nodiscard]] static RigTestBase::Detail detail_of(const CollectiveSpec& spec) {
    return {record::at(to_quantity(spec.size)),
            fmt::format("{}{}", name(spec.operation), spec.in_place ? " in place" : "")};
  }

  [[nodiscard]] CollectiveResult run(const CollectiveSpec& spec) {
    CollectiveResult result = this->measure("run", timeout_for(spec, timing()), [&] {
      CollectiveResult done =
          measure_collective(engine_.get(), ranks(), subject().nodes().size(), spec, timing());
      if (!done.refused.empty()) this->not_proven(done.refused);
      return done;
    });
    const RigTestBase::Detail detail = detail_of(result.spec);
    if (engine_) {
      record("collective.mpi.cpu_busy", ratio(result.cpu.busy), detail);
      for (const std::string& fault : result.faults)
        note(detail_text(detail.name, detail.axis) + ": " + fault);
      report("collective.mpi.wrong", count(result.faults.size()), detail);
    }
    return result;
  }

  void sweep(Operation operation) {
    if (!connect()) return;
    const DataRate paths = DataRate::bits_per_second(subject().facts().at("paths.rate").value);
    const flows::ManagementTraffic management(rig(), this->node());
    std::optional<counters::NodeTraffic> ways;
    if (engine_) ways.emplace();
    double payload = 0, least = 0;
    for (const bool in_place : {false, true}) {
      if (in_place && !supports_in_place(operation)) continue;
      for (const DataSize size : sweep_sizes(operation, suite_context().profile, paths)) {
        if (!is_countable(size)) continue;
        const CollectiveResult result = run({operation, size, in_place});
        payload += static_cast<double>(result.spec.size.bytes()) * static_cast<double>(result.operations);
        least += least_moved(result.spec, subject().nodes().size()) * static_cast<double>(result.operations);
        if (!reports()) continue;
        report("collective.mpi.busbw", result.busbw, detail_of(result.spec));
        record("collective.mpi.algbw", result.algbw, detail_of(result.spec));
      }
    }
    const auto settled = counters::settle_time(rig().node(this->node()), counters::LoadEnd::kAllArrived);
    const auto exchanged = this->measure("settle", 15s, [&] {
      const auto bytes = management.exchanged(ranks());
      this->wait(settled);
      return bytes;
    });
    if (engine_ && exchanged)
      report("collective.mpi.management", ratio(static_cast<double>(exchanged->bytes()) / payload));
    if (ways) report_ways(*ways, least, operation);
  }

 private:
  // Compares each device's traffic with the minimum that this node had to send and receive. Other traffic of the node
  // counts, too, but is negligible.
  void report_ways(const counters::NodeTraffic& traffic, double least, Operation operation) {
    double by_rails = 0, by_rdma = 0;
    std::vector<std::string> used;
    std::map<std::string, double> rails;  // traffic by netdev
    for (const counters::NodeTraffic::Way& way : traffic.carried()) {
      const double share = static_cast<double>(way.bytes()) / least;
      if (way.rdma) by_rdma += share;
      if (!way.rdma && is_rail(way.name)) by_rails += rails[way.name] = share;
      if (share >= 0.005)
        used.push_back(fmt::format("{} {:.1f} %{}", way.name, 100 * share, way.rdma ? " (RDMA)" : ""));
    }
    report("collective.mpi.carried", ratio(by_rails));
    if (by_rails > 0 && shares_by_rails(rig())) report_shares(rails, by_rails, operation);
    record("collective.mpi.rdma", ratio(by_rdma));
    this->found("collective.mpi.way",
                used.empty() ? "no counted bytes" : fmt::format("{}", fmt::join(used, ", ")),
                {.node = this->node()});
  }

  // Reports the shares of the halves by which this node reaches the subject's other nodes; 100 % is an even share. Halves
  // that the kernel's routes cannot separate count together. Traffic off the rails shows in collective.mpi.carried.
  void report_shares(const std::map<std::string, double>& carried, double by_rails, Operation operation) {
    const auto halves = halves_of_subject();
    auto groups = flows::by_subnet(rig(), halves);
    if (leaves_by_rails_) {
      groups.clear();
      for (const HalfRef half : halves) groups.push_back({half});
    }
    if (halves.size() < 2) return;
    // Observed with Open MPI 4.1 and four halves, every time: 200, 0, 200 and 0 % of an even share.
    if (operation == Operation::kReduce)
      return this->nothing_there(
          "collective.share",
          "Open MPI sends a reduction in segments, each by one rail, not always by the next", {this->node()});
    const auto alike = [&](const std::vector<HalfRef>& group) {
      return group.size() == groups.front().size();
    };
    if (groups.size() < 2 || !std::ranges::all_of(groups, alike))
      return this->nothing_there("collective.share",
                                 "several halves share a subnet: the kernel's routes send all traffic that "
                                 "is not bound to a device by one of them",
                                 {this->node()});
    for (const auto& group : groups) {
      double share = 0;
      for (const HalfRef half : group)
        if (const auto one = carried.find(rig().half(half).netdev); one != carried.end())
          share += one->second;
      report("collective.share", ratio(share / by_rails * static_cast<double>(groups.size())),
             flows::name_of(rig(), group));
    }
  }

  [[nodiscard]] std::vector<HalfRef> halves_of_subject() const {
    std::vector<HalfRef> halves;
    for (const NodePath& pair : pairs_of(subject()))
      for (const HalfRef half : pair.halves_of(this->node()))
        if (std::ranges::find(halves, half) == halves.end()) halves.push_back(half);
    return halves;
  }

  [[nodiscard]] bool is_rail(const std::string& netdev) const {
    const auto halves = rig().compute_halves_of(this->node());
    return std::ranges::any_of(halves, [&](HalfRef half) { return rig().half(half).netdev == netdev; });
  }

  std::unique_ptr<CollectiveEngine> engine_;
  bool leaves_by_rails_ = true;  // sockets that are bound to no device
};

// Reports of every bandwidth case.
std::vector<Reports> of_bandwidth() {
  return {Reports::sustained("collective.mpi.busbw"),
          Reports::ratio("collective.rails"),
          Reports::count("collective.mpi.wrong"),
          Reports::ratio("collective.mpi.carried"),
          Reports::ratio("collective.share")
              .where_there()
              .on_rigs_with("several rails between two nodes, and a management netdev", shares_by_rails),
          Reports::ratio("collective.mpi.management")
              .on_nodes_with("a management netdev in the rig file", has_management)};
}

class MpiBandwidth : public MpiCollective<NodePath> {};
RIGPROOF_TEST(MpiBandwidth, OfSendRecv, of_bandwidth()) { sweep(Operation::kSendRecv); }
RIGPROOF_TEST(MpiBandwidth, OfAllGather, of_bandwidth()) { sweep(Operation::kAllGather); }
RIGPROOF_TEST(MpiBandwidth, OfAllReduce, of_bandwidth()) { sweep(Operation::kAllReduce); }
RIGPROOF_TEST(MpiBandwidth, OfBroadcast, of_bandwidth()) { sweep(Operation::kBroadcast); }
RIGPROOF_TEST(MpiBandwidth, OfReduce, of_bandwidth()) { sweep(Operation::kReduce); }
RIGPROOF_TEST(MpiBandwidth, OfReduceScatter, of_bandwidth()) { sweep(Operation::kReduceScatter); }
RIGPROOF_TEST(MpiBandwidth, OfAllToAll, of_bandwidth()) { sweep(Operation::kAllToAll); }
RIGPROOF_CASES(EachPair, MpiBandwidth, every_node_pair);

class MpiBandwidthOfAll : public MpiCollective<AllNodes> {};
RIGPROOF_TEST(MpiBandwidthOfAll, OfSendRecv, of_bandwidth()) { sweep(Operation::kSendRecv); }
RIGPROOF_TEST(MpiBandwidthOfAll, OfAllGather, of_bandwidth()) { sweep(Operation::kAllGather); }
RIGPROOF_TEST(MpiBandwidthOfAll, OfAllReduce, of_bandwidth()) { sweep(Operation::kAllReduce); }
RIGPROOF_TEST(MpiBandwidthOfAll, OfBroadcast, of_bandwidth()) { sweep(Operation::kBroadcast); }
RIGPROOF_TEST(MpiBandwidthOfAll, OfReduce, of_bandwidth()) { sweep(Operation::kReduce); }
RIGPROOF_TEST(MpiBandwidthOfAll, OfReduceScatter, of_bandwidth()) { sweep(Operation::kReduceScatter); }
RIGPROOF_TEST(MpiBandwidthOfAll, OfAllToAll, of_bandwidth()) { sweep(Operation::kAllToAll); }
RIGPROOF_CASES(AllNodes, MpiBandwidthOfAll, all_nodes_of);

class MpiLatency : public MpiCollective<NodePath> {};
RIGPROOF_TEST(MpiLatency, OfAShortExchange, Reports::time("collective.mpi.latency"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong")) {
  if (!connect()) return;
  const CollectiveResult result = run({Operation::kSendRecv, kShortestOverRails});
  if (reports()) report("collective.mpi.latency", result.times);
}
RIGPROOF_CASES(EachPair, MpiLatency, every_node_pair);

}  // namespace
}  // namespace rigproof::collective
