#include "framework/machine/machine_load.h"

#include <cstdlib>

#include "framework/machine/machine_log.h"
#include "framework/machine/machine_watch.h"

namespace rigproof {

std::unique_ptr<MachineLoad> watch_machine_under(const std::string& rig_kind) {
  if (rig_kind == "model") return std::make_unique<MachineWatch>();
  const char* log = rig_kind == "roce-vm" ? std::getenv(kMachineLogVariable) : nullptr;
  return log == nullptr ? nullptr : std::make_unique<LoggedMachine>(log);
}

}  // namespace rigproof
