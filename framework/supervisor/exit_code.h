#pragma once

#include <stdexcept>
#include <string>

namespace rigproof::supervisor {

// Exit codes of `rigproof`: a contract with scripts and ctest.
enum ExitCode : int {
  kExitQualified = 0,
  kExitLimitMissed = 1,
  kExitError = 2,
  kExitNotProven = 3,
  kExitRigAbsent = 77,
};

// A run cannot begin until a person solves a problem; no measurement was made. what() is the whole message.
class Refused : public std::runtime_error {
 public:
  explicit Refused(const std::string& why, ExitCode code = kExitError)
      : std::runtime_error(why), code_(code) {}
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace rigproof::supervisor
