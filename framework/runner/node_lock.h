#pragma once

#include <chrono>
#include <string>

namespace rigproof::inline runner {

// One suite at a time on a node: an abstract unix socket, so it is scoped to the network namespace (a model
// rig's node has its own) and is gone with the process that holds it, however that ends.
class NodeLock {
 public:
  // Waits up to `patience` for the one that holds it (a dead suite's ranks outlive it by a second or so).
  // Throws std::runtime_error naming that process.
  explicit NodeLock(std::chrono::milliseconds patience, const std::string& name = "rigproof/node");
  ~NodeLock();
  NodeLock(const NodeLock&) = delete;
  NodeLock& operator=(const NodeLock&) = delete;

 private:
  int fd_;
};

}  // namespace rigproof::inline runner
