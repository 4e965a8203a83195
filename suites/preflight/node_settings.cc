// Proves: kernel settings have the thresholds' values, now and after a reboot, and halves in one subnet do not answer ARP
// for each other. Each limit "preflight.sysctl.NAME" is one setting. Catches: socket buffers at their defaults, ARP flux,
// settings that are lost at the next reboot.
#include <fmt/format.h>

#include <map>

#include <algorithm>

#include "fixtures/facts/file_tree.h"
#include "framework/rig/text_checks.h"
#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {

RIGPROOF_METRICS({"preflight.arp_flux", "One half answers for an address",
                  "Only the half that has an address answers ARP for it.",
                  "arp_ignore, arp_announce or rp_filter are at their defaults."},
                 {"preflight.sysctl.*", "Kernel setting",
                  "The kernel setting has the value that the thresholds state.",
                  "The setting was never made, or another tool set it back."},
                 {"preflight.persistent.sysctls", "Kernel settings survive a reboot",
                  "A file of sysctl.d sets each required kernel setting.",
                  "The settings were made by hand."});

namespace {

constexpr const char* kSysctl = "preflight.sysctl.";

class NodeSettings : public NodeCase {
 protected:
  // Judges a text, or a number in the dimension of the limit.
  void judge_setting(const facts::NodeFacts& facts, const std::string& name) {
    const std::string id = kSysctl + name;
    const auto text = facts.sysctl(name);
    const Finding finding = about("", {{"sysctl", name}});
    const auto dimension = dimension_of_limit(id);
    const auto number = text.value ? facts::number_in(*text.value) : std::nullopt;
    if (dimension && number)
      judge(id, Quantity{*dimension, *number}, finding);
    else
      judge(id, text, finding);
  }

  // Effective value as in the kernel: the larger of "all" and the netdev's own.
  [[nodiscard]] static double effective(const facts::NodeFacts& facts, const std::string& netdev,
                                        const char* setting) {
    const auto value = [&](const std::string& device) {
      const auto text = facts.sysctl_of("net.ipv4", device, setting).value;
      return text ? facts::number_in(*text).value_or(0) : 0;
    };
    return std::max(value("all"), value(netdev));
  }
};

// "198.18.1.1/24" -> "198.18.1.0/24". An invalid address is returned unchanged.
std::string network_of(const std::string& address) try {
  return parse_ip_interface(address).network_text();
} catch (const std::invalid_argument&) {
  return address;
}

RIGPROOF_TEST(NodeSettings, AreAsTheThresholdsName, Reports::any("preflight.sysctl.*")) {
  look([&](const RigFacts& all) {
    const auto names = limits_under(kSysctl);
    for (const std::string& name : names) judge_setting(node_of(all), name);
    if (names.empty())
      nothing_there("preflight.sysctl", "the thresholds have no limit for a sysctl", about());
  });
}

RIGPROOF_TEST(NodeSettings, SurviveARestart, Reports::count("preflight.persistent.sysctls")) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = node_of(all);
    const auto planned = facts.planned_sysctls();
    std::vector<std::string> missing;
    for (const std::string& name : limits_under(kSysctl)) {
      const auto now = facts.sysctl(name).value;
      const auto then = planned.value ? planned.value->find(name) : facts::TextByName::const_iterator{};
      const bool kept = now && planned.value && then != planned.value->end() &&
                        facts::split_words(then->second) == facts::split_words(*now);
      if (!kept) missing.push_back(name);
    }
    if (!missing.empty())
      note(fmt::format("{}: no file of sysctl.d sets the running value of {}", facts.node(),
                       fmt::join(missing, ", ")));
    if (planned.unread) return report_unread("preflight.persistent.sysctls", planned, about());
    judge("preflight.persistent.sysctls", count(missing.size()), about());
  });
}

// With two netdevs in one subnet, the settings must fix which one answers ARP.
RIGPROOF_TEST(NodeSettings, NoArpFlux, Reports::count("preflight.arp_flux")) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& node = node_of(all);
    std::map<std::string, std::vector<std::string>> by_subnet;
    std::string unread = node.netdevs().empty() ? node.node() + ": no netdev was read" : "";
    for (const HalfRef ref : rig().halves_of(subject().node)) {
      const std::string& netdev = rig().half(ref).netdev;
      const facts::Texts addresses = node.netdev(netdev).ipv4;
      if (addresses.unread) unread = addresses.why();
      for (const std::string& address : addresses.value.value_or(std::vector<std::string>{}))
        by_subnet[network_of(address)].push_back(netdev);
    }
    std::size_t flux = 0;
    for (const auto& [subnet, netdevs] : by_subnet) {
      if (netdevs.size() < 2) continue;
      for (const std::string& netdev : netdevs) {
        const bool apart = effective(node, netdev, "arp_ignore") >= 1 &&
                           effective(node, netdev, "arp_announce") >= 2 &&
                           effective(node, netdev, "rp_filter") == 2;
        if (apart) continue;
        note(fmt::format(
            "{}: {} shares {} with another half, without arp_ignore=1, arp_announce=2, rp_filter=2",
            node.node(), netdev, subnet));
        ++flux;
      }
    }
    judge_faults("preflight.arp_flux", flux, unread, about());
  });
}

RIGPROOF_CASES(EachNode, NodeSettings, every_node);

}  // namespace
}  // namespace rigproof::preflight
