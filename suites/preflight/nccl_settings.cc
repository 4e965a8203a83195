// Proves for every node: the NCCL settings in effect (environment first, then files) let NCCL use the rig's RDMA devices,
// and name only netdevs and devices that exist. Catches: a stale nccl.conf, a list without half of the devices, a moved GID
// index, GIDs of RoCE v1, devices merged in a ring.
#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {

RIGPROOF_METRICS({"preflight.nccl", "No leftover NCCL settings",
                  "No environment variable or nccl.conf leads NCCL away from the rails.",
                  "A leftover of another job names interfaces, devices or a transport."});

namespace {

using Settings = facts::TextByName;

constexpr const char* kPort = "1";  // a half uses port 1 of its device

// "^=mlx5_0:1,mlx5_1": excludes exactly mlx5_0 and mlx5_1.
struct DeviceList {
  bool excludes, exact;
  std::vector<std::string> names;
  bool empty = true;  // names nothing at all
};

DeviceList parse_list(std::string text) {
  DeviceList list{.excludes = text.starts_with('^'), .exact = false, .names = {}};
  if (list.excludes) text.erase(0, 1);
  list.exact = text.starts_with('=');
  if (list.exact) text.erase(0, 1);
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    const std::string name = text.substr(at, end - at);
    const auto colon = name.find(':');
    const std::string port =
        colon == name.npos ? "" : name.substr(colon + 1, name.find(':', colon + 1) - colon - 1);
    list.empty &= name.empty();
    if (!name.empty() && (port.empty() || port == kPort)) list.names.push_back(name.substr(0, colon));
    at = end + 1;
  }
  return list;
}

bool lets_through(const DeviceList& list, const std::string& device) {
  if (list.empty) return !list.excludes;  // as if the variable were not set
  const bool named = std::ranges::any_of(list.names, [&](const std::string& name) {
    return list.exact ? device == name : device.starts_with(name);
  });
  return list.excludes != named;
}

void check_devices(const Settings& settings, const Rig& rig, std::size_t node,
                   std::vector<std::string>& faults) {
  const auto setting = settings.find("NCCL_IB_HCA");
  if (setting == settings.end()) return;
  const DeviceList list = parse_list(setting->second);
  for (const HalfRef half : rig.halves_of(node))
    if (const auto& rdma = rig.half(half).rdma; rdma && !lets_through(list, *rdma))
      faults.push_back(fmt::format("NCCL_IB_HCA={} leaves out {}", setting->second, *rdma));
}

void check_netdevs(const Settings& settings, const facts::NodeFacts& facts,
                   std::vector<std::string>& faults) {
  const auto setting = settings.find("NCCL_SOCKET_IFNAME");
  if (setting == settings.end()) return;
  const DeviceList list = parse_list(setting->second);
  const auto netdevs = facts.netdevs();
  if (std::ranges::none_of(netdevs, [&](const std::string& netdev) { return lets_through(list, netdev); }))
    faults.push_back(fmt::format("NCCL_SOCKET_IFNAME={} matches no netdev", setting->second));
}

// A configured GID index must be a RoCE v2 GID of the half's address on every device.
void check_gid_index(const Settings& settings, const facts::NodeFacts& facts, const Rig& rig,
                     std::size_t node, std::vector<std::string>& faults) {
  const auto setting = settings.find("NCCL_IB_GID_INDEX");
  if (setting == settings.end() || setting->second.starts_with('-')) return;
  const std::string& index = setting->second;
  for (const HalfRef ref : rig.halves_of(node)) {
    const Half& half = rig.half(ref);
    if (!half.rdma) continue;
    const facts::RdmaDevice device = facts.rdma_device(*half.rdma);
    if (!device.gids.value || device.is_roce_v2_gid_of(half.address, index)) continue;
    const auto found = std::ranges::find(*device.gids.value, index, &facts::Gid::index);
    faults.push_back(fmt::format(
        "NCCL_IB_GID_INDEX={} is not the RoCE v2 GID of {} on {}: {}", index, half.address, *half.rdma,
        found == device.gids.value->end() ? "empty" : found->type + " " + found->gid));
  }
}

