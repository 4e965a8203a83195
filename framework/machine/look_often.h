#pragma once

#include <functional>
#include <stop_token>

namespace rigproof {

// Calls `look` at once and then every kMachineLook, until it is asked to stop.
void look_often(const std::stop_token& stop, const std::function<void()>& look);

}  // namespace rigproof
