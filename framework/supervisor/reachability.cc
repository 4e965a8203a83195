#include "framework/supervisor/reachability.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>

#include "framework/process/process.h"
#include "framework/rig/text_checks.h"
#include "framework/supervisor/exit_code.h"
#include "framework/units/printable.h"
#include "framework/units/shell_words.h"

namespace rigproof::supervisor {
namespace {

using SteadyClock = std::chrono::steady_clock;

// True if the address is this host's: bind() fails for others.
bool can_bind(const addrinfo& address) {
  const int fd = socket(address.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const bool bound = bind(fd, address.ai_addr, address.ai_addrlen) == 0;
  close(fd);
  return bound;
}

struct Probe {
  std::size_t node;
  std::unique_ptr<process::Process> child;

  Probe(std::size_t node_, const std::vector<std::string>& command) : node(node_) {
    try {
      child = std::make_unique<process::Process>(
          process::ProcessSpec{.arguments = command, .owns_descendants = true});
    } catch (const std::system_error&) {
    }
  }
  [[nodiscard]] bool answers_by(SteadyClock::time_point deadline) const {
    if (!child) return false;
    return child->wait_until(deadline) == 0;
  }
  [[nodiscard]] std::string last_words() const {
    std::string_view text = child ? std::string_view(child->output()) : "";
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    return shortened(printable(text.substr(text.rfind('\n') + 1)), 300);
  }
};

}  // namespace

bool is_this_host(const std::string& name) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0) return false;
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    if (can_bind(*address)) return true;
  }
  return false;
}

namespace {

std::string text_of(const sockaddr* address) {
  char text[INET_ADDRSTRLEN] = "";
  inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
  return text;
}

// "10.0.0.1/24" of each interface of this host that is up, without the loopback.
std::vector<std::string> own_subnets() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, &freeifaddrs);
  std::vector<std::string> subnets;
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_netmask == nullptr || each->ifa_addr->sa_family != AF_INET)
      continue;
    if ((each->ifa_flags & IFF_LOOPBACK) != 0 || (each->ifa_flags & IFF_UP) == 0) continue;
    const auto mask = reinterpret_cast<const sockaddr_in*>(each->ifa_netmask)->sin_addr.s_addr;
    subnets.push_back(fmt::format("{}/{}", text_of(each->ifa_addr), std::popcount(mask)));
  }
  return subnets;
}

struct Way {
  std::string from, to;  // addresses
};

// Both addresses, by the routing table; nothing is sent. nullopt without a route or an IPv4 address.
std::optional<Way> way_to(const std::string& name) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(name.c_str(), "9", &hints, &found) != 0) return {};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return {};
  sockaddr_in own{};
  socklen_t size = sizeof own;
  const bool routed = connect(fd, found->ai_addr, found->ai_addrlen) == 0 &&
                      getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) == 0;
  close(fd);
  if (!routed) return {};
  return Way{text_of(reinterpret_cast<const sockaddr*>(&own)), text_of(found->ai_addr)};
}

}  // namespace

std::string common_subnet(const std::vector<std::string>& addresses,
                          const std::vector<std::string>& subnets) {
  std::optional<IpInterface> best;
  for (const std::string& text : subnets) {
    try {
      const IpInterface subnet = parse_ip_interface(text);
      const auto holds = [&](const std::string& address) {
        return subnet.same_subnet(parse_ip_interface(fmt::format("{}/{}", address, subnet.prefix_length)));
      };
      const bool all = std::all_of(addresses.begin(), addresses.end(), holds);
      if (all && (!best || subnet.prefix_length > best->prefix_length)) best = subnet;
    } catch (const std::invalid_argument&) {  // a /32, or a network address: no host in this subnet
    }
  }
  return best && !addresses.empty() ? best->network_text() : "";
}

std::string networks_of_nodes(const Rig& rig) {
  std::vector<std::string> others;
  std::set<std::string> all;
  for (const Node& node : rig.nodes) {
    if (is_this_host(node.address)) continue;
    const auto way = way_to(node.address);
    if (!way) continue;
    others.push_back(way->to);
    all.insert({way->from + "/32", way->to + "/32"});
  }
  const std::string subnet = common_subnet(others, own_subnets());
  return subnet.empty() ? fmt::format("{}", fmt::join(all, ",")) : subnet;
}

