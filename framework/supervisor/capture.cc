#include "framework/supervisor/capture.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "framework/supervisor/child_process.h"

namespace rigproof {

namespace {

constexpr std::uintmax_t kLargest = 64 << 20;  // what is behind it has run wild

}  // namespace

TemporaryFile::TemporaryFile() : path_(std::filesystem::temp_directory_path() / "rigproof-XXXXXX") {
  const int fd = mkstemp(path_.data());
  if (fd < 0) throw std::system_error(errno, std::generic_category(), path_);
  close(fd);
}

TemporaryFile::~TemporaryFile() { unlink(path_.c_str()); }

std::string TemporaryFile::read() const {
  std::ifstream file(path_, std::ios::binary);
  std::string text(std::min<std::uintmax_t>(std::filesystem::file_size(path_), kLargest), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::string Captured::how_it_ended() const {
  return status ? describe_status(*status) : "did not end in time and was killed";
}

Captured capture(const std::vector<std::string>& command, std::chrono::milliseconds deadline) {
  using Clock = std::chrono::steady_clock;
  const TemporaryFile log;
  try {
    ChildProcess child = ChildProcess::start(command, log.path());
    const auto end = Clock::now() + deadline;
    while (!child.wait_for(std::chrono::milliseconds(50)) && Clock::now() < end) continue;
    const auto status = child.wait_for(std::chrono::milliseconds(0));
    if (!status) child.stop(std::chrono::milliseconds(0));
    return {status, log.read()};
  } catch (const std::system_error& error) {
    return {127 << 8, error.what()};
  }
}

}  // namespace rigproof
