// Proves that the rig file agrees with the facts, before any load: a part that the rig file leaves out is silently not
// measured. Catches: RDMA devices missing in the rig file, so that rails lose their RDMA cases; a rig of real NICs declared
// as a model, or a model declared as hardware; port counters that do not exist; GPUs that are gone.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "fixtures/facts/discover.h"
#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {

RIGPROOF_METRICS(
    {"preflight.kind", "Rig of the stated kind",
     "The halves are netdevs of the kind that the rig file states: of cards, or made by a program.",
     "The rig file was copied from another rig, or its kind was changed."},
    {"preflight.port_counters", "Port counters can be read",
     "The counters that the rig file names for each port are there; it leaves out none that are there.",
     "The driver calls them otherwise, or the rig file names another device or none."},
    {"preflight.rdma.left_out", "All RDMA devices in the rig file",
     "Each half with an RDMA device names it in the rig file, and no rail has RDMA at some of its ends only.",
     "The RDMA driver is not loaded, the rig file was written before it was, or a line was lost."},
    {"preflight.gpus.left_out", "GPUs in the rig file", "The rig file states all GPUs that are there.",
     "The rig file has no gpus for the node, or fewer than it has: the others are in no measurement."},
    {"preflight.gpus", "All GPUs of the rig file", "No GPU that the rig file states is missing.",
     "A GPU fell off the bus, its driver does not know it, or a container hides it."});

namespace {

std::vector<NodeSubject> nodes_that_state_gpus(const Rig& rig) {
  std::vector<NodeSubject> nodes = every_node(rig);
  std::erase_if(nodes, [&](const NodeSubject& one) { return rig.node(one.node).gpus.value_or(0) == 0; });
  return nodes;
}

class RigOfNode : public NodeCase {
 protected:
  // RDMA devices of a half's netdev, or of the NIC below it.
  [[nodiscard]] static std::vector<std::string> devices_of(const facts::NodeFacts& facts,
                                                           const std::string& netdev, std::string& unread) {
    const std::string card = facts.card_of(netdev);
    std::vector<std::string> devices;
    for (const std::string& device : facts.rdma_devices()) {
      const facts::Texts netdevs = facts.rdma_device(device).netdevs;
      if (netdevs.unread) unread = netdevs.why();
      const auto names = netdevs.value.value_or(std::vector<std::string>{});
      if (std::ranges::count(names, netdev) + std::ranges::count(names, card) > 0) devices.push_back(device);
    }
    return devices;
  }
};

bool has_rdma(const Rig& rig, const Rail& rail) {
  return std::ranges::any_of(rail.halves, [&](HalfRef half) { return rig.half(half).rdma.has_value(); });
}

RIGPROOF_TEST(RigOfNode, NamesItsRdmaDevices, Reports::count("preflight.rdma.left_out")) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = node_of(all);
    std::string unread = facts.rdma().unread ? facts.rdma().why() : "";
    std::set<std::string> named;
    for (const HalfRef ref : rig().halves_of(subject().node)) named.insert(rig().half(ref).rdma.value_or(""));
    std::vector<std::string> left_out;
    for (const HalfRef ref : rig().halves_of(subject().node)) {
      const Half& half = rig().half(ref);
      if (half.rdma) continue;
      const std::vector<std::string> devices = devices_of(facts, half.netdev, unread);
      if (devices.empty() && has_rdma(rig(), rig().rail_of(ref))) {
        note(fmt::format("{} has no RDMA device, and its rail has one at another end: is the driver loaded?",
                         half.netdev));
        left_out.push_back(half.netdev);
      }
      for (const std::string& device : devices) {
        if (!named.insert(device).second) continue;
        note(fmt::format(
            "{} belongs to {}, which has no `rdma` in the rig file: its rail is not measured by RDMA", device,
            half.netdev));
        left_out.push_back(device);
      }
    }
    judge_faults("preflight.rdma.left_out", left_out.size(), unread,
                 about("", {{"left_out", fmt::format("{}", fmt::join(left_out, " "))}}));
  });
}

