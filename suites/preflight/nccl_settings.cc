// Nothing of the NCCL settings in effect on a node (the environment before the files) keeps NCCL from the rig's RDMA
// devices or names netdevs and devices that the node does not have. Catches: a stale nccl.conf, half of the devices
// left out, a GID index that moved, GIDs of RoCE v1, devices merged in a ring.
#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "suites/preflight/facts_case.h"

namespace rigproof::preflight {
namespace {

using Settings = facts::TextByName;

constexpr const char* kPort = "1";  // the one of a device that a half of a rig has

// "^=mlx5_0:1,mlx5_1" names mlx5_0 and mlx5_1 as not to be used.
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
  if (list.empty) return !list.excludes;  // as if nobody had said anything
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
    faults.push_back(fmt::format("NCCL_SOCKET_IFNAME={} fits no netdev", setting->second));
}

// An index that is told to NCCL must be that of the half's address, of RoCE v2, on every device.
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

// By which NCCL chooses a GID itself: of RoCE v2 and IPv4 where nobody says anything else. As NCCL reads them.
void check_gid_kind(const Settings& settings, std::vector<std::string>& faults) {
  const auto value = [&](const char* name) {
    const auto setting = settings.find(name);
    return setting == settings.end() ? std::string() : setting->second;
  };
  const std::string index = value("NCCL_IB_GID_INDEX"), version = value("NCCL_IB_ROCE_VERSION_NUM");
  if (!index.empty() && !index.starts_with('-')) return;
  if (!version.empty() && std::strtol(version.c_str(), nullptr, 0) != 2)
    faults.push_back(
        fmt::format("NCCL_IB_ROCE_VERSION_NUM={} takes RoCE v1, which the rails are not made of", version));
  if (value("NCCL_IB_ADDR_FAMILY") == "AF_INET6")
    faults.push_back("NCCL_IB_ADDR_FAMILY=AF_INET6 takes other addresses than those of the rails");
}

// Nodes that a port's cable or switch joins, its own included.
std::set<std::size_t> nodes_joined(const Rig& rig, PortRef port) {
  std::set<std::size_t> nodes;
  for (const PortRef end : rig.link_of(port).ports) nodes.insert(end.node);
  return nodes;
}

// In a ring NCCL then finds no way by RDMA, and takes sockets without a word.
void check_merging(const Settings& settings, const Rig& rig, std::size_t node,
                   std::vector<std::string>& faults) {
  const auto setting = settings.find("NCCL_IB_MERGE_NICS");
  if (setting == settings.end() || setting->second == "0") return;
  for (std::size_t port = 1; port < rig.node(node).ports.size(); ++port)
    if (nodes_joined(rig, {node, port}) != nodes_joined(rig, {node, 0}))
      return faults.push_back(fmt::format(
          "NCCL_IB_MERGE_NICS={} makes one device of ports that lead to different nodes", setting->second));
}

// A line each, for a person.
std::vector<std::string> nccl_faults(const Settings& settings, const facts::NodeFacts& facts, const Rig& rig,
                                     std::size_t node) {
  const auto value = [&](const char* name) {
    const auto setting = settings.find(name);
    return setting == settings.end() ? std::string() : setting->second;
  };
  std::vector<std::string> faults;
  if (!value("NCCL_IB_DISABLE").empty() && value("NCCL_IB_DISABLE") != "0")
    faults.push_back(fmt::format("NCCL_IB_DISABLE={} switches RDMA off", value("NCCL_IB_DISABLE")));
  // NCCL does not tell large letters from small ones here.
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
