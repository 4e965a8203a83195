#pragma once

#include <mutex>
#include <thread>
#include <vector>

#include "framework/machine/machine_load.h"
#include "framework/machine/machine_time.h"

namespace rigproof {

// For a rig that lives in this PID namespace, by a thread of its own.
class MachineWatch final : public MachineLoad {
 public:
  MachineWatch();
  [[nodiscard]] double worst_taken() const override;

 private:
  mutable std::mutex mutex_;
  std::vector<MachineTime> looks_;
  std::jthread thread_;
};

}  // namespace rigproof
