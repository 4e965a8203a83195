#pragma once

#include <memory>
#include <string>

namespace rigproof {

// Watches, from its making on, how much of the machine is taken from a rig whose nodes all live on it. A rig
// that was starved of CPU proves nothing about its wires.
class MachineLoad {
 public:
  virtual ~MachineLoad() = default;

  // The largest share of the machine, 0 to 1, that was taken in any stretch so far; 0 when none has passed.
  [[nodiscard]] virtual double worst_taken() const = 0;
};

// Names the file in which whoever runs a rig of virtual machines logs the machine's time for the nodes.
inline constexpr const char* kMachineLogVariable = "RIGPROOF_MACHINE_LOG";

// For a rig of this kind, from inside it. Null where nodes have machines of their own: nothing excuses them.
[[nodiscard]] std::unique_ptr<MachineLoad> watch_machine_under(const std::string& rig_kind);

}  // namespace rigproof
