#pragma once

#include <chrono>
#include <list>
#include <string>
#include <vector>

#include "framework/process/process.h"
#include "framework/supervisor/launch_watch.h"

namespace rigproof::supervisor {

// Launchers of suites that sent their last word, and which hold no node any more: they may exit while the next job starts.
// A suite that is done ends well, and so does its launcher: the last word of another one proves nothing.
class ExitingLaunchers {
 public:
  ExitingLaunchers(const Timeouts& timeouts) : timeouts_(timeouts) {}
  // `what`: whose launcher it is, for messages.
  void add(process::Process launcher, std::string what);
  // Lets go of those that have ended, after up to `patience` for the first, and ends what takes longer than a launch may.
  // Returns which of them ended by themselves, and not well, in words.
  [[nodiscard]] std::vector<std::string> poll(std::chrono::milliseconds patience = {});
  // Ends all of them at once: how they end means nothing then.
  void stop();
  [[nodiscard]] bool empty() const { return list_.empty(); }

 private:
  struct Exiting {
    process::Process launcher;
    std::string what;
    std::chrono::steady_clock::time_point deadline;
    bool told = false;  // to end
  };
  const Timeouts& timeouts_;
  std::list<Exiting> list_;
};

// Why the last word of a launch does not count, whose launcher ended so; empty where it ended well.
[[nodiscard]] std::string contradiction(const std::string& what, int wait_status);

}  // namespace rigproof::supervisor
