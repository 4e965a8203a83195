#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "framework/process/name_lock.h"

namespace rigproof::inline runner {

// One suite at a time on a node (a model rig's node is a network namespace of its own), of this user and of root: see
// NameLock.
class NodeLock {
 public:
  // Waits up to `patience` for the one that holds it (a dead suite's ranks outlive it by a second or so).
  // Throws std::runtime_error naming that process and its user.
  explicit NodeLock(std::chrono::milliseconds patience, const std::string& name = "rigproof/node",
                    uid_t user = geteuid());

  // Other users' processes that claim it, and block nobody.
  [[nodiscard]] const std::vector<std::string>& strangers() const { return lock_.strangers(); }

 private:
  process::NameLock lock_;
};

}  // namespace rigproof::inline runner
