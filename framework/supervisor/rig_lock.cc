#include "framework/supervisor/rig_lock.h"

#include <fmt/format.h>

#include "framework/supervisor/exit_code.h"

namespace rigproof::supervisor {

RigLock::RigLock(const std::string& rig_name) try : lock_("rigproof/rig/" + rig_name) {
} catch (const process::NameIsHeld& held) {
  throw Refused(
      fmt::format("rig '{}' is in use by another run ({}): wait, or stop it", rig_name, held.what()));
}

}  // namespace rigproof::supervisor
