// Every half has the address that the rig file plans, and it alone; IPv6 is as wanted; a restart changes none
// of it. Catches: a missing or swapped address, GID indices that move with IPv6 addresses, an MTU or address
// that is lost with the next reboot.
#include <fmt/format.h>

#include <algorithm>

#include "suites/preflight/facts_case.h"

namespace rigproof {
namespace {

class HalfAddress : public HalfFacts {
 protected:
  [[nodiscard]] std::string wanted() const {
    return fmt::format("{}/{}", half().address, half().prefix_length);
  }
  // What makes a changed file of netplan, NetworkManager or systemd-networkd count.
  [[nodiscard]] static std::string applied_by(const std::string& file) {
    if (file.ends_with(".nmconnection")) return "sudo nmcli connection reload";
    return file.ends_with(".network") ? "sudo networkctl reload" : "sudo netplan apply";
  }
};

TEST_P(HalfAddress, IsItsOwnAlone) {
  look([&](const FactsBook& book) {
    const bool there = here_or_absent(book);
    const auto addresses = of_node(book).texts({"netdevs", netdev(), "ipv4"});
    const bool has = std::ranges::find(addresses, wanted()) != addresses.end();
    for (const std::string& address : addresses)
      if (address != wanted()) note(netdev() + " also has " + address);
    if (there && !has) note(netdev() + " lacks " + wanted());
    Finding finding = this->finding();
    const bool surplus = has && addresses.size() > 1;
    const auto other =
        std::ranges::find_if(addresses, [&](const std::string& one) { return one != wanted(); });
    finding.words["change"] = surplus ? "del " + *other : "add " + wanted();
    judge("preflight.address", count(there && has && !surplus ? 1 : 0), finding);
  });
}

TEST_P(HalfAddress, HasIpv6AsWanted) {
  look([&](const FactsBook& book) {
    const auto settings = of_node(book).keys({"sysctls"});
    const bool built_out = !settings.empty() && std::ranges::none_of(settings, [](const std::string& name) {
      return name.starts_with("net.ipv6.");
    });
    if (built_out) return judge("preflight.ipv6_off", Found<std::string>{"1", {}}, finding());
    judge("preflight.ipv6_off",
          find_text(of_node(book), {"sysctls", "net.ipv6.conf." + netdev() + ".disable_ipv6"}), finding());
  });
}

TEST_P(HalfAddress, SurvivesARestart) {
  look([&](const FactsBook& book) {
    const NodeFacts& facts = of_node(book);
    const auto unread = facts.why_unread({"persistence", "netdevs"});
    const auto file = facts.text({"persistence", "netdevs", netdev(), "source"});
    if (!file)
      note(facts.node() + ": no file of netplan, NetworkManager or systemd-networkd names " + netdev());
    if (file) note(facts.node() + ": " + *file + " names " + netdev());
    const auto addresses = facts.texts({"persistence", "netdevs", netdev(), "addresses"});
    const bool link_local = facts.flag({"persistence", "netdevs", netdev(), "link_local"}).value_or(false) &&
                            half().address.starts_with("169.254.");
    const bool planned = link_local || std::ranges::find(addresses, wanted()) != addresses.end();
    const std::string why = facts.node() + ": " + unread.value_or("");
    Finding finding = this->finding();
    finding.words["file"] = file.value_or("/etc/netplan/40-cx7.yaml");
    finding.words["apply"] = applied_by(finding.words["file"]);
    const auto known = [&](double value, Dimension dimension) {
      return unread && !file ? Found<Quantity>{{}, why} : Found<Quantity>{Quantity{dimension, value}, {}};
    };
    judge("preflight.persistent.address", known(planned ? 1 : 0, Dimension::kCount), finding);
    const double mtu = facts.number({"persistence", "netdevs", netdev(), "mtu"}).value_or(0);
    judge("preflight.persistent.mtu", known(mtu, Dimension::kDataSize), finding);
  });
}

RIGPROOF_CASES(EachHalf, HalfAddress, every_half);

}  // namespace
}  // namespace rigproof
