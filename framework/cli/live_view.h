#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>

#include "framework/rig/rig.h"
#include "reports/terminal/live_frame.h"

namespace rigproof::cli {

// A run as it goes on, on a terminal's screen, by a thread of its own: what of it fails never reaches the run.
class LiveView {
 public:
  // Returns once the readers of counters have been started (or two seconds went by): programs that are started after them
  // can tell them from their own descendants.
  LiveView(Rig rig, const std::string& title, std::size_t cases, int descriptor);
  ~LiveView();  // the terminal is as it was, the readers of counters have ended
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  // Changes what is shown; drawn soon.
  void change(const std::function<void(terminal::LiveRun&)>& change);
  // Of what was shown before: the last verdicts are kept.
  void add(terminal::LiveVerdict verdict);

  [[nodiscard]] bool works() const { return works_; }  // false: it had to give up

 private:
  using Clock = std::chrono::steady_clock;

  void show(const std::stop_token& stop, int descriptor);
  [[nodiscard]] terminal::LiveState state(Clock::time_point now);

  const Rig rig_;
  const std::string title_;
  const Clock::time_point began_ = Clock::now();
  std::mutex mutex_;
  terminal::LiveRun run_;
  std::atomic<bool> works_ = true, changed_ = true;
  std::promise<void> readers_started_;
  std::jthread thread_;  // last: it uses all the others
};

// How long the rest takes if it goes on like this; nothing before the first case has ended.
[[nodiscard]] std::optional<std::chrono::seconds> time_left(std::size_t ended, std::size_t cases,
                                                            std::chrono::duration<double> elapsed);

}  // namespace rigproof::cli
