#pragma once

#include <string>
#include <vector>

namespace stand_in {

// Lines as NCCL 2.28 writes them (src/init.cc, bootstrap.cc, plugin/net.cc, transport/net_ib.cc and net.cc), into
// NCCL_DEBUG_FILE. What NCCL says once a process, however many communicators it makes, is said once here, too.
//
// README.md says in what they differ from the real one's.

// A rank of a communicator begins. `own` is what the log calls the communicator.
void log_start(const void* own, int rank, const std::vector<std::string>& netdevs,
               const std::string& version);
// Its channels, once they are connected.
void log_channels(int own, int peer, const std::vector<std::string>& netdevs);
// NCCL's first rank does, for each collective. `function` as NCCL calls it: "AllReduce".
void log_choice(const char* function, std::size_t bytes, std::size_t channels);
void log_end(const void* own, int rank);

}  // namespace stand_in
