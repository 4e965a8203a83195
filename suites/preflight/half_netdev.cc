// Proves for every half of the rig file: it exists, is up, has its rate and MTU, the settings of the thresholds, an approved
// cable and the planned address; further addresses are reported. A reboot changes none of this. Catches: a NIC off the bus,
// a swapped half, an unplugged cable, a port at a lower rate, FEC or auto-negotiation that the other end does not support,
// an overheated module, a missing or swapped address, GID indices that move with IPv6 addresses, an MTU or address that is
// lost at the next reboot.
#include <algorithm>

#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {

RIGPROOF_METRICS(
    {"preflight.present", "Every half is there",
     "The netdev of the half exists on its node and has the MAC that the rig file states.",
     "The NIC is not on the bus, its driver is not loaded, or the netdev has another name."},
    {"preflight.up", "Every half has its link", "The half has a carrier.",
     "No cable, a port of the switch that is off, or an interface that is down."},
    {"preflight.rate", "Link rate", "The half's link runs at the rate that the rig file states for its port.",
     "The link negotiated a lower rate, or the cable carries less."},
    {"preflight.mtu", "MTU as set", "The netdev has the MTU of the rig file.",
     "The MTU was not set, or a reboot lost it."},
    {"preflight.address", "Every half has its address",
     "The half has the address and prefix of the rig file.",
     "The address is missing, on another half, or another machine has it (IPv6)."},
    {"preflight.address.duplicate", "Nobody else has the IPv6 address",
     "No other machine on the link has the half's address, by the kernel's duplicate address detection.",
     "An address was copied from another machine."},
    {"preflight.address.others", "No other address",
     "The half has no address of the same family but that of the rig file.", "A second one was added."},
    {"preflight.ipv6_off", "IPv6 off on the rails",
     "IPv6 is off on the half, so that the index of its RoCE v2 GID does not move.",
     "IPv6 is on: GIDs move when an address comes or goes."},
    {"preflight.persistent.address", "The address survives a reboot",
     "A configuration file sets the half's address.", "The address was set by hand."},
    {"preflight.persistent.mtu", "The MTU survives a reboot", "A configuration file sets the half's MTU.",
     "The MTU was set by hand."},
    {"preflight.driver", "Driver of the half", "The netdev is driven by the expected driver.",
     "A wrong or old driver is loaded."},
    {"preflight.firmware", "Firmware of the NIC", "The NIC runs the firmware that the thresholds require.",
     "An update was not made on this node.", record::MetricGroup::kInventory},
    {"preflight.fec", "Forward error correction", "The link uses the expected FEC.",
     "The switch's port or the NIC is set to another FEC."},
    {"preflight.autoneg", "Autonegotiation", "Whether the link negotiates is as the thresholds state.",
     "The NIC and the switch are set differently."},
    {"preflight.counters", "Earlier errors",
     "The error counters of the half that are not 0 since its driver was loaded.",
     "Faults before this run. load.* and the suite run show whether they continue."},
    {"preflight.pause", "Pause frames", "Whether the half sends and obeys pause frames.",
     "The NIC and the switch are set differently."},
    {"preflight.pfc", "Priority flow control", "The priorities that the half may pause.",
     "The NIC and the switch are set differently."},
    {"preflight.ecn", "Congestion control", "The priorities with RoCE's congestion control.",
     "It was switched off, or the driver does not show it."},
    {"preflight.cable", "Approved cable", "The module's vendor and part number are on the approved list.",
     "Another cable is plugged, or its EEPROM cannot be read.", record::MetricGroup::kInventory},
    {"preflight.module_celsius", "Module temperature", "The module in the port is not too hot.",
     "Poor cooling, or a failing module."},
    {"preflight.offloads", "Offloads", "Segmentation and receive offloads are on.",
     "Somebody switched them off."});

