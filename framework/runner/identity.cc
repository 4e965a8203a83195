#include "framework/runner/identity.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

namespace rigproof {
namespace {

bool has_address_of(const Node& node, const std::set<std::string>& local) {
  for (const Port& port : node.ports)
    for (const Half& half : port.halves)
      if (local.contains(half.address)) return true;
  return false;
}

}  // namespace

std::set<std::string> local_addresses() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) throw std::system_error(errno, std::generic_category(), "getifaddrs");
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(list, freeifaddrs);
  std::set<std::string> addresses;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET) continue;
    char text[INET_ADDRSTRLEN];
    const auto* address = reinterpret_cast<const sockaddr_in*>(entry->ifa_addr);
    addresses.insert(inet_ntop(AF_INET, &address->sin_addr, text, sizeof text));
  }
  return addresses;
}

std::string wrong_node(const Rig& rig, std::size_t node, const std::set<std::string>& local) {
  if (has_address_of(rig.node(node), local)) return {};
  const auto other = std::ranges::find_if(rig.nodes, [&](const Node& n) { return has_address_of(n, local); });
  if (other == rig.nodes.end()) return {};
  return fmt::format(
      "this host has the addresses of {}, not of {}: the launcher must start rank N on node N of the rig",
      other->name, rig.node(node).name);
}

}  // namespace rigproof
