#pragma once

#include <signal.h>

#include <array>
#include <optional>
#include <string>

namespace rigproof::supervisor {

// While it lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process. One at a time: signal
// handlers are the process's.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  [[nodiscard]] std::optional<std::string> seen() const;  // "SIGINT"

 private:
  static constexpr std::array kNoted{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kNoted.size()> before_;
};

}  // namespace rigproof::supervisor
