#pragma once

#include <string>

#include "framework/judge/judged_run.h"

namespace rigproof {

// One line for the person who runs a suite by hand:
// "tcp.rate.half on node-b: 0.9531 Gbit/s pass (limit >= 0.95 Gbit/s, margin +0.3 %)"
[[nodiscard]] std::string console_line(const JudgedMeasurement& measurement);
// "[rank 1 (node-b)] phase 'measure': ibv_post_send: EIO"
[[nodiscard]] std::string console_line(const Failure& failure);

}  // namespace rigproof
