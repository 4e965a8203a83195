// Every half that the rig file names is there, up, at its rate and MTU, set as the thresholds want it, and on
// an approved cable. Catches: a NIC off the bus, a swapped half, an unplugged cable, a port that negotiated
// less, FEC or auto-negotiation that the other end does not speak, an overheated module.
#include <fmt/format.h>

#include <algorithm>

#include "suites/preflight/facts_case.h"

namespace rigproof {
namespace {

class HalfLink : public HalfFacts {
 protected:
  // Of the kernel's counters those that move on a sound link.
  [[nodiscard]] static bool is_traffic(const std::string& counter) {
    return counter.ends_with("_bytes") || counter.ends_with("_packets") || counter == "multicast";
  }
};

TEST_P(HalfLink, IsTheDeviceOfTheRigFile) {
  look([&](const FactsBook& book) {
    const bool there = here_or_absent(book);
    const auto mac = of_node(book).text({"netdevs", netdev(), "mac"});
    const bool same = there && (!half().mac || mac == half().mac);
    if (there && !same)
      note(netdev() + " has MAC " + mac.value_or("?") + ", the rig file says " + *half().mac);
    judge("preflight.present", count(same ? 1 : 0), finding());
  });
}

TEST_P(HalfLink, IsUp) {
  look([&](const FactsBook& book) {
    const NodeFacts& facts = of_node(book);
    const bool there = here_or_absent(book);
    const bool carrier = facts.number({"netdevs", netdev(), "carrier"}) == 1;
    const bool up = facts.flag({"netdevs", netdev(), "up"}).value_or(carrier);
    if (there && !up) note(netdev() + " is administratively down");
    if (there && up && !carrier) note(netdev() + " has no carrier");
    judge("preflight.up", count(there && up && carrier ? 1 : 0), finding());
  });
}

TEST_P(HalfLink, RunsAtThePortsRate) {
  judge_number("preflight.speed", "speed_bits_per_s", Dimension::kDataRate);
}
TEST_P(HalfLink, HasItsMtu) { judge_number("preflight.mtu", "mtu", Dimension::kDataSize); }
TEST_P(HalfLink, NegotiatesAsWanted) { judge_text("preflight.autoneg", "autoneg"); }
TEST_P(HalfLink, UsesTheWantedFec) { judge_texts("preflight.fec", "fec"); }
TEST_P(HalfLink, TellsItsPauseState) { judge_text("preflight.pause", "pause"); }
TEST_P(HalfLink, TellsItsPriorityFlowControl) { judge_text("preflight.pfc", "pfc"); }
TEST_P(HalfLink, TellsItsCongestionControl) { judge_text("preflight.ecn", "ecn"); }
TEST_P(HalfLink, HasTheWantedDriver) { judge_text("preflight.driver", "driver"); }
TEST_P(HalfLink, HasTheWantedFirmware) { judge_text("preflight.firmware", "firmware"); }

TEST_P(HalfLink, OffloadsSegmentation) {
  look([&](const FactsBook& book) {
    const bool there = here_or_absent(book);
    for (const char* offload : {"tso", "gso", "gro"}) {
      const auto found =
          there ? find_text(of_node(book), {"netdevs", netdev(), "offloads", offload}) : absent();
      judge("preflight.offloads", found, {subject().half.node, offload, {{"offload", offload}}});
    }
  });
}

TEST_P(HalfLink, IsOnAnApprovedCable) {
  look([&](const FactsBook& book) {
    const bool there = here_or_absent(book);
    const auto part = find_text(of_node(book), {"netdevs", netdev(), "module", "part_number"});
    const auto vendor = of_node(book).text({"netdevs", netdev(), "module", "vendor"});
    if (vendor) note("the cable is of " + *vendor);
    judge("preflight.cable", there ? part : absent(), finding());
  });
}

TEST_P(HalfLink, KeepsItsModuleCool) {
  look([&](const FactsBook& book) {
    const NodeFacts& facts = of_node(book);
    const bool passive = facts.has({"netdevs", netdev(), "module", "kind"}) &&
                         !facts.has({"netdevs", netdev(), "module", "temperature_c"}) &&
                         !facts.why_unread({"netdevs", netdev(), "module", "temperature_c"});
    if (passive) return record_nothing("preflight.module_celsius", "the module has no sensor", finding());
    judge("preflight.module_celsius",
          as(Dimension::kCount, find_number(facts, {"netdevs", netdev(), "module", "temperature_c"})),
          finding());
  });
}

// What has gone wrong since the driver was loaded, on record; whether it goes on during the run is judged at its end.
TEST_P(HalfLink, TellsWhatWentWrongBefore) {
  look([&](const FactsBook& book) {
    const NodeFacts& facts = of_node(book);
    std::string moved;
    for (const std::string& counter : facts.keys({"netdevs", netdev(), "counters"})) {
      const double value = facts.number({"netdevs", netdev(), "counters", counter}).value_or(0);
      if (value != 0 && !is_traffic(counter))
        moved += fmt::format("{}{} {}", moved.empty() ? "" : ", ", counter, value);
    }
    const bool known = facts.has({"netdevs", netdev(), "counters"});
    judge("preflight.counters",
          known ? Found<std::string>{moved.empty() ? "none has moved" : moved, {}}
                : find_text(facts, {"netdevs", netdev(), "counters"}),
          finding());
  });
}

RIGPROOF_CASES(EachHalf, HalfLink, every_half);

}  // namespace
}  // namespace rigproof
