#pragma once

#include <stdexcept>
#include <string>

namespace rigproof::supervisor {

// What `rigproof` exits with: a contract with scripts and ctest.
enum ExitCode : int {
  kExitQualified = 0,
  kExitLimitMissed = 1,
  kExitError = 2,
  kExitNotProven = 3,
  kExitRigAbsent = 77,
};

// A run cannot begin, for a reason that a person must deal with. Nothing has been measured. what() is the
// whole message.
class Refused : public std::runtime_error {
 public:
  explicit Refused(const std::string& why, ExitCode code = kExitError)
      : std::runtime_error(why), code_(code) {}
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace rigproof::supervisor
