#include "tests/stand_ins/nccl_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>

#include "tests/stand_ins/faults.h"
#include "tests/stand_ins/rails.h"

namespace stand_in {
namespace {

using Names = std::vector<std::string>;

int device = 0;  // of this process' communicators

void info(const std::string& text) {
  const char* path = std::getenv("NCCL_DEBUG_FILE");
  if (path == nullptr) return;
  static std::once_flag begun;  // the file is begun anew
  std::call_once(begun, [&] { std::ofstream(path, std::ios::trunc); });
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  std::ofstream(path, std::ios::app) << fmt::format("{}:{}:{} [{}] NCCL INFO {}\n", host.data(), getpid(),
                                                    gettid(), device, text);
}

bool by_sockets() { return fault("socket") || fault("management"); }

// The transport's name in its lines about channels.
std::string transport() {
  if (by_sockets()) return "Socket";
  const std::string plugin = variable("NCCL_NET_PLUGIN");
  return plugin.empty() || plugin == "none" ? "IB" : "IBext_v11";
}

Names split(const std::string& list, char at) {
  Names parts;
  std::istringstream text(list);
  for (std::string part; std::getline(text, part, at);) parts.push_back(part);
  return parts;
}

// "a,b;c,d": of each group NCCL makes one device, numbered behind those that it consists of.
std::vector<Names> merged() {
  std::vector<Names> groups;
  if (by_sockets()) return groups;
  for (const std::string& group : split(variable("NCCL_NET_FORCE_MERGE"), ';'))
    groups.push_back(split(group, ','));
  return groups;
}

void log_variables() {
  for (const char* name : {"NCCL_IB_HCA", "NCCL_SOCKET_IFNAME"})
    if (const std::string value = variable(name); !value.empty())
      info(fmt::format("{} set to {}", name, value));
  for (const char* name : {"NCCL_IB_QPS_PER_CONNECTION", "NCCL_NCHANNELS_PER_NET_PEER", "NCCL_MIN_NCHANNELS",
                           "NCCL_MAX_NCHANNELS", "NCCL_PROTO", "NCCL_BUFFSIZE"})
    if (const std::string value = variable(name); !value.empty())
      info(fmt::format("{} set by environment to {}.", name, value));
}

void log_sockets(const Names& netdevs) {
  std::string list;
  for (std::size_t i = 0; i < netdevs.size(); ++i)
    list += fmt::format(" [{}]{}:{}<0>", i, netdevs[i], address_of(netdevs[i]));
  info("NET/IB : No device found.");
  info(fmt::format("NET/Socket : Using{}", list));
}

void log_rdma(const Names& netdevs) {
  constexpr int kSpeed = 200000;
  std::string list;
  for (std::size_t i = 0; i < netdevs.size(); ++i) {
    const std::string device = device_of(netdevs[i]);
    // Verbs number their devices otherwise: those without a link count there.
    info(fmt::format(
        "NET/IB: [{}] {}:uverbs{}:1/RoCE provider=Mlx5 speed={} context=0x1 pciPath=/sys/stand-in ar=0",
        2 * i, device, 2 * i, kSpeed));
    info(fmt::format("NET/IB : Made virtual device [{}] name={} speed={} ndevs=1", i, device, kSpeed));
    list += fmt::format(" [{}]{}:1/RoCE", i, device);
  }
  info(fmt::format("NET/IB : Using{} [RO]; OOB mgmt0:198.18.0.1<0>", list));
}

void log_process(const Names& netdevs, const std::string& version) {
  info("Bootstrap: Using mgmt0:198.18.0.1<0>");
  info(fmt::format("NCCL version {}+stand-in", version));
  log_variables();
  by_sockets() ? log_sockets(netdevs) : log_rdma(netdevs);
  std::size_t next = netdevs.size();
  for (const Names& group : merged())
    info(fmt::format("NET/IB : Made virtual device [{}] name={} speed=400000 ndevs={}", next++,
                     fmt::join(group, "+"), group.size()));
}

}  // namespace

void log_start(const void* own, int rank, int ranks, int gpu, const Names& netdevs,
               const std::string& version) {
  device = gpu;
  static std::once_flag once;
  std::call_once(once, [&] { log_process(netdevs, version); });
  const char* plugin = by_sockets() ? "Socket" : "IB";
  info(fmt::format("Initialized NET plugin {}", plugin));
  info(fmt::format("Assigned NET plugin {} to comm", plugin));
  info(fmt::format("Using network {}", transport()));
  info(fmt::format(
      "ncclCommInitRankConfig comm {} rank {} nranks {} cudaDev {} nvmlDev {} busId f01000 commId 0x1 - Init "
      "START",
      own, rank, ranks, gpu, gpu));
}

void log_channels(LoggedRank own, LoggedRank peer, bool sends, const Names& netdevs) {
  const std::size_t groups = merged().size(), devices = groups == 0 ? netdevs.size() : groups,
                    first = groups == 0 ? 0 : netdevs.size();
  const auto [from, to] = sends ? std::pair(own, peer) : std::pair(peer, own);
  for (std::size_t i = 0; i < channels(); ++i)
    info(fmt::format("Channel {:02}/0 : {}[{}] -> {}[{}] [{}] via NET/{}/{}", i, from.rank, from.device,
                     to.rank, to.device, sends ? "send" : "receive", transport(), first + i % devices));
}

void log_local_channels(LoggedRank own, LoggedRank peer, std::size_t channels) {
  for (std::size_t i = 0; i < channels; ++i)
    info(fmt::format("Channel {:02}/0 : {}[{}] -> {}[{}] via SHM/direct/direct", i, own.rank, own.device,
                     peer.rank, peer.device));
}

void log_overridden(std::size_t before, std::size_t instead) {
  info(fmt::format("NET/IB: Subnet-aware routing: overriding dev {} with dev {}", before, instead));
}

std::string protocol(std::size_t bytes) {
  constexpr std::size_t kShort = 64 << 10;
  std::string told = variable("NCCL_PROTO");
  std::ranges::transform(told, told.begin(), [](unsigned char c) { return std::toupper(c); });
  return !told.empty() ? told : bytes < kShort ? "LL" : "SIMPLE";
}

void log_choice(const char* function, std::size_t bytes, std::size_t channels) {
  info(fmt::format("{}: {} Bytes -> Algo RING proto {} channel{{Lo..Hi}}={{0..{}}}", function, bytes,
                   protocol(bytes), channels - 1));
}

void log_end(const void* own, int rank, int gpu) {
  info(fmt::format("comm {} rank {} cudaDev {} busId f01000 - Abort COMPLETE", own, rank, gpu));
}

}  // namespace stand_in
