#include "framework/cli/live_screen.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <string_view>
#include <utility>

#include "framework/cli/rig_rates.h"
#include "framework/units/printable.h"

namespace rigproof::cli {
namespace {

// Alternate screen, no cursor, no wrap.
constexpr std::string_view kEnter = "\033[?1049h\033[?25l\033[?7l\033[2J";
constexpr std::string_view kLeave = "\033[0m\033[?7h\033[?25h\033[?1049l";
// Leaves the alternate screen; has no effect on the normal screen.
constexpr std::string_view kTakeBack = "\033[0m\033[?7h\033[?25h\033[?1047l";
constexpr int kLeftBy[] = {SIGTSTP, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

// State that a signal handler needs to restore the terminal.
struct Taken {
  int descriptor = -1;
  std::string_view last_words;
  termios modes{};
  bool has_modes = false;
};
Taken taken;
std::atomic<bool> is_taken = false;
std::atomic<bool> is_stopping = false;  // since Ctrl-Z, until the process continues
std::atomic<bool> is_ending = false;    // since a signal: no thread draws any more
std::atomic<bool> is_drawing = false;   // a thread of this process draws a frame
thread_local bool draws_here = false;   // this thread draws it

// Longest wait of a signal for the end of a frame: the terminal may be blocked (Ctrl-S).
constexpr int kFrameWaits = 500;
constexpr timespec kFrameWait{0, 1'000'000};

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(descriptor, text.data(), text.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

bool in_foreground(int descriptor) { return tcgetpgrp(descriptor) == getpgrp(); }

// While it exists, signals that leave the terminal wait: blocked in this thread, and in another thread for the end of
// the frame. A crash during a frame does not wait.
class Drawing {
 public:
  Drawing() {
    sigset_t later;
    sigemptyset(&later);
    for (const int signal : {SIGTSTP, SIGQUIT}) sigaddset(&later, signal);
    pthread_sigmask(SIG_BLOCK, &later, &before_);
    draws_here = true;
    is_drawing = true;
  }
  ~Drawing() {
    is_drawing = false;
    draws_here = false;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  // False while a signal handler leaves the terminal.
  [[nodiscard]] static bool allowed() { return !is_stopping && !is_ending; }

 private:
  sigset_t before_{};
};

// Blocks SIGTTOU: a change of modes from the background would stop the process.
void set_modes(int descriptor, const termios& modes) {
  sigset_t output, before;
  sigemptyset(&output);
  sigaddset(&output, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &output, &before);
  tcsetattr(descriptor, TCSANOW, &modes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Switches off the echo of typed characters.
void silence(int descriptor, termios modes) {
  modes.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  set_modes(descriptor, modes);
}

void take(int descriptor, std::string_view last_words) {
  taken.descriptor = descriptor;
  taken.last_words = last_words;
  taken.has_modes = tcgetattr(descriptor, &taken.modes) == 0;
  if (taken.has_modes) silence(descriptor, taken.modes);
  is_taken = true;
}

// Restores the terminal. Only system calls, because signal handlers call it.
void leave() {
  if (!is_taken.exchange(false)) return;
  write_all(taken.descriptor, taken.last_words);
  if (taken.has_modes) set_modes(taken.descriptor, taken.modes);
}

// Stops the process as Ctrl-Z does without a handler. The kernel ignores the signal if no shell could continue the
// process (`ssh -t HOST rigproof run`).
void stop() {
  struct sigaction ordinary {
  }, ours{};
  ordinary.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &ordinary, &ours);
  sigset_t stops, before;
  sigemptyset(&stops);
  sigaddset(&stops, SIGTSTP);
  raise(SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stops, &before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  sigaction(SIGTSTP, &ours, nullptr);
}

void on_signal(int signal) {
  const int error = errno;
  (signal == SIGTSTP ? is_stopping : is_ending) = true;
  for (int i = 0; is_drawing && !draws_here && i < kFrameWaits; ++i) nanosleep(&kFrameWait, nullptr);
  leave();
  signal == SIGTSTP
      ? stop()
      : static_cast<void>(raise(signal));  // SA_RESETHAND has removed the handler: ends the process
  is_stopping = false;
  errno = error;
}

bool is_dumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || *term == 0 || std::strcmp(term, "dumb") == 0;
}

}  // namespace

bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == 0) continue;
    const std::string text = lower_case(value);
    return text.find("utf-8") != std::string::npos || text.find("utf8") != std::string::npos;
  }
  return false;
}

bool can_draw_on(int descriptor) {
  return isatty(descriptor) != 0 && !is_dumb() && in_foreground(descriptor);
}

bool shows_colours(int descriptor) {
  const char* none = std::getenv("NO_COLOR");
  return isatty(descriptor) != 0 && !is_dumb() && (none == nullptr || *none == 0);
}

LeftBySignals::LeftBySignals(OnCtrlZ on_ctrl_z) {
  for (const int signal : kLeftBy) {
    struct sigaction action {};
    action.sa_handler = signal == SIGTSTP && on_ctrl_z == OnCtrlZ::kIgnore ? SIG_IGN : on_signal;
    action.sa_flags = signal == SIGTSTP ? SA_RESTART : static_cast<int>(SA_RESETHAND);
    before_.emplace_back();
    sigaction(signal, &action, &before_.back());
  }
}

LeftBySignals::~LeftBySignals() {
  leave();
  for (std::size_t i = 0; i < before_.size(); ++i) sigaction(kLeftBy[i], &before_[i], nullptr);
}

LentTerminal::LentTerminal(int descriptor) { take(descriptor, kTakeBack); }

LiveScreen::LiveScreen(int descriptor)
    : descriptor_(descriptor), colour_(shows_colours(descriptor)), unicode_(speaks_utf8()) {}

terminal::LiveStyle LiveScreen::style() const {
  winsize size{};
  const bool known = ioctl(descriptor_, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
  return {.width = known ? size.ws_col : 80U,
          .height = known ? size.ws_row : 24U,
          .colour = colour_,
          .unicode = unicode_};
}

// Writes a frame at once, so that nobody sees half of it.
void LiveScreen::draw(const std::vector<std::string>& lines, const terminal::LiveStyle& style) {
  const Drawing drawing;
  if (!Drawing::allowed() || !in_foreground(descriptor_)) return;
  if (!is_taken) {
    take(descriptor_, kLeave);
    write_all(descriptor_, kEnter);
  }
  const bool resized = style.width != width_ || style.height != height_;
  width_ = style.width, height_ = style.height;
  std::string text = resized ? "\033[2J\033[H" : "\033[H";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += "\r\n";
    text += "\033[K" + lines[i];  // erasing after a line of full width would erase its last character
  }
  write_all(descriptor_, text + "\033[J");
}

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kScreenPoll{50}, kScreenRedraw{250};
constexpr std::size_t kVerdicts = 200;  // more than a screen has lines

}  // namespace

LiveView::LiveView(Rig rig, Profile profile, terminal::LiveCounts counts, Cables cables, int descriptor)
    : rig_(std::move(rig)), profile_(profile), cables_(cables) {
  run_.counts = std::move(counts);
  thread_ = std::jthread([this, descriptor](const std::stop_token& stop) {
    try {
      show(stop, descriptor);
    } catch (...) {
      works_ = false;
    }
  });
}

LiveView::~LiveView() = default;

void LiveView::change(const std::function<void(terminal::LiveRun&)>& change) {
  const std::lock_guard lock(mutex_);
  const auto before = std::pair(run_.suite, run_.counts.ended);
  change(run_);
  if (before != std::pair(run_.suite, run_.counts.ended)) since_ = Clock::now();
  changed_ = true;
}

void LiveView::add(terminal::LiveVerdict verdict) {
  change([&](terminal::LiveRun& run) {
    if (run.verdicts.size() == kVerdicts) {
      const auto scrolls = std::ranges::find_if_not(run.verdicts, terminal::stays);
      run.verdicts.erase(scrolls == run.verdicts.end() ? run.verdicts.begin() : scrolls);
    }
    run.verdicts.push_back(std::move(verdict));
  });
}

terminal::LiveState LiveView::state(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  changed_ = false;
  terminal::LiveState state{
      .title = fmt::format("rig {} ({}), profile {}", rig_.name, rig_.kind, name(profile_)),
      .run = run_,
      .cables = {},
      .tx = {},
      .rx = {},
      .duplex = {},
      .footer = {}};
  state.run->elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - began_);
  state.run->left = time_left(run_.counts.suites, now - since_);
  return state;
}

void LiveView::show(const std::stop_token& stop, int descriptor) {
  LiveScreen screen(descriptor);
  std::optional<RigRates> rates;
  if (cables_ == Cables::kShow) rates.emplace(rig_).poll();
  for (auto due = Clock::now(); !stop.stop_requested(); std::this_thread::sleep_for(kScreenPoll)) {
    const auto now = Clock::now();
    if (now < due && !changed_) continue;
    terminal::LiveState state = this->state(now);
    if (rates) rates->show_in(state);
    const terminal::LiveStyle style = screen.style();
    screen.draw(live_frame(state, style), style);
    if (rates) rates->poll();
    due = now + kScreenRedraw;
  }
}

}  // namespace rigproof::cli
