#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/rig/rig.h"
#include "reports/terminal/live_frame.h"

namespace rigproof::cli {

// True if frames can be drawn on this descriptor: a terminal in the foreground, not TERM=dumb.
[[nodiscard]] bool can_draw_on(int descriptor);
// True if it shows colours: a terminal, not TERM=dumb, and no NO_COLOR (https://no-color.org).
[[nodiscard]] bool shows_colours(int descriptor);

// True if the locale of this process is UTF-8, which has block characters.
[[nodiscard]] bool speaks_utf8();

// While it exists, signals that stop, end or crash this process restore the terminal first; so does the destructor.
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

// Our terminal while a program elsewhere draws on it; typed characters are not echoed. The destructor, Ctrl-\ and a
// crash restore modes, screen and cursor, even if that program could not restore them. Ctrl-Z is ignored: that
// program would not notice it.
class LentTerminal {
 public:
  explicit LentTerminal(int descriptor);

 private:
  LeftBySignals signals_{LeftBySignals::OnCtrlZ::kIgnore};
};

// Shows frames on a terminal's alternate screen, without a cursor and without echo. The destructor, Ctrl-Z, SIGQUIT and a
// crash restore the terminal; after Ctrl-Z the next frame takes it again. One object at a time: signal handlers
// belong to the process.
class LiveScreen {
 public:
  explicit LiveScreen(int descriptor);  // shows nothing yet

  [[nodiscard]] terminal::LiveStyle style() const;  // as the terminal is now
  // Draws lines that were made for this style. In the background it draws nothing.
  void draw(const std::vector<std::string>& lines, const terminal::LiveStyle& style);

 private:
  int descriptor_;
  bool colour_, unicode_;
  std::size_t width_ = 0, height_ = 0;  // at the last frame
  LeftBySignals signals_{LeftBySignals::OnCtrlZ::kStop};
};

// Shows a running run on a terminal, in a thread of its own. Its failures never reach the run.
class LiveView {
 public:
  enum class Cables { kShow, kLeaveOut };  // kLeaveOut: contacts no node
  // `counts`: the counts at the start.
  LiveView(Rig rig, Profile profile, terminal::LiveCounts counts, Cables cables, int descriptor);
  ~LiveView();  // restores the terminal and ends the readers of counters
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  // Changes the displayed state; the next frame shows it.
  void change(const std::function<void(terminal::LiveRun&)>& change);
  // Adds a verdict; only the last ones are kept.
  void add(terminal::LiveVerdict verdict);

  [[nodiscard]] bool works() const { return works_; }  // false: drawing failed

 private:
  using Clock = std::chrono::steady_clock;

  void show(const std::stop_token& stop, int descriptor);
  [[nodiscard]] terminal::LiveState state(Clock::time_point now);

  const Rig rig_;
  const Profile profile_;
  const Cables cables_;
  const Clock::time_point began_ = Clock::now();
  std::mutex mutex_;
  terminal::LiveRun run_;
  Clock::time_point since_ = began_;  // when the last case ended, or its suite began
  std::atomic<bool> works_ = true, changed_ = true;
  std::jthread thread_;  // the last member, because it uses all others
};

}  // namespace rigproof::cli
