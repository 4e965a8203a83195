#include "framework/ranks/netdev_order.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ifaddrs.h>
#include <netinet/in.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>

namespace rigproof::inline ranks {
namespace {

constexpr const char* kList = "OMPI_MCA_btl_tcp_if_include";

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream text(list);
  for (std::string word; std::getline(text, word, ',');) words.push_back(word);
  return words;
}

// Each line: address, index, prefix length, scope, flags, netdev. Open MPI takes addresses of scope 00, the global one.
std::vector<std::string> netdevs_of_ipv6() {
  std::vector<std::string> netdevs;
  std::ifstream file("/proc/net/if_inet6");
  for (std::string address, index, prefix, scope, flags, netdev;
       file >> address >> index >> prefix >> scope >> flags >> netdev;)
    if (scope == "00") netdevs.push_back(netdev);
  return netdevs;
}

std::string text_of(const in_addr& address) {
  char text[INET_ADDRSTRLEN] = "";
  return ::inet_ntop(AF_INET, &address, text, sizeof text);
}

std::vector<std::pair<std::string, IpInterface>> netdevs_of_ipv4() {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, &::freeifaddrs);
  std::vector<std::pair<std::string, IpInterface>> netdevs;
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_netmask == nullptr || one->ifa_addr->sa_family != AF_INET)
      continue;
    const auto address =
        IpAddress::parse(text_of(reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr));
    const auto mask = reinterpret_cast<const sockaddr_in*>(one->ifa_netmask)->sin_addr.s_addr;
    if (address) netdevs.emplace_back(one->ifa_name, IpInterface{*address, std::popcount(mask)});
  }
  return netdevs;
}

}  // namespace

std::string in_open_mpis_order(const std::string& list, const NodeNetdevs& node) {
  const std::vector<std::string> words = split(list);
  const auto has_ipv4 = [&](const std::string& netdev) {
    return std::ranges::any_of(node.ipv4, [&](const auto& one) { return one.first == netdev; });
  };
  // A word is a netdev's name, or a subnet of one of its addresses.
  const auto is_listed = [&](const std::string& netdev) {
    return std::ranges::any_of(words, [&](const std::string& word) {
      const auto subnet = IpInterface::parse(word);
      return word == netdev ||
             (subnet && std::ranges::any_of(node.ipv4, [&](const auto& one) {
                return one.first == netdev &&
                       IpInterface{one.second.address, subnet->prefix_length}.same_subnet(*subnet);
              }));
    });
  };
  std::vector<std::string> netdevs = node.ipv6;
  for (const auto& [netdev, address] : node.ipv4) netdevs.push_back(netdev);
  std::vector<std::string> ordered;
  for (const std::string& netdev : netdevs)
    if (is_listed(netdev) && std::ranges::find(ordered, netdev) == ordered.end()) ordered.push_back(netdev);
  const bool has_ipv6_alone = std::ranges::any_of(ordered, std::not_fn(has_ipv4));
  return has_ipv6_alone ? fmt::format("{}", fmt::join(ordered, ",")) : list;
}

void order_netdevs_for_open_mpi() {
  const char* list = std::getenv(kList);
  if (list == nullptr) return;
  const std::string ordered = in_open_mpis_order(list, {netdevs_of_ipv6(), netdevs_of_ipv4()});
  ::setenv(kList, ordered.c_str(), 1);
}

}  // namespace rigproof::inline ranks
