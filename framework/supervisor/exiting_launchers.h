#pragma once

#include <chrono>
#include <list>

#include "framework/process/process.h"
#include "framework/supervisor/launch_watch.h"

namespace rigproof::supervisor {

// Launchers whose suites have said their last word, and which hold no node any more: they end beside what comes next.
class ExitingLaunchers {
 public:
  ExitingLaunchers(const Timeouts& timeouts) : timeouts_(timeouts) {}
  void add(process::Process launcher);
  // Lets go of those that have ended, and ends what takes longer than a launch may.
  void poll();
  // Until none is left; not `patient`: they are told to end at once.
  void wait(bool patient);
  [[nodiscard]] bool empty() const { return list_.empty(); }

 private:
  struct Exiting {
    process::Process launcher;
    std::chrono::steady_clock::time_point deadline;
    bool told = false;  // to end
  };
  const Timeouts& timeouts_;
  std::list<Exiting> list_;
};

}  // namespace rigproof::supervisor
