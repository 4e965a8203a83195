#pragma once

#include <string>

#include "framework/process/name_lock.h"

namespace rigproof::supervisor {

// One run at a time on a rig, of this user and of root: see NameLock. Per rig name and head node.
class RigLock {
 public:
  // Throws Refused naming the holder's process and user.
  explicit RigLock(const std::string& rig_name);

 private:
  process::NameLock lock_;
};

}  // namespace rigproof::supervisor
