#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "framework/process/file_descriptor.h"

namespace rigproof::process {

// Owns a fresh folder in TMPDIR (else /tmp) and its contents; other users cannot enter it. The folder is locked
// (flock) while its owner lives. The first object of a process removes folders whose owner, a process of this user,
// was killed.
class TemporaryFolder {
 public:
  // Throws std::system_error, std::filesystem::filesystem_error.
  TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
  }
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileDescriptor lock_;
};

// Removes folders in `place` that are named like a TemporaryFolder's, belong to this user and have no living owner.
// Does not throw.
void remove_abandoned_folders(const std::filesystem::path& place);

}  // namespace rigproof::process
