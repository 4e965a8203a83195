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
// is gone with the process that holds it, however that ends, and leaves no file behind. Each claims a name below this one
// with a random end, so nobody can take it first, and the kernel lists all claims with their users (sock_diag): a claim of
// this user or of root counts; another user's does not, however many there are. A kernel without that list (before 5.3, or
// without CONFIG_UNIX_DIAG) has the claimants asked instead; one that does not answer is then passed over.
class NameLock {
 public:
  // Waits up to `timeout` for the one that holds it. Throws NameIsHeld.
  explicit NameLock(const std::string& name, std::chrono::milliseconds timeout = {}, uid_t user = geteuid());

  // Other users' processes that have bound the name, in words as above.
  [[nodiscard]] const std::vector<std::string>& strangers() const { return strangers_; }

 private:
  FileDescriptor fd_;
  std::vector<std::string> strangers_;
};

}  // namespace rigproof::process
