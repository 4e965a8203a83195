#include "framework/machine/process_stat.h"

#include <sstream>

namespace rigproof {

std::optional<ProcessStat> parse_process_stat(const std::string& line) {
  const auto open = line.find('('), close = line.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  ProcessStat stat{.name = line.substr(open + 1, close - open - 1)};
  std::istringstream fields(line.substr(close + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  std::uint64_t user = 0, system = 0;
  if (!(fields >> user >> system)) return std::nullopt;
  stat.own = user + system;
  if (fields >> user >> system) stat.children = user + system;
  return stat;
}

}  // namespace rigproof
