// TCP payload rate at the receiver: one stream, sixteen on one half, both halves of a port, all halves of a node, both
// directions at once. Catches: a half at half rate (also in one direction only), a PCIe link trained narrow, an unused half,
// a port shaped to one half's rate, a lossy hop, a competing load, traffic that pauses, a path that loses its share to
// another, data corruption that TCP's checksum misses.
#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "fixtures/flows/flows.h"
#include "framework/rig/many_to_one.h"
#include "framework/rig/several_rails.h"
#include "framework/runner/rig_test.h"

namespace rigproof::tcp {

RIGPROOF_METRICS({"tcp.rate.one_stream", "One TCP stream",
                  "What one TCP stream carries over one half. One CPU core limits it.",
                  "A busy core, small buffers, or losses."},
                 {"tcp.rate.half", "One half, one way",
                  "What parallel TCP streams carry over one half, in one direction.",
                  "Losses, a narrow PCIe link, an MTU that is too small, or a busy CPU."},
                 {"tcp.rate.both_ways", "One half, both ways at once",
                  "What each direction of a half carries while the other is busy.",
                  "A half that slows down while it also receives."},
                 {"tcp.rate.port", "Both halves of a port", "What both halves of one port carry together.",
                  "One half is slow or dead, or the cable carries less."},
                 {"tcp.rate.node", "All halves of two nodes",
                  "What all halves between two nodes carry together. TCP is limited by the CPU.",
                  "A dead path, or a busy CPU."},
                 {"tcp.rate.many_to_one", "Many nodes to one port",
                  "What the other nodes, up to 15 of them, carry together to one port of a node.",
                  "A switch that drops or shapes where several ports send to one."},
                 {"tcp.many_to_one.share", "Even shares of one port",
                  "The part of a sender, of several that send to one port, as a share of an even part.",
                  "A switch serves one of its ports before others, or drops what one sender sends."},
                 {"tcp.retransmits", "Retransmissions", "The share of TCP data that was sent again.",
                  "A hop drops packets."},
                 {"tcp.data_differs", "TCP data is right", "What TCP delivered is what was sent.",
                  "Faulty memory or NIC: TCP's checksum was right."});

namespace {

[[maybe_unused]] const bool kSuite = declare_suite({.title = "Round trips and rates by TCP",
                                                    .order = 6,
                                                    .first_look = "*RailRate.FillsTheHalf*:*NodeRate*",
                                                    .case_seconds = {0.9, 2.6, 10.6}});

constexpr std::size_t kOneStream = 1;
constexpr std::size_t kManyStreams = 16;
constexpr std::size_t kStreamsBesideOthers = 8;

template <class SubjectType>
class StreamRate : public RigTest<SubjectType> {
 protected:
  // The streams of the last paths open their windows beside the load of the others: where the CPUs were the ceiling, the
  // last of four paths had 20 to 60 % of its share 0.2 to 0.5 s after the start, and 80 % after a second.
  [[nodiscard]] std::chrono::milliseconds warm_up_of(std::size_t paths) const {
    const auto one = this->windows().warm_up;
    return std::max(one, std::min<std::chrono::milliseconds>(paths * one, std::chrono::seconds(2)));
  }

  // Loads the paths together. Notes those that are dead, reports how the data compares, and the CPU.
  [[nodiscard]] flows::Flows sent(const std::vector<RailPath>& paths, std::size_t streams) {
    const LoadWindow window{warm_up_of(paths.size()), this->windows().window, this->windows().intervals};
    flows::Flows flows = this->phase("connect", std::chrono::seconds(30), [&] {
      return flows::Flows(this->rig(), this->ranks(), paths, {.streams = streams});
    });
    this->measure("send", window.warm_up + window.window + std::chrono::seconds(30),
                  [&] { flows.run(window); });
    for (const std::string& path : flows.dead_paths()) this->note(path);
    this->report_data(flows);
    this->record("tcp.cpu_busy", ratio(flows.cpu().busy));
    this->record("tcp.cpu_softirq", ratio(flows.cpu().softirq));
    return flows;
  }

