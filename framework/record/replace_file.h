#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string_view>

namespace rigproof::record {

// A file that could not be written: what() names the path and the reason.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Replaces `path` in one step: readers see the old text or the new, never half of one, and a failure
// (FileError) leaves the old one as it was. Writes beside it, fsync()s and renames.
void replace_file(const std::filesystem::path& path, std::string_view text);

// The same for a writer of a report of any size: what it throws leaves the old file as it was, too.
void replace_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

// A file beside a record, FOLDER/NAME: makes the folders that it needs. FileError for a name that leads out of the folder,
// too.
void keep_file(const std::filesystem::path& folder, const std::filesystem::path& name, std::string_view text);

}  // namespace rigproof::record
