// The kernel's settings are those that the thresholds name, now and after a restart; addresses of one subnet
// don't answer for each other. Each limit "preflight.sysctl.NAME" is one setting. Catches: socket buffers left
// at their defaults, ARP flux, settings that are lost with the next reboot.
#include <fmt/format.h>

#include <map>

#include <algorithm>

#include "fixtures/facts/file_tree.h"
#include "framework/rig/ipv4.h"
#include "suites/preflight/facts_case.h"

namespace rigproof {
namespace {

constexpr const char* kSysctl = "preflight.sysctl.";

class NodeSettings : public FactsCase<NodeSubject> {
 protected:
  [[nodiscard]] const NodeFacts& facts(const FactsBook& book) const { return book.at(subject().node); }
  [[nodiscard]] Finding about(const std::string& detail, Words words = {}) const {
    return {subject().node, detail, std::move(words)};
  }

  // By what the limit asks for: a text, or a number in its own dimension.
  void judge_setting(const NodeFacts& facts, const std::string& name) {
    const std::string id = kSysctl + name;
    const auto text = find_text(facts, {"sysctls", name});
    const Finding finding = about("", {{"sysctl", name}});
    const auto dimension = dimension_of_limit(id);
    const auto number = text.value ? number_in(*text.value) : std::nullopt;
    if (dimension && number)
      judge(id, Quantity{*dimension, *number}, finding);
    else
      judge(id, text, finding);
  }

  // As the kernel resolves them: of "all" and the device's own, the larger counts.
  [[nodiscard]] static double effective(const NodeFacts& facts, const std::string& netdev,
                                        const char* setting) {
    const auto value = [&](const std::string& device) {
      const auto text = facts.text({"sysctls", "net.ipv4.conf." + device + "." + setting});
      return text ? number_in(*text).value_or(0) : 0;
    };
    return std::max(value("all"), value(netdev));
  }
};

// "198.18.1.1/24" -> "198.18.1.0/24"; what no host can have stands for itself.
std::string network_of(const std::string& address) try {
  return parse_ipv4_interface(address).network_text();
} catch (const std::invalid_argument&) {
  return address;
}

TEST_P(NodeSettings, AreAsTheThresholdsName) {
  look([&](const FactsBook& book) {
    const auto names = limits_under(kSysctl);
    for (const std::string& name : names) judge_setting(facts(book), name);
    if (names.empty()) record("preflight.sysctl", "the thresholds name none", about(""));
  });
}

TEST_P(NodeSettings, SurviveARestart) {
  look([&](const FactsBook& book) {
    const NodeFacts& node = facts(book);
    std::string missing;
    for (const std::string& name : limits_under(kSysctl)) {
      const auto planned = node.text({"persistence", "sysctls", name}), now = node.text({"sysctls", name});
      const bool kept = planned && now && words_of(*planned) == words_of(*now);
      if (!kept) missing += (missing.empty() ? "" : ", ") + name;
    }
    const auto why = node.why_unread({"persistence", "sysctls"});
    if (!missing.empty()) note(node.node() + ": no file of sysctl.d sets the running value of " + missing);
    const double lost = missing.empty() ? 0 : 1 + static_cast<double>(std::ranges::count(missing, ','));
    judge("preflight.persistent.sysctls",
          why ? Found<Quantity>{{}, node.node() + ": " + *why} : Found<Quantity>{count(lost), {}}, about(""));
  });
}

// Two netdevs in one subnet: which of them answers must not be left to chance.
TEST_P(NodeSettings, KeepArpApart) {
  look([&](const FactsBook& book) {
    const NodeFacts& node = facts(book);
    std::map<std::string, std::vector<std::string>> by_subnet;
    std::string unread = node.keys({"netdevs"}).empty() ? node.node() + ": no netdev was read" : "";
    for (const HalfRef ref : rig().halves_of(subject().node)) {
      const std::string& netdev = rig().half(ref).netdev;
      if (node.why_unread({"netdevs", netdev, "ipv4"}))
        unread = find_text(node, {"netdevs", netdev, "ipv4"}).why;
      for (const std::string& address : node.texts({"netdevs", netdev, "ipv4"}))
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
    judge("preflight.arp_flux", as_faults(flux, unread), about(""));
  });
}

RIGPROOF_CASES(EachNode, NodeSettings, every_node);

}  // namespace
}  // namespace rigproof
