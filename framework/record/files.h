#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rigproof::record {

// A file could not be written. what() names the path and the reason.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Replaces `path` in one step: readers see the old or the new text. A failure (FileError) leaves the old
// file. Writes to a file beside it, calls fsync() and renames. Never replaces a folder, a device or a pipe.
void replace_file(const std::filesystem::path& path, std::string_view text);

// The same for a writer of any amount of text. If it throws, the old file stays, too.
void replace_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

// Removes drafts (".NAME.PID.tmp") of killed processes in this folder; drafts being written stay.
// replace_file() removes those of its own file.
void remove_drafts(const std::filesystem::path& folder);

// Writes FOLDER/NAME, a file beside a record, and creates the folders it needs. Throws FileError, also for a
// name outside of the folder.
void keep_file(const std::filesystem::path& folder, const std::filesystem::path& name, std::string_view text);

// SHA-256 of bytes that are added in pieces.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void add(std::string_view bytes);
  [[nodiscard]] std::string hex();  // 64 lower-case digits; call once

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] std::string sha256(std::string_view bytes);

// SHA-256 of a regular file, in bounded memory. Throws std::system_error naming the file.
[[nodiscard]] std::string sha256_of_file(const std::filesystem::path& path);

// Reads FOLDER/NAME once and passes its bytes to `take` in pieces: results hold for these bytes even if the
// file changes. Follows no link below the folder. Returns "" or the reason for a failure ("missing", "a link
// ...", "not a regular file", "cannot be read: ...").
[[nodiscard]] std::string read_once(const std::filesystem::path& folder, const std::filesystem::path& name,
                                    const std::function<void(std::string_view)>& take);

}  // namespace rigproof::record
