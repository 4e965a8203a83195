// Proves for every node: NCCL sends in the class of service that the rig file gives its rails, in which all loads of RDMA run,
// and the halves may pause that class. Catches: jobs in class 0 on a fabric whose lossless class is another one; loads in
// another class than the jobs; priority flow control that is off, or on for another priority than the class has.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {

RIGPROOF_METRICS({"preflight.nccl.class", "NCCL sends in the rails' class",
                  "NCCL_IB_TC and NCCL_IB_SL in effect are the traffic class and service level of each rail.",
                  "nccl.conf does not set NCCL_IB_TC, or sets another class: jobs leave the lossless class."},
                 {"preflight.class.lossless", "The class of the rail is lossless",
                  "The half has priority flow control for the priority of its rail's class of service.",
                  "PFC is off or on for another priority, or the NIC does not trust DSCP."},
                 {"preflight.nccl.class_left_out", "NCCL's class in the rig file",
                  "The rig file names the class of service in which NCCL sends.",
                  "NCCL_IB_TC is set, but the rig file has no traffic_class: loads of RDMA run in class 0."});

namespace {

constexpr const char* kNoDcb = "Operation not supported";  // EOPNOTSUPP of a driver without DCB

// The upper six bits of an IP packet's traffic class.
int dscp_of(const ServiceClass& service) { return service.traffic_class >> 2; }

// NCCL's settings in effect.
struct NcclClass {
  explicit NcclClass(const facts::NcclSettings& settings)
      : traffic_class(settings.number("NCCL_IB_TC")), service_level(settings.number("NCCL_IB_SL")) {}
  long traffic_class, service_level;

  [[nodiscard]] bool is(const ServiceClass& wanted) const {
    return traffic_class == wanted.traffic_class && service_level == wanted.service_level;
  }
};

// NCCL has one class for all devices that it uses.
bool is_for_nccl(const Rig& rig, HalfRef half) {
  return rig.half(half).rdma && rig.port(half).use == PortUse::kCompute;
}
bool has_class(const Rig& rig, HalfRef half) { return is_for_nccl(rig, half) && rig.rail_of(half).service; }

bool has_rail_with_class(const Rig& rig) {
  return std::ranges::any_of(rig.rails, [&](const Rail& rail) {
    return std::ranges::any_of(rail.halves, [&](HalfRef half) { return has_class(rig, half); });
  });
}
bool has_rdma_without_class(const Rig& rig) { return has_rdma(rig) && !has_rail_with_class(rig); }

class NodeClass : public NodeCase {
 protected:
  // Rails in another class than NCCL's; a note for each.
  std::size_t rails_in_other_classes(const NcclClass& nccl) {
    std::size_t others = 0;
    for (const HalfRef half : rig().halves_of(subject().node)) {
      if (!is_for_nccl(rig(), half)) continue;
      const Rail& rail = rig().rail_of(half);
      const ServiceClass wanted = rail.service.value_or(ServiceClass{});
      if (nccl.is(wanted)) continue;
      ++others;
      note(fmt::format("{}: the rig file has traffic_class {} and service_level {}{}, NCCL uses {} and {}",
                       rail.name, wanted.traffic_class, wanted.service_level,
                       rail.service ? "" : " (it names none)", nccl.traffic_class, nccl.service_level));
    }
    return others;
  }

  // The class of the node's first rail that has one, for the remedy.
  [[nodiscard]] RemedyValues wanted() const {
    for (const HalfRef half : rig().halves_of(subject().node))
      if (has_class(rig(), half)) {
        const ServiceClass& service = *rig().rail_of(half).service;
        return {{"traffic_class", std::to_string(service.traffic_class)},
                {"service_level", std::to_string(service.service_level)}};
      }
    return {};
  }
};

RIGPROOF_TEST(
    NodeClass, IsTheClassOfNccl,
    Reports::count("preflight.nccl.class").on_rigs_with("a class of service for RDMA", has_rail_with_class),
    Reports::count("preflight.nccl.class_left_out")
        .on_rigs_with("RDMA without a class of service", has_rdma_without_class)) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = node_of(all);
    const auto settings = facts.nccl_settings();
    const std::string unread = settings.unread ? settings.why() : "";
    const NcclClass nccl(*settings.value);
    const bool has_nccl = facts.version("nccl").value || !settings.value->empty();
    if (has_rail_with_class(rig()) && !has_nccl)
      report_nothing_to_judge("preflight.nccl.class", "neither NCCL nor a setting of it on this node",
                              about());
    else if (has_rail_with_class(rig()))
      judge_faults("preflight.nccl.class", rails_in_other_classes(nccl), unread, about("", wanted()));
    else
      judge_faults("preflight.nccl.class_left_out", nccl.is({}) ? 0 : 1, unread,
                   about("", {{"traffic_class", std::to_string(nccl.traffic_class)},
                              {"service_level", std::to_string(nccl.service_level)}}));
  });
}

std::vector<NodeSubject> nodes_of_rigs_with_rdma(const Rig& rig) {
  return has_rdma(rig) ? every_node(rig) : std::vector<NodeSubject>();
}
RIGPROOF_CASES(EachNode, NodeClass, nodes_of_rigs_with_rdma);

class HalfClass : public HalfCase {};

RIGPROOF_TEST(HalfClass, MayBePaused, Reports::count("preflight.class.lossless").where_there()) {
  look([&](const RigFacts& all) {
    constexpr const char* kId = "preflight.class.lossless";
    const facts::Netdev found = netdev_of(all);
    if (!is_there(found)) return judge(kId, count(0), finding());
    if (!found.pfc.unread && !found.pfc.value)
      return report_nothing_to_judge(kId, "the driver has no priority flow control", finding());
    if (found.pfc.reason.find(kNoDcb) != std::string::npos)
      return report_nothing_to_judge(kId, found.pfc.why(), finding());
    if (!found.pfc.value) return report_unread(kId, found.pfc, finding());
    const int dscp = dscp_of(*rig().rail_of(subject().half).service);
    bool is_lossless = false;
    if (*found.pfc.value != "off") {
      const facts::Fact<double> priority = node_of(all).priority_of(netdev(), dscp);
      if (!priority.value) return report_unread(kId, priority, finding());
      const std::string wanted = fmt::format("{:.0f}", *priority.value);
      is_lossless = found.pfc.value->find(wanted) != std::string::npos;  // in "priorities 3, 4"
      note(fmt::format("packets with DSCP {} have priority {} at {}, priority flow control has {}", dscp,
                       wanted, netdev(), *found.pfc.value));
    }
    Finding about = card_finding(all);
    about.about["dscp"] = std::to_string(dscp);
    judge(kId, count(is_lossless ? 1 : 0), about);
  });
}

std::vector<HalfSubject> every_half_with_class(const Rig& rig) {
  std::vector<HalfSubject> halves = every_half(rig);
  std::erase_if(halves, [&](const HalfSubject& one) {
    return !rig.half(one.half).rdma || !rig.rail_of(one.half).service;
  });
  return halves;
}
RIGPROOF_CASES(EachHalf, HalfClass, every_half_with_class);

}  // namespace
}  // namespace rigproof::preflight
