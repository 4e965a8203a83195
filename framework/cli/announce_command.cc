// The hidden commands by which `discover` finds cables: `host-hear` listens on netdevs and prints the announcements of other
// hosts; `host-announce` broadcasts from netdevs. Broadcasts bound to a netdev reach all netdevs cabled to it, whatever
// their addresses.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <set>
#include <thread>

#include "fixtures/net/socket.h"
#include "framework/cli/command.h"
#include "framework/process/file_descriptor.h"

namespace rigproof::cli {
namespace {

struct HearArguments {
  std::string token;
  std::vector<std::string> netdevs;
  int seconds = 20;
};

struct Listener {
  std::string netdev;
  process::FileDescriptor socket;
};

// Announcements on this netdev that begin with the token: "NODE NETDEV".
std::set<std::string> heard_on(const Listener& listener, const std::string& token) {
  constexpr int kMost = 1000;  // bounded: a flood does not end
  std::set<std::string> heard;
  char text[256];
  for (int i = 0; i < kMost; ++i) {
    const ssize_t size = recv(listener.socket.get(), text, sizeof text, 0);
    if (size < 0) break;
    const std::string_view packet(text, static_cast<std::size_t>(size));
    if (packet.starts_with(token + " ")) heard.emplace(packet.substr(token.size() + 1));
  }
  return heard;
}

// Until the deadline, or until nobody reads the output: ssh has ended.
int hear(const HearArguments& arguments) {
  std::vector<Listener> listeners;
  for (const std::string& netdev : arguments.netdevs) try {
      listeners.push_back({netdev, net::bound_socket(SOCK_DGRAM, {netdev, "0.0.0.0"})});
    } catch (const net::NetError&) {  // gone meanwhile
    }
  std::vector<std::uint16_t> ports;
  for (const Listener& listener : listeners) ports.push_back(net::local_port(listener.socket.get()));
  fmt::print("rigproof-ports {}\n", fmt::join(ports, " "));
  const auto end = net::Clock::now() + std::chrono::seconds(arguments.seconds);
  std::set<std::string> printed;
  while (net::Clock::now() < end) {
    for (const Listener& listener : listeners)
      for (const std::string& from : heard_on(listener, arguments.token))
        if (const std::string line = listener.netdev + " " + from; printed.insert(line).second)
          fmt::print("rigproof-heard {}\n", line);
    if (std::fputs("\n", stdout) < 0 || std::fflush(stdout) != 0) return 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return 0;
}

struct AnnounceArguments {
  std::string token, node;
  std::vector<std::string> netdevs;
  std::vector<std::uint16_t> ports;
};

void announce_on(const std::string& netdev, const AnnounceArguments& arguments) {
  const process::FileDescriptor socket = net::socket_on(SOCK_DGRAM, netdev, IpFamily::kIpv4);
  net::set_option(socket.get(), SOL_SOCKET, SO_BROADCAST, 1, {"allow broadcast", netdev});
  const std::string text = fmt::format("{} {} {}", arguments.token, arguments.node, netdev);
  for (const std::uint16_t port : arguments.ports) {
    const net::Endpoint to("255.255.255.255", port);
    (void)sendto(socket.get(), text.data(), text.size(), 0, to.data(), to.size());
  }
}

int announce(const AnnounceArguments& arguments) {
  constexpr int kCopies = 5;  // packets may be lost
  for (int i = 0; i < kCopies; ++i)
    for (const std::string& netdev : arguments.netdevs) try {
        announce_on(netdev, arguments);
      } catch (const net::NetError&) {  // down, or gone: nobody hears it
      }
  return 0;
}

}  // namespace

std::vector<Command> add_announce_commands(CLI::App& parent) {
  CLI::App* hears = parent.add_subcommand("host-hear", "Print announcements of other hosts");
  hears->group("");
  const auto to_hear = std::make_shared<HearArguments>();
  hears->add_option("TOKEN", to_hear->token)->required();
  hears->add_option("NETDEV", to_hear->netdevs)->take_all();
  hears->add_option("--seconds", to_hear->seconds, "How long to listen");
  CLI::App* announces = parent.add_subcommand("host-announce", "Announce netdevs on their cables");
  announces->group("");
  const auto to_announce = std::make_shared<AnnounceArguments>();
  announces->add_option("TOKEN", to_announce->token)->required();
  announces->add_option("NODE", to_announce->node)->required();
  announces->add_option("--on", to_announce->netdevs)->take_all()->allow_extra_args(false);
  announces->add_option("--to", to_announce->ports)->take_all()->allow_extra_args(false);
  return {{hears, [to_hear] { return hear(*to_hear); }},
          {announces, [to_announce] { return announce(*to_announce); }}};
}

}  // namespace rigproof::cli
