#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "framework/ranks/rank_group.h"

namespace rigproof::inline ranks {

// A thread that calls `on_expired` once with what it was armed with when nobody disarmed it in time: the only way
// out of a body that neither returns nor polls.
class Watchdog {
 public:
  explicit Watchdog(std::function<void(const JobEnd&)> on_expired);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Replaces what it was armed with before.
  void arm(JobEnd end, Clock::time_point limit);
  void disarm();

 private:
  struct Watch {
    JobEnd end;
    Clock::time_point limit;
  };
  void run();

  std::function<void(const JobEnd&)> on_expired_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Watch> watch_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace rigproof::inline ranks
