#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rigproof {

// A program that this process started and owns with everything it starts in turn: its orphans become ours
// (PR_SET_CHILD_SUBREAPER), it gets SIGTERM when we die, and no descendant outlives the object. In a process
// group of its own, stdin empty.
class ChildProcess {
 public:
  // stdout and stderr go to `log` (created or truncated). `arguments[0]` is looked up in PATH. Throws
  // std::system_error when it can't be started.
  [[nodiscard]] static ChildProcess start(const std::vector<std::string>& arguments,
                                          const std::filesystem::path& log);
  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();  // kills what is left

  [[nodiscard]] pid_t pid() const { return pid_; }

  // Waits until it has ended or `patience` is over, or a signal is handled. The wait status once it has
  // ended.
  std::optional<int> wait_for(std::chrono::milliseconds patience);

  // SIGTERM, then SIGKILL after `grace`. Returns the wait status; nothing when it could not be killed (a
  // process in uninterruptible sleep). Works on stopped processes.
  std::optional<int> stop(std::chrono::milliseconds grace);

  // Kills and reaps every descendant that is left.
  void kill_rest();

 private:
  ChildProcess(pid_t pid, int pidfd, std::set<pid_t> bystanders);
  pid_t pid_;
  int pidfd_;
  std::set<pid_t> bystanders_;  // descendants of ours from before: not its
  std::optional<int> status_;
};

// "exited with code 3", "was killed by signal 9 (Killed)".
[[nodiscard]] std::string describe_status(int wait_status);

// Where the shell would find `program`, or nothing.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& program);

// Every descendant of `ancestor`, by /proc.
[[nodiscard]] std::set<pid_t> descendants_of(pid_t ancestor);

}  // namespace rigproof
