#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/process/file_descriptor.h"
#include "framework/process/temporary_folder.h"

namespace rigproof::process {

// Programs of one owner that run at once and own their descendants each.
class Siblings {
 private:
  friend class Process;
  std::set<pid_t> pids_;
};

struct ProcessSpec {
  std::vector<std::string> arguments;                 // arguments[0]: a path, or looked up in PATH
  std::filesystem::path folder = {};                  // its working folder; empty: ours
  std::map<std::string, std::string> variables = {};  // of its environment, beside ours or instead of them

  // Its TMPDIR is a folder inside ours that no other program is told of, gone with the object; where none can be made, ours.
  bool has_own_temporary_folder = false;

  enum class Input { kEmpty, kOurs, kFile };
  Input input = Input::kEmpty;
  std::filesystem::path input_file = {};  // for kFile

  enum class Output { kKept, kLog, kOurs };  // of stdout and stderr together
  Output output = Output::kKept;
  std::filesystem::path log = {};       // for kLog: created, or emptied first
  std::size_t most_output = 64u << 20;  // for kKept: what follows is dropped

  // Its orphans become its own while it lives and ours afterwards (both become subreapers), and no descendant outlives
  // the object. Only where nothing else of this process starts processes meanwhile but its siblings.
  bool owns_descendants = false;
  std::shared_ptr<Siblings> siblings = {};  // with owns_descendants; may be empty

  int signal_when_we_end = SIGTERM;  // sent to it when the thread that started it ends
  int descriptor = -1;               // not -1: a descriptor of ours that it gets as number 3
};

// A program that this process started, in a session of its own: a terminal's signals do not reach it. It inherits no
// descriptors but those in its spec. Owner: killed with the object, together with its process group.
class Process {
 public:
  // Throws std::system_error when the program can't be started.
  explicit Process(const ProcessSpec& spec);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  [[nodiscard]] pid_t pid() const { return pid_; }
  // What TMPDIR is for it.
  [[nodiscard]] std::filesystem::path temporary_folder() const;

  // Waits until it has ended, the timeout is over or a signal is handled. The wait status once it has ended.
  std::optional<int> wait_for(std::chrono::milliseconds timeout);
  // Waits until it has ended or the deadline has passed.
  std::optional<int> wait_until(std::chrono::steady_clock::time_point deadline);

  // SIGTERM to its group. Works on stopped processes.
  void terminate() const;
  // SIGTERM to its group, then SIGKILL after `grace`. Returns the wait status; nothing when it could not be killed
  // (a process in uninterruptible sleep). Works on stopped processes.
  std::optional<int> stop(std::chrono::milliseconds grace);

  // With Output::kKept: what had been written at the last wait.
  [[nodiscard]] const std::string& output() const { return output_; }
  // The same, and forgets it: for who reads while it runs.
  [[nodiscard]] std::string take_output() { return std::exchange(output_, {}); }

 private:
  void kill_descendants();  // that are left, with owns_descendants
  void read_output();
  void signal_group(int signal) const;

  std::optional<TemporaryFolder> temporary_;  // outlives the program
  pid_t pid_ = -1;
  std::optional<int> status_;
  FileDescriptor pidfd_, pipe_;
  std::string output_;
  std::size_t most_output_;
  std::optional<std::set<pid_t>> others_;  // with owns_descendants: descendants of ours that are not its
  std::shared_ptr<Siblings> siblings_;
};

// "exited with code 3", "was killed by signal 9 (Killed)".
[[nodiscard]] std::string describe_status(int wait_status);
// As shells give it: 128 + N for one that signal N has killed.
[[nodiscard]] int exit_code_of(int wait_status);

// Where PATH has this program, or these folders after PATH ("/usr/sbin:/sbin"); of a path, itself. Only executable
// files.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& program,
                                                                const std::string& more_folders = "");

// Every descendant of `ancestor`, by /proc, but for these and theirs.
[[nodiscard]] std::set<pid_t> descendants_of(pid_t ancestor, const std::set<pid_t>& but = {});

// What a short command printed and how it ended.
struct Captured {
  std::optional<int> status;  // the wait status; absent when it was killed after the deadline
  std::string output;         // stdout and stderr

  [[nodiscard]] bool succeeded() const { return status == 0; }
  [[nodiscard]] std::string how_it_ended() const;
};

// Runs a command to its end, or kills it after `deadline`. A program that can't be started is a result too (127).
[[nodiscard]] Captured capture(const ProcessSpec& command, std::chrono::milliseconds deadline);
// The same, with all that it starts in turn (owns_descendants).
[[nodiscard]] Captured capture(const std::vector<std::string>& command, std::chrono::milliseconds deadline);

}  // namespace rigproof::process
