#include "framework/runner/node_lock.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace rigproof::inline runner {
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

int new_socket() {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "the node's lock: socket");
  return fd;
}

// The process that listens; 0 when it can't be told.
pid_t holder(const Address& address) {
  const int fd = new_socket();
  ucred credentials{};
  socklen_t size = sizeof credentials;
  const bool known = connect(fd, address.get(), address.length) == 0 &&
                     getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0;
  close(fd);
  return known ? credentials.pid : 0;
}

std::string program_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", pid));
  std::string path;
  std::getline(file, path, '\0');
  return path.empty() ? "a process of another container" : path.substr(path.rfind('/') + 1);
}

}  // namespace

NodeLock::NodeLock(std::chrono::milliseconds patience, const std::string& name) : fd_(new_socket()) {
  const Address address(name);
  const auto until = Clock::now() + patience;
  for (;;) {
    if (bind(fd_, address.get(), address.length) == 0 && listen(fd_, 8) == 0) return;
    const int error = errno;
    if (error != EADDRINUSE || Clock::now() > until) {
      const pid_t pid = error == EADDRINUSE ? holder(address) : 0;
      close(fd_);
      if (error != EADDRINUSE)
        throw std::system_error(error, std::generic_category(), "the node's lock: bind");
      throw std::runtime_error(
          fmt::format("another run holds this node: process {} ({})", pid, program_of(pid)));
    }
    usleep(kRetryUs);
  }
}

NodeLock::~NodeLock() { close(fd_); }

}  // namespace rigproof::inline runner
