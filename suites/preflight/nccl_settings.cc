// Proves for every node: the NCCL settings in effect (environment first, then files) let NCCL use the rig's RDMA devices,
// and name only netdevs and devices that exist. Lists every setting other than NCCL's default. Catches: a stale nccl.conf, a
// list without half of the devices or with one for storage, a moved GID index, GIDs of RoCE v1, defaults that do not suit a ring of cables.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "framework/limits/limit.h"
#include "suites/preflight/facts_case.h"
#include "suites/preflight/ring_ports.h"

namespace rigproof::preflight {

RIGPROOF_METRICS({"preflight.nccl", "No leftover NCCL settings",
                  "No environment variable or nccl.conf leads NCCL away from the rails.",
                  "A leftover of another job names interfaces, devices or a transport."},
                 {"preflight.nccl.gid", "NCCL's GID index",
                  "Where a setting names a GID index, each device has the RoCE v2 GID of its rail there.",
                  "The GID table changed since: an address was added, or a link was down."},
                 {"preflight.nccl.transport", "NCCL settings suit the cabling",
                  "NCCL reaches its peers with the settings in effect and this NCCL's defaults.",
                  "A ring of cables needs other settings than NCCL's defaults."},
                 {"preflight.nccl.changed", "NCCL's defaults elsewhere",
                  "No setting other than those of the rig's devices differs from NCCL's default.",
                  "An image brings its own nccl.conf, or a tuned value was left in the environment."},
                 {"preflight.nccl.setting", "NCCL settings",
                  "A setting that differs from NCCL's default, with its origin.",
                  "See NCCL's documentation."});

namespace {

using facts::NcclDevices;
using facts::NcclSettings;

void check_devices(const NcclSettings& nccl, const Rig& rig, std::size_t node,
                   std::vector<std::string>& faults) {
  const std::string devices = nccl.value("NCCL_IB_HCA");
  if (devices.empty()) return;
  const NcclDevices list(devices);
  for (const HalfRef half : rig.halves_of(node)) {
    const auto& rdma = rig.half(half).rdma;
    const bool wanted = rig.port(half).use == PortUse::kCompute;
    if (!rdma || list.lets_through(*rdma) == wanted) continue;
    faults.push_back(
        wanted ? fmt::format("NCCL_IB_HCA={} leaves out {}", devices, *rdma)
               : fmt::format("NCCL_IB_HCA={} lets NCCL use {}, whose port is for storage", devices, *rdma));
  }
}

void check_netdevs(const NcclSettings& nccl, const facts::NodeFacts& facts,
                   std::vector<std::string>& faults) {
  const std::string names = nccl.value("NCCL_SOCKET_IFNAME");
  if (names.empty()) return;
  const NcclDevices list(names);
  const auto netdevs = facts.netdevs();
  if (std::ranges::none_of(netdevs, [&](const std::string& netdev) { return list.lets_through(netdev); }))
    faults.push_back(fmt::format("NCCL_SOCKET_IFNAME={} matches no netdev", names));
}

bool names_gid_index(const NcclSettings& nccl) {
  const std::string index = nccl.value("NCCL_IB_GID_INDEX");
  return !index.empty() && !index.starts_with('-');
}

// A line for each device that NCCL may use and that has another GID at the configured index than that of its half.
std::vector<std::string> other_gids(const NcclSettings& nccl, const facts::NodeFacts& facts, const Rig& rig,
                                    std::size_t node) {
  std::vector<std::string> faults;
  if (!names_gid_index(nccl)) return faults;
  const std::string index = nccl.value("NCCL_IB_GID_INDEX"), devices = nccl.value("NCCL_IB_HCA");
  for (const HalfRef ref : rig.compute_halves_of(node)) {
    const Half& half = rig.half(ref);
    if (!half.rdma || !(devices.empty() || NcclDevices(devices).lets_through(*half.rdma))) continue;
    const facts::RdmaDevice device = facts.rdma_device(*half.rdma);
    if (!device.gids.value || device.is_roce_v2_gid_of(half.address, index)) continue;
    const auto found = std::ranges::find(*device.gids.value, index, &facts::Gid::index);
    faults.push_back(fmt::format(
        "NCCL_IB_GID_INDEX={} is not the RoCE v2 GID of {} on {}: {}", index, half.address, *half.rdma,
        found == device.gids.value->end() ? "empty" : found->type + " " + found->gid));
  }
  return faults;
}

// What a setting in effect does to NCCL on this rig. The default of the node's version counts where nobody has set it.
struct SettingRule {
  std::string_view setting;
  std::string_view since;  // NCCL version; "": any
  bool (*applies)(const Rig&, const NcclSettings&);
  bool (*is_bad)(const std::string& value);
  bool is_prediction;  // the measured transport decides (collective.nccl.rdma, .halves)
  std::string_view effect;
  std::string_view source;
};

bool on_every_rig(const Rig&, const NcclSettings&) { return true; }
bool without_gid_index(const Rig&, const NcclSettings& nccl) { return !names_gid_index(nccl); }
bool has_half_of(const Rig& rig, IpFamily family) {
  return std::ranges::any_of(rig.rails, [&](const Rail& rail) {
    const Half& half = rig.half(rail.halves.front());
    return !rig.is_for_storage(rail) && half.rdma && family_of(half.address) == family;
  });
}
bool on_ipv4(const Rig& rig, const NcclSettings& nccl) {
  return !names_gid_index(nccl) && has_half_of(rig, IpFamily::kIpv4);
}
bool on_ipv6(const Rig& rig, const NcclSettings& nccl) {
  return !names_gid_index(nccl) && has_half_of(rig, IpFamily::kIpv6);
}
bool in_a_ring(const Rig& rig, const NcclSettings&) { return is_cable_ring(rig); }
bool in_a_ring_by_index(const Rig& rig, const NcclSettings& nccl) {
  return is_cable_ring(rig) && nccl.value("NCCL_IB_SUBNET_AWARE_ROUTING") != "1";
}
long number_in(const std::string& value) { return std::strtol(value.c_str(), nullptr, 0); }  // as NCCL does
bool is_on(const std::string& value) { return number_in(value) != 0; }
bool is_off(const std::string& value) { return number_in(value) == 0; }

constexpr const char* kRouting =
    "NVIDIA/nccl 5c1c4288: Add subnet-aware routing for DGX Spark multi-node ring connection";
const std::array<SettingRule, 7> kRules{{
    {"NCCL_IB_DISABLE", "", on_every_rig, is_on, false, "switches RDMA off",
     "NCCL, src/transport/net_ib/init.cc: ncclIbInitDevices"},
    {"NCCL_NET", "", on_every_rig,
     [](const std::string& value) { return ::strcasecmp(value.c_str(), "Socket") == 0; }, false,
     "switches RDMA off", "NCCL, src/plugin/net.cc: the name of a network, in any case"},
    {"NCCL_IB_ROCE_VERSION_NUM", "2.21.5", without_gid_index,
     [](const std::string& value) { return number_in(value) != 2; }, false,
     "selects RoCE v1, but the rails use RoCE v2", "NCCL, src/transport/net_ib: ncclIbGetGidIndex"},
    {"NCCL_IB_ADDR_FAMILY", "2.21.5", on_ipv4, [](const std::string& value) { return value == "AF_INET6"; },
     false, "selects IPv6, but the rails use IPv4", "NCCL, src/transport/net_ib: envIbAddrFamily"},
    {"NCCL_IB_ADDR_FAMILY", "2.21.5", on_ipv6, [](const std::string& value) { return value != "AF_INET6"; },
     false, "selects IPv4, but the rails use IPv6", "NCCL, src/transport/net_ib: envIbAddrFamily"},
    {"NCCL_IB_SUBNET_AWARE_ROUTING", "", in_a_ring, is_off, true,
     "connects device i to device i, whatever joins them; a ring of cables needs 1, and NCCL 2.30.7",
     kRouting},
    {"NCCL_IB_MERGE_NICS", "2.20.3", in_a_ring_by_index, is_on, true,
     "makes one device of ports that lead to different nodes", kRouting},
}};

// One line for each setting that is bad by a rule: by those that predict a transport, or by the others.
std::vector<std::string> faults_by_rule(const NcclSettings& nccl, const Rig& rig, bool predictions) {
  std::vector<std::string> faults;
  for (const SettingRule& rule : kRules) {
    const bool holds = nccl.version().empty() || is_version_at_least(nccl.version(), rule.since);
    const std::string value = nccl.value(rule.setting);
    if (rule.is_prediction != predictions || !holds || !rule.applies(rig, nccl) || !rule.is_bad(value))
      continue;
    faults.push_back(fmt::format("{}={}{} {} ({})", rule.setting, value.empty() ? "0" : value,
                                 nccl.is_set(rule.setting) ? "" : " by default", rule.effect, rule.source));
  }
  return faults;
}

class NodeNccl : public NodeCase {
 protected:
  // Settings that name this rig's parts or that a limit judges are listed, but are no advice.
  void report_changed(const NcclSettings& nccl, const std::string& unread) {
    std::vector<std::string> unexplained;
    for (const auto& [name, value] : nccl.changed()) {
      found("preflight.nccl.setting", value, about(name));
      if (!is_explained(name)) unexplained.push_back(name + "=" + value);
    }
    judge_faults("preflight.nccl.changed", unexplained.size(), unread, about_settings(unexplained));
  }