  // Measures the paths together. Reports what arrived at their receiving nodes, and losses at their sending nodes.
  void run(std::string_view id, const std::vector<RailPath>& paths, std::size_t streams) {
    const flows::Flows flows = sent(paths, streams);
    if (const auto rates = flows.path_rates(); !rates.empty()) this->report(id, rates);
    if (const auto again = flows.retransmitted()) {
      this->report("tcp.retransmits", ratio(again->lost));
      this->record("tcp.needless_retransmits", ratio(again->needless));
    }
  }
};

std::vector<Reports> of_load(Reports rate) {
  return {std::move(rate), Reports::ratio("tcp.retransmits").where_there(),
          Reports::count("tcp.data_differs")};
}

class RailRate : public StreamRate<RailPath> {};
RIGPROOF_TEST(RailRate, OfOneStream, of_load(Reports::sustained("tcp.rate.one_stream"))) {
  run("tcp.rate.one_stream", {subject()}, kOneStream);
}
RIGPROOF_TEST(RailRate, FillsTheHalf, of_load(Reports::sustained("tcp.rate.half"))) {
  run("tcp.rate.half", {subject()}, kManyStreams);
}
RIGPROOF_CASES(EachRail, RailRate, every_rail_path);

class PortRate : public StreamRate<PortPath> {};
RIGPROOF_TEST(PortRate, FillsThePortByBothHalves, of_load(Reports::sum_of_paths("tcp.rate.port"))) {
  run("tcp.rate.port", subject().paths, kStreamsBesideOthers);
}
std::vector<PortPath> every_shared_port_path(const Rig& rig) {
  return over_several_rails(every_port_path(rig));
}
RIGPROOF_CASES(EachPort, PortRate, every_shared_port_path);

class NodeRate : public StreamRate<NodePath> {};
RIGPROOF_TEST(NodeRate, OfAllHalves, of_load(Reports::sum_of_paths("tcp.rate.node"))) {
  run("tcp.rate.node", subject().paths, kStreamsBesideOthers);
}
RIGPROOF_CASES(EachNode, NodeRate, every_node_path);

// Many nodes send to one port at once. Catches: a switch that drops or shapes where several ports send to one, and a
// sender that loses its share to the others. Each pair of nodes alone shows neither.
class ManyToOne : public StreamRate<PortSubject> {
 protected:
  // Each sender's part of what arrived, as a share of an even part; on the receiver's node.
  void report_senders(const flows::Flows& flows, const std::vector<RailPath>& paths) {
    std::vector<double> rates;
    for (std::size_t path = 0; path < paths.size(); ++path) rates.push_back(flows.rates(path).median());
    for (const auto& [sender, part] : parts_of_senders(paths, rates))
      report("tcp.many_to_one.share", ratio(part), rig().node(sender).name);
  }
};
RIGPROOF_TEST(ManyToOne, FillTheReceiversPort,
              Reports::sustained("tcp.rate.many_to_one").on_rigs_with(kPortOfMany, has_port_of_many),
              Reports::ratio("tcp.many_to_one.share").on_rigs_with(kPortOfMany, has_port_of_many),
              Reports::count("tcp.data_differs")) {
  const std::vector<RailPath> paths = paths_to(rig(), subject().port);
  const flows::Flows flows = sent(paths, kStreamsBesideOthers);
  if (const auto again = flows.retransmitted()) record("tcp.many_to_one.retransmits", ratio(again->lost));
  if (!here(subject().port.node)) return;
  report("tcp.rate.many_to_one", sum_of(flows.path_rates()));
  report_senders(flows, paths);
}
RIGPROOF_CASES(EachPort, ManyToOne, every_port_of_many);

class DuplexRate : public StreamRate<RailPath> {};
RIGPROOF_TEST(DuplexRate, HoldsInBothDirectionsAtOnce, of_load(Reports::sustained("tcp.rate.both_ways"))) {
  run("tcp.rate.both_ways", {subject(), reversed(rig(), subject())}, kStreamsBesideOthers);
}
RIGPROOF_CASES(EachRail, DuplexRate, every_rail_pair);

}  // namespace
}  // namespace rigproof::tcp
