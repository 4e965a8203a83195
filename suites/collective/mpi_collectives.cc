// Collectives from host memory to host memory, by MPI over all rails at once: the fabric under the load that
// training puts on it, before there is a driver or a GPU. Bus bandwidth of every operation over a sweep of
// sizes, in place and not; latency of a short exchange; data verified at every size; by which interfaces and RDMA
// devices it really went. Between every two nodes and, where there are more, among all of them.
// Catches: a slow wire (the slowest rail holds all others up), one direction at half rate, loss, data that is
// corrupted on the way, a rail that carries nothing, messages that take another way than the rails (the management
// network, a bridge, UCX's or hcoll's choice of RDMA devices): what is measured then is not the rails.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fixtures/collective/engine.h"
#include "fixtures/collective/measure.h"
#include "fixtures/collective/operation.h"
#include "fixtures/counters/traffic.h"
#include "fixtures/flows/probe_path.h"
#include "fixtures/net/socket.h"
#include "framework/rig/subjects.h"
#include "framework/runner/context.h"
#include "framework/runner/rig_test.h"

namespace rigproof::collective {
namespace {

using namespace std::chrono_literals;

std::vector<NodePath> pairs_of(const NodePath& pair) { return {pair}; }
const std::vector<NodePath>& pairs_of(const WholeRig& whole) { return whole.pairs; }

// Among the nodes of the subject, of which the first reports.
template <class SubjectType>
class MpiCollective : public RigTest<SubjectType> {
 protected:
  using RigTest<SubjectType>::subject, RigTest<SubjectType>::rig, RigTest<SubjectType>::ranks,
      RigTest<SubjectType>::windows, RigTest<SubjectType>::report, RigTest<SubjectType>::record,
      RigTest<SubjectType>::note;

  [[nodiscard]] bool reports() const { return this->here(subject().nodes().front()); }

  // Nothing when the rails can't take the load: that is on record then.
  [[nodiscard]] bool connect() {
    std::size_t ways = 0;
    std::vector<std::string> dead;
    for (const NodePath& pair : pairs_of(subject())) {
      ways += 2 * pair.paths.size();
      const auto found =
          this->phase("probe", 60s, [&] { return flows::rails_that_carry_nothing(rig(), ranks(), pair); });
      dead.insert(dead.end(), found.begin(), found.end());
    }
    if (reports()) {
      for (const std::string& fault : dead) note(fault);
      report("collective.rails", ratio(1 - static_cast<double>(dead.size()) / static_cast<double>(ways)));
    }
    if (!dead.empty()) return false;
    this->phase("connect", 30s, [&] { engine_ = make_mpi_engine(subject().nodes()); });
    return true;
  }

  // A quarter of the profile's window for each point: the sweep has many.
  [[nodiscard]] CollectiveTiming timing() const {
    return {.warm_up = windows().warm_up / 4,
            .window = std::max<std::chrono::milliseconds>(250ms, windows().window / 4),
            .blocks = 3};
  }

  // "all_gather in place at 2 MiB": a point of a curve.
  [[nodiscard]] static RigTestBase::Detail detail_of(const CollectiveSpec& spec) {
    return {record::at(to_quantity(spec.size)),
            fmt::format("{}{}", name(spec.operation), spec.in_place ? " in place" : "")};
  }

  [[nodiscard]] CollectiveResult run(const CollectiveSpec& spec) {
    CollectiveResult result = this->measure("run", patience_for(spec, timing()), [&] {
      CollectiveResult done =
          measure_collective(engine_.get(), ranks(), subject().nodes().size(), spec, timing());
      if (!done.refused.empty()) this->not_proven(done.refused);
      return done;
    });
    const RigTestBase::Detail detail = detail_of(result.spec);
    if (engine_) record("collective.mpi.cpu_busy", ratio(result.cpu.busy), detail);
    if (reports()) {
      for (const std::string& fault : result.faults)
        note(detail_text(detail.name, detail.axis) + ": " + fault);
      report("collective.mpi.wrong", count(static_cast<double>(result.faults.size())), detail);
    }
    return result;
  }