  [[nodiscard]] Finding about_settings(const std::vector<std::string>& settings) {
    for (const std::string& one : settings) note(one);
    return about("", {{"settings", fmt::format("{}", fmt::join(settings, "; "))}});
  }

 private:
  [[nodiscard]] static bool is_explained(const std::string& name) {
    constexpr std::array<std::string_view, 5> kOfTheRig{"NCCL_IB_HCA", "NCCL_SOCKET_IFNAME",
                                                        "NCCL_IB_GID_INDEX", "NCCL_IB_TC", "NCCL_IB_SL"};
    return std::ranges::count(kOfTheRig, name) > 0 ||
           std::ranges::any_of(kRules, [&](const SettingRule& rule) { return rule.setting == name; });
  }
};

RIGPROOF_TEST(NodeNccl, NcclUsesRails, Reports::count("preflight.nccl"), Reports::count("preflight.nccl.gid"),
              Reports::count("preflight.nccl.transport").on_rigs_with(kCableRing, is_cable_ring),
              Reports::count("preflight.nccl.changed"),
              Reports::text("preflight.nccl.setting").where_there()) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = node_of(all);
    const auto settings = facts.nccl_settings();
    const NcclSettings& nccl = *settings.value;
    const std::string unread = settings.unread ? settings.why() : "";
    std::vector<std::string> faults = faults_by_rule(nccl, rig(), false);
    check_devices(nccl, rig(), subject().node, faults);
    check_netdevs(nccl, facts, faults);
    for (const std::string& fault : faults) note(fault);
    judge_faults("preflight.nccl", faults.size(), unread, about());
    const std::vector<std::string> gids = other_gids(nccl, facts, rig(), subject().node);
    for (const std::string& gid : gids) note(gid);
    judge_faults("preflight.nccl.gid", gids.size(), unread, about());
    if (is_cable_ring(rig())) {
      const auto predicted = faults_by_rule(nccl, rig(), true);
      judge_faults("preflight.nccl.transport", predicted.size(), unread, about_settings(predicted));
    }
    report_changed(nccl, unread);
  });
}

RIGPROOF_CASES(EachNode, NodeNccl, every_node);

}  // namespace
}  // namespace rigproof::preflight
