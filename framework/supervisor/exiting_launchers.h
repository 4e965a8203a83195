#pragma once

#include <chrono>
#include <list>
#include <string>
#include <vector>

#include "framework/process/process.h"
#include "framework/supervisor/launch_watch.h"

namespace rigproof::supervisor {

// Launchers of finished suites. They hold no node and may exit while the next job starts. Success needs both:
// the suite's last event, and a launcher that ends without an error.
class ExitingLaunchers {
 public:
  ExitingLaunchers(const Timeouts& timeouts) : timeouts_(timeouts) {}
  // `what`: names the launcher in messages.
  void add(process::Process launcher, std::string what);
  // Removes launchers that have ended; waits up to `patience` for the first one. Ends those that exceed their
  // deadline. Returns a message for each that ended by itself with an error.
  [[nodiscard]] std::vector<std::string> poll(std::chrono::milliseconds patience = {});
  // Ends all of them at once and ignores how they end.
  void stop();
  [[nodiscard]] bool empty() const { return list_.empty(); }

 private:
  struct Exiting {
    process::Process launcher;
    std::string what;
    std::chrono::steady_clock::time_point deadline;
    bool told = false;  // SIGTERM was sent
  };
  const Timeouts& timeouts_;
  std::list<Exiting> list_;
};

// Why a finished suite does not count: its launcher ended with an error. Empty if it ended well.
[[nodiscard]] std::string contradiction(const std::string& what, int wait_status);

}  // namespace rigproof::supervisor
