// The hidden commands that `doctor` runs on each host: `host-check` says what the host has, and listens on a TCP port
// for a while; `host-reach` tries to connect to the ports of the others.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <future>
#include <memory>

#include "framework/cli/command.h"
#include "framework/cli/host_check.h"
#include "framework/process/file_descriptor.h"
#include "framework/supervisor/exit_code.h"

namespace rigproof::cli {
namespace {

using Clock = std::chrono::steady_clock;
using process::FileDescriptor;

constexpr std::chrono::seconds kConnect{3};

std::string error_text() { return std::strerror(errno); }

sockaddr_in any_address() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  return address;
}

FileDescriptor tcp_socket() {
  return FileDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// Waits for an event at the descriptor. False: the deadline has passed.
bool wait_for(int fd, short event, Clock::time_point deadline) {
  pollfd waiting{fd, event, 0};
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) > 0;
}

std::optional<sockaddr_in> address_of(const Reach& way) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(way.to.c_str(), nullptr, &hints, &found) != 0) return {};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  sockaddr_in address = *reinterpret_cast<const sockaddr_in*>(found->ai_addr);
  address.sin_port = htons(way.port);
  return address;
}

std::string try_way(const Reach& way) {
  const auto to = address_of(way);
  if (!to) return way.to + " does not resolve to an IPv4 address";
  const FileDescriptor fd = tcp_socket();
  sockaddr_in from = any_address();
  if (!way.from.empty() && (inet_pton(AF_INET, way.from.c_str(), &from.sin_addr) != 1 ||
                            bind(fd.get(), reinterpret_cast<const sockaddr*>(&from), sizeof from) != 0))
    return fmt::format("{} is not an address of this host", way.from);
  if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&*to), sizeof *to) == 0) return "ok";
  if (errno != EINPROGRESS) return error_text();
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

int check_host(const CheckArguments& arguments) {
  HostCheck check = check_this_host(arguments.folders);
  const FileDescriptor listener = tcp_socket();
  sockaddr_in at = any_address();
  socklen_t size = sizeof at;
  if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 ||
      listen(listener.get(), 64) != 0 ||
      getsockname(listener.get(), reinterpret_cast<sockaddr*>(&at), &size) != 0)
    throw supervisor::Refused("host-check: no TCP port to listen on: " + error_text());
  check.port = ntohs(at.sin_port);
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

}  // namespace

std::vector<std::string> connect_to(const std::vector<Reach>& ways) {
  std::vector<std::future<std::string>> tries;
  for (const Reach& way : ways) tries.push_back(std::async(std::launch::async, try_way, way));
  std::vector<std::string> results;
  for (auto& one : tries) results.push_back(one.get());
  return results;
}

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
  const auto run_reach = [ways] {
    std::vector<Reach> all;
    for (const std::string& way : *ways) all.push_back(way_in(way));
    for (const std::string& result : connect_to(all)) fmt::print("rigproof-host-reach {}\n", result);
    return 0;
  };
  return {{check, [arguments] { return check_host(*arguments); }}, {reach, run_reach}};
}

}  // namespace rigproof::cli