namespace {

using facts::Netdev;

class HalfLink : public HalfCase {
 protected:
  // True for kernel counters that also grow on a sound link.
  [[nodiscard]] static bool is_traffic(const std::string& counter) {
    return counter.ends_with("_bytes") || counter.ends_with("_packets") || counter == "multicast";
  }
};

RIGPROOF_TEST(HalfLink, IsTheDeviceOfTheRigFile, Reports::count("preflight.present")) {
  look([&](const RigFacts& all) {
    const Netdev found = netdev_of(all);
    const bool there = is_there(found);
    const bool same = there && (!half().mac || found.mac.value == half().mac);
    if (there && !same)
      note(netdev() + " has MAC " + found.mac.value.value_or("?") + ", the rig file says " + *half().mac);
    judge("preflight.present", count(same ? 1 : 0), finding());
  });
}

RIGPROOF_TEST(HalfLink, IsUp, Reports::count("preflight.up")) {
  look([&](const RigFacts& all) {
    const Netdev found = netdev_of(all);
    const bool there = is_there(found), carrier = found.carrier.value.value_or(false);
    const bool up = found.up.value.value_or(carrier);
    if (there && found.up.value.value_or(true) && !found.carrier.value && found.carrier.unread)
      return report_unread("preflight.up", found.carrier, finding());
    if (there && !up) note(netdev() + " is administratively down");
    if (there && up && !carrier) note(netdev() + " has no carrier");
    judge("preflight.up", count(there && up && carrier ? 1 : 0), finding());
  });
}

RIGPROOF_TEST(HalfLink, RunsAtThePortsRate, Reports::rate("preflight.rate")) {
  judge_fact("preflight.rate", &Netdev::speed);
}
RIGPROOF_TEST(HalfLink, HasItsMtu, Reports::size("preflight.mtu")) {
  judge_fact("preflight.mtu", &Netdev::mtu);
}
RIGPROOF_TEST(HalfLink, NegotiatesAsWanted, Reports::text("preflight.autoneg")) {
  judge_card_fact("preflight.autoneg", &Netdev::autoneg);
}
RIGPROOF_TEST(HalfLink, UsesTheWantedFec, Reports::text("preflight.fec")) {
  judge_card_fact("preflight.fec", &Netdev::fec);
}
RIGPROOF_TEST(HalfLink, TellsItsPauseState, Reports::text("preflight.pause")) {
  judge_card_fact("preflight.pause", &Netdev::pause);
}
RIGPROOF_TEST(HalfLink, TellsItsPriorityFlowControl, Reports::text("preflight.pfc")) {
  judge_card_fact("preflight.pfc", &Netdev::pfc);
}
RIGPROOF_TEST(HalfLink, TellsItsCongestionControl, Reports::text("preflight.ecn")) {
  judge_card_fact("preflight.ecn", &Netdev::ecn);
}
RIGPROOF_TEST(HalfLink, HasTheWantedDriver, Reports::text("preflight.driver")) {
  judge_card_fact("preflight.driver", &Netdev::driver);
}
RIGPROOF_TEST(HalfLink, HasTheWantedFirmware, Reports::text("preflight.firmware")) {
  judge_card_fact("preflight.firmware", &Netdev::firmware);
}

RIGPROOF_TEST(HalfLink, OffloadsSegmentation, Reports::text("preflight.offloads")) {
  look([&](const RigFacts& all) {
    const Netdev found = netdev_of(all);
    const bool there = is_there(found);
    for (const auto& [name, offload] :
         {std::pair("tso", found.tso), std::pair("gso", found.gso), std::pair("gro", found.gro)})
      judge("preflight.offloads", there ? offload : absent<std::string>(),
            {subject().half.node, name, {{"offload", name}}});
  });
}

RIGPROOF_TEST(HalfLink, IsOnAnApprovedCable, Reports::text("preflight.cable")) {
  look([&](const RigFacts& all) {
    const Netdev found = netdev_of(all);
    const bool there = is_there(found);
    if (found.module.vendor.value) note("the cable is of " + *found.module.vendor.value);
    judge("preflight.cable", there ? found.module.part_number : absent<std::string>(), card_finding(all));
  });
}

RIGPROOF_TEST(HalfLink, KeepsItsModuleCool, Reports::count("preflight.module_celsius")) {
  look([&](const RigFacts& all) {
    const facts::Module module = netdev_of(all).module;
    const bool passive = module.kind.value && !module.temperature_c.value && !module.temperature_c.unread;
    if (passive)
      return report_nothing_to_judge("preflight.module_celsius", "the module has no sensor",
                                     card_finding(all));
    judge("preflight.module_celsius", module.temperature_c, card_finding(all));
  });
}

// Errors since the driver was loaded: recorded. Growth during the run is judged at its end.
RIGPROOF_TEST(HalfLink, TellsWhatWentWrongBefore, Reports::text("preflight.counters")) {
  look([&](const RigFacts& all) {
    const auto counters = netdev_of(all).counters;
    if (!counters.value) return report_unread("preflight.counters", counters.why(), finding());
    std::string moved;
    for (const auto& [counter, value] : *counters.value)
      if (value != 0 && !is_traffic(counter))
        moved += fmt::format("{}{} {}", moved.empty() ? "" : ", ", counter, value);
    judge("preflight.counters", moved.empty() ? "all error counters are 0" : moved, finding());
  });
}

RIGPROOF_CASES(EachHalf, HalfLink, every_half);

constexpr DataSize kMtuAtStart = DataSize::bytes(1500);  // Ethernet's default

class HalfAddress : public HalfCase {
 protected:
  [[nodiscard]] std::string wanted() const {
    return fmt::format("{}/{}", half().address, half().prefix_length);
  }
  // Root's command that applies a changed file of netplan, NetworkManager, wicked, systemd-networkd, udev or ifupdown.
  [[nodiscard]] std::string applied_by(const std::string& file) const {
    if (file.starts_with("/etc/network/")) return fmt::format("ifdown {0} && ifup {0}", netdev());
    if (file.starts_with("/etc/sysconfig/network/")) return "wicked ifreload " + netdev();
    if (file.ends_with(".link")) return "udevadm trigger -c add /sys/class/net/" + netdev();
    if (file.ends_with(".nmconnection") || file.starts_with("/etc/sysconfig/"))
      return "nmcli connection reload";
    return file.ends_with(".network") ? "networkctl reload" : "netplan apply";
  }
};

bool has_ipv6(const Rig& rig) {
  return std::ranges::any_of(rig.rails, [&](const Rail& rail) {
    return family_of(rig.half(rail.halves.front()).address) == IpFamily::kIpv6;
  });
}

RIGPROOF_TEST(
    HalfAddress, HasOnlyItsAddress, Reports::count("preflight.address"),
    Reports::count("preflight.address.duplicate").on_rigs_with("a rail with IPv6 addresses", has_ipv6),
    Reports::count("preflight.address.others").where_there()) {
  look([&](const RigFacts& all) {
    const Netdev found = netdev_of(all);
    const bool there = is_there(found);
    const facts::Texts& known = found.addresses(family_of(half().address));
    if (there && !known.value && known.unread) return report_unread("preflight.address", known, finding());
    const auto addresses = known.value.value_or(std::vector<std::string>{});
    const bool has = std::ranges::find(addresses, wanted()) != addresses.end();
    for (const std::string& address : addresses)
      if (address != wanted()) note(netdev() + " also has " + address);
    if (there && !has) note(netdev() + " lacks " + wanted());
    const auto duplicates = found.ipv6_duplicates.value.value_or(std::vector<std::string>{});
    const bool is_duplicate = std::ranges::find(duplicates, wanted()) != duplicates.end();
    if (is_duplicate)
      note(fmt::format("another machine on the link of {} has {} (duplicate address detection)", netdev(),
                       wanted()));
    if (has_ipv6(rig())) judge("preflight.address.duplicate", count(is_duplicate ? 1 : 0), finding());
    Finding finding = this->finding();
    finding.about["change"] = "add " + wanted();
    judge("preflight.address", count(there && has ? 1 : 0), finding);
    if (!has) return;
    const auto other =
        std::ranges::find_if(addresses, [&](const std::string& one) { return one != wanted(); });
    if (other != addresses.end()) finding.about["change"] = "del " + *other;
    judge("preflight.address.others", count(addresses.size() - 1), finding);
  });
}

RIGPROOF_TEST(HalfAddress, HasIpv6AsWanted, Reports::text("preflight.ipv6_off")) {
  look([&](const RigFacts& all) {
    if (family_of(half().address) == IpFamily::kIpv6)
      return report_nothing_to_judge("preflight.ipv6_off", "the half has an IPv6 address", finding());
    const auto settings = node_of(all).sysctls();
    const bool built_out = !settings.empty() && std::ranges::none_of(settings, [](const std::string& name) {
      return name.starts_with("net.ipv6.");
    });
    if (built_out) return judge("preflight.ipv6_off", "1", finding());
    judge("preflight.ipv6_off", node_of(all).sysctl_of("net.ipv6", netdev(), "disable_ipv6"), finding());
  });
}

RIGPROOF_TEST(HalfAddress, SurvivesARestart, Reports::count("preflight.persistent.address"),
              Reports::size("preflight.persistent.mtu")) {
  look([&](const RigFacts& all) {
    const std::string& node = node_of(all).node();
    const facts::NetdevPlan plan = node_of(all).planned(netdev());
    const auto& file = plan.source.value;
    note(file ? node + ": " + *file + " names " + netdev()
              : node +
                    ": no file of netplan, NetworkManager, systemd-networkd, ifupdown, ifcfg or udev names " +
                    netdev());
    Finding finding = this->finding();
    finding.about["file"] = file.value_or("/etc/netplan/40-cx7.yaml");
    finding.about["apply"] = applied_by(finding.about["file"]);
    if (plan.source.unread && !file) {
      for (const char* id : {"preflight.persistent.address", "preflight.persistent.mtu"})
        report_unread(id, plan.source, finding);
      return;
    }
    const bool chosen = plan.link_local && half().address.starts_with("169.254.");
    const auto is_wanted = [&](const std::string& address) {
      const auto parsed = IpInterface::parse(address);  // a file may spell an address in several ways
      return parsed && parsed->text() == wanted();
    };
    const bool planned = chosen || std::ranges::any_of(plan.addresses, is_wanted);
    judge("preflight.persistent.address", count(planned ? 1 : 0), finding);
    judge("preflight.persistent.mtu", to_quantity(plan.mtu.value.value_or(kMtuAtStart)), finding);
  });
}

RIGPROOF_CASES(EachHalf, HalfAddress, every_half);

}  // namespace
}  // namespace rigproof::preflight
