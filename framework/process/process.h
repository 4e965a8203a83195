#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/process/file_descriptor.h"
#include "framework/process/temporary_folder.h"

namespace rigproof::process {

struct ProcessSpec {
  std::vector<std::string> arguments;                 // arguments[0]: a path, or looked up in PATH
  std::filesystem::path folder = {};                  // working folder; empty: ours
  std::map<std::string, std::string> variables = {};  // added to our environment, or replacing ours

  // Sets TMPDIR to a private folder in ours, deleted with the object. If that fails, TMPDIR stays ours.
  bool has_own_temporary_folder = false;

  enum class Input { kEmpty, kOurs, kFile };
  Input input = Input::kEmpty;
  std::filesystem::path input_file = {};  // for kFile

  enum class Output { kKept, kLog, kOurs };  // for stdout and stderr together
  Output output = Output::kKept;
  std::filesystem::path log = {};       // for kLog: created, or emptied first
  std::size_t most_output = 64u << 20;  // for kKept: the rest is dropped

  // No descendant outlives the object: the program's orphans become children of the program, later ours (both are
  // subreapers). Programs of other objects, and what ran before, are left alone.
  bool owns_descendants = false;

  int signal_when_we_end = SIGTERM;  // sent to the program when the thread that started it ends
  int descriptor = -1;               // our descriptor, passed as number 3; -1: none
};

// A program that this process started, in its own session: a terminal's signals do not reach it. It inherits only the
// descriptors in its spec. The destructor kills its process group.
class Process {
 public:
  // Throws std::system_error when the program can't be started.
  explicit Process(const ProcessSpec& spec);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  [[nodiscard]] pid_t pid() const { return pid_; }
  // The program's TMPDIR.
  [[nodiscard]] std::filesystem::path temporary_folder() const;

  // Waits for the program's end, the timeout or a handled signal. Returns the wait status; nullopt: still running.
  std::optional<int> wait_for(std::chrono::milliseconds timeout);
  // Waits for the program's end or the deadline.
  std::optional<int> wait_until(std::chrono::steady_clock::time_point deadline);

  // Sends SIGTERM to its group. Works on stopped processes.
  void terminate() const;
  // Sends SIGTERM to its group, then SIGKILL after `grace`. Works on stopped processes. Returns the wait status;
  // nullopt: it could not be killed (uninterruptible sleep).
  std::optional<int> stop(std::chrono::milliseconds grace);

  // Output up to the last wait, with Output::kKept.
  [[nodiscard]] const std::string& output() const { return output_; }
  // Returns output() and clears it: for reading while the program runs.
  [[nodiscard]] std::string take_output() { return std::exchange(output_, {}); }

 private:
  void kill_descendants();  // with owns_descendants
  void read_output();
  void signal_group(int signal) const;

  std::optional<TemporaryFolder> temporary_;  // outlives the program
  pid_t pid_ = -1;
  std::optional<int> status_;
  FileDescriptor pidfd_, pipe_;
  std::string output_;
  std::size_t most_output_;
  std::optional<std::set<pid_t>> others_;  // with owns_descendants: our descendants before its start
};

// "exited with code 3", "was killed by signal 9 (Killed)".
[[nodiscard]] std::string describe_status(int wait_status);
// Exit code as shells count it: 128 + N after signal N.
[[nodiscard]] int exit_code_of(int wait_status);

// Path of an executable file, searched in PATH and then in `more_folders` ("/usr/sbin:/sbin"). A name with '/' is not
// searched. nullopt: not found.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& program,
                                                                const std::string& more_folders = "");

// The path of the running program.
[[nodiscard]] std::filesystem::path own_program();

// All descendants of `ancestor` by /proc, without the processes in `but` and their descendants.
[[nodiscard]] std::set<pid_t> descendants_of(pid_t ancestor, const std::set<pid_t>& but = {});

// Output and end of a short command.
struct Captured {
  std::optional<int> status;  // the wait status; nullopt: killed after the deadline
  std::string output;         // stdout and stderr

  [[nodiscard]] bool succeeded() const { return status == 0; }
  [[nodiscard]] std::string how_it_ended() const;
};

// Runs a command; kills it after `deadline`. A program that cannot be started gives exit code 127.
[[nodiscard]] Captured capture(const ProcessSpec& command, std::chrono::milliseconds deadline);
// The same, and kills all descendants of the command (owns_descendants).
[[nodiscard]] Captured capture(const std::vector<std::string>& command, std::chrono::milliseconds deadline);

}  // namespace rigproof::process
