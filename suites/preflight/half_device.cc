// Proves for every half: the PCIe link has full width and speed, the driver is loaded, and the RDMA device is active on
// Ethernet. Its path MTU is the largest that the netdev's MTU allows, and it has a RoCE v2 GID of the half's address. Proves
// for every port: its halves, and no others, sit behind it, each with its own MAC and RDMA device. Catches: a function
// trained at x2 or an older PCIe generation, a missing driver, a NIC on the wrong NUMA node, path MTU 1024, a moved GID
// table, a second half without a GID, InfiniBand mode, mixed-up devices and netdevs, a missing half, halves swapped between
// ports, a cloned MAC, a half or cabled port that the rig file leaves out.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fixtures/facts/discover.h"
#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {

RIGPROOF_METRICS(
    {"preflight.halves", "Halves of a port",
     "Each port has as many halves as the rig file states, behind one physical port.",
     "A PCIe function is disabled, or the rig file leaves a half out or joins halves of different ports."},
    {"preflight.ports.left_out", "All ports in the rig file",
     "Each port with an RDMA device and a cable is in the rig file.",
     "A cable was plugged in after the rig file was written, or the port is for something else."},
    {"preflight.pcie.numa_node", "NUMA node of the NIC",
     "The NUMA node that the half's PCIe function belongs to.", "The NIC is in another slot."},
    {"preflight.pcie.acs", "PCIe access control",
     "The access control services of the NIC and of each bridge above it.",
     "See preflight.pcie.acs_redirects."},
    {"preflight.pcie.acs_redirects", "PCIe bridges that redirect",
     "How many bridges on the way to the NIC send peer-to-peer traffic up to the PCIe root.",
     "Access control (ACS) is on: GPU and NIC exchange data through the root, and slowly."},
    {"preflight.pcie.lanes", "PCIe width", "The half's PCIe link has all its lanes.",
     "A bad seat, a riser, or a port that the BIOS split."},
    {"preflight.pcie.lane_rate", "PCIe speed", "The half's PCIe link trained at full speed.",
     "A marginal slot, or a BIOS setting."},
    {"preflight.pcie.lanes_used", "PCIe width used",
     "The half's PCIe link has all lanes that card and slot have.",
     "A bad seat, a riser, or a port that the BIOS split."},
    {"preflight.pcie.lane_rate_used", "PCIe speed used",
     "The half's PCIe link trained at the speed that card and slot can.",
     "A marginal slot, or a BIOS setting."},
    {"preflight.pcie.driver", "PCIe driver", "The PCIe function is bound to the network driver.",
     "It is bound to another driver, or to none."},
    {"preflight.rdma.present", "RDMA device of the half",
     "The half has its RDMA device, of the name in the rig file.",
     "The RDMA driver is not loaded, or the device was renamed."},
    {"preflight.rdma.state", "RDMA port is active", "The RDMA port is active.",
     "The link is down, or the port was disabled."},
    {"preflight.rdma.link_layer", "RoCE, not InfiniBand", "The port's link layer is Ethernet.",
     "The NIC is in InfiniBand mode."},
    {"preflight.rdma.gid", "RoCE v2 GID", "The device has a RoCE v2 GID with the half's own address.",
     "The address came after the GID table was made, or RoCE v1 alone is on."},
    {"preflight.rdma.active_mtu", "RDMA path MTU",
     "The RDMA port uses the path MTU that a netdev MTU of 9000 allows.",
     "The netdev's MTU was 1500 when the device came up."},
    {"preflight.rdma.port_devices", "RDMA devices of a port",
     "A port has an RDMA device for each of its halves.", "A function is disabled."});