std::vector<std::string> remote_agent() {
  for (const char* name : {"OMPI_MCA_plm_rsh_agent", "OMPI_MCA_orte_rsh_agent", "PRTE_MCA_plm_ssh_agent"}) {
    const char* text = std::getenv(name);
    if (text == nullptr || *text == 0) continue;
    try {
      return split_words(text);
    } catch (const std::invalid_argument&) {
      return {text};
    }
  }
  return {"ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5"};
}

NodeCommands::NodeCommands() {
  if (!in_slurm_allocation()) return;
  try {
    allocated_ = allocated_nodes();
  } catch (const Refused&) {  // Slurm's variables without Slurm, for example in a container
  }
}

std::vector<std::string> NodeCommands::on(const std::string& name, const std::string& address,
                                          const std::vector<std::string>& program) const {
  if (is_this_host(address)) return program;
  std::vector<std::string> command;
  if (const SlurmNode* node = find_slurm_node(allocated_, {name, address})) {
    command = {"srun",
               "--mpi=none",
               "--overlap",
               "--nodes=1",
               "--ntasks=1",
               "--ntasks-per-node=1",
               "--nodelist=" + node->name,
               "--cpu-bind=none",
               "--input=none",
               "--quiet"};
    command.insert(command.end(), program.begin(), program.end());
  } else {
    command = remote_agent();
    command.insert(command.end(), {address, join_words(program)});  // a remote shell parses it
  }
  return command;
}

std::vector<std::string> addresses_for_nodes(const Rig& rig) {
  std::vector<std::string> addresses;
  std::set<std::string> of_rails;
  const auto add = [&](const std::string& address) {
    if (std::ranges::find(addresses, address) == addresses.end()) addresses.push_back(address);
  };
  for (const Node& node : rig.nodes) {
    for (const Port& port : node.ports)
      for (const Half& half : port.halves) of_rails.insert(half.address);
    if (const auto way = way_to(node.address)) add(way->from);
  }
  for (const std::string& subnet : own_subnets()) add(subnet.substr(0, subnet.find('/')));
  add("127.0.0.1");
  const auto weight = [&](const std::string& address) {
    return address.starts_with("127.") ? 2 : of_rails.contains(address) ? 1 : 0;
  };
  std::ranges::stable_sort(addresses, {}, weight);
  return addresses;
}

std::vector<std::string> addresses_of(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return {};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  std::vector<std::string> addresses;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next)
    addresses.push_back(text_of(each->ai_addr));
  return addresses;
}

std::vector<std::string> addresses_of_nodes(const Rig& rig) {
  std::vector<std::string> addresses;
  for (const Node& node : rig.nodes) {
    for (const Port& port : node.ports)
      for (const Half& half : port.halves) addresses.push_back(half.address);
    for (std::string& address : addresses_of(node.address)) addresses.push_back(std::move(address));
  }
  return addresses;
}

std::map<std::size_t, std::string> unreachable_nodes(const Rig& rig, const std::vector<std::size_t>& nodes,
                                                     const std::vector<std::string>& agent,
                                                     std::chrono::milliseconds deadline) {
  std::list<Probe> probes;
  for (const std::size_t node : nodes) {
    if (is_this_host(rig.node(node).address)) continue;
    std::vector<std::string> command = agent;
    command.insert(command.end(), {rig.node(node).address, "true"});
    probes.emplace_back(node, command);
  }
  const auto end = SteadyClock::now() + deadline;
  std::map<std::size_t, std::string> silent;
  for (const Probe& probe : probes) {
    if (!probe.answers_by(end)) silent.emplace(probe.node, probe.last_words());
  }
  return silent;
}

std::string name_nodes(const Rig& rig, const std::vector<std::size_t>& nodes) {
  std::string text;
  for (const std::size_t index : nodes) {
    const Node& node = rig.node(index);
    text += text.empty() ? "" : ", ";
    text += node.name == node.address ? node.name : fmt::format("{} ({})", node.name, node.address);
  }
  return text;
}

}  // namespace rigproof::supervisor
