#pragma once

#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/process/file_descriptor.h"

namespace rigproof::process {

// Somebody who counts holds a lock: what() is "process 7 (rigproof) of user ann".
class NameIsHeld : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One holder of a name at a time: a listening socket in the abstract namespace, so it is scoped to the network namespace,
// is gone with the process that holds it, however that ends, and leaves no file behind. Anybody may bind such a name, so
// who does decides: a process of this user or of root holds the lock; another user's does not, and blocks nobody.
class NameLock {
 public:
  // Waits up to `patience` for the one that holds it. Throws NameIsHeld.
  explicit NameLock(const std::string& name, std::chrono::milliseconds patience = {}, uid_t user = geteuid());

  // Other users' processes that have bound the name, in words as above.
  [[nodiscard]] const std::vector<std::string>& strangers() const { return strangers_; }

 private:
  FileDescriptor fd_;
  std::vector<std::string> strangers_;
};

}  // namespace rigproof::process
