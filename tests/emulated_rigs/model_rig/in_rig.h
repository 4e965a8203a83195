#pragma once

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "fixtures/emulated_rigs/model_rig/model_rig.h"

namespace rigproof::model_rig {

// Both ends of a pipe: what processes of a rig say, and whether any of them still lives (no end of file yet).
class Line {
 public:
  Line() {
    if (pipe(ends_.data()) != 0) std::abort();
  }
  ~Line() {
    close(ends_[0]);
    hang_up();
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  [[nodiscard]] int end() const { return ends_[1]; }
  void hang_up() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

  // Everything said from now until the last speaker is gone.
  [[nodiscard]] std::string listen() {
    hang_up();
    std::string text;
    for (std::array<char, 4096> part;;) {
      const ssize_t size = read(ends_[0], part.data(), part.size());
      if (size <= 0) return text;
      text.append(part.data(), static_cast<std::size_t>(size));
    }
  }
  // Waits for one byte.
  void wait() {
    char byte;
    if (read(ends_[0], &byte, 1) != 1) std::abort();
  }

 private:
  std::array<int, 2> ends_;
};

struct Outcome {
  int code;
  std::string output;
};

// Becomes a shell that reads `script`, with its outputs on `line`; for the `inside` of a rig.
inline int become_shell(const std::string& script, const Line& line) {
  dup2(line.end(), STDOUT_FILENO);
  dup2(line.end(), STDERR_FILENO);
  execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
  return 127;
}

// Runs `script` in a fresh model rig.
inline Outcome in_rig(const std::string& script, const ModelRigSpec& spec = {}) {
  Line line;
  const int code = run_in_model_rig(spec, [&](const ModelRigFiles&) { return become_shell(script, line); });
  return {code, line.listen()};
}

// Runs `action` in a child process, and returns the child.
inline pid_t in_child(const std::function<int()>& action) {
  const pid_t child = fork();
  if (child == 0) _exit(action());
  return child;
}

}  // namespace rigproof::model_rig
