#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rigproof {

// A line of /proc/PID/stat, or of a thread's: CPU time in the kernel's ticks.
struct ProcessStat {
  std::string name;       // as the kernel knows it: cut at 15 characters, any bytes, parentheses too
  std::uint64_t own = 0;  // in user and kernel mode since it began
  std::optional<std::uint64_t>
      children{};  // likewise, of those that it has waited for; nothing where not told
};

// Nothing when it is no such line.
[[nodiscard]] std::optional<ProcessStat> parse_process_stat(const std::string& line);

}  // namespace rigproof
