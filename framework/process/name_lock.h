#pragma once

#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/process/file_descriptor.h"

namespace rigproof::process {

// Another process of this user or of root holds the lock: what() is "process 7 (rigproof) of user ann".
class NameIsHeld : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Lock on a name, for one holder per network namespace: a listening socket in the abstract namespace. It ends with
// its process and leaves no file. Each process binds the name plus a random end, so no other process can take that
// claim first. The kernel lists all claims with their users (sock_diag). Claims of this user and of root count, other
// users' do not. Without that list (kernel before 5.3, or no CONFIG_UNIX_DIAG) the claiming processes are asked; one
// that does not answer is ignored in the end.
class NameLock {
 public:
  // Waits up to `timeout` for the present holder. Throws NameIsHeld.
  explicit NameLock(const std::string& name, std::chrono::milliseconds timeout = {}, uid_t user = geteuid());

  // Other users' processes that have bound the name, as "process 7 (rigproof) of user ann".
  [[nodiscard]] const std::vector<std::string>& strangers() const { return strangers_; }

 private:
  FileDescriptor fd_;
  std::vector<std::string> strangers_;
};

}  // namespace rigproof::process
