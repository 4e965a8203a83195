#include "framework/process/name_lock.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>

namespace rigproof::process {
namespace {

using Clock = std::chrono::steady_clock;
constexpr useconds_t kRetryUs = 50'000;

struct Address {
  sockaddr_un address{};
  socklen_t length;

  // Abstract: the first byte is zero.
  explicit Address(const std::string& name) {
    address.sun_family = AF_UNIX;
    const std::size_t size = std::min(name.size(), sizeof address.sun_path - 1);
    std::memcpy(address.sun_path + 1, name.data(), size);
    length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size);
  }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

FileDescriptor new_socket() {
  FileDescriptor fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) throw std::system_error(errno, std::generic_category(), "a lock: socket");
  return fd;
}

// The process that listens at a name, and its user; none where nobody does.
std::optional<ucred> holder(const Address& address) {
  const FileDescriptor fd = new_socket();
  ucred credentials{};
  socklen_t size = sizeof credentials;
  const bool known = connect(fd.get(), address.get(), address.length) == 0 &&
                     getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0;
  return known ? std::optional(credentials) : std::nullopt;
}

std::string program_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", pid));
  std::string path;
  std::getline(file, path, '\0');
  return path.empty() ? "of another container" : path.substr(path.rfind('/') + 1);
}

std::string describe(const ucred& holder) {
  const passwd* user = getpwuid(holder.uid);
  return fmt::format("process {} ({}) of user {}", holder.pid, program_of(holder.pid),
                     user == nullptr ? std::to_string(holder.uid) : user->pw_name);
}

// Strangers may bind some of them; then the next is ours.
constexpr int kNames = 64;
// Who waits asks again and again, and nobody accepts: a full queue would hide who holds the name.
constexpr int kBacklog = 4096;
// Between bind() and listen() a holder does not answer; so long it may be about to.
constexpr int kSilentTries = 10;

std::string name_of(const std::string& base, int index) {
  return index == 0 ? base : fmt::format("{}/{}", base, index);
}

struct Taken {
  FileDescriptor fd{};
  std::optional<ucred> held_by = {};  // by one that counts
  std::vector<std::string> strangers = {};
};

Taken try_to_take(const std::string& base, uid_t user, bool pass_over_silent) {
  Taken taken;
  for (int index = 0; index < kNames; ++index) {
    const Address address(name_of(base, index));
    if (!taken.fd) {
      FileDescriptor fd = new_socket();
      if (bind(fd.get(), address.get(), address.length) == 0 && listen(fd.get(), kBacklog) == 0) {
        taken.fd = std::move(fd);
        continue;
      }
      if (errno != EADDRINUSE) throw std::system_error(errno, std::generic_category(), "a lock: bind");
    }
    const auto other = holder(address);
    if (!other) {
      if (taken.fd) break;  // names are taken in their order
      if (!pass_over_silent) return taken;
      continue;
    }
    if (other->uid == user || other->uid == 0) {
      taken.held_by = other;
      return taken;
    }
    taken.strangers.push_back(describe(*other));
  }
  return taken;
}

}  // namespace

NameLock::NameLock(const std::string& name, std::chrono::milliseconds patience, uid_t user) {
  const auto until = Clock::now() + patience;
  for (int tries = 0;; ++tries) {
    Taken taken = try_to_take(name, user, tries >= kSilentTries);
    strangers_ = std::move(taken.strangers);
    if (taken.fd && !taken.held_by) {
      fd_ = std::move(taken.fd);
      return;
    }
    taken.fd = FileDescriptor();
    if (taken.held_by && Clock::now() > until) throw NameIsHeld(describe(*taken.held_by));
    if (!taken.held_by && tries > 2 * kSilentTries) throw NameIsHeld("processes that do not answer");
    usleep(kRetryUs);
  }
}

}  // namespace rigproof::process