namespace {

using facts::RdmaDevice;

class HalfPcie : public HalfCase {
 protected:
  // Collective. Without a PCI function (netdev that is not hardware) there are no facts to judge.
  template <class Value>
  void judge_function(std::string_view id, facts::Fact<Value> facts::PciFunction::*fact) {
    look([&](const RigFacts& all) {
      const facts::Netdev found = netdev_of(all);
      const std::string address = found.pci.value.value_or("");
      Finding finding = this->finding();
      if (!address.empty()) finding.about["function"] = address;  // else the remedy names none
      if (!is_there(found)) return judge(id, absent<Value>(), finding);
      if (found.pci.unread) return report_unread(id, found.pci, finding);
      judge(id, node_of(all).pci_function(address).*fact, finding);
    });
  }
};

RIGPROOF_TEST(HalfPcie, HasAllItsLanes, Reports::count("preflight.pcie.lanes"),
              Reports::ratio("preflight.pcie.lanes_used")) {
  judge_function("preflight.pcie.lanes", &facts::PciFunction::lanes);
  judge_function("preflight.pcie.lanes_used", &facts::PciFunction::lanes_used);
}

RIGPROOF_TEST(HalfPcie, RunsAtFullSpeed, Reports::rate("preflight.pcie.lane_rate"),
              Reports::ratio("preflight.pcie.lane_rate_used")) {
  judge_function("preflight.pcie.lane_rate", &facts::PciFunction::lane_rate);
  judge_function("preflight.pcie.lane_rate_used", &facts::PciFunction::lane_rate_used);
}

RIGPROOF_TEST(HalfPcie, HasItsDriver, Reports::text("preflight.pcie.driver")) {
  judge_function("preflight.pcie.driver", &facts::PciFunction::driver);
}

// Distance from CPUs and memory: recorded.
RIGPROOF_TEST(HalfPcie, TellsItsNumaNodeAndAccessControl, Reports::any("preflight.pcie.numa_node"),
              Reports::any("preflight.pcie.acs"), Reports::count("preflight.pcie.acs_redirects")) {
  look([&](const RigFacts& all) {
    const facts::Text address = netdev_of(all).pci;
    if (address.unread) {
      for (const char* id :
           {"preflight.pcie.numa_node", "preflight.pcie.acs", "preflight.pcie.acs_redirects"})
        report_unread(id, address, finding());
      return;
    }
    const auto function = node_of(all).pci_function(address.value.value_or(""));
    judge("preflight.pcie.numa_node", function.numa_node, finding());
    judge("preflight.pcie.acs", function.acs, finding());
    judge("preflight.pcie.acs_redirects", function.acs_redirects, finding());
  });
}

RIGPROOF_CASES(EachHalf, HalfPcie, every_half);

std::vector<HalfSubject> every_rdma_half(const Rig& rig) {
  std::vector<HalfSubject> halves = every_half(rig);
  std::erase_if(halves, [&](const HalfSubject& subject) { return !rig.half(subject.half).rdma; });
  return halves;
}

class HalfRdma : public HalfCase {
 protected:
  [[nodiscard]] const std::string& device() const { return *half().rdma; }
  // Collective. Calls judge_it(device, true if the device exists).
  template <class Judge>
  void look_at_device(Judge judge_it) {
    look([&](const RigFacts& all) {
      const RdmaDevice found = node_of(all).rdma_device(device());
      if (!found.present.value) not_proven(found.present.why());
      if (!*found.present.value) note("there is no RDMA device " + device());
      judge_it(found, *found.present.value);
    });
  }
  void judge_text(std::string_view id, facts::Text RdmaDevice::*fact) {
    look_at_device([&](const RdmaDevice& found, bool there) {
      judge(id, there ? found.*fact : facts::Text{.value = "no such device"}, finding());
    });
  }
};

RIGPROOF_TEST(HalfRdma, BelongsToTheHalf, Reports::count("preflight.rdma.present")) {
  look_at_device([&](const RdmaDevice& found, bool there) {
    if (there && !found.netdevs.value && found.netdevs.unread)
      return report_unread("preflight.rdma.present", found.netdevs, finding());
    const auto netdevs = found.netdevs.value.value_or(std::vector<std::string>{});
    const bool same = there && std::ranges::find(netdevs, netdev()) != netdevs.end();
    if (there && !same)
      note(fmt::format("{} belongs to {}", device(),
                       netdevs.empty() ? "no netdev" : fmt::format("{}", fmt::join(netdevs, ", "))));
    judge("preflight.rdma.present", count(same ? 1 : 0), finding());
  });
}

RIGPROOF_TEST(HalfRdma, IsActive, Reports::text("preflight.rdma.state")) {
  judge_text("preflight.rdma.state", &RdmaDevice::state);
}
RIGPROOF_TEST(HalfRdma, IsOnEthernet, Reports::text("preflight.rdma.link_layer")) {
  judge_text("preflight.rdma.link_layer", &RdmaDevice::link_layer);
}

RIGPROOF_TEST(HalfRdma, UsesTheLargestPathMtu, Reports::size("preflight.rdma.active_mtu")) {
  look_at_device([&](const RdmaDevice& found, bool there) {
    if (there) note(fmt::format("{} on {}, whose MTU decides", device(), netdev()));
    judge("preflight.rdma.active_mtu", there ? found.active_mtu : absent<DataSize>(), finding());
  });
}

RIGPROOF_TEST(HalfRdma, HasARoceV2Gid, Reports::count("preflight.rdma.gid")) {
  look_at_device([&](const RdmaDevice& found, bool there) {
    if (there && found.gids.unread) return report_unread("preflight.rdma.gid", found.gids, finding());
    std::size_t usable = 0;
    for (const facts::Gid& gid : found.gids.value.value_or(std::vector<facts::Gid>{}))
      if (found.is_roce_v2_gid_of(half().address, gid.index) &&
          (gid.netdev.empty() || gid.netdev == netdev())) {
        note(fmt::format("{}: GID index {}", device(), gid.index));
        ++usable;
      }
    if (there && usable == 0)
      note(fmt::format("{} has no GID of type RoCE v2 with {} on {}", device(), half().address, netdev()));
    judge("preflight.rdma.gid", count(usable), finding());
  });
}

RIGPROOF_CASES(EachHalf, HalfRdma, every_rdma_half);

// Netdevs that the node's halves in the rig file use, including those below VLANs and bonds.
std::set<std::string> used_netdevs(const Rig& rig, std::size_t node, const facts::NodeFacts& facts) {
  std::set<std::string> used;
  for (const HalfRef half : rig.halves_of(node)) {
    const std::string& netdev = rig.half(half).netdev;
    used.insert(netdev);
    for (const std::string& lower : facts.lower_of(netdev)) used.insert(lower);
  }
  return used;
}

// Why the port behind a netdev is unknown.
std::string why_no_port(const facts::NodeFacts& facts, const std::string& netdev) {
  const facts::Text port = facts.netdev(netdev).port;
  return port.unread ? port.why()
                     : fmt::format(
                           "{}: which port is behind {} can't be read, its PCI function is the only one of "
                           "its card, and no module's serial number is known",
                           facts.node(), netdev);
}

class PortMap : public FactsCase<PortSubject> {
 protected:
  // NIC netdevs behind one of these ports that no half of the rig file uses, so that this part of the port is not measured.
  [[nodiscard]] std::vector<std::string> left_out(const facts::NodeFacts& facts,
                                                  const std::set<std::string>& ports) const {
    const std::set<std::string> used = used_netdevs(rig(), subject().port.node, facts);
    std::vector<std::string> names;
    for (const std::string& name : facts.netdevs()) {
      const facts::Netdev netdev = facts.netdev(name);
      if (netdev.kind.value == "hardware" && !used.contains(name) &&
          ports.contains(facts::port_behind(facts, name).value.value_or("")))
        names.push_back(name);
    }
    return names;
  }
};

RIGPROOF_TEST(PortMap, HasOnlyItsHalves, Reports::count("preflight.halves")) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = all.at(subject().port.node);
    const Node& node = rig().node(subject().port.node);
    std::set<std::string> ports, macs;
    for (const Half& half : rig().port(subject().port).halves) {
      const facts::Netdev netdev = facts.netdev(half.netdev);
      if (!netdev.present.value.value_or(true)) continue;
      const facts::Text behind = facts::port_behind(facts, half.netdev);
      if (!behind.lacks.empty())
        return report_unread("preflight.halves", behind, {.node = subject().port.node});
      if (!behind.value || !netdev.mac.value)
        return report_unread("preflight.halves", why_no_port(facts, half.netdev),
                             {.node = subject().port.node});
      ports.insert(*behind.value);
      macs.insert(*netdev.mac.value);
    }
    if (ports.size() > 1) note("the halves belong to " + std::to_string(ports.size()) + " ports");
    bool alone = true;
    for (std::size_t port = 0; port < node.ports.size(); ++port)
      for (const Half& half : node.ports[port].halves)
        if (port != subject().port.port &&
            ports.contains(facts::port_behind(facts, half.netdev).value.value_or(""))) {
          note(half.netdev + " is a half of the same port, but the rig file has it on another port");
          alone = false;
        }
    const std::vector<std::string> others = left_out(facts, ports);
    for (const std::string& name : others)
      note(
          fmt::format("{} is a half of the same port, but the rig file leaves it out: the rig then has only "
                      "a part of the port",
                      name));
    const bool sound = ports.size() == 1 && alone;
    judge("preflight.halves", count(sound ? static_cast<double>(macs.size() + others.size()) : 0),
          {.node = subject().port.node});
  });
}

