#include "framework/process/ownership.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>
#include <string>

namespace rigproof::process {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as in the kernel

struct User {
  std::string name;
  gid_t group;
};
// Thread-safe.
std::optional<User> user_of(uid_t id) {
  std::array<char, 4096> buffer;
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(id, &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return {};
  return User{entry.pw_name, entry.pw_gid};
}

// True for a group with the owner's name and no other members: the usual umask of Debian and Ubuntu lets it write.
bool is_owners_own_group(const struct stat& status) {
  const auto owner = user_of(status.st_uid);
  std::array<char, 16384> buffer;
  group entry{};
  group* found = nullptr;
  if (!owner || owner->group != status.st_gid ||
      ::getgrgid_r(status.st_gid, &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr)
    return false;
  char** other = entry.gr_mem;
  while (*other != nullptr && owner->name == *other) ++other;
  return owner->name == entry.gr_name && *other == nullptr;
}

std::string fault_of(const fs::path& path, const struct stat& status, Changers allowed, bool is_last) {
  const bool ours = allowed == Changers::kRootAndUs && status.st_uid == ::geteuid();
  if (status.st_uid != 0 && !ours)
    return fmt::format("{} belongs to user {}", path.string(),
                       user_of(status.st_uid).value_or(User{std::to_string(status.st_uid), 0}).name);
  if (S_ISLNK(status.st_mode)) return {};
  const bool guarded = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0 && !is_last;
  const bool by_others =
      (status.st_mode & S_IWOTH) != 0 || ((status.st_mode & S_IWGRP) != 0 && !is_owners_own_group(status));
  if (by_others && !guarded)
    return fmt::format("{} can be written by other users (mode {:o})", path.string(), status.st_mode & 07777);
  return {};
}

}  // namespace

std::string who_else_changes(const fs::path& path, Changers allowed) {
  const fs::path whole = fs::absolute(path);
  fs::path at = whole.root_path();  // resolved so far
  const fs::path relative = whole.relative_path();
  std::deque<fs::path> rest(relative.begin(), relative.end());
  const auto names_this = [](const fs::path& part) { return part.empty() || part == "."; };
  for (int links = 0;;) {
    while (!rest.empty() && names_this(rest.front())) rest.pop_front();
    struct stat status {};
    if (::lstat(at.c_str(), &status) != 0) return fmt::format("{}: {}", at.string(), std::strerror(errno));
    if (std::string fault = fault_of(at, status, allowed, rest.empty()); !fault.empty()) return fault;
    if (S_ISLNK(status.st_mode)) {
      std::error_code error;
      const fs::path target = fs::read_symlink(at, error);
      if (error || ++links > kMostLinks) return at.string() + ": too many symbolic links";
      rest.insert(rest.begin(), target.begin(), target.end());
      at = target.is_absolute() ? at.root_path() : at.parent_path();
      if (target.is_absolute()) rest.pop_front();
    } else if (rest.empty()) {
      return {};
    } else {
      at = rest.front() == ".." ? at.parent_path() : at / rest.front();
      rest.pop_front();
    }
  }
}

}  // namespace rigproof::process
