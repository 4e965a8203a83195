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

// A file that could not be written: what() names the path and the reason.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Replaces `path` in one step: readers see the old text or the new, never half of one, and a failure
// (FileError) leaves the old one as it was. Writes beside it, fsync()s and renames; never in the place of a folder, a
// device or a pipe.
void replace_file(const std::filesystem::path& path, std::string_view text);

// The same for a writer of a report of any size: what it throws leaves the old file as it was, too.
void replace_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

// What killed processes had begun in this folder (".NAME.PID.tmp"); what one is writing now stays. replace_file() removes
// those of its own file.
void remove_drafts(const std::filesystem::path& folder);

// A file beside a record, FOLDER/NAME: makes the folders that it needs. FileError for a name that leads out of the folder,
// too.
void keep_file(const std::filesystem::path& folder, const std::filesystem::path& name, std::string_view text);

// SHA-256 of what is added, piece by piece.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void add(std::string_view bytes);
  [[nodiscard]] std::string hex();  // 64 lower-case digits, once

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] std::string sha256(std::string_view bytes);

// Of a regular file, in bounded memory. Throws std::system_error naming the file.
[[nodiscard]] std::string sha256_of_file(const std::filesystem::path& path);

// Opens FOLDER/NAME, through no link below the folder, and gives all of it, read once, to `take`, piece by piece: what is said of
// these bytes holds whatever becomes of the file. Why not ("missing", "a link", "not a regular file", "cannot be read: ..."); empty
// when it did.
[[nodiscard]] std::string read_once(const std::filesystem::path& folder, const std::filesystem::path& name,
                                    const std::function<void(std::string_view)>& take);

}  // namespace rigproof::record
