#include "framework/supervisor/reachability.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <list>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "framework/process/process.h"
#include "framework/supervisor/shell_words.h"

namespace rigproof::supervisor {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Only an address of this host can be bound to.
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

std::vector<std::size_t> unreachable_nodes(const Rig& rig, const std::vector<std::string>& agent,
                                           std::chrono::milliseconds deadline) {
  std::list<Probe> probes;
  for (std::size_t node = 0; node < rig.nodes.size(); ++node) {
    if (is_this_host(rig.node(node).address)) continue;
    std::vector<std::string> command = agent;
    command.insert(command.end(), {rig.node(node).address, "true"});
    probes.emplace_back(node, command);
  }
  const auto end = SteadyClock::now() + deadline;
  std::vector<std::size_t> silent;
  for (const Probe& probe : probes) {
    if (!probe.answers_by(end)) silent.push_back(probe.node);
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
