#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/rig/rig.h"
#include "reports/terminal/live_frame.h"

namespace rigproof::cli {

// Whether frames can be drawn on this descriptor: a terminal that is not TERM=dumb, and we are in its foreground.
[[nodiscard]] bool can_draw_on(int descriptor);
// Whether it shows colours: a terminal that is not TERM=dumb, and no NO_COLOR (https://no-color.org).
[[nodiscard]] bool shows_colours(int descriptor);

// Whether the locale of this process has block characters: UTF-8.
[[nodiscard]] bool speaks_utf8();

// While it lives, a signal that stops, ends or crashes this process first leaves the terminal as it was; so does its end.
class LeftBySignals {
 public:
  enum class OnCtrlZ { kStop, kIgnore };
  explicit LeftBySignals(OnCtrlZ on_ctrl_z);
  ~LeftBySignals();
  LeftBySignals(const LeftBySignals&) = delete;
  LeftBySignals& operator=(const LeftBySignals&) = delete;

 private:
  std::vector<struct sigaction> before_;
};

// Our terminal while a program elsewhere draws on it: nothing that is typed is echoed. On its end, and by Ctrl-\ or a
// crash, modes, screen and cursor are as they were, even where that program could not take back what it did. Ctrl-Z does
// nothing: that program would not know of it.
class LentTerminal {
 public:
  explicit LentTerminal(int descriptor);

 private:
  LeftBySignals signals_{LeftBySignals::OnCtrlZ::kIgnore};
};

// A terminal that shows frames on its alternate screen, without a cursor and without an echo of what is typed. Whatever
// ends it - the destructor, Ctrl-Z, Ctrl-\, a crash - the terminal is as it was before; after Ctrl-Z the next frame takes it
// again. One at a time: signal handlers are the process's.
class LiveScreen {
 public:
  explicit LiveScreen(int descriptor);  // shows nothing yet

  [[nodiscard]] terminal::LiveStyle style() const;  // as the terminal is now
  // Lines made for this style. Nothing while in the background.
  void draw(const std::vector<std::string>& lines, const terminal::LiveStyle& style);

 private:
  int descriptor_;
  bool colour_, unicode_;
  std::size_t width_ = 0, height_ = 0;  // when it was last drawn
  LeftBySignals signals_{LeftBySignals::OnCtrlZ::kStop};
};

// A run as it goes on, on a terminal's screen, by a thread of its own: what of it fails never reaches the run.
class LiveView {
 public:
  // Returns once the readers of counters have been started (or two seconds went by): programs that are started after them
  // can tell them from their own descendants.
  // `counts`: at its beginning.
  LiveView(Rig rig, Profile profile, terminal::LiveCounts counts, int descriptor);
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
  const Profile profile_;
  const Clock::time_point began_ = Clock::now();
  std::mutex mutex_;
  terminal::LiveRun run_;
  Clock::time_point since_ = began_;  // the last case ended, or its suite began
  std::atomic<bool> works_ = true, changed_ = true;
  std::promise<void> readers_started_;
  std::jthread thread_;  // last: it uses all the others
};

}  // namespace rigproof::cli