  void sweep(Operation operation) {
    if (!connect()) return;
    const DataRate paths = DataRate::bits_per_second(subject().facts().at("paths.rate").value);
    const auto management = books();
    std::optional<counters::NodeTraffic> ways;
    if (engine_) ways.emplace();
    double payload = 0, least = 0;
    for (const bool in_place : {false, true}) {
      if (in_place && !supports_in_place(operation)) continue;
      for (const DataSize size : sweep_sizes(operation, suite_context().profile, paths)) {
        const CollectiveResult result = run({operation, size, in_place});
        payload += static_cast<double>(result.spec.size.bytes()) * static_cast<double>(result.operations);
        least += least_moved(result.spec, subject().nodes().size()) * static_cast<double>(result.operations);
        if (!reports()) continue;
        report("collective.mpi.busbw", result.busbw, detail_of(result.spec));
        record("collective.mpi.algbw", result.algbw, detail_of(result.spec));
      }
    }
    if (const auto carried = management ? management->carried() : std::nullopt)
      report("collective.mpi.management",
             ratio(static_cast<double>((carried->tx + carried->rx).bytes()) / payload));
    const auto settled = counters::settle_time(rig().node(this->node()));
    this->phase("settle", 15s, [&] { net::sleep_until(Clock::now() + settled, [&] { ranks().poll(); }); });
    if (ways) report_ways(*ways, least);
  }

 private:
  // Against the least that this node had to send and receive. All that it did besides counts, too: next to nothing.
  void report_ways(const counters::NodeTraffic& traffic, double least) {
    double by_rails = 0, by_rdma = 0;
    std::vector<std::string> used;
    for (const auto& [name, rdma, bytes] : traffic.carried()) {
      const double share = static_cast<double>(bytes) / least;
      if (rdma) by_rdma += share;
      if (!rdma && is_rail(name)) by_rails += share;
      if (share >= 0.005)
        used.push_back(fmt::format("{} {:.1f} %{}", name, 100 * share, rdma ? " (RDMA)" : ""));
    }
    report("collective.mpi.carried", ratio(by_rails));
    record("collective.mpi.rdma", ratio(by_rdma));
    this->found("collective.mpi.way",
                used.empty() ? "nothing that was counted" : fmt::format("{}", fmt::join(used, ", ")),
                {.node = this->node()});
  }

  [[nodiscard]] bool is_rail(const std::string& netdev) const {
    const auto halves = rig().halves_of(this->node());
    return std::ranges::any_of(halves, [&](HalfRef half) { return rig().half(half).netdev == netdev; });
  }

  // Of this node, if it takes part.
  [[nodiscard]] std::optional<counters::ManagementTraffic> books() const {
    return engine_ ? std::optional<counters::ManagementTraffic>(rig().node(this->node())) : std::nullopt;
  }

  std::unique_ptr<CollectiveEngine> engine_;
};

class MpiBandwidth : public MpiCollective<NodePath> {};
RIGPROOF_TEST(MpiBandwidth, OfSendRecv, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kSendRecv);
}
RIGPROOF_TEST(MpiBandwidth, OfAllGather, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kAllGather);
}
RIGPROOF_TEST(MpiBandwidth, OfAllReduce, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kAllReduce);
}
RIGPROOF_TEST(MpiBandwidth, OfBroadcast, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kBroadcast);
}
RIGPROOF_TEST(MpiBandwidth, OfReduce, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kReduce);
}
RIGPROOF_TEST(MpiBandwidth, OfReduceScatter, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kReduceScatter);
}
RIGPROOF_TEST(MpiBandwidth, OfAllToAll, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kAllToAll);
}
RIGPROOF_CASES(EachPair, MpiBandwidth, every_node_pair);

class MpiBandwidthOfAll : public MpiCollective<WholeRig> {};
RIGPROOF_TEST(MpiBandwidthOfAll, OfSendRecv, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kSendRecv);
}
RIGPROOF_TEST(MpiBandwidthOfAll, OfAllGather, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kAllGather);
}
RIGPROOF_TEST(MpiBandwidthOfAll, OfAllReduce, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kAllReduce);
}
RIGPROOF_TEST(MpiBandwidthOfAll, OfBroadcast, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kBroadcast);
}
RIGPROOF_TEST(MpiBandwidthOfAll, OfReduce, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kReduce);
}
RIGPROOF_TEST(MpiBandwidthOfAll, OfReduceScatter, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kReduceScatter);
}
RIGPROOF_TEST(MpiBandwidthOfAll, OfAllToAll, Reports::rate("collective.mpi.busbw"),
              Reports::ratio("collective.rails"), Reports::count("collective.mpi.wrong"),
              Reports::ratio("collective.mpi.carried"),
              Reports::ratio("collective.mpi.management")
                  .on_rigs_with("a management netdev in the rig file", has_management)) {
  sweep(Operation::kAllToAll);
}
RIGPROOF_CASES(WholeRig, MpiBandwidthOfAll, every_whole_rig);

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
