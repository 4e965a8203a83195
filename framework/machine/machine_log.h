#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>
#include <vector>

#include "framework/machine/machine_load.h"

namespace rigproof {

// The times of a machine in a file, a look a line, for those who can't see the machine: the nodes of a rig of
// virtual machines. These processes are the rig. Written from construction to destruction.
class MachineLog {
 public:
  MachineLog(const std::filesystem::path& file, const std::vector<pid_t>& rig);

 private:
  void look();

  std::ofstream file_;
  std::map<pid_t, std::uint64_t> ticks_;  // what a process that is gone had used stays
  std::jthread thread_;
};

// The other side of a MachineLog. What was logged in the last stretch before its making counts, so that something
// short has a stretch, too.
class LoggedMachine final : public MachineLoad {
 public:
  explicit LoggedMachine(std::filesystem::path file);
  [[nodiscard]] double worst_taken() const override;

 private:
  std::filesystem::path file_;
  std::size_t looks_before_;
};

}  // namespace rigproof
