// Proves that packets keep the class of service of their rail: probes with the rig file's traffic class in the IP header
// arrive with it. Catches: a port or a switch that rewrites or clears DSCP, so that a lossless class ends half-way; a path that
// drops one class; ECN bits that are cleared, so that congestion control never slows down a sender.
#include <fmt/format.h>

#include "fixtures/flows/probe_path.h"
#include "framework/runner/rig_test.h"

namespace rigproof::link {

RIGPROOF_METRICS(
    {"link.class", "Packets keep their class",
     "Probes in the rail's traffic class arrive with the same DSCP and ECN bits, congestion marks apart.",
     "A port or switch does not trust DSCP and rewrites it, or drops the class."});

namespace {

constexpr std::size_t kProbes = 20, kLeast = 18;  // fewer arrive: the class is dropped on the way

using Arrivals = std::map<std::uint8_t, std::size_t>;

std::string class_text(std::uint8_t traffic_class) {
  return fmt::format("{} (DSCP {}, ECN bits {})", traffic_class, traffic_class >> 2, traffic_class & 3);
}

// Collective, within a phase. On the receiver's rank: probes by the class in which they arrived.
Arrivals classes_along(const Rig& rig, RankGroup& ranks, const RailPath& path, std::uint8_t sent) {
  flows::ProbePath probe(rig, ranks, path, 1);
  return probe.dead() ? Arrivals() : probe.classes_of(sent, kProbes);
}

class RailClass : public RigTest<RailPath> {};

RIGPROOF_TEST(RailClass, Arrives, Reports::count("link.class")) {
  const std::uint8_t sent = rig().rail_of(subject().from).service.value_or(ServiceClass{}).traffic_class;
  const Arrivals arrived = measure("probes in the rail's class", std::chrono::seconds(15),
                                   [&] { return classes_along(rig(), ranks(), subject(), sent); });
  if (!here(subject().to.node)) return;
  std::size_t marked = 0, all = 0;
  for (const auto& [traffic_class, probes] : arrived) all += probes;
  bool kept = all >= kLeast;
  if (!kept) note(fmt::format("{} of {} probes of traffic class {} arrive", all, kProbes, class_text(sent)));
  for (const auto& [traffic_class, probes] : arrived) {
    const net::ClassChange change = net::class_change(sent, traffic_class);
    if (change == net::ClassChange::kMarked) marked += probes;
    if (change != net::ClassChange::kForbidden) continue;
    kept = false;
    note(fmt::format("{} probes of traffic class {} arrive as {}", probes, class_text(sent),
                     class_text(traffic_class)));
  }
  report("link.class", count(kept ? 1 : 0));
  record("link.class.marked", count(static_cast<double>(marked)));
}

RIGPROOF_CASES(EachRail, RailClass, every_rail_path);

}  // namespace
}  // namespace rigproof::link
