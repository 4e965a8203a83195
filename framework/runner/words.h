#pragma once

#include <string>

#include "framework/record/measurement.h"

namespace rigproof {

// One line for the person who runs a suite by hand:
// "tcp.rate.half on node-b: 0.9531 Gbit/s pass (limit >= 0.95 Gbit/s, margin +0.3 %)"
[[nodiscard]] std::string words_of(const Measurement& measurement);
// "[rank 1 (node-b)] phase 'measure': ibv_post_send: EIO"
[[nodiscard]] std::string words_of(const Failure& failure);

}  // namespace rigproof