RIGPROOF_CASES(EachPort, PortMap, every_port);

class NodePorts : public NodeCase {};

// Searched by RDMA device: a NIC without one is not of this rig's kind.
RIGPROOF_TEST(NodePorts, AreAllInTheRigFile, Reports::count("preflight.ports.left_out")) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = node_of(all);
    const std::set<std::string> used = used_netdevs(rig(), subject().node, facts);
    const auto port_of = [&](const std::string& name) {
      return facts::port_behind(facts, name).value.value_or(name);
    };
    std::set<std::string> known, left_out;
    std::vector<std::string> names;
    for (const std::string& name : used) known.insert(port_of(name));
    std::string unread = facts.rdma().unread ? facts.rdma().why() : "";
    for (const std::string& device : facts.rdma_devices()) {
      const facts::Texts netdevs = facts.rdma_device(device).netdevs;
      if (netdevs.unread) unread = netdevs.why();
      for (const std::string& name : netdevs.value.value_or(std::vector<std::string>{})) {
        const facts::Netdev netdev = facts.netdev(name);
        if (netdev.kind.value != "hardware" || !netdev.carrier.value.value_or(false) ||
            name == rig().node(subject().node).management || known.contains(port_of(name)))
          continue;
        left_out.insert(port_of(name));
        names.push_back(name);
      }
    }
    judge_faults("preflight.ports.left_out", left_out.size(), unread,
                 about("", {{"left_out", fmt::format("{}", fmt::join(names, " "))}}));
  });
}

