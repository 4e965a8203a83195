// The hidden commands that `doctor` runs on each host: `host-check` says what the host has, and listens on a TCP port
// for a while; `host-reach` tries to connect to the ports of the others.
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <future>
#include <memory>
#include <optional>

#include "fixtures/net/socket.h"
#include "framework/cli/command.h"
#include "framework/cli/host_check.h"
#include "framework/process/file_descriptor.h"
#include "framework/supervisor/exit_code.h"

namespace rigproof::cli {
namespace {

using Clock = std::chrono::steady_clock;
using process::FileDescriptor;

constexpr std::chrono::seconds kConnect{5};  // the kernel gives up after 3 s where no host has the address

std::string error_text() { return std::strerror(errno); }

FileDescriptor tcp_socket(int family) {
  return FileDescriptor(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// The first address of a name, of this family. nullopt: none.
std::optional<net::Endpoint> resolved(const std::string& name, int family, std::uint16_t port = 0) {
  addrinfo hints{};
  hints.ai_family = family;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(name.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) return {};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  net::Endpoint endpoint;
  std::memcpy(endpoint.data(), found->ai_addr, found->ai_addrlen);
  return endpoint;
}

// Waits for an event at the descriptor. False: the deadline has passed.
bool wait_for(int fd, short event, Clock::time_point deadline) {
  pollfd waiting{fd, event, 0};
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) > 0;
}

// A connection to a port of another host.
struct Reach {
  std::string from;  // an address of this host; empty: the kernel chooses
  std::string to;    // host name or address
  std::uint16_t port = 0;
};

// "ok", or why no connection was made. `source`: this host's address toward the other, as far as the kernel chose one.
std::string try_way(const Reach& way, std::string& source) {
  const auto from = way.from.empty() ? std::nullopt : resolved(way.from, AF_UNSPEC);
  auto to = resolved(way.to, from ? from->data()->sa_family : AF_INET, way.port);
  if (!to && !from) to = resolved(way.to, AF_INET6, way.port);
  if (!to) return way.to + " does not resolve to an address";
  const FileDescriptor fd = tcp_socket(to->data()->sa_family);
  if (!way.from.empty() && (!from || bind(fd.get(), from->data(), from->size()) != 0))
    return fmt::format("{} is not an address of this host", way.from);
  const int failure = connect(fd.get(), to->data(), to->size()) == 0 ? 0 : errno;
  net::Endpoint local;
  socklen_t room = net::Endpoint::kRoom;
  if (getsockname(fd.get(), local.data(), &room) == 0) source = local.address().text();
  if (failure != EINPROGRESS) return failure == 0 ? "ok" : std::strerror(failure);
  if (!wait_for(fd.get(), POLLOUT, Clock::now() + kConnect)) return "no answer";
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) return error_text();
  return error == 0 ? "ok" : std::strerror(error);
}

struct CheckArguments {
  std::vector<std::string> folders;
  int seconds = 10;
};

// Accepts connections until the deadline, or until nobody reads the output: ssh has ended.
void accept_all(int listener, Clock::time_point deadline) {
  while (Clock::now() < deadline) {
    if (wait_for(listener, POLLIN, Clock::now() + std::chrono::milliseconds(500)))
      FileDescriptor(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (std::fputs("\n", stdout) < 0 || std::fflush(stdout) != 0) return;
  }
}

// Listens on a free port of all addresses, of IPv6 too if the kernel has it. Sets the port.
FileDescriptor listener_on(std::uint16_t& port) {
  for (const IpFamily family : {IpFamily::kIpv6, IpFamily::kIpv4}) {
    FileDescriptor listener = tcp_socket(net::kernels_family(family));
    const int only_ipv6 = 0;
    setsockopt(listener.get(), IPPROTO_IPV6, IPV6_V6ONLY, &only_ipv6, sizeof only_ipv6);
    const net::Endpoint at(net::any_address(family));
    if (bind(listener.get(), at.data(), at.size()) != 0 || listen(listener.get(), 64) != 0) continue;
    port = net::local_port(listener.get());
    return listener;
  }
  throw supervisor::Refused("host-check: no TCP port to listen on: " + error_text());
}

int check_host(const CheckArguments& arguments) {
  HostCheck check = check_this_host(arguments.folders);
  const FileDescriptor listener = listener_on(check.port);
  fmt::print("{}", to_line(check));
  std::fflush(stdout);
  accept_all(listener.get(), Clock::now() + std::chrono::seconds(arguments.seconds));
  return 0;
}

// "FROM,TO,PORT".
Reach way_in(const std::string& text) {
  const auto first = text.find(','), second = text.rfind(',');
  Reach way;
  if (first == second) throw supervisor::Refused(fmt::format("host-reach: '{}' is not FROM,TO,PORT", text));
  way.from = text.substr(0, first);
  way.to = text.substr(first + 1, second - first - 1);
  std::from_chars(text.data() + second + 1, text.data() + text.size(), way.port);
  return way;
}

// Tries all ways at the same time. Prints "ok", or why no TCP connection was made, and this host's address, in their order.
int reach_hosts(const std::vector<std::string>& ways) {
  std::vector<std::string> sources(ways.size());
  std::vector<std::future<std::string>> tries;
  for (std::size_t i = 0; i < ways.size(); ++i)
    tries.push_back(std::async(std::launch::async, try_way, way_in(ways[i]), std::ref(sources[i])));
  for (std::size_t i = 0; i < ways.size(); ++i) {
    fmt::print("rigproof-host-reach {}\n", tries[i].get());
    fmt::print("rigproof-host-reach-from {}\n", sources[i]);
  }
  return 0;
}

}  // namespace

std::vector<Command> add_host_check_commands(CLI::App& parent) {
  CLI::App* check = parent.add_subcommand("host-check", "Print what doctor asks of this host, and listen");
  check->group("");
  const auto arguments = std::make_shared<CheckArguments>();
  check->add_option("FOLDER", arguments->folders, "Folders whose free space matters")->take_all();
  check->add_option("--seconds", arguments->seconds, "How long to listen");
  CLI::App* reach = parent.add_subcommand("host-reach", "Connect to other hosts");
  reach->group("");
  const auto ways = std::make_shared<std::vector<std::string>>();
  reach->add_option("WAY", *ways, "FROM,TO,PORT")->take_all();
  return {{check, [arguments] { return check_host(*arguments); }},
          {reach, [ways] { return reach_hosts(*ways); }}};
}

}  // namespace rigproof::cli
