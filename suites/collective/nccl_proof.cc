// Proves the preconditions of every NCCL figure: the same NCCL and CUDA on both nodes, code for this GPU, and every channel
// by RDMA over the rails with all halves in use, by NCCL's log and by the halves' counters. Also measures the CPU time.
// Catches: a stale or foreign NCCL build, a fallback to sockets or the management network (also if it is fast), an unused
// half, a log that the counters contradict, a spinning CPU.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "fixtures/collective/operation.h"
#include "fixtures/counters/traffic.h"
#include "fixtures/flows/management_traffic.h"
#include "fixtures/nccl/transport_log.h"
#include "suites/collective/nccl_case.h"

namespace rigproof::collective {

RIGPROOF_METRICS({"collective.nccl.cpu", "CPU under NCCL", "How busy NCCL keeps a node's CPUs.",
                  "The data goes over sockets."},
                 {"collective.nccl.rdma", "NCCL uses RDMA", "Every channel of NCCL goes over RDMA.",
                  "NCCL found no RDMA device and fell back to sockets."},
                 {"collective.nccl.halves", "NCCL uses every half", "NCCL moves data over every half.",
                  "NCCL_IB_HCA names some of the devices only."},
                 {"collective.nccl.management", "NCCL stays off the management network",
                  "Hardly any of the load crosses the management network.",
                  "NCCL chose the wrong interface."},
                 {"collective.nccl.*", "NCCL", "NCCL is set up and works as this rig needs it.",
                  "See what the finding says, and NCCL's log in the folder logs."});

namespace {

using namespace std::chrono_literals;

class NcclInstalled : public NcclCase<NodePath> {};
RIGPROOF_TEST(NcclInstalled, IsTheSameOnBothNodes, Reports::count("collective.nccl.versions"),
              Reports::text("collective.nccl.version")) {
  std::set<std::string> nccl, cuda;
  phase("compare", 30s, [&] {
    std::string why_not;
    const nccl::NcclInstallation own = nccl::checked_installation(rig(), why_not);
    if (!why_not.empty()) not_proven(why_not);
    note("NCCL " + own.nccl + ", CUDA " + own.cuda);
    found("collective.nccl.version", own.nccl, {.node = node()});
    const auto versions = ranks().share(own.nccl), runtimes = ranks().share(own.cuda);
    for (const std::size_t node : {subject().from, subject().to}) {
      nccl.insert(versions.at(node));
      cuda.insert(runtimes.at(node));
    }
  });
  if (!reports()) return;
  report("collective.nccl.versions", count(nccl.size()), "NCCL");
  report("collective.nccl.versions", count(cuda.size()), "CUDA");
}
RIGPROOF_CASES(EachPair, NcclInstalled, nccl::every_gpu_pair);

// The halves by which NCCL reaches the other ranks' nodes.
std::vector<HalfRef> leading_halves(const Rig&, const NodePath& pair, std::size_t node) {
  return pair.halves_of(node);
}
std::vector<HalfRef> leading_halves(const Rig& rig, const AllNodes&, std::size_t node) {
  return rig.compute_halves_of(node);
}
// Uses every channel, and crosses each node's rails once or more in both directions.
constexpr Operation load_of(const NodePath&) { return Operation::kSendRecv; }
constexpr Operation load_of(const AllNodes&) { return Operation::kAllReduce; }

std::string name_of(const NodePath&, const nccl::NcclChannel& channel) {
  return fmt::format("channel {:02} {} rank {}", channel.number, channel.sends ? "to" : "from",
                     channel.sends ? channel.to : channel.from);
}
std::string name_of(const AllNodes&, const nccl::NcclChannel& channel) {
  return fmt::format("channel {:02} of rank {} {} rank {}", channel.number, channel.rank(),
                     channel.sends ? "to" : "from", channel.sends ? channel.to : channel.from);
}

template <class SubjectType>
class NcclTransportCase : public NcclCase<SubjectType> {
 protected:
  using RigTest<SubjectType>::subject;
  using RigTestBase::node, RigTestBase::note, RigTestBase::record, RigTestBase::report, RigTestBase::rig,
      RigTestBase::wait, RigTestBase::windows;

