// TCP payload rate at the receiver: one stream, sixteen on one half, both halves of a port, all halves of a node, both
// directions at once. Catches: a half at half rate (also in one direction only), a PCIe link trained narrow, an unused half,
// a port shaped to one half's rate, a lossy hop, a competing load, traffic that pauses, a path that loses its share to
// another, data corruption that TCP's checksum misses.
#include "fixtures/flows/flows.h"
#include "framework/runner/rig_test.h"

namespace rigproof::tcp {
namespace {

[[maybe_unused]] const bool kSuite =
    declare_suite({.title = "Round trips and rates by TCP", .order = 6, .case_seconds = {0.78, 2.35, 10.6}});

constexpr std::size_t kOneStream = 1;
constexpr std::size_t kManyStreams = 16;
constexpr std::size_t kStreamsBesideOthers = 8;

template <class SubjectType>
class StreamRate : public RigTest<SubjectType> {
 protected:
  // Measures the paths together. Reports what arrived at their receiving nodes, and losses at their sending nodes.
  void run(std::string_view id, const std::vector<RailPath>& paths, std::size_t streams) {
    const LoadWindow window{this->windows().warm_up, this->windows().window, this->windows().intervals};
    flows::Flows flows = this->phase("connect", std::chrono::seconds(30), [&] {
      return flows::Flows(this->rig(), this->ranks(), paths, {.streams = streams});
    });
    this->measure("send", window.warm_up + window.window + std::chrono::seconds(30),
                  [&] { flows.run(window); });
    for (const std::string& path : flows.dead_paths()) this->note(path);
    if (const auto rates = flows.path_rates(); !rates.empty()) this->report(id, rates);
    this->found_strangers(flows.strangers());
    for (const auto& seen : flows.data_seen()) {
      if (!seen.first.empty()) this->note(seen.first);
      this->report("tcp.data_differs", count(seen.differing_pieces), seen.path);
      this->record("tcp.data_compared", ratio(seen.compared), seen.path);
    }
    if (const auto again = flows.retransmitted()) {
      this->report("tcp.retransmits", ratio(again->lost));
      this->record("tcp.needless_retransmits", ratio(again->needless));
    }
    this->record("tcp.cpu_busy", ratio(flows.cpu().busy));
    this->record("tcp.cpu_softirq", ratio(flows.cpu().softirq));
  }
};

class RailRate : public StreamRate<RailPath> {};
RIGPROOF_TEST(RailRate, OfOneStream, Reports::sustained("tcp.rate.one_stream"),
              Reports::ratio("tcp.retransmits").where_there(), Reports::count("tcp.data_differs")) {
  run("tcp.rate.one_stream", {subject()}, kOneStream);
}
RIGPROOF_TEST(RailRate, FillsTheHalf, Reports::sustained("tcp.rate.half"),
              Reports::ratio("tcp.retransmits").where_there(), Reports::count("tcp.data_differs")) {
  run("tcp.rate.half", {subject()}, kManyStreams);
}
RIGPROOF_CASES(EachRail, RailRate, every_rail_path);

class PortRate : public StreamRate<PortPath> {};
RIGPROOF_TEST(PortRate, FillsThePortByBothHalves, Reports::sum_of_paths("tcp.rate.port"),
              Reports::ratio("tcp.retransmits").where_there(), Reports::count("tcp.data_differs")) {
  run("tcp.rate.port", subject().paths, kStreamsBesideOthers);
}
RIGPROOF_CASES(EachPort, PortRate, every_port_path);

class NodeRate : public StreamRate<NodePath> {};
RIGPROOF_TEST(NodeRate, OfAllHalves, Reports::sum_of_paths("tcp.rate.node"),
              Reports::ratio("tcp.retransmits").where_there(), Reports::count("tcp.data_differs")) {
  run("tcp.rate.node", subject().paths, kStreamsBesideOthers);
}
RIGPROOF_CASES(EachNode, NodeRate, every_node_path);

class DuplexRate : public StreamRate<RailPath> {};
RIGPROOF_TEST(DuplexRate, HoldsInBothDirectionsAtOnce, Reports::sustained("tcp.rate.both_ways"),
              Reports::ratio("tcp.retransmits").where_there(), Reports::count("tcp.data_differs")) {
  run("tcp.rate.both_ways", {subject(), reversed(rig(), subject())}, kStreamsBesideOthers);
}
RIGPROOF_CASES(EachRail, DuplexRate, every_rail_pair);

}  // namespace
}  // namespace rigproof::tcp
