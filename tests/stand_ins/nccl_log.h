#pragma once

#include <string>
#include <vector>

namespace stand_in {

// Lines as NCCL writes them, into NCCL_DEBUG_FILE.
void log_devices(const std::vector<std::string>& netdevs, const std::string& version);
void log_channels(int own, int peer, std::size_t channels);

}  // namespace stand_in
