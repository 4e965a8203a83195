#include "tests/stand_ins/nccl_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "tests/stand_ins/faults.h"

namespace stand_in {
namespace {

void info(const std::string& text) {
  const char* path = std::getenv("NCCL_DEBUG_FILE");
  if (path == nullptr) return;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  std::ofstream(path, std::ios::app) << fmt::format("{}:{}:{} [0] NCCL INFO {}\n", host.data(), getpid(),
                                                    getpid(), text);
}

bool by_sockets() { return fault("socket") || fault("management"); }

}  // namespace

void log_devices(const std::vector<std::string>& netdevs, const std::string& version) {
  for (const char* variable : {"NCCL_IB_QPS_PER_CONNECTION", "NCCL_NCHANNELS_PER_NET_PEER"})
    if (const char* value = std::getenv(variable))
      info(fmt::format("{} set by environment to {}.", variable, value));
  info("NCCL version " + version + "+stand-in");
  std::string list;
  for (std::size_t i = 0; i < netdevs.size(); ++i)
    list += by_sockets() ? fmt::format(" [{}]{}:{}<0>", i, netdevs[i], address_of(netdevs[i]))
                         : fmt::format(" [{}]roce-{}:1/RoCE", i, netdevs[i]);
  info(by_sockets() ? "NET/Socket : Using" + list
                    : "NET/IB : Using" + list + " [RO]; OOB mgmt0:198.18.0.1<0>");
}

void log_channels(int own, int peer, std::size_t channels) {
  const char* net = by_sockets() ? "Socket" : "IB";
  for (std::size_t i = 0; i < channels; ++i) {
    info(fmt::format("Channel {:02}/0 : {}[0] -> {}[0] [receive] via NET/{}/{}", i, peer, own, net, i));
    info(fmt::format("Channel {:02}/0 : {}[0] -> {}[0] [send] via NET/{}/{}", i, own, peer, net, i));
  }
}

void log_choice(const char* function, std::size_t bytes, std::size_t channels) {
  constexpr std::size_t kShort = 64 << 10;
  info(fmt::format("{}: {} Bytes -> Algo RING proto {} channel{{Lo..Hi}}={{0..{}}}", function, bytes,
                   bytes < kShort ? "LL" : "SIMPLE", channels - 1));
}

}  // namespace stand_in
