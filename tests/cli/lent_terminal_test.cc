// The terminal of `roce-vm run`, on which a program in a virtual machine draws: what that program did to it is taken back,
// whether this process goes on, is ended by Ctrl-\ or gets a Ctrl-Z.
// Catches: a screen that stays, a cursor that stays hidden, an echo that stays off, a process that Ctrl-Z stops in mid-screen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "framework/cli/live_screen.h"

namespace rigproof::cli {
namespace {

using testing::EndsWith;

constexpr const char* kTakenBack = "\033[0m\033[?7h\033[?25h\033[?1047l";

class LentTerminalTest : public testing::Test {
 protected:
  LentTerminalTest() {
    EXPECT_EQ(openpty(&master_, &slave_, nullptr, nullptr, nullptr), 0);
    tcgetattr(slave_, &before_);
  }
  ~LentTerminalTest() override {
    close(master_);
    close(slave_);
  }

  // As the program elsewhere does, which then is lost.
  void draw() const { EXPECT_GT(write(slave_, "\033[?1049h\033[?25l\033[?7lframe", 25), 0); }
  [[nodiscard]] bool echoes() const { return (modes().c_lflag & ECHO) != 0; }
  [[nodiscard]] termios modes() const {
    termios now{};
    tcgetattr(slave_, &now);
    return now;
  }
  [[nodiscard]] std::string shown() const {
    std::string text;
    char buffer[4096];
    for (pollfd ready{master_, POLLIN, 0}; poll(&ready, 1, 0) == 1;)
      text.append(buffer, static_cast<std::size_t>(read(master_, buffer, sizeof buffer)));
    return text;
  }
  void expect_as_before() const {
    EXPECT_THAT(shown(), EndsWith(kTakenBack));
    EXPECT_EQ(modes().c_lflag, before_.c_lflag);
  }
  // How a process ends that has lent the terminal and does this.
  [[nodiscard]] int status_of(const std::function<void()>& act) const {
    const pid_t child = fork();
    if (child == 0) {
      const rlimit none{0, 0};
      setrlimit(RLIMIT_CORE, &none);
      {
        const LentTerminal lent(slave_);
        draw();
        act();
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, WUNTRACED);
    if (WIFSTOPPED(status)) kill(child, SIGKILL), waitpid(child, nullptr, 0);
    return status;
  }

  int master_ = -1, slave_ = -1;
  termios before_{};
};

TEST_F(LentTerminalTest, IsTakenBackAtTheEnd) {
  {
    const LentTerminal lent(slave_);
    EXPECT_FALSE(echoes());
    draw();
  }
  expect_as_before();
}

TEST_F(LentTerminalTest, IsTakenBackByASignalThatEndsTheProcess) {
  for (const int signal : {SIGQUIT, SIGSEGV, SIGABRT}) {
    const int status = status_of([signal] { raise(signal); });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << signal;
    expect_as_before();
  }
}

TEST_F(LentTerminalTest, IsNotStoppedByCtrlZ) {
  EXPECT_EQ(status_of([] { raise(SIGTSTP); }), 0);
  expect_as_before();
}

TEST_F(LentTerminalTest, PutsSignalsBack) {
  struct sigaction before {
  }, after{};
  sigaction(SIGQUIT, nullptr, &before);
  { const LentTerminal lent(slave_); }
  sigaction(SIGQUIT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

}  // namespace
}  // namespace rigproof::cli