RIGPROOF_CASES(EachNode, NodePorts, every_node);

// Ports with a half on a rail where any end has RDMA. If one end lacks RDMA, the rail has no RDMA cases, and no other case
// reports that.
std::vector<PortSubject> every_rdma_port(const Rig& rig) {
  const auto has_rdma = [&](HalfRef half) { return rig.half(half).rdma.has_value(); };
  std::vector<PortSubject> ports = every_port(rig);
  std::erase_if(ports, [&](const PortSubject& subject) {
    return std::ranges::none_of(rig.halves_of(subject.port), [&](HalfRef half) {
      return std::ranges::any_of(rig.rail_of(half).halves, has_rdma);
    });
  });
  return ports;
}

class PortRdma : public FactsCase<PortSubject> {};

// Counts RDMA devices whose netdevs sit behind the port. Catches: a device that is missing (in the rig file, too) or sits
// behind another port.
RIGPROOF_TEST(PortRdma, OneDevicePerHalf, Reports::count("preflight.rdma.port_devices")) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = all.at(subject().port.node);
    std::set<std::string> devices, ports;
    for (const Half& half : rig().port(subject().port).halves) {
      if (!half.rdma) {
        note(fmt::format(
            "the rig file names no RDMA device of {}, though others of its port or rail have one: its rail "
            "is not measured by RDMA (to measure no rail by RDMA, leave out `rdma` of the others, too)",
            half.netdev));
        continue;
      }
      const auto netdevs = facts.rdma_device(*half.rdma).netdevs;
      if (netdevs.unread)
        return report_unread("preflight.rdma.port_devices", netdevs, {.node = subject().port.node});
      if (!netdevs.value || netdevs.value->empty()) continue;
      const bool own = std::ranges::find(*netdevs.value, half.netdev) != netdevs.value->end();
      const std::string& name = own ? half.netdev : netdevs.value->front();
      if (!facts.netdev(name).present.value.value_or(true)) continue;
      const facts::Text behind = facts::port_behind(facts, name);
      if (!behind.lacks.empty())
        return report_unread("preflight.rdma.port_devices", behind, {.node = subject().port.node});
      if (!behind.value)
        return report_unread("preflight.rdma.port_devices", why_no_port(facts, name),
                             {.node = subject().port.node});
      ports.insert(*behind.value);
      devices.insert(*half.rdma);
    }
    if (ports.size() > 1) note("they sit behind " + std::to_string(ports.size()) + " ports");
    judge("preflight.rdma.port_devices", count(ports.size() == 1 ? static_cast<double>(devices.size()) : 0),
          {.node = subject().port.node});
  });
}

RIGPROOF_CASES(EachPort, PortRdma, every_rdma_port);

}  // namespace
}  // namespace rigproof::preflight
