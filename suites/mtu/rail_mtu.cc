// Proves per direction that a full-size packet with fragmentation forbidden crosses the rail; if not, bisection finds the
// largest size that does. Then full-size packets spread over a window must all arrive, once and in order: loss is reported as
// loss, not as a small MTU. Catches: MTU 1500 on one hop, an MTU reduced in one direction only, a switch's L2MTU, a black
// hole, loss, packets that arrive twice or overtake others, traffic that pauses. Packets from many ports must arrive, too:
// switches and routers choose the member of a LAG or one of several equal routes by the ports, and one of these can be dead.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fixtures/flows/probe_path.h"
#include "framework/runner/rig_test.h"

namespace rigproof::mtu {

RIGPROOF_METRICS({"mtu.path", "Full MTU, end to end",
                  "The largest packet that crosses the rail unfragmented has the full MTU.",
                  "A hop has a smaller MTU; often the switch's L2MTU."},
                 {"mtu.loss", "No loss of full-size packets",
                  "A train of full-size packets arrives whole and undamaged on an idle rail.",
                  "A marginal cable, a lane, or a full queue on the way."},
                 {"mtu.flows", "Each flow arrives",
                  "Full-size packets from each of 64 ports arrive. With eight equal ways between the nodes, "
                  "64 ports leave one out in "
                  "2 of 1,000 looks.",
                  "A member of a LAG, or one of several equal routes, loses what it gets."},
                 {"mtu.duplicates", "Each packet arrives once", "No packet that was sent once arrives twice.",
                  "A loop, a port that mirrors into the path, or two members of a bond that both forward."},
                 {"mtu.out_of_order", "Packets keep their order",
                  "Full-size packets of one flow arrive in the order in which they were sent.",
                  "Something on the way spreads the packets of a flow over several links, or delays some."});

namespace {

[[maybe_unused]] const bool kSuite = declare_suite({.title = "Full-size packets on every rail",
                                                    .order = 5,
                                                    .first_look = "*RailMtu*",
                                                    .case_seconds = {0.63, 2.5, 14}});

constexpr std::size_t kFlows = 64;

class RailMtu : public RigTest<RailPath> {
 protected:
  struct Found {
    DataSize largest = DataSize::bytes(0);         // that passes; 0 B: none
    std::size_t sent = 0, lost = 0;                // of that size
    std::size_t duplicates = 0, out_of_order = 0;  // of any size, on the receiver's rank
    flows::ProbePath::Flows flows = {};
    std::optional<std::string> dead = {};
    std::vector<std::string> strangers = {};
  };
  // Collective.
  [[nodiscard]] Found probe() const {
    flows::ProbePath path(rig(), ranks(), subject(), windows().repeats);
    if (path.dead()) return {.dead = path.dead()};
    const DataSize full = rig().half(subject().from).mtu;
    Found found{.largest = net::largest_packet(full, [&](DataSize size) { return path.carries(size); })};
    if (found.largest.bytes() > 0) {
      const net::ProbeTrain train = net::probe_train(found.largest, subject().rate(), windows().window);
      const auto [sent, lost] = path.send_train(found.largest, train);
      found.sent = sent;
      found.lost = lost;
    }
    found.duplicates = path.duplicates();
    found.out_of_order = path.out_of_order();
    found.strangers = path.strangers();
    flows::ProbePath spread(rig(), ranks(), subject(), 2, kFlows);
    if (!spread.dead()) found.flows = spread.send_flows(std::max(found.largest, net::kSmallestProbe));
    return found;
  }
  void report_flows(const flows::ProbePath::Flows& flows) {
    report("mtu.flows", ratio(static_cast<double>(flows.passed) / kFlows));
    if (flows.passed == 0 || flows.passed == kFlows) return;
    note(fmt::format(
        "packets from {} of {} ports arrive, and from the others none: one of several ways is dead",
        flows.passed, kFlows));
    if (!flows.routers.empty())
      note(
          fmt::format("the packets that are lost pass {}, and no others do", fmt::join(flows.routers, ", ")));
  }
};

RIGPROOF_TEST(RailMtu, CarriesFullSizePackets, Reports::size("mtu.path"), Reports::ratio("mtu.loss"),
              Reports::ratio("mtu.flows"), Reports::count("mtu.duplicates"),
              Reports::ratio("mtu.out_of_order")) {
  const Found found = measure("probe", std::chrono::seconds(45) + windows().window, [&] { return probe(); });
  if (!here(subject().to.node)) return;
  if (found.dead) note(*found.dead);
  found_strangers(found.strangers);
  report("mtu.path", found.largest);
  const auto lost = static_cast<double>(found.lost), sent = static_cast<double>(found.sent);
  report("mtu.loss", ratio(found.sent == 0 ? 1 : lost / sent));
  report_flows(found.flows);
  report("mtu.duplicates", count(found.duplicates));
  report("mtu.out_of_order", ratio(static_cast<double>(found.out_of_order) / std::max(sent, 1.0)));
}

RIGPROOF_CASES(EachRail, RailMtu, every_rail_path);

}  // namespace
}  // namespace rigproof::mtu