// The rig's kind selects the cases, and decides whether disturbed attempts can be void.
RIGPROOF_TEST(RigOfNode, IsOfTheKindOfTheRigFile, Reports::count("preflight.kind")) {
  look([&](const RigFacts& all) {
    const bool hardware = rig().kind == "hardware";
    std::size_t others = 0;
    for (const HalfRef ref : rig().halves_of(subject().node)) {
      const std::string& netdev = rig().half(ref).netdev;
      const auto is_card = facts::is_hardware(node_of(all), netdev);
      if (!is_card || *is_card == hardware || (hardware && rig().stand_in)) continue;
      ++others;
      note(fmt::format("{} {}, and the rig file says kind = \"{}\"", netdev,
                       *is_card ? "is a card's netdev" : "is not a card's netdev: a program made it",
                       rig().kind));
    }
    judge("preflight.kind", count(others), about());
  });
}

RIGPROOF_CASES(EachNode, RigOfNode, every_node);

class GpusOfNode : public NodeCase {};

RIGPROOF_TEST(GpusOfNode, AreThoseOfTheRigFile, Reports::count("preflight.gpus")) {
  look([&](const RigFacts& all) {
    const std::size_t stated = *rig().node(subject().node).gpus, found = node_of(all).gpus().size();
    if (found < stated) note(fmt::format("{} of the {} GPUs of the rig file are there", found, stated));
    judge("preflight.gpus", count(stated - std::min(stated, found)), about());
  });
}

RIGPROOF_CASES(EachNode, GpusOfNode, nodes_that_state_gpus);

class AllGpusOfNode : public NodeCase {};

RIGPROOF_TEST(AllGpusOfNode, AreInTheRigFile, Reports::count("preflight.gpus.left_out")) {
  look([&](const RigFacts& all) {
    const std::size_t used = rig().node(subject().node).used_gpus(), found = node_of(all).gpus().size();
    const std::size_t left_out = used == 0 || found <= used ? 0 : found - used;  // gpus = 0: stated
    if (left_out > 0) note(fmt::format("there are {} GPUs, and cases use {}", found, used));
    judge("preflight.gpus.left_out", count(left_out), about("", {{"here", std::to_string(found)}}));
  });
}

std::vector<NodeSubject> nodes_of_hardware(const Rig& rig) {
  return rig.kind == "hardware" ? every_node(rig) : std::vector<NodeSubject>();
}
RIGPROOF_CASES(EachNode, AllGpusOfNode, nodes_of_hardware);

class PortCounting : public FactsCase<PortSubject> {
 protected:
  // Nothing on the wire is compared at a port without counters: its NIC must have none.
  void judge_uncounted(const Port& port, const facts::NodeFacts& facts) {
    for (const Half& half : port.halves) {
      const std::string netdev = facts.card_of(half.netdev);
      const auto names = facts.document().texts({"netdevs", netdev, "port_counters"});
      if (names.empty()) continue;
      return judge("preflight.port_counters",
                   fmt::format("the rig file names none, and {} has {}", netdev, names.front()),
                   {.node = subject().port.node, .about = {{"device", netdev}}});
    }
    report_nothing_to_judge("preflight.port_counters",
                            "the rig file names none, and no NIC of the port shows any",
                            {.node = subject().port.node});
  }
};

RIGPROOF_TEST(PortCounting, HasTheCountersOfTheRigFile, Reports::text("preflight.port_counters")) {
  look([&](const RigFacts& all) {
    const Port& port = rig().port(subject().port);
    const facts::NodeFacts& facts = all.at(subject().port.node);
    if (!port.counters) return judge_uncounted(port, facts);
    const Finding finding{.node = subject().port.node, .about = {{"device", port.counters->device}}};
    if (!facts.document().has({"port_counters"}))
      return report_nothing_to_judge("preflight.port_counters",
                                     "these facts were read without the rig's counters", finding);
    judge("preflight.port_counters", facts.port_counters(port.name), finding);
  });
}

RIGPROOF_CASES(EachPort, PortCounting, every_port);

}  // namespace
}  // namespace rigproof::preflight
