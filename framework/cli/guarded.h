#pragma once

#include <functional>

namespace rigproof {

// Calls `command` and returns its exit code; an exception becomes one message on stderr and its exit code.
[[nodiscard]] int guarded(const std::function<int()>& command);

}  // namespace rigproof
