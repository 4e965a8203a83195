#pragma once

#include <string>
#include <vector>

namespace stand_in {

// Lines as NCCL writes them, into NCCL_DEBUG_FILE.
void log_devices(const std::vector<std::string>& netdevs, const std::string& version);
void log_channels(int own, int peer, std::size_t channels);
// NCCL's first rank does, for each collective. `function` as NCCL calls it: "AllReduce".
void log_choice(const char* function, std::size_t bytes, std::size_t channels);

}  // namespace stand_in
