#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stand_in {

// Lines as NCCL 2.28 writes them (src/init.cc, bootstrap.cc, plugin/net.cc, transport/net_ib.cc, net.cc and shm.cc), into
// NCCL_DEBUG_FILE. What NCCL says once a process, however many communicators it makes, is said once here, too.
//
// README.md says in what they differ from the real one's.

struct LoggedRank {
  int rank, device;
};

// A rank of a communicator begins. `own` is what the log calls the communicator.
void log_start(const void* own, int rank, int ranks, int device, const std::vector<std::string>& netdevs,
               const std::string& version);
// Channels to or from a peer, once they are connected.
void log_channels(LoggedRank own, LoggedRank peer, bool sends, const std::vector<std::string>& netdevs);
void log_local_channels(LoggedRank own, LoggedRank peer, std::size_t channels);
// As 2.30 says it: a connection uses another device than its channel's line says.
void log_overridden(std::size_t before, std::size_t instead);
// NCCL's first rank does, for each collective. `function` as NCCL calls it: "AllReduce".
// LL below 64 KiB, otherwise SIMPLE, unless NCCL_PROTO names one.
[[nodiscard]] std::string protocol(std::size_t bytes);
void log_choice(const char* function, std::size_t bytes, std::size_t channels);
void log_end(const void* own, int rank, int device);

}  // namespace stand_in
