#pragma once

#include <string>

namespace rigproof::supervisor {

// One run at a time on a rig: a listening socket in the abstract namespace, so the lock goes with its holder,
// however that ends, and leaves no file behind. Per rig name and head node.
class RigLock {
 public:
  // Throws Refused naming the holder's process id.
  explicit RigLock(const std::string& rig_name);
  RigLock(const RigLock&) = delete;
  RigLock& operator=(const RigLock&) = delete;
  ~RigLock();

 private:
  int fd_;
};

}  // namespace rigproof::supervisor
