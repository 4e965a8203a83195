// A program on a node that draws on our terminal, with a stand-in for ssh that writes down what the node would be told.
// Catches: a program there that gets no terminal or one of another size, a new size or an interrupt that never arrives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "fixtures/emulated_rigs/roce_vm_rig/commands.h"
#include "tests/support/temp_folder.h"

namespace rigproof::roce_vm_rig {
namespace {

using testing::HasSubstr;

// The first call is the program: it ends with 7 once the folder has a file "end". The others are what it is told.
constexpr const char* kSsh = R"(#!/bin/sh
for word; do :; done
echo "$*" >> "$FOLDER/told"
case $word in *drawing*) while [ ! -e "$FOLDER/end" ]; do sleep 0.02; done; exit 7 ;; esac
)";

class RemoteTerminalTest : public testing::Test {
 protected:
  RemoteTerminalTest() {
    const auto ssh = folder_.path() / "ssh";
    std::ofstream(ssh) << kSsh;
    std::filesystem::permissions(ssh, std::filesystem::perms::owner_all);
    EXPECT_EQ(openpty(&master_, &slave_, nullptr, nullptr, nullptr), 0);
    resize(24, 80);
  }
  ~RemoteTerminalTest() override {
    close(master_);
    close(slave_);
  }

  void resize(unsigned short rows, unsigned short columns) const {
    const winsize size{rows, columns, 0, 0};
    EXPECT_EQ(ioctl(slave_, TIOCSWINSZ, &size), 0);
  }

  // A process whose output is the terminal and that draws on the node.
  [[nodiscard]] pid_t start() const {
    const pid_t child = fork();
    if (child == 0) {
      setenv("FOLDER", folder_.path().c_str(), 1);
      setenv("PATH", (folder_.path().string() + ":/usr/bin:/bin").c_str(), 1);
      dup2(slave_, STDOUT_FILENO);
      const HeldInterrupts interrupts;
      _exit(RemoteNode("key", 22).run({"drawing"}, {"TERM=xterm"}, true, interrupts));
    }
    return child;
  }
  [[nodiscard]] std::string told() const {
    std::ifstream file(folder_.path() / "told");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void wait_for(const std::string& text) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (told().find(text) == std::string::npos && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_THAT(told(), HasSubstr(text));
  }

  const TempFolder folder_;
  int master_ = -1, slave_ = -1;
};

TEST_F(RemoteTerminalTest, HasOurSizeAndGetsInterrupts) {
  const pid_t child = start();
  wait_for("echo $$");
  EXPECT_THAT(told(), HasSubstr("-tt -F /dev/null"));
  EXPECT_THAT(told(), HasSubstr("stty rows 24 cols 80; "));
  EXPECT_THAT(told(), HasSubstr("'TERM=xterm' 'drawing'"));
  resize(10, 40);
  wait_for("rows 10 cols 40");
  resize(60, 200);
  wait_for("rows 60 cols 200");
  kill(child, SIGINT);
  wait_for("kill -" + std::to_string(SIGINT) + " ");
  std::ofstream(folder_.path() / "end") << "";
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace rigproof::roce_vm_rig