  void prove() {
    if (!this->connect()) return;
    const Counted counted = load();
    if (this->reports()) this->report("collective.nccl.device_code", count(1));
    if (!counted.halves) return;
    const nccl::TransportLog log = this->engine()->log();
    const nccl::TransportProof proof = nccl::prove_transport(
        log, this->rig().node(this->node()), leading_halves(this->rig(), this->subject(), this->node()));
    report_log(log, proof);
    report_counters(*counted.halves, proof, counted.payload);
    if (counted.management)
      report("collective.nccl.management",
             ratio(static_cast<double>(counted.management->bytes()) / counted.payload));
  }

 private:
  struct Counted {
    double payload = 0;  // bytes that each node at least sent; it received as many
    std::optional<counters::HalfTraffic> halves = {};  // not set: this node takes no part
    std::optional<DataSize> management = {};
  };

  [[nodiscard]] bool uses_all_gpus() const {
    const auto ranks = std::ranges::count(this->members(), node());
    return nccl::uses_all_gpus(rig().node(node()), static_cast<std::size_t>(ranks));
  }

  // Sends over every channel.
  [[nodiscard]] Counted load() {
    Counted counted;
    this->phase("read the counters", 15s, [&] {
      if (this->engine() != nullptr) counted.halves.emplace(rig(), node());
    });
    const flows::ManagementTraffic management(rig(), node());
    const DataSize size = sweep_sizes(Operation::kSendRecv, Profile::kSmoke, this->paths_rate()).front();
    const CollectiveResult result =
        this->run({load_of(subject()), size}, {.warm_up = 0s, .window = windows().window, .blocks = 1});
    this->measure("settle", 30s, [&] {
      counted.management = management.exchanged(this->ranks());
      wait(counters::settle_time(rig().node(node())));
      if (counted.halves) counted.halves->close();
    });
    if (load_of(subject()) != Operation::kSendRecv && this->reports()) this->record_choice(result.spec);
    counted.payload = static_cast<double>(result.spec.size.bytes()) * static_cast<double>(result.operations);
    return counted;
  }

  void report_log(const nccl::TransportLog& log, const nccl::TransportProof& proof) {
    for (const std::string& finding : proof.findings) note(finding);
    const auto channels = static_cast<double>(proof.channels);
    report("collective.nccl.channels", count(channels));
    report("collective.nccl.foreign", count(proof.foreign));
    const auto halves = static_cast<double>(proof.used.size() + proof.unused.size());
    const Quantity used = ratio(static_cast<double>(proof.used.size()) / halves);
    uses_all_gpus() ? report("collective.nccl.halves", used) : record("collective.nccl.halves", used);
    std::map<std::string, std::set<std::string>> ways;  // a channel may have two connections to a peer
    for (const nccl::NcclChannel& channel : log.channels)
      ways[name_of(subject(), channel)].insert(describe_way(channel));
    for (const auto& [channel, found] : ways)
      this->found("collective.nccl.way", fmt::format("{}", fmt::join(found, "; ")),
                  {.node = node(), .detail = channel});
    for (const auto& [name, value] : nccl::variables_in_effect())
      this->found("collective.nccl.variable", value, {.node = node(), .detail = name});
    if (proof.channels == 0) return;
    report("collective.nccl.rdma", ratio(static_cast<double>(proof.by_rdma) / channels));
    record("collective.nccl.gdr", ratio(static_cast<double>(proof.gdr) / channels));
  }

  // Compares the halves' counters with the log's claims. An unreadable counter counts as 0.
  void report_counters(const counters::HalfTraffic& traffic, const nccl::TransportProof& proof,
                       double payload) {
    double tx = 0, rx = 0;
    for (const counters::HalfTraffic::Entry& half : traffic.halves()) {
      if (!half.tx || !half.rx) note(half.netdev + ": can't be read: " + half.counter);
      const auto sent = static_cast<double>(half.tx.value_or(0)),
                 received = static_cast<double>(half.rx.value_or(0));
      tx += sent;
      rx += received;
      const auto claimed = proof.shares.find(half.netdev);
      if (claimed == proof.shares.end()) continue;
      const auto& [sends, receives] = claimed->second;
      if (proof.both_ways) {
        report_moved(half, "tx and rx", sent + received, payload * (sends + receives));
        continue;
      }
      report_moved(half, "tx", sent, payload * sends);
      report_moved(half, "rx", received, payload * receives);
    }
    report("collective.nccl.carried", ratio(tx / payload), "tx");
    report("collective.nccl.carried", ratio(rx / payload), "rx");
  }