// Without a GID index NCCL chooses by RoCE version and address family; the defaults are RoCE v2 and IPv4. Parsed as NCCL
// does.
void check_gid_kind(const Settings& settings, std::vector<std::string>& faults) {
  const auto value = [&](const char* name) {
    const auto setting = settings.find(name);
    return setting == settings.end() ? std::string() : setting->second;
  };
  const std::string index = value("NCCL_IB_GID_INDEX"), version = value("NCCL_IB_ROCE_VERSION_NUM");
  if (!index.empty() && !index.starts_with('-')) return;
  if (!version.empty() && std::strtol(version.c_str(), nullptr, 0) != 2)
    faults.push_back(
        fmt::format("NCCL_IB_ROCE_VERSION_NUM={} selects RoCE v1, but the rails use RoCE v2", version));
  if (value("NCCL_IB_ADDR_FAMILY") == "AF_INET6")
    faults.push_back("NCCL_IB_ADDR_FAMILY=AF_INET6 selects IPv6, but the rails use IPv4");
}

// Nodes on the port's cable or switch, including its own.
std::set<std::size_t> nodes_joined(const Rig& rig, PortRef port) {
  std::set<std::size_t> nodes;
  for (const PortRef end : rig.link_of(port).ports) nodes.insert(end.node);
  return nodes;
}

// With merged devices in a ring, NCCL finds no RDMA path and silently uses sockets.
void check_merging(const Settings& settings, const Rig& rig, std::size_t node,
                   std::vector<std::string>& faults) {
  const auto setting = settings.find("NCCL_IB_MERGE_NICS");
  if (setting == settings.end() || setting->second == "0") return;
  for (std::size_t port = 1; port < rig.node(node).ports.size(); ++port)
    if (nodes_joined(rig, {node, port}) != nodes_joined(rig, {node, 0}))
      return faults.push_back(fmt::format(
          "NCCL_IB_MERGE_NICS={} makes one device of ports that lead to different nodes", setting->second));
}

// One line per fault, for the reader.
std::vector<std::string> nccl_faults(const Settings& settings, const facts::NodeFacts& facts, const Rig& rig,
                                     std::size_t node) {
  const auto value = [&](const char* name) {
    const auto setting = settings.find(name);
    return setting == settings.end() ? std::string() : setting->second;
  };
  std::vector<std::string> faults;
  if (!value("NCCL_IB_DISABLE").empty() && value("NCCL_IB_DISABLE") != "0")
    faults.push_back(fmt::format("NCCL_IB_DISABLE={} switches RDMA off", value("NCCL_IB_DISABLE")));
  // NCCL ignores case here.
  if (::strcasecmp(value("NCCL_NET").c_str(), "Socket") == 0)
    faults.push_back(fmt::format("NCCL_NET={} switches RDMA off", value("NCCL_NET")));
  check_devices(settings, rig, node, faults);
  check_netdevs(settings, facts, faults);
  check_gid_index(settings, facts, rig, node, faults);
  check_gid_kind(settings, faults);
  check_merging(settings, rig, node, faults);
  return faults;
}

class NodeNccl : public NodeCase {};

RIGPROOF_TEST(NodeNccl, NcclUsesRails, Reports::count("preflight.nccl")) {
  look([&](const RigFacts& all) {
    const facts::NodeFacts& facts = node_of(all);
    const auto settings = facts.nccl_settings();
    const auto faults = nccl_faults(*settings.value, facts, rig(), subject().node);
    for (const std::string& fault : faults) note(facts.node() + ": " + fault);
    judge_faults("preflight.nccl", faults.size(), settings.unread ? settings.why() : "", about());
  });
}

RIGPROOF_CASES(EachNode, NodeNccl, every_node);

}  // namespace
}  // namespace rigproof::preflight
