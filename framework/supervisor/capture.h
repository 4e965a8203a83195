#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace rigproof {

// What a short command said and how it ended.
struct Captured {
  std::optional<int> status;  // the wait status; absent when it was killed for being late
  std::string output;         // stdout and stderr

  [[nodiscard]] bool succeeded() const { return status == 0; }
  [[nodiscard]] std::string how_it_ended() const;
};

// Runs a command to its end, or kills it after `deadline`. A program that can't be started is a result too
// (127).
[[nodiscard]] Captured capture(const std::vector<std::string>& command, std::chrono::milliseconds deadline);

// An empty file without a name left over: removed with the object.
class TemporaryFile {
 public:
  TemporaryFile();  // throws std::system_error
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string read() const;  // 64 MiB at most

 private:
  std::string path_;
};

}  // namespace rigproof
