#include "framework/runner/node_lock.h"

#include <stdexcept>

namespace rigproof::inline runner {

NodeLock::NodeLock(std::chrono::milliseconds patience, const std::string& name, uid_t user) try
    : lock_(name, patience, user) {
} catch (const process::NameIsHeld& held) {
  throw std::runtime_error(std::string("another run holds this node: ") + held.what());
}

}  // namespace rigproof::inline runner
