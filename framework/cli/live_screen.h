#pragma once

#include <termios.h>

#include <csignal>
#include <string>
#include <vector>

#include "reports/terminal/live_frame.h"

namespace rigproof::cli {

// Whether frames can be drawn on this descriptor: a terminal that is not TERM=dumb, and we are in its foreground.
[[nodiscard]] bool can_draw_on(int descriptor);
// Whether it shows colours: a terminal that is not TERM=dumb, and no NO_COLOR (https://no-color.org).
[[nodiscard]] bool shows_colours(int descriptor);

// Whether the locale of this process has block characters: UTF-8.
[[nodiscard]] bool speaks_utf8();

// Our terminal while a program elsewhere draws on it: nothing that is typed is echoed. On its end modes, screen and
// cursor are as they were, even where that program could not take back what it did.
class LentTerminal {
 public:
  explicit LentTerminal(int descriptor);
  ~LentTerminal();
  LentTerminal(const LentTerminal&) = delete;
  LentTerminal& operator=(const LentTerminal&) = delete;

 private:
  int descriptor_;
  termios modes_{};
};

// A terminal that shows frames on its alternate screen, without a cursor and without an echo of what is typed. Whatever
// ends it - the destructor, Ctrl-Z, a crash - the terminal is as it was before; after Ctrl-Z the next frame takes it
// again. One at a time: signal handlers are the process's.
class LiveScreen {
 public:
  explicit LiveScreen(int descriptor);  // shows nothing yet
  ~LiveScreen();
  LiveScreen(const LiveScreen&) = delete;
  LiveScreen& operator=(const LiveScreen&) = delete;

  [[nodiscard]] terminal::LiveStyle style() const;   // as the terminal is now
  void draw(const std::vector<std::string>& lines);  // nothing while in the background

 private:
  int descriptor_;
  bool colour_, unicode_;
  std::size_t width_ = 0, height_ = 0;  // when it was last drawn
  std::vector<struct sigaction> before_;
};

}  // namespace rigproof::cli
