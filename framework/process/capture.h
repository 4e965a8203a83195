#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "framework/process/process.h"

namespace rigproof::process {

// What a short command printed and how it ended.
struct Captured {
  std::optional<int> status;  // the wait status; absent when it was killed after the deadline
  std::string output;         // stdout and stderr

  [[nodiscard]] bool succeeded() const { return status == 0; }
  [[nodiscard]] std::string how_it_ended() const;
};

// Runs a command to its end, or kills it after `deadline`. A program that can't be started is a result too (127).
[[nodiscard]] Captured capture(const ProcessSpec& command, std::chrono::milliseconds deadline);
// The same, with all that it starts in turn (owns_descendants).
[[nodiscard]] Captured capture(const std::vector<std::string>& command, std::chrono::milliseconds deadline);

}  // namespace rigproof::process
