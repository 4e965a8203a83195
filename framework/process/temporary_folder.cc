#include "framework/process/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>

namespace rigproof::process {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "rigproof-tmp-";
constexpr std::string_view kPattern = "XXXXXX";  // mkdtemp's

FileDescriptor open_folder(const fs::path& path) {
  return FileDescriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// True for a folder as mkdtemp makes it for this user.
bool is_private(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 0777) == 0700;
}

bool is_still_at(int fd, const fs::path& path) {
  struct stat own {
  }, there{};
  return fstat(fd, &own) == 0 && lstat(path.c_str(), &there) == 0 && own.st_dev == there.st_dev &&
         own.st_ino == there.st_ino;
}

// On a file system without locks, no other process can take a lock either.
bool take_lock(int fd, int how) {
  int result;
  do result = flock(fd, LOCK_EX | how);
  while (result != 0 && errno == EINTR);
  return result == 0;
}

// True for this process's first folder in `place`.
bool is_first_in(const fs::path& place) {
  static std::mutex mutex;
  static std::set<fs::path> known;
  const std::scoped_lock locked(mutex);
  return known.insert(place).second;
}

bool has_our_name(const fs::path& path) {
  const std::string name = path.filename();
  return name.starts_with(kName) && name.size() == kName.size() + kPattern.size();
}

}  // namespace

void remove_abandoned_folders(const fs::path& place) {
  std::error_code none;
  for (fs::directory_iterator entry(place, none), end; !none && entry != end; entry.increment(none)) {
    if (!has_our_name(entry->path())) continue;
    const FileDescriptor folder = open_folder(entry->path());
    std::error_code ignored;
    if (folder && is_private(folder.get()) && take_lock(folder.get(), LOCK_NB))
      fs::remove_all(entry->path(), ignored);
  }
}

// Until the folder is locked, another process may remove it as abandoned. This process then makes another.
TemporaryFolder::TemporaryFolder() {
  const fs::path place = fs::temp_directory_path();
  if (is_first_in(place)) remove_abandoned_folders(place);
  do {
    std::string pattern = (place / kName).string() + std::string(kPattern);
    if (mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::generic_category(), pattern);
    lock_ = open_folder(pattern);
    if (!lock_ && errno != ENOENT) throw std::system_error(errno, std::generic_category(), pattern);
    path_ = pattern;
    [[maybe_unused]] const bool locked = take_lock(lock_.get(), 0);
  } while (!is_still_at(lock_.get(), path_));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace rigproof::process
