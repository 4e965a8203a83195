#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "framework/process/file_descriptor.h"

namespace rigproof::process {

// Owns a fresh folder in TMPDIR (else /tmp), which no other user may enter, and all that is put into it. It is locked (flock)
// while its owner lives, however that ends: the first that a process makes has those removed that a process of the same user
// was killed over.
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

// Removes the folders in `place` that are a TemporaryFolder's by their name, belong to this user alone, and whose owner is
// gone. Throws nothing.
void remove_abandoned_folders(const std::filesystem::path& place);

}  // namespace rigproof::process