  void report_moved(const counters::HalfTraffic::Entry& half, const char* direction, double moved,
                    double claimed) {
    if (claimed == 0) return;
    report("collective.nccl.moved", ratio(moved / claimed), half.netdev + " " + direction);
    if (2 * moved < claimed)
      note(fmt::format("by NCCL's log {} carried {:.0f} B ({}), but {} counted {:.0f} B", half.netdev,
                       claimed, direction, half.counter, moved));
  }
};

std::vector<Reports> of_transport(const Reports& halves) {
  return {Reports::count("collective.nccl.device_code"),
          Reports::count("collective.nccl.channels"),
          Reports::count("collective.nccl.foreign"),
          halves,
          Reports::ratio("collective.nccl.rdma"),
          Reports::ratio("collective.nccl.carried"),
          Reports::ratio("collective.nccl.moved"),
          Reports::count("collective.nccl.wrong"),
          Reports::ratio("collective.nccl.management")
              .on_nodes_with("a management netdev in the rig file", has_management)};
}

class NcclTransport : public NcclTransportCase<NodePath> {};
bool has_one_gpu(const Node& node) { return nccl::uses_all_gpus(node, 1); }
RIGPROOF_TEST(NcclTransport, IsRdmaOverEveryHalf,
              of_transport(Reports::ratio("collective.nccl.halves").on_nodes_with("one GPU", has_one_gpu))) {
  prove();
}
RIGPROOF_CASES(EachPair, NcclTransport, nccl::every_gpu_pair);

// By the logs of all ranks of a node together, and the counters of all its halves.
class NcclTransportOfAll : public NcclTransportCase<AllNodes> {};
RIGPROOF_TEST(NcclTransportOfAll, IsRdmaOverEveryHalf,
              of_transport(Reports::ratio("collective.nccl.halves"))) {
  prove();
}
RIGPROOF_CASES(AllNodes, NcclTransportOfAll, nccl::all_gpus_together);

// Measured in CPUs, because a share of the node would depend on its size. The spinning of NCCL's proxy is left out.
class NcclCpu : public NcclCase<NodePath> {};
RIGPROOF_TEST(NcclCpu, StaysIdle, Reports::count("collective.nccl.cpu"),
              Reports::count("collective.nccl.wrong")) {
  if (!connect()) return;
  const host::CpuUse before = measure("baseline", windows().window + 30s, [&] {
    const host::CpuTimes start = host::read_cpu_times();
    wait(windows().window);
    return cpu_use(start, host::read_cpu_times());
  });
  const DataSize size = sweep_sizes(Operation::kSendRecv, Profile::kSmoke, paths_rate()).back();
  const CollectiveResult result = run(
      {Operation::kSendRecv, size}, {.warm_up = windows().warm_up, .window = windows().window, .blocks = 2});
  if (engine() == nullptr) return;
  const auto cpus = static_cast<double>(host::read_cpu_times().cpus.size());
  const double busy = (result.cpu.busy - before.busy) * cpus;
  report("collective.nccl.cpu", count(std::max(0.0, busy - result.own_spinning)));
  record("collective.nccl.cpu_proxy", count(result.own_spinning));
  record("collective.nccl.cpu_baseline", ratio(before.busy));
  record("collective.nccl.cpu_busiest", ratio(result.cpu.busiest));
  record("collective.nccl.cpu_softirq", ratio(result.cpu.softirq));
}
RIGPROOF_CASES(EachPair, NcclCpu, nccl::every_gpu_pair);

}  // namespace
}  // namespace rigproof::collective
